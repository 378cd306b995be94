"""Workers from Mechanical Turk and Prolific: they come by a signed link, and leave with what their platform wants.

The link names the study and is signed; the platform adds who comes. Their ids are kept as keyed hashes only, but for
that of the assignment, by which the platform is told whom to pay.
"""

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any
from urllib.parse import urlencode, urlsplit

from fastapi import APIRouter, Path, Query, Request
from sqlalchemy import insert, select
from starlette.responses import HTMLResponse, Response

from eyechart.collection import Nothing, Work
from eyechart.database import accounts as t
from eyechart.database import now
from eyechart.database import work as w
from eyechart.web.collect.visiting import FRAMES, Visit, Visiting, study_named
from eyechart.web.ui import Here, RefusalError, Site, accounts, answer, moved, record
from eyechart.web.ui.passwords import digest, new_token

__all__ = ["completion_code", "finish_path", "is_finished", "link_to", "pages"]

pages = APIRouter(default_response_class=HTMLResponse)

_PREVIEW = "ASSIGNMENT_ID_NOT_AVAILABLE"
_PASS_LASTS = timedelta(hours=12)
_TURK = ("https://www.mturk.com", "https://workersandbox.mturk.com")
_DONE = "https://app.prolific.com/submissions/complete"
_MOST = 10_000

Study = Annotated[str, Path(max_length=80)]
Id = Annotated[str, Query(max_length=200)]
Count = Annotated[int, Query(ge=1, le=_MOST)]


def link_to(site: Site, platform: str, study: str, count: int = 1) -> str:
    """The address to give to a platform: of a study, for so many responses."""
    signed = {"count": str(count), "key": site.sign("link", platform, study, str(count))}
    ids = {"prolific": "PROLIFIC_PID={{%PROLIFIC_PID%}}&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"}
    added = f"&{ids[platform]}" if platform in ids else ""
    return site.link(f"/from/{platform}/{study}?{urlencode(signed)}{added}")


def completion_code(site: Site, study: str) -> str:
    """What a participant of Prolific shows when they are done; it follows from the study and our secret."""
    return site.sign("completion", study)[:10].upper()


def _check(site: Site, platform: str, study: str, count: int, key: str) -> None:
    if not site.signed(key, "link", platform, study, str(count)):
        raise RefusalError(403, "This link is not one of this site; copy it again from the study's page.")


# ---------------------------------------------------------------------- coming


@pages.get("/from/mturk/{name}")
def from_turk(
    request: Request,
    site: Here,
    *,
    name: Study,
    key: Id = "",
    count: Count = 1,
    assignment: Annotated[str, Query(alias="assignmentId", max_length=200)] = _PREVIEW,
    hit: Annotated[str, Query(alias="hitId", max_length=200)] = "",
    worker: Annotated[str, Query(alias="workerId", max_length=200)] = "",
    back: Annotated[str, Query(alias="turkSubmitTo", max_length=200)] = "",
) -> Response:
    """Somebody from Mechanical Turk: a preview, or a task at once."""
    _check(site, "mturk", name, count, key)
    work = Work(site.database)
    study = study_named(work, name)
    if assignment == _PREVIEW or not worker:
        return answer(request, "collect/preview.html", framed_by=FRAMES["mturk"], study=study, wording=study.wording)
    if _origin(back) not in _TURK:
        raise RefusalError(422, "turkSubmitTo: found no address of Mechanical Turk; open the HIT there again.")
    ids = {"assignment": assignment, "hit": hit, "back": _origin(back), "count": count}
    return _arrive(site, work, name, ("mturk", worker), ids)


@pages.get("/from/prolific/{name}")
def from_prolific(
    site: Here,
    *,
    name: Study,
    worker: Annotated[str, Query(alias="PROLIFIC_PID", min_length=1, max_length=200)],
    key: Id = "",
    count: Count = 1,
    study_id: Annotated[str, Query(alias="STUDY_ID", max_length=200)] = "",
    session: Annotated[str, Query(alias="SESSION_ID", max_length=200)] = "",
) -> Response:
    """Somebody from Prolific."""
    _check(site, "prolific", name, count, key)
    work = Work(site.database)
    study_named(work, name)
    ids = {"session": session, "study": study_id, "count": count}
    return _arrive(site, work, name, ("prolific", worker), ids)


def _arrive(site: Site, work: Work, name: str, who: tuple[str, str], ids: Mapping[str, Any]) -> Response:
    """Make the pass, take an assignment, and note which of the platform's it is."""
    worker = work.worker(*who)
    key = f"{who[0]}.{new_token()}"
    with site.database.writing() as rows:
        account = accounts.linked_account(rows, worker)
        values = {"token_hash": digest(key), "account_id": account.account_id, "created": now()}
        rows.execute(insert(t.SESSIONS).values(**values, expires=now() + _PASS_LASTS))
        record(rows, account.account_id, "arrive", name, platform=who[0])
    found = work.claim(name, worker)
    if isinstance(found, Nothing):
        return moved(f"/work/{name}?{urlencode({'because': found.reason, 'pass': key})}")
    work.record(found.token, [("arrived", dict(ids))])
    return moved(f"/work/{name}/tasks/{found.token}?{urlencode({'pass': key})}")


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


# ---------------------------------------------------------------------- leaving


def _arrivals(visit: Visit, name: str) -> tuple[str, dict[str, Any]] | None:
    """The last arrival of this worker in a study: with which assignment, and what the platform said."""
    query = (
        select(w.LEASES.c.token, w.EVENTS.c.body)
        .join_from(w.EVENTS, w.LEASES, w.LEASES.c.lease_id == w.EVENTS.c.lease_id)
        .join(w.WORKERS, w.WORKERS.c.worker_id == w.LEASES.c.worker_id)
        .join(w.STUDIES, w.STUDIES.c.study_id == w.LEASES.c.study_id)
        .where(w.WORKERS.c.name == visit.worker, w.STUDIES.c.name == name, w.EVENTS.c.kind == "arrived")
        .order_by(w.EVENTS.c.event_id.desc())
    )
    with visit.site.database.reading() as rows:
        found = rows.execute(query.limit(1)).one_or_none()
    return None if found is None else (found[0], found[1])


def _done_since(visit: Visit, name: str, token: str) -> int:
    """How many responses the worker gave from this assignment on."""
    first = select(w.LEASES.c.lease_id).where(w.LEASES.c.token == token).scalar_subquery()
    query = (
        select(w.RESPONSES.c.response_id)
        .join(w.WORKERS, w.WORKERS.c.worker_id == w.RESPONSES.c.worker_id)
        .join(w.STUDIES, w.STUDIES.c.study_id == w.RESPONSES.c.study_id)
        .where(w.WORKERS.c.name == visit.worker, w.STUDIES.c.name == name, w.RESPONSES.c.lease_id >= first)
    )
    with visit.site.database.reading() as rows:
        return len(rows.execute(query.limit(_MOST)).all())


def is_finished(visit: Visit, name: str) -> bool:
    """Whether somebody from a platform has done what their link asks for, or as much of it as there is."""
    arrived = _arrivals(visit, name) if visit.key else None
    if arrived is None:
        return False
    done = _done_since(visit, name, arrived[0])
    if done >= int(arrived[1]["count"]):
        return True
    return done > 0 and isinstance(visit.work.claim(name, visit.worker), Nothing)


def finish_path(name: str) -> str:
    """Where somebody from a platform is sent when they are done."""
    return f"/work/{name}/finish"


@pages.get("/work/{name}/finish")
def finish_page(visit: Visiting, name: Study) -> Response:
    """Hand back to the platform: a form for Mechanical Turk, a code for Prolific."""
    arrived = _arrivals(visit, name)
    if arrived is None or not _done_since(visit, name, arrived[0]):
        raise RefusalError(404, "There is nothing to hand back yet; do a task first.")
    ids = arrived[1]
    code = completion_code(visit.site, name)
    back = str(ids.get("back", ""))
    return visit.page(
        "collect/finish.html",
        posts_to=[back] if back else [],
        turk=f"{back}/mturk/externalSubmit" if back else "",
        assignment=ids.get("assignment", ""),
        code=code,
        complete=f"{_DONE}?{urlencode({'cc': code})}",
        study=visit.study(name),
    )
