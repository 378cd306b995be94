"""What the pages show, taken from a shelf: entries of a list, filters that can be taken away, boxes on a picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np
import polars as pl

from eyechart.pipeline.browsing import Leaf, Shelf, Wanted

__all__ = ["Chip", "Entry", "SeenBox", "address", "boxes", "chips", "entries", "marked"]

Row = Mapping[str, Any]  # a row of a table: each column has its own type
_MOST_BESIDE = 12


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on: what it says, and where the view without it is."""

    says: str
    without: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A question in a list."""

    row: Row
    measures: Sequence[tuple[str, float]]
    said: Sequence[tuple[str, str]]
    """What each model answered."""
    beside: Sequence[tuple[str, Sequence[str]]]
    """Further tables: what they are called and what they say of the question."""


@dataclass(frozen=True, slots=True)
class SeenBox:
    """A thing on the picture."""

    id: str
    name: str
    attributes: Sequence[str]
    box: tuple[float, float, float, float] | None
    relations: Sequence[tuple[str, str, str]]
    """Predicate, id and name of the other."""
    mentioned: Sequence[str]
    """Where the question or its answer speaks of it."""


def address(shelf_name: str, wanted: Wanted, **further: object) -> str:
    """The link of a view.

    >>> address("cats", Wanted(text="a b"), after=3)
    '/browse/cats?text=a+b&after=3'
    """
    pairs = [*wanted.pairs(), *((name, value) for name, value in further.items() if value not in {None, "", False})]
    query = urlencode([(name, str(value)) for name, value in pairs])
    return f"/browse/{quote(shelf_name)}" + (f"?{query}" if query else "")


def chips(shelf_name: str, wanted: Wanted, **further: object) -> Iterator[Chip]:
    """Every filter that is on."""

    def chip(says: str, **change: Any) -> Chip:
        return Chip(says, address(shelf_name, replace(wanted, **change), **further))

    if wanted.text:
        how = {"contains": "has", "starts": "starts with", "ends": "ends with", "regex": "fits"}[wanted.match]
        yield chip(f"{wanted.within} {how} “{wanted.text}”", text="", match="contains", within="question")
    for name, value in wanted.columns.items():
        left = {other: each for other, each in wanted.columns.items() if other != name}
        yield chip(f"{name.replace('_', ' ')}: {value}", columns=left)
    for field in ("objects", "attributes", "relations"):
        values = getattr(wanted, field)
        for value in values:
            yield chip(f"{field[:-1]}: {value}", **{field: tuple(each for each in values if each != value)})
    for name, span in wanted.measures.items():
        left_spans = {other: each for other, each in wanted.measures.items() if other != name}
        yield chip(f"{name}: {span.text}", measures=left_spans)


def entries(shelf: Shelf, questions: pl.DataFrame, wanted: Wanted, beside: Sequence[str] = ()) -> list[Entry]:
    """Questions as a list shows them: with the measures that the view is about."""
    ids = questions["question_id"].to_list()
    asked_for = {"agreement", *wanted.measures, wanted.order.removeprefix("-")}
    told = {name: shelf.values(name) for name in shelf.measures if name in asked_for}
    answers = {name: _by_question(run, ids) for name, run in shelf.runs.items()}
    tables = {name: _lines(shelf, name, questions) for name in beside}
    return [
        Entry(
            row,
            [(name, float(values[row["row"]])) for name, values in told.items() if not np.isnan(values[row["row"]])],
            [(name, run.get(row["question_id"], "")) for name, run in answers.items()],
            [(name, lines.get(row["question_id"], ())) for name, lines in tables.items()],
        )
        for row in questions.iter_rows(named=True)
    ]


def _by_question(run: pl.DataFrame, ids: Sequence[str]) -> dict[str, str]:
    rows = run.filter(pl.col("question_id").is_in(ids)).select("question_id", pl.col("answer").fill_null(""))
    return dict(rows.iter_rows())


def _lines(shelf: Shelf, table: str, questions: pl.DataFrame) -> dict[str, list[str]]:
    """What a table says of each question, a line each, the most frequent first."""
    if table == "captions":
        captions = shelf.benchmark.scan("captions").select("image_id", line="caption").collect(engine="streaming")
        rows = questions.select("question_id", "image_id").join(captions, on="image_id")
    else:
        said = pl.col({"answers": "answer", "choices": "choice"}[table])
        rows = shelf.beside(table, questions["question_id"].to_list()).with_columns(line=said)
    counted = rows.group_by("question_id", "line", maintain_order=True).agg(n=pl.len())
    if table == "answers":
        counted = counted.sort("n", descending=True, maintain_order=True)
        counted = counted.with_columns(line=pl.format("{} × {}", "n", "line"))  # noqa: RUF001 - a product
    return {key[0]: part["line"].head(_MOST_BESIDE).to_list() for key, part in counted.group_by(["question_id"])}


def boxes(leaf: Leaf) -> list[SeenBox]:
    """The things of a picture, large ones first, so that small ones can be pointed at."""
    tables = leaf.tables
    names = dict(tables["objects"].select("object_id", pl.col("name").fill_null("thing")).iter_rows())
    attributes = _listed(tables["attributes"].select("object_id", "attribute"))
    relations = tables["relations"].select("subject_id", "predicate", "object_id")
    mentioned = _listed(tables["mentions"].select("object_id", pl.col("where")))
    seen = [
        SeenBox(
            each["object_id"],
            names[each["object_id"]],
            attributes.get(each["object_id"], ()),
            _sides(each),
            [(predicate, to, names.get(to, to)) for _, predicate, to in _of(relations, each["object_id"])],
            mentioned.get(each["object_id"], ()),
        )
        for each in tables["objects"].iter_rows(named=True)
    ]
    return sorted(seen, key=lambda each: -(each.box[2] * each.box[3]) if each.box else 0.0)


def _of(relations: pl.DataFrame, thing: str) -> list[tuple[str, str, str]]:
    return relations.filter(pl.col("subject_id") == thing).rows()


def _listed(rows: pl.DataFrame) -> dict[str, list[str]]:
    listed: dict[str, list[str]] = {}
    for key, value in rows.unique(maintain_order=True).iter_rows():
        listed.setdefault(key, []).append(value)
    return listed


def _sides(row: Row) -> tuple[float, float, float, float] | None:
    sides = (row["x"], row["y"], row["w"], row["h"])
    return None if None in sides else sides


def marked(leaf: Leaf) -> list[tuple[str, str]]:
    """The question in pieces, each with the object that its words mean, or nothing."""
    words = str(leaf.question["question"] or "").split(" ")
    meant = [""] * len(words)
    for mention in leaf.tables["mentions"].filter(pl.col("where") == "question").iter_rows(named=True):
        start, stop = _range(mention["words"], len(words))
        meant[start:stop] = [mention["object_id"]] * (stop - start)
    pieces: list[tuple[str, str]] = []
    for word, thing in zip(words, meant, strict=True):
        if pieces and pieces[-1][1] == thing:
            pieces[-1] = (f"{pieces[-1][0]} {word}", thing)
        else:
            pieces.append((word, thing))
    return pieces


def _range(text: str, words: int) -> tuple[int, int]:
    """Which words a mention names: ``4`` or ``4:6``; nothing where it is written otherwise."""
    first, _, last = text.partition(":")
    if not first.isdecimal() or (last and not last.isdecimal()):
        return 0, 0
    start = min(int(first), words)
    return start, max(start, min(int(last) if last else start + 1, words))
