"""Annotation without HTTP: tasks, studies, work that is handed out once and kept for ever, and how good it is.

:class:`Work` is the door: studies and items go in, workers claim and submit, requesters review and pay.
"""

from eyechart.collection.bodies import BODIES
from eyechart.collection.flags import FLAGS
from eyechart.collection.model import (
    Assignment,
    Draft,
    Item,
    Nothing,
    Picture,
    Progress,
    Receipt,
    Settings,
    Study,
    Unit,
)
from eyechart.collection.people import Attempt
from eyechart.collection.planning import plan_items
from eyechart.collection.reviewing import Owed, Reviewed
from eyechart.collection.task_types import PARTS, Field, TaskType, Wording, read_task, task, tasks
from eyechart.collection.work import Work

__all__ = [
    "BODIES",
    "FLAGS",
    "PARTS",
    "Assignment",
    "Attempt",
    "Draft",
    "Field",
    "Item",
    "Nothing",
    "Owed",
    "Picture",
    "Progress",
    "Receipt",
    "Reviewed",
    "Settings",
    "Study",
    "TaskType",
    "Unit",
    "Wording",
    "Work",
    "plan_items",
    "read_task",
    "task",
    "tasks",
]
