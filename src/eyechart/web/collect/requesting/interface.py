"""Studies for programs: what there is, how far it is, what came back, and everything as lines."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from eyechart.collection import Study
from eyechart.web.collect.requesting.asking import Asked, Asking, Studied

__all__ = ["interface"]

interface = APIRouter(prefix="/studies", tags=["studies"])
_one = APIRouter(prefix="/{name}")

_MOST = 2**31 - 1


class Told(BaseModel):
    """A study, and how far it is."""

    name: str
    title: str
    task: str
    state: str
    wording: str
    created: datetime
    items: int
    finished: int
    wanted: int
    done: int
    held: int
    late: int
    rejected: int
    workers: int
    pay_millionths: int
    currency: str
    flags: dict[str, int]


class Given(BaseModel):
    """A response."""

    response: int
    item: str
    worker: str
    state: str
    body: dict[str, Any]
    comment: str | None
    flags: list[str]
    seconds: float
    submitted: datetime
    decision: str | None


def _told(asked: Asked, study: Study) -> Told:
    found = asked.work.progress(study.name)
    counts = {
        name: getattr(found, name) for name in ("items", "finished", "wanted", "done", "held", "late", "rejected")
    }
    return Told(
        name=study.name,
        title=study.title,
        task=study.task.name,
        state=study.state,
        wording=study.wording_hash,
        created=study.created,
        workers=found.workers,
        pay_millionths=found.millionths,
        currency=found.currency,
        flags=found.flags,
        **counts,
    )


@interface.get("")
def studies(asked: Asking) -> list[Told]:
    """Every study, and how far it is."""
    return [_told(asked, study) for study in asked.work.studies()]


@_one.get("")
def study(asked: Asking, study: Studied) -> Told:
    """A study, and how far it is."""
    return _told(asked, study)


@_one.get("/responses")
def responses(
    asked: Asking,
    study: Studied,
    before: Annotated[int | None, Query(ge=0, le=_MOST, description="The last number of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> list[Given]:
    """Responses, newest first, a page of them."""
    return [
        Given(
            response=each.response_id,
            item=each.item,
            worker=each.worker,
            state=each.state,
            body=each.body,
            comment=each.comment,
            flags=list(each.flags),
            seconds=each.seconds,
            submitted=each.submitted,
            decision=each.decision,
        )
        for each in asked.work.responses(study.name, before=before, limit=limit)
    ]


interface.include_router(_one)
