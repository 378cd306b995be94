"""Worker pages: what there is to do, how a task is explained, the task itself, and what becomes of it.

Every step is a form that works without JavaScript; the module beside it saves drafts, keeps the assignment and counts
time.
"""

import secrets
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Path, Query, Request
from pydantic import BaseModel, Field, JsonValue
from starlette.responses import HTMLResponse, JSONResponse, Response

from eyechart.collection import Assignment, Attempt, Nothing, Study
from eyechart.database import now
from eyechart.errors import MistakesError, WorkError
from eyechart.web.collect import forms
from eyechart.web.collect.drawing import drawing_of
from eyechart.web.collect.pictures import SIZES, drawn
from eyechart.web.collect.platforms import finish_path, is_finished
from eyechart.web.collect.suggesting import suggestions
from eyechart.web.collect.visiting import Visit, Visiting
from eyechart.web.ui import RefusalError

__all__ = ["pages"]

pages = APIRouter(prefix="/work", default_response_class=HTMLResponse)

_NOT_YOURS = "There is no such task of yours; go back to the study and take a new one."
_PICTURE: dict[int | str, dict[str, Any]] = {200: {"content": {"image/webp": {}}, "description": "The picture."}}
_LONGEST = 86_400

Said = Annotated[str, Query(max_length=20)]
Name = Annotated[str, Path(max_length=80)]
Token = Annotated[str, Path(max_length=64)]

_NOTHING = {
    "closed": "This study is not open at the moment; look in again later.",
    "blocked": "You cannot work on this study any more. If you think that this is a mistake, write to whoever runs it.",
    "unqualified": "This study needs a qualification that you do not have yet.",
    "done": "Everything in this study is answered. Thank you!",
    "seen": "You have seen everything in this study. Thank you!",
    "limit": "You have done as much of this study as one person may. Thank you!",
    "thanks": "Handed in. Thank you! Go on whenever you like.",
    "waiting": "Others hold all that is left at the moment; some of it may come back in a few minutes.",
}


@pages.get("")
def studies_page(visit: Visiting) -> Response:
    """The open studies."""
    return visit.page("collect/work.html", studies=visit.open_studies())


@pages.get("/{name}")
def study_page(visit: Visiting, name: Name, because: Said = "", note: Said = "") -> Response:
    """How a study is explained, before anything is accepted."""
    said: dict[str, Any] = {"because": _NOTHING.get(because, ""), "reason": because, "late": note == "late"}
    return visit.page("collect/study.html", **said, **_told(visit.study(name)))


def _told(study: Study) -> dict[str, Any]:
    return {"study": study, "wording": study.wording, "fields": forms.fields_of(study)}


@pages.post("/{name}/claim")
def claim(visit: Visiting, name: Name) -> Response:
    """Accept an assignment, or go on with the one that is held."""
    return go_on(visit, name)


def go_on(visit: Visit, name: str, *, late: bool = False) -> Response:
    """To the next assignment, or to why there is none; with a word on one that came late."""
    note = "note=late" if late else ""
    found = visit.work.claim(visit.study(name).name, visit.worker)
    if isinstance(found, Nothing):
        if is_finished(visit, name):
            return visit.moved(finish_path(name))
        return visit.moved(f"/work/{name}?because={found.reason}&{note}".rstrip("&"))
    return visit.moved(f"/work/{name}/tasks/{found.token}?{note}".rstrip("?"))


# ---------------------------------------------------------------------- the task


def _mine(visit: Visit, name: str, token: str) -> Assignment:
    """An assignment of this worker in this study; somebody else's is not found."""
    try:
        found = visit.work.assignment(token)
    except WorkError:
        raise RefusalError(404, _NOT_YOURS) from None
    if found.worker != visit.worker or found.study != name:
        raise RefusalError(404, _NOT_YOURS)
    return found


@pages.get("/{name}/tasks/{token}")
def task_page(visit: Visiting, name: Name, token: Token, note: Said = "") -> Response:
    """The task."""
    held = _mine(visit, name, token)
    if not held.units:
        return visit.page("collect/lost.html", status=410, **_told(visit.study(name)))
    draft = held.draft.body if held.draft and isinstance(held.draft.body, dict) else {}
    return _task(visit, held, draft, key=secrets.token_urlsafe(12), late=note == "late")


def _task(
    visit: Visit,
    held: Assignment,
    values: Mapping[str, Any],
    *,
    key: str,
    status: int = 200,
    mistakes: Mapping[str, str] | None = None,
    problem: str = "",
    late: bool = False,
) -> Response:
    study = visit.study(held.study)
    return visit.page(
        "collect/task.html",
        status=status,
        held=held,
        values=values,
        key=key,
        mistakes=mistakes or {},
        problem=problem,
        late=late,
        name_of=forms.name_of,
        here=f"/work/{held.study}/tasks/{held.token}",
        drawing=drawing_of(visit, study, held, values),
        missing=[part for part in study.task.may_withhold if part not in study.shown],
        **_told(study),
    )


async def _values(request: Request) -> dict[str, str]:
    """The fields of a form as text; files are not asked for and not taken."""
    return {name: text for name, text in (await request.form()).items() if isinstance(text, str)}


Values = Annotated[dict[str, str], Depends(_values)]


@pages.post("/{name}/tasks/{token}")
def hand_in(
    visit: Visiting,
    name: Name,
    token: Token,
    *,
    values: Values,
    key: Annotated[str, Form(min_length=8, max_length=100, description="Made once for a submission.")],
    revision: Annotated[int, Form(ge=0, lt=2**31, description="Of the draft that the form was opened with.")] = 0,
    then: Annotated[str, Form(pattern="^(next|stop|save|more)$", description="What comes after.")] = "next",
) -> Response:
    """Hand a task in and go on to the next one; or keep it as it is, for later or for longer."""
    held = _mine(visit, name, token)
    kept = held.draft.revision if held.draft else 0
    if revision < kept and not _saved_by(held, key):
        warning = (
            "This task was changed in another tab meanwhile. Below is what you sent; hand it in again if it is right."
        )
        return _task(visit, held, values, key=key, status=409, problem=warning)
    if then in {"save", "more"}:
        visit.work.save_draft(token, kept, forms.draft_of(values))
        visit.work.heartbeat(token)
        return visit.moved(f"/work/{name}" if then == "save" else f"/work/{name}/tasks/{token}")
    study = visit.study(name)
    try:
        receipt = visit.work.submit(
            token,
            key,
            forms.bodies_of(study, [unit.number for unit in held.units], values),
            comment=values.get("comment", "").strip() or None,
            active_seconds=_seconds(values.get("active_seconds", "")),
        )
    except MistakesError as error:
        return _task(visit, held, values, key=key, status=422, mistakes=error.mistakes)
    if is_finished(visit, name):
        return visit.moved(finish_path(name))
    return (
        go_on(visit, name, late=bool(receipt.late)) if then == "next" else visit.moved(f"/work/{name}?because=thanks")
    )


def _saved_by(held: Assignment, key: str) -> bool:
    """Whether the newest draft is of the page that made this key: its form was sent while the draft was on its way."""
    body = held.draft.body if held.draft else None
    return isinstance(body, dict) and body.get("key") == key


def _seconds(text: str) -> float | None:
    """How long the page says that somebody was at it; nonsense is nothing."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if 0 <= seconds < _LONGEST else None


@pages.post("/{name}/tasks/{token}/release")
def release(visit: Visiting, name: Name, token: Token) -> Response:
    """Give a task back; somebody else gets it."""
    _mine(visit, name, token)
    visit.work.release(token)
    return visit.moved(f"/work/{name}")


# ---------------------------------------------------------------------- beside the form


class Draft(BaseModel):
    """What a page has so far."""

    revision: int = Field(ge=0, lt=2**31, description="Of the draft that the page started from; 0 for none.")
    body: JsonValue = Field(description="The page's own.")


class Kept(BaseModel):
    """A draft that was kept."""

    revision: int


class Beat(BaseModel):
    """Until when a task is held."""

    expires: datetime
    seconds: float


@pages.put("/{name}/tasks/{token}/draft", response_class=JSONResponse)
def save_draft(visit: Visiting, name: Name, token: Token, draft: Draft) -> Kept:
    """Keep what a page has so far; a page that does not know of a newer draft is refused, with 409."""
    _mine(visit, name, token)
    return Kept(revision=visit.work.save_draft(token, draft.revision, draft.body).revision)


@pages.post("/{name}/tasks/{token}/beat", response_class=JSONResponse)
def beat(visit: Visiting, name: Name, token: Token) -> Beat:
    """Somebody is still at it: hold the task longer."""
    _mine(visit, name, token)
    until = visit.work.heartbeat(token)
    if until is None:
        raise RefusalError(410, "Somebody else has this task now; what you hand in is kept and paid all the same.")
    return Beat(expires=until, seconds=(until - now()).total_seconds())


@pages.get("/{name}/tasks/{token}/pictures/{unit}/{number}", responses=_PICTURE, response_class=Response)
def picture(
    visit: Visiting,
    name: Name,
    token: Token,
    unit: Annotated[int, Path(ge=0, lt=1000)],
    number: Annotated[int, Path(ge=0, lt=100_000)],
    size: Annotated[str, Query(pattern=f"^({'|'.join(SIZES)})$")] = "whole",
) -> Response:
    """A picture of a task, if the study shows it."""
    _mine(visit, name, token)
    try:
        found = visit.work.picture(token, unit, number)
    except WorkError as error:
        raise RefusalError(404, "There is no such picture in this task.") from error
    content = drawn(visit.study(name), found, size)
    return Response(content, media_type="image/webp", headers={"Cache-Control": "private, max-age=3600"})


@pages.get("/{name}/suggestions", response_class=JSONResponse)
def suggest(visit: Visiting, name: Name, text: Annotated[str, Query(max_length=100)] = "") -> list[str]:
    """The entries of the study's vocabulary that come near to a text."""
    return suggestions(visit.study(name).settings.vocabulary, text)


# ---------------------------------------------------------------------- the qualification test


@pages.get("/{name}/test")
def test_page(visit: Visiting, name: Name) -> Response:
    """The test that a study wants passed."""
    return _test(visit, visit.study(name), {})


@pages.post("/{name}/test")
def take_test(visit: Visiting, name: Name, values: Values) -> Response:
    """Mark a test, with the explanation of what was wrong."""
    study = visit.study(name)
    if study.task.test is None:
        raise RefusalError(404, _NO_TEST)
    answers = {place: values.get(f"q{place}", "") for place in range(len(study.task.test.questions))}
    try:
        attempt = visit.work.take_test(visit.worker, study.task.name, answers)
    except WorkError as error:
        raise RefusalError(409, "You have tried this test as often as one may; ask whoever runs the study.") from error
    return _test(visit, study, answers, attempt=attempt)


_NO_TEST = "This study has no test; go back to it and begin."


def _test(visit: Visit, study: Study, answers: Mapping[int, str], *, attempt: Attempt | None = None) -> Response:
    if study.task.test is None:
        raise RefusalError(404, _NO_TEST)
    return visit.page("collect/test.html", answers=answers, attempt=attempt, test=study.task.test, **_told(study))
