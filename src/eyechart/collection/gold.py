"""Items whose answer is known: compared in silence, and a reason to block whose mean over the last ones is too low."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from eyechart.collection.bodies import BODIES
from eyechart.collection.model import Study
from eyechart.collection.people import block
from eyechart.collection.rows import Row, by_first, inserted
from eyechart.database import work

__all__ = ["agreement_with", "means", "note_result"]


def agreement_with(task: str, body: Mapping[str, Any], expected: Any) -> float:
    """How far a body agrees with what is known to be right; with the nearest, where several are.

    >>> agreement_with("answer", {"answer": "Two"}, [{"answer": "2"}, {"answer": "a pair"}])
    1.0
    """
    kind = BODIES.load(task)
    known = expected if isinstance(expected, list) else [expected]
    return max((kind.agrees(body, each) for each in known), default=0.0)


def note_result(
    rows: Connection,
    study: Study,
    worker_id: int,
    unit: Row,
    *,
    response_id: int,
    body: Mapping[str, Any],
    now: datetime,
) -> None:
    """Compare, remember, and block who falls below the mark."""
    result = {
        "response_id": response_id,
        "study_id": study.study_id,
        "worker_id": worker_id,
        "kind": unit["kind"],
        "score": agreement_with(study.task.name, body, unit["expected"]),
        "at": now,
    }
    inserted(rows, work.GOLD_RESULTS, result)
    mean, count = rolling(rows, study, worker_id)
    if count >= study.settings.gold_least and mean < study.settings.gold_mark:
        block(rows, worker_id, study.study_id, f"gold: {mean:.2f} of the last {count}", now, until=None)


def rolling(rows: Connection, study: Study, worker_id: int) -> tuple[float, int]:
    """The mean of a worker's last results, and how many they are."""
    result = work.GOLD_RESULTS.c
    mine = (result.study_id == study.study_id) & (result.worker_id == worker_id)
    last = select(result.score).where(mine).order_by(result.response_id.desc()).limit(study.settings.gold_window)
    scores = list(rows.execute(last).scalars())
    return (sum(scores) / len(scores) if scores else 1.0), len(scores)


def means(rows: Connection, study: Study) -> dict[str, float]:
    """Each worker's mean over all items whose answer is known."""
    result, worker = work.GOLD_RESULTS.c, work.WORKERS.c
    wanted = (
        select(worker.name, func.avg(result.score))
        .join_from(work.GOLD_RESULTS, work.WORKERS, worker.worker_id == result.worker_id)
        .where(result.study_id == study.study_id)
        .group_by(worker.name)
    )
    return by_first(rows, wanted)
