"""One question with everything that hangs on it: picture, scene graph, program, answers, choices, kin, predictions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from eyechart.errors import EyechartError
from eyechart.pipeline.browsing.shelf import Shelf
from eyechart.questions import Program, SceneGraph, interpret
from eyechart.store import Benchmark

__all__ = ["Answered", "Leaf", "StepShown", "leaf"]

Row = Mapping[str, Any]  # a row of a table: each column has its own type

_BY_QUESTION = ("answers", "choices", "decoys", "mentions", "judgements", "splits", "unpaired")
_GRAPH = ("images", "objects", "attributes", "relations", "inventories")
_BY_IMAGE = (*_GRAPH, "captions")
_NEAR = 24
"""So many neighbours are shown, as people are shown when they choose a complementary picture."""


@dataclass(frozen=True, slots=True)
class StepShown:
    """A step of a program, and what it gives on the picture."""

    place: int
    operation: str
    argument: str
    takes: tuple[int, ...]
    """The steps whose results it takes."""
    result: str
    """In words; empty where the graph does not tell."""
    things: tuple[str, ...] = ()
    """The objects that it gives."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What one model said to the question."""

    run: str
    answer: str | None
    confidence: float | None
    score: float | None
    by_choice: Sequence[float] = ()
    boxes: Sequence[Sequence[float]] = ()
    """Regions looked at: x0, y0, x1, y1 (0 to 1), weight."""
    grid: Sequence[Sequence[float]] = ()


@dataclass(frozen=True)
class Leaf:
    """A question and its surroundings; tables that the benchmark does not have are empty."""

    question: Row
    image: Row
    tables: Mapping[str, pl.DataFrame]
    """Rows of this question, or of its picture, by table."""
    said: pl.DataFrame
    """What people answered: shown, answer, people, sure (the share that were)."""
    entailed: pl.DataFrame
    """Questions whose answer follows from this one's, with the rule."""
    pairs: pl.DataFrame
    """The same question about other pictures, with their answers."""
    siblings: pl.DataFrame
    """The other questions about the picture."""
    neighbours: pl.DataFrame
    steps: Sequence[StepShown]
    predictions: Sequence[Answered]


def leaf(shelf: Shelf, question_id: str) -> Leaf:
    """Everything about a question.

    >>> import tempfile; from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     asked = {"question_id": ["1"], "image_id": ["7"], "question": ["Is it red?"], "answer": ["yes"]}
    ...     draft.write("questions", pl.DataFrame(asked))
    ...     draft.write("answers", pl.DataFrame({"question_id": ["1"] * 3, "answer": ["yes", "yes", "no"]}))
    >>> leaf(Shelf(Benchmark.open(draft.target)), "1").said.select("answer", "people").rows()
    [('yes', 2), ('no', 1)]
    """
    benchmark = shelf.benchmark
    question = shelf.questions([shelf.row_of(question_id)]).row(0, named=True)
    image_id = question["image_id"]
    own = {name: benchmark.scan(name).filter(pl.col("question_id") == question_id) for name in _BY_QUESTION}
    about = {name: benchmark.scan(name).filter(pl.col("image_id") == image_id) for name in _BY_IMAGE}
    kin = {
        "entailed": _entailed(benchmark, question_id),
        "pairs": _pairs(benchmark, question_id),
        "siblings": _siblings(benchmark, question),
        "neighbours": _neighbours(benchmark, image_id),
    }
    plans = own | about | kin
    rows = dict(zip(plans, pl.collect_all(list(plans.values())), strict=True))
    tables = {name: rows[name] for name in (*_BY_QUESTION, *_BY_IMAGE)}
    return Leaf(
        question=question,
        image=next(rows["images"].iter_rows(named=True), {}),
        tables=tables,
        said=_said(tables["answers"]),
        steps=_steps(question, tables),
        predictions=[_answered(shelf, name, question_id) for name in shelf.runs],
        **{name: rows[name] for name in kin},
    )


def _said(answers: pl.DataFrame) -> pl.DataFrame:
    sure = (pl.col("confidence") == "yes").mean()
    counted = answers.group_by(pl.col("shown").fill_null("image"), "answer").agg(people=pl.len(), sure=sure)
    return counted.sort("shown", "people", "answer", descending=[False, True, False])


def _entailed(benchmark: Benchmark, question_id: str) -> pl.LazyFrame:
    rules = benchmark.scan("entailments").filter(pl.col("question_id") == question_id)
    return _told(benchmark, rules.select("rule", question_id="entailed_id"))


def _pairs(benchmark: Benchmark, question_id: str) -> pl.LazyFrame:
    """In either direction: who looks at the complement wants to see the original."""
    pairs, kept = benchmark.scan("pairs"), ("change", "same_answer")
    there = pairs.filter(pl.col("question_id") == question_id).select(*kept, question_id="complement_id")
    back = pairs.filter(pl.col("complement_id") == question_id).select(*kept, "question_id")
    return _told(benchmark, pl.concat([there, back]))


def _told(benchmark: Benchmark, ids: pl.LazyFrame) -> pl.LazyFrame:
    """Question ids with the questions that they stand for."""
    asked = benchmark.scan("questions").select("question_id", "image_id", "question", "answer")
    return asked.join(ids, on="question_id", how="inner", maintain_order="left")


def _siblings(benchmark: Benchmark, question: Row) -> pl.LazyFrame:
    about = (pl.col("image_id") == question["image_id"]) & (pl.col("question_id") != question["question_id"])
    return benchmark.scan("questions").filter(about).select("question_id", "question", "answer")


def _neighbours(benchmark: Benchmark, image_id: str | None) -> pl.LazyFrame:
    near = benchmark.scan("neighbours").filter(pl.col("image_id") == image_id).sort("rank").head(_NEAR)
    files = benchmark.scan("images").select(neighbour_id="image_id", file="file")
    return near.join(files, on="neighbour_id", how="left", maintain_order="left")


# ---------------------------------------------------------------------- programs


def _steps(question: Row, tables: Mapping[str, pl.DataFrame]) -> list[StepShown]:
    """The program, executed on the picture by the naive executor; without its results where that cannot be done."""
    if not question["program"]:
        return []
    graph = SceneGraph.from_tables(str(question["image_id"]), {name: tables[name] for name in _GRAPH})
    try:
        trace: Sequence[object] = interpret(Program.read(question["program"]), graph).trace
    except EyechartError:  # a program of other people may use operations that nobody has defined
        trace = [None] * len(question["program"])
    steps = zip(question["program"], trace, strict=True)
    return [_step(place, step, result, graph) for place, (step, result) in enumerate(steps)]


def _step(place: int, step: Row, result: object, graph: SceneGraph) -> StepShown:
    things = tuple(getattr(result, "sure", ()))
    match result:
        case None:
            words = ""
        case bool():
            words = "yes" if result else "no"
        case str() | int():
            words = str(result)
        case _:
            words = ", ".join(graph.things[each].name for each in things) or "nothing"
    return StepShown(place, step["operation"], step["argument"] or "", tuple(step["dependencies"] or ()), words, things)


# ---------------------------------------------------------------------- models


def _answered(shelf: Shelf, run: str, question_id: str) -> Answered:
    rows = shelf.runs[run].filter(pl.col("question_id") == question_id)
    said = next(rows.iter_rows(named=True), {})
    value = float(shelf.values(run)[shelf.row_of(question_id)]) if said else float("nan")
    return Answered(
        run=run,
        answer=said.get("answer"),
        confidence=said.get("confidence"),
        score=None if value != value else value,  # noqa: PLR0124  # not a number: not graded
        by_choice=said.get("scores") or (),
        boxes=said.get("attention_boxes") or (),
        grid=said.get("attention_grid") or (),
    )
