"""What the editors are told: the scenes or pictures of a task, and what was drawn so far."""

from collections.abc import Mapping
from typing import Any

from eyechart.collection import Assignment, Study

__all__ = ["drawing_state"]


def drawing_state(study: Study, held: Assignment, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an editor opens with; nothing for tasks that are not drawn."""
    del held, values
    return None if study.task.name not in {"scene", "scene_edit", "scene_graph"} else {}
