"""Pages of studies: all of them, a new one, how far one is, and how people are invited to it."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from fastapi import APIRouter, Form, UploadFile
from starlette.responses import HTMLResponse, Response

from eyechart.collection import FLAGS, Settings, StudyFile, make_study, read_study_file, tasks
from eyechart.errors import EyechartError
from eyechart.store import Benchmark
from eyechart.web.collect.platforms import completion_code, link_to
from eyechart.web.collect.requesting.asking import Asked, Asking, Studied
from eyechart.web.ui import RefusalError, moved, save_upload

__all__ = ["one", "pages"]

pages = APIRouter(prefix="/studies", default_response_class=HTMLResponse)
one = APIRouter(prefix="/studies/{name}", default_response_class=HTMLResponse)

_LARGEST_FILE = 2_000_000
_MILLION = 1_000_000

Word = Annotated[str, Form(max_length=200)]
Share = Annotated[float, Form(ge=0, le=1)]


@pages.get("")
def studies_page(asked: Asking) -> Response:
    """Every study, with how far it is."""
    found = [(study, asked.work.progress(study.name)) for study in reversed(asked.work.studies())]
    return asked.page("studies/studies.html", studies=found)


# ---------------------------------------------------------------------- a new one


@pages.get("/new")
def new_page(asked: Asking) -> Response:
    """The form for a new study."""
    return _new(asked, {})


def _new(asked: Asked, values: dict[str, Any], *, problem: str = "", status: int = 200) -> Response:
    shelf = [(str(place), folder.name) for place, folder in enumerate(asked.site.settings.benchmarks)]
    kinds = [(name, kind.title) for name, kind in tasks().items()]
    wordings = [(f"{kind.name}/{name}", f"{kind.title}: {name}") for kind in tasks().values() for name in kind.wordings]
    parts = sorted({part for kind in tasks().values() for part in kind.may_withhold})
    shown = {"shelf": shelf, "kinds": kinds, "wordings": wordings, "withheld": parts, "values": values}
    others = [(study.name, study.title) for study in asked.work.studies()]
    return asked.page("studies/new.html", status=status, problem=problem, others=others, **shown)


@pages.post("/new")
def create(
    asked: Asking,
    *,
    name: Annotated[str, Form(max_length=80, description="Small letters, digits and dashes.")],
    task: Word,
    benchmark: Annotated[str, Form(max_length=10, description="The number of a benchmark on the shelf.")] = "",
    title: Word = "",
    wording: Word = "",
    k: Annotated[str, Form(max_length=6)] = "",
    pay: Annotated[str, Form(max_length=20, description="For each response, in the currency's unit.")] = "",
    currency: Annotated[str, Form(pattern="^[A-Z]{3}$")] = "USD",
    sample: Annotated[str, Form(max_length=9)] = "",
    scenes: Annotated[str, Form(max_length=9)] = "",
    withheld: Annotated[list[str] | None, Form()] = None,
    qualify: Annotated[bool, Form()] = False,
    gold_share: Share = 0.0,
    feeds: Annotated[list[str] | None, Form()] = None,
    vocabulary: Annotated[str, Form(max_length=500_000, description="A word a line.")] = "",
) -> Response:
    """Make a study of a benchmark, with the choices of the form."""
    values: dict[str, Any] = {
        "name": name,
        "task": task,
        "benchmark": benchmark,
        "title": title,
        "wording": wording,
        "k": k,
        "pay": pay,
        "currency": currency,
        "sample": sample,
        "scenes": scenes,
        "withheld": withheld or [],
        "qualify": qualify,
        "gold_share": gold_share,
        "feeds": feeds or [],
        "vocabulary": vocabulary,
    }
    try:
        settings = Settings(
            k=_count("people", k),
            pay_millionths=_money(pay),
            currency=currency,
            withheld=tuple(withheld or ()),
            qualification=task if qualify else None,
            gold_share=gold_share,
            feeds=tuple(feeds or ()),
            vocabulary=tuple(dict.fromkeys(line.strip() for line in vocabulary.splitlines() if line.strip())),
        )
        words = wording.partition("/")[2] if wording.startswith(f"{task}/") else None
        file = StudyFile(
            name=name,
            task=_known(task),
            title=title or None,
            wording=words,
            settings=settings,
            sample=_count("sample", sample),
            scenes=_count("scenes", scenes) or 0,
        )
        return _made(asked, file, _shelved(asked, benchmark))
    except EyechartError as error:
        return _new(asked, values, problem=str(error), status=422)


def _made(asked: Asked, file: StudyFile, benchmark: Benchmark | None) -> Response:
    study, count = make_study(asked.work, file, benchmark, account=asked.account.account_id)
    asked.note("create study", study.name, task=study.task.name, items=count)
    return moved(f"/studies/{study.name}")


def _known(task: str) -> str:
    """A file on our disk is no task of a visitor's form."""
    if task not in tasks():
        raise RefusalError(422, f"task: found {task!r}, expected one of the list; choose one.")
    return task


def _shelved(asked: Asked, place: str) -> Benchmark | None:
    shelf = asked.site.settings.benchmarks
    if not place:
        return None
    if not (place.isdecimal() and len(place) < 5 and int(place) < len(shelf)):  # noqa: PLR2004 - no shelf is so long
        raise RefusalError(422, "benchmark: found none of this number on the shelf; choose one of the list.")
    return Benchmark.open(shelf[int(place)])


def _count(name: str, text: str) -> int | None:
    if not text:
        return None
    if not (text.isdecimal() and int(text) > 0):
        raise RefusalError(422, f"{name}: found {text!r}, expected a number above 0, or nothing.")
    return int(text)


def _money(text: str) -> int | None:
    if not text:
        return None
    try:
        amount = round(float(text) * _MILLION)
    except (ValueError, OverflowError):
        amount = -1
    if not 0 <= amount < 1000 * _MILLION:
        raise RefusalError(422, f"pay: found {text!r}, expected an amount such as 0.05; correct it.")
    return amount


@pages.post("/file")
def create_from_file(asked: Asking, file: UploadFile, benchmark: Annotated[str, Form(max_length=10)] = "") -> Response:
    """Make a study as a TOML file says."""
    with TemporaryDirectory(dir=asked.site.files) as folder:
        place = Path(folder) / "study.toml"
        save_upload(file, place, cap=_LARGEST_FILE)
        try:
            told = read_study_file(place)
            _known(told.task)
            return _made(asked, told, _shelved(asked, benchmark))
        except (EyechartError, tomllib.TOMLDecodeError) as error:
            return _new(asked, {}, problem=str(error).replace(str(place), file.filename or "the file"), status=422)


# ---------------------------------------------------------------------- one of them


@one.get("")
def study_page(asked: Asking, study: Studied) -> Response:
    """How far a study is."""
    return asked.about(study, "studies/study.html", progress=asked.work.progress(study.name), flags=FLAGS)


@one.post("/state")
def set_state(asked: Asking, study: Studied, state: Annotated[str, Form(pattern="^(open|paused|closed)$")]) -> Response:
    """Open, pause or close a study."""
    asked.work.set_state(study.name, state)  # type: ignore[arg-type]  # the pattern is the literal's
    asked.note("set state", study.name, state=state)
    return moved(f"/studies/{study.name}")


@one.get("/links")
def links_page(asked: Asking, study: Studied, count: int = 1) -> Response:
    """How people are invited: here, from Mechanical Turk, from Prolific."""
    count = min(max(count, 1), 10_000)
    platforms: Sequence[str] = ("mturk", "prolific")
    return asked.about(
        study,
        "studies/links.html",
        count=count,
        here=asked.site.link(f"/work/{study.name}"),
        links={each: link_to(asked.site, each, study.name, count) for each in platforms},
        code=completion_code(asked.site, study.name),
    )
