"""Pages of what comes back: responses to look at, how far people agree, known answers, pay, and files to take away."""

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path as File
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal
from zipfile import ZIP_STORED, ZipFile

import msgspec
import polars as pl
from fastapi import APIRouter, Form, Path, Query
from sqlalchemy import select
from starlette.responses import HTMLResponse, Response

from eyechart.collection import FLAGS, Item, Picture, Study, collected_rows, collected_tables, write_collected
from eyechart.database import work as t
from eyechart.errors import EyechartError
from eyechart.store import Benchmark
from eyechart.web.collect.pictures import SIZES, drawn
from eyechart.web.collect.requesting.asking import Asked, Asking, Studied
from eyechart.web.ui import RefusalError, moved

__all__ = ["pages"]

pages = APIRouter(prefix="/studies/{name}", default_response_class=HTMLResponse)

_PAGE = 30
_MILLION = 1_000_000
_MOST = 2**31 - 1

Number = Annotated[int, Form(ge=1, le=_MOST)]
Why = Annotated[str, Form(max_length=500)]
Worker = Annotated[str, Form(max_length=80)]


# ---------------------------------------------------------------------- responses


@pages.get("/responses")
def responses_page(
    asked: Asking,
    study: Studied,
    *,
    worker: Annotated[str, Query(max_length=80)] = "",
    flag: Annotated[str, Query(max_length=40)] = "",
    state: Annotated[Literal["", "accepted", "late", "rejected"], Query()] = "",
    unreviewed: bool = False,
    before: Annotated[int | None, Query(ge=0, le=_MOST)] = None,
) -> Response:
    """Responses, newest first, by what one looks for."""
    wanted: dict[str, Any] = {"worker": worker or None, "flag": flag if flag in FLAGS else None, "state": state or None}
    found = asked.work.responses(study.name, **wanted, unreviewed=unreviewed, before=before, limit=_PAGE + 1)
    chosen = {"worker": worker, "flag": flag, "state": state, "unreviewed": unreviewed}
    return asked.about(
        study,
        "studies/responses.html",
        responses=found[:_PAGE],
        following=found[_PAGE - 1].response_id if len(found) > _PAGE else None,
        first=before is None,
        chosen={name: value for name, value in chosen.items() if value},
        flags=FLAGS,
        said=said,
    )


def said(body: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a response says, in a line for each part; what was drawn is counted.

    >>> said({"answer": "red", "confidence": "yes"})
    [('answer', 'red'), ('confidence', 'yes')]
    """
    told = []
    for name, value in body.items():
        if name == "graph" and isinstance(value, dict):
            told.append((name, f"{len(value.get('objects', ()))} things, {len(value.get('relations', ()))} relations"))
        elif isinstance(value, dict | list):
            told.append((name, f"{len(value)} parts"))
        elif value is not None:
            told.append((name.replace("_", " "), "yes" if value is True else "no" if value is False else str(value)))
    return told


@pages.post("/review")
def review(
    asked: Asking,
    study: Studied,
    response: Number,
    decision: Annotated[Literal["accepted", "rejected"], Form()],
    why: Why = "",
    back: Annotated[str, Form(max_length=300)] = "",
) -> Response:
    """Accept or reject a response; a rejection has a reason, which its author may ask for."""
    _of_study(asked, study, response)
    if decision == "rejected" and not why.strip():
        raise RefusalError(422, "A rejection needs its reason: the person who wrote this is not paid. Write one.")
    asked.work.review(response, decision, why=why.strip() or None, account=asked.account.account_id)
    asked.note("review", study.name, response=response, decision=decision)
    return moved(f"/studies/{study.name}/responses{back if back.startswith('?') else ''}")


@pages.post("/block")
def block(asked: Asking, study: Studied, worker: Worker, why: Why) -> Response:
    """Block somebody from this study; what they hold goes to others."""
    if not why.strip():
        raise RefusalError(422, "A block needs its reason; write one.")
    asked.work.block(worker, study.name, why=why.strip())
    asked.note("block", study.name, worker=worker, why=why)
    return moved(f"/studies/{study.name}/quality")


def _of_study(asked: Asked, study: Study, response: int) -> Any:  # a row
    query = select(t.RESPONSES.c.arranged, t.RESPONSES.c.body, t.ITEMS.c.content, t.ITEMS.c.key).join_from(
        t.RESPONSES, t.ITEMS, t.ITEMS.c.item_id == t.RESPONSES.c.item_id
    )
    mine = (t.RESPONSES.c.response_id == response) & (t.RESPONSES.c.study_id == study.study_id)
    with asked.site.database.reading() as rows:
        found = rows.execute(query.where(mine)).one_or_none()
    if found is None:
        raise RefusalError(404, "There is no such response in this study; reload the page.")
    return found


@pages.get("/responses/{response}/picture", response_class=Response)
def picture(
    asked: Asking,
    study: Studied,
    response: Annotated[int, Path(ge=1, le=_MOST)],
    number: Annotated[int, Query(ge=0, le=_MOST)] = 0,
    size: Annotated[str, Query(pattern=f"^({'|'.join(SIZES)})$")] = "small",
) -> Response:
    """The picture that a response is about, or the near one of a number."""
    content = _of_study(asked, study, response).content
    found = [content.get("image"), *content.get("neighbours", ())]
    if number >= len(found) or found[number] is None:
        raise RefusalError(404, "There is no such picture of this response.")
    image = found[number]
    told = Picture(image.get("image_id", ""), image.get("file"), image.get("scene"))
    content = drawn(study, told, size)
    return Response(content, media_type="image/webp", headers={"Cache-Control": "private, max-age=3600"})


# ---------------------------------------------------------------------- quality


@pages.get("/quality")
def quality_page(asked: Asking, study: Studied) -> Response:
    """Who can be relied on, and how far people agree."""
    found = asked.work.quality(study.name)
    return asked.about(study, "studies/quality.html", quality=found)


# ---------------------------------------------------------------------- known answers


@pages.get("/gold")
def gold_page(asked: Asking, study: Studied) -> Response:
    """Items whose answer is known, and how people did on them."""
    return _gold(asked, study)


def _gold(asked: Asked, study: Study, *, problem: str = "", status: int = 200) -> Response:
    items = t.ITEMS.c
    query = select(items.key, items.kind, items.content, items.expected).where(
        items.study_id == study.study_id, items.kind != "real"
    )
    with asked.site.database.reading() as rows:
        found = rows.execute(query.order_by(items.rank).limit(500)).all()
    return asked.about(study, "studies/gold.html", known=found, said=said, problem=problem, status=status)


@pages.post("/gold")
def add_gold(
    asked: Asking,
    study: Studied,
    response: Number,
    kind: Annotated[Literal["gold", "attention"], Form()] = "gold",
) -> Response:
    """Take a response as the answer that is right: its item is shown to others unmarked, and compared."""
    found = _of_study(asked, study, response)
    key = f"{kind}-{found.key}"
    item = Item(key=key[:250], content=found.content, kind=kind, expected=[found.body], question_id=found.key)
    if not asked.work.add_items(study.name, [item]):
        return _gold(asked, study, problem="The answer to this item is known already.", status=409)
    asked.note("known answer", study.name, item=found.key)
    return moved(f"/studies/{study.name}/gold")


# ---------------------------------------------------------------------- pay


@pages.get("/pay")
def pay_page(asked: Asking, study: Studied) -> Response:
    """Who has earned what."""
    return asked.about(study, "studies/pay.html", owed=asked.work.owed(study.name))


@pages.post("/pay/bonus")
def bonus(
    asked: Asking,
    study: Studied,
    worker: Worker,
    amount: Annotated[float, Form(gt=0, le=1000, description="In the currency's unit.")],
    why: Why,
) -> Response:
    """Owe somebody more."""
    asked.work.bonus(study.name, worker, round(amount * _MILLION), why)
    asked.note("bonus", study.name, worker=worker, amount=amount)
    return moved(f"/studies/{study.name}/pay")


@pages.post("/pay/paid")
def mark_paid(asked: Asking, study: Studied, worker: Worker = "") -> Response:
    """Note that what is owed was paid, to one person or to all."""
    paid = asked.work.mark_paid(study.name, [worker] if worker else None)
    asked.note("paid", study.name, worker=worker, millionths=paid)
    return moved(f"/studies/{study.name}/pay")


@pages.get("/pay.csv", response_class=Response)
def pay_file(asked: Asking, study: Studied) -> Response:
    """Who has earned what, for a spreadsheet."""
    rows = [
        (each.worker, each.currency, each.responses, *(n / _MILLION for n in (each.owed, each.paid, each.withheld)))
        for each in asked.work.owed(study.name)
    ]
    return _csv(f"{study.name}-pay", ("worker", "currency", "responses", "owed", "paid", "withheld"), rows)


# ---------------------------------------------------------------------- files


@pages.get("/export.csv", response_class=Response)
def export_rows(asked: Asking, study: Studied) -> Response:
    """What counts, a row for each response."""
    ((_, lines),) = asked.work.gather([study.name])
    found = collected_rows(lines)
    return _csv(study.name, found.columns, found.iter_rows())


@pages.get("/export.jsonl", response_class=Response)
def export_lines(asked: Asking, study: Studied) -> Response:
    """Everything that is known, a line for each response; eyechart reads it back."""
    with TemporaryDirectory(dir=asked.site.files) as folder:
        place = File(folder) / "lines.jsonl"
        write_collected(place, asked.work.gather([study.name]))
        return _attached(place.read_bytes(), f"{study.name}.jsonl", "application/x-ndjson")


@pages.get("/export.zip", response_class=Response)
def export_benchmark(asked: Asking, study: Studied) -> Response:
    """The tables that the responses make, as a benchmark."""
    ((_, lines),) = asked.work.gather([study.name])
    with TemporaryDirectory(dir=asked.site.files) as folder:
        place = File(folder) / study.name
        try:
            _write_benchmark(place, collected_tables(lines))
        except EyechartError as error:
            raise RefusalError(409, f"There is nothing to make a benchmark of yet ({error}).") from error
        return _attached(_packed(place), f"{study.name}.zip", "application/zip")


def _write_benchmark(place: File, tables: Mapping[str, pl.DataFrame]) -> None:
    with Benchmark.create(place, name=place.name) as draft:
        for table, rows in tables.items():
            draft.write(table, rows)


def _packed(folder: File) -> bytes:
    packed = io.BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            archive.write(path, path.relative_to(folder.parent))
    return packed.getvalue()


def _csv(name: str, head: Iterable[str], rows: Iterable[Iterable[Any]]) -> Response:
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return _attached(written.getvalue().encode(), f"{name}.csv", "text/csv; charset=utf-8")


def _cell(value: Any) -> Any:
    """No cell that a spreadsheet would run as a formula."""
    if isinstance(value, list | dict):
        return msgspec.json.encode(value).decode()
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t"} else value


def _attached(content: bytes, name: str, kind: str) -> Response:
    return Response(content, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})
