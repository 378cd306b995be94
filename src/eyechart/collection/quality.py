"""How good collected work is: how far people agree with each other, and how far each of them can be relied on.

All of it is computed from values: who said what of which item. Answers are compared after normalisation; pictures and
choices by what they are. Texts of one's own (questions, captions) have no values to compare.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.collection.bodies import BODIES
from eyechart.collection.collected import Collected
from eyechart.metrics import Absent, Measure, agreement_bands, human_accuracy, krippendorff_alpha
from eyechart.text import normalize_answers

__all__ = ["DawidSkene", "Quality", "dawid_skene", "fleiss_kappa", "loo_agreement", "quality", "values_of"]

_MOST_CLASSES = 50
"""Confusions of more values than that cannot be told from a handful of answers each."""
_SMOOTHING = 0.01
_WORDED = ("answer", "answer_blind", "answer_caption", "answer_vocabulary", "choose")
"""Tasks whose values are words, alike after normalisation."""
_DRAWN = ("scene_graph",)
"""Tasks whose responses are compared two by two."""

Floats = npt.NDArray[np.float64]


def values_of(lines: Sequence[Collected]) -> pl.DataFrame:
    """What each response says: item, worker, value, confidence; those that count, of real items.

    >>> from datetime import datetime
    >>> line = Collected(task="age", key="1", ordinal=1, worker="w", body={"youngest_age": "3-4"}, content={},
    ...                  submitted=datetime(2026, 1, 1))
    >>> values_of([line]).rows()
    [('1', 'w', '3-4', None)]
    """
    said = [
        (line.key, line.worker, _value(line), line.body.get("confidence"))
        for line in lines
        if line.state == "accepted" and line.kind == "real"
    ]
    schema = dict.fromkeys(("item", "worker", "value", "confidence"), pl.String)
    values = pl.DataFrame(said, schema=schema, orient="row").drop_nulls("value")
    if not any(line.task in _WORDED for line in lines):
        return values
    return values.with_columns(normalize_answers(values["value"]).alias("value"))


def _value(line: Collected) -> str | None:
    if line.task == "complement":
        return line.body["image_id"] or "not possible"
    for name in ("answer", "choice", "also_right", "needs_commonsense", "youngest_age"):
        if isinstance(line.body.get(name), str):
            return str(line.body[name])
    return None


def loo_agreement(values: pl.DataFrame) -> pl.DataFrame:
    """How often each worker says what most others say: worker, items, agreement.

    Others who are split over several values count by the share of these that the worker is one of.

    >>> rows = [("1", "a", "red"), ("1", "b", "red"), ("1", "c", "blue")]
    >>> loo_agreement(pl.DataFrame(rows, schema=["item", "worker", "value"], orient="row")).rows()
    [('a', 1, 0.5), ('b', 1, 0.5), ('c', 1, 0.0)]
    """
    counts = values.group_by("item", "value").agg(n=pl.len().cast(pl.Int64))
    most = counts.group_by("item").agg(
        total=pl.col("n").sum(),
        first=pl.col("n").max(),
        firsts=(pl.col("n") == pl.col("n").max()).sum().cast(pl.Int64),
        second=pl.col("n").filter(pl.col("n") < pl.col("n").max()).max().fill_null(0),
        seconds=(pl.col("n") == pl.col("n").filter(pl.col("n") < pl.col("n").max()).max()).sum().cast(pl.Int64),
    )
    own = values.join(counts, on=["item", "value"]).join(most, on="item").filter(pl.col("total") > 1)
    # Without mine, its value has n - 1 votes; the best of the others is the first, unless mine alone was that.
    mine, mine_is_first = pl.col("n") - 1, pl.col("n") == pl.col("first")
    alone = mine_is_first & (pl.col("firsts") == 1)
    rival = pl.when(alone).then("second").otherwise("first")
    rivals = pl.when(alone).then("seconds").otherwise(pl.col("firsts") - mine_is_first.cast(pl.Int64))
    agreed = pl.when(mine > rival).then(1.0).when(mine == rival).then(1 / (rivals + 1)).otherwise(0.0)
    scored = own.with_columns(agreed=pl.when(mine > 0).then(agreed).otherwise(0.0))
    return (
        scored.group_by("worker")
        .agg(items=pl.len().cast(pl.Int64), agreement=pl.col("agreed").sort().mean())
        .sort("worker")
    )


def fleiss_kappa(values: pl.DataFrame) -> Measure:
    """Fleiss' kappa, for any number of people per item (Fleiss 1971; items with one value do not count).

    >>> rows = [("1", "a", "x"), ("1", "b", "x"), ("2", "a", "y"), ("2", "b", "y")]
    >>> fleiss_kappa(pl.DataFrame(rows, schema=["item", "worker", "value"], orient="row")).value
    1.0
    """
    cells = values.group_by("item", "value").agg(n=pl.len().cast(pl.Int64))
    cells = cells.with_columns(m=pl.col("n").sum().over("item")).filter(pl.col("m") > 1)
    items = cells["item"].n_unique()
    if not items:
        raise Absent("no item has two values to compare")
    agreed = cells.group_by("item").agg(
        (pl.col("n") * (pl.col("n") - 1)).sum() / (pl.col("m") * (pl.col("m") - 1)).first()
    )
    observed = float(np.sort(agreed["n"].to_numpy()).mean())
    shares = cells.group_by("value").agg(pl.col("n").sum())["n"].to_numpy() / cells["n"].sum()
    expected = float(np.sort(shares**2).sum())
    if expected == 1:
        raise Absent("everybody said the same everywhere, so chance agreement cannot be told apart")
    return Measure("Fleiss' kappa", (observed - expected) / (1 - expected), items)


class DawidSkene(NamedTuple):
    """What Dawid and Skene's model says of workers and items."""

    workers: pl.DataFrame
    """worker, reliability: the chance that the worker says what is right, over the values' frequencies."""
    items: pl.DataFrame
    """item, value, probability: the likeliest value of each."""


def dawid_skene(values: pl.DataFrame, rounds: int = 50) -> DawidSkene:
    """Who can be relied on, and what is right, by expectation and maximisation (Dawid and Skene 1979).

    Each worker has a table of how often each true value is told as each value. It starts from the votes; every cell
    has a hundredth of a vote more than was seen. For closed sets of values: answers of one's own words are too many.

    >>> rows = [(str(i), w, "yes" if i % 2 or (w == "c" and i % 3) else "no") for i in range(20) for w in "abc"]
    >>> found = dawid_skene(pl.DataFrame(rows, schema=["item", "worker", "value"], orient="row"))
    >>> [name for name, sure in found.workers.rows() if sure > 0.9]
    ['a', 'b']
    """
    names = {column: values[column].unique().sort() for column in ("item", "worker", "value")}
    if not 0 < names["value"].len() <= _MOST_CLASSES:
        raise Absent(f"{names['value'].len()} different values, of which at most {_MOST_CLASSES} can be told apart")
    item, worker, value = (
        values[column].cast(pl.Enum(names[column])).to_physical().to_numpy().astype(np.int64) for column in names
    )
    shape = (names["item"].len(), names["worker"].len(), names["value"].len())
    truth = np.zeros((shape[0], shape[2]))
    np.add.at(truth, (item, value), 1.0)
    truth /= truth.sum(axis=1, keepdims=True)
    prior, told = _maximised(truth, (item, worker, value), shape)
    for _ in range(rounds):
        before, truth = truth, _expected(prior, told, (item, worker, value), shape[0])
        prior, told = _maximised(truth, (item, worker, value), shape)
        if np.abs(truth - before).max() < 1e-6:  # noqa: PLR2004 - nothing moves any more
            break
    best = truth.argmax(axis=1)
    reliability = (prior * told[:, np.arange(shape[2]), np.arange(shape[2])]).sum(axis=1)
    return DawidSkene(
        pl.DataFrame({"worker": names["worker"], "reliability": reliability}),
        pl.DataFrame({"item": names["item"], "value": names["value"][best], "probability": truth.max(axis=1)}),
    )


Said = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]


def _maximised(truth: Floats, said: Said, shape: tuple[int, int, int]) -> tuple[Floats, Floats]:
    """How frequent each value is, and each worker's table of true and told values."""
    item, worker, value = said
    _, workers, classes = shape
    told = np.full((workers, classes, classes), _SMOOTHING)
    np.add.at(told.transpose(0, 2, 1), (worker, value), truth[item])
    told /= told.sum(axis=2, keepdims=True)
    return truth.mean(axis=0), told


def _expected(prior: Floats, told: Floats, said: Said, items: int) -> Floats:
    """How likely each value is for each item."""
    item, worker, value = said
    logs = np.tile(np.log(np.maximum(prior, 1e-12)), (items, 1))
    np.add.at(logs, item, np.log(told)[worker, :, value])
    logs -= logs.max(axis=1, keepdims=True)
    likely: Floats = np.exp(logs)
    likely /= likely.sum(axis=1, keepdims=True)
    return likely


def pairwise_agreement(lines: Sequence[Collected]) -> pl.DataFrame:
    """How far each worker's drawing agrees with those of others of the same item: worker, items, agreement.

    Boxes agree by how much of what they cover together both cover, and by what they are called.
    """
    found: dict[str, list[float]] = {}
    for one, other in _pairs(lines):
        agreed = BODIES.load(one.task).agrees(one.body, other.body)
        for line in (one, other):
            found.setdefault(line.worker, []).append(agreed)
    rows = [(worker, len(agreed), float(np.mean(agreed))) for worker, agreed in sorted(found.items())]
    return pl.DataFrame(rows, schema={"worker": pl.String, "items": pl.Int64, "agreement": pl.Float64}, orient="row")


def _pairs(lines: Sequence[Collected]) -> Iterator[tuple[Collected, Collected]]:
    by_item: dict[str, list[Collected]] = {}
    for line in lines:
        if line.state == "accepted" and line.kind == "real":
            by_item.setdefault(line.key, []).append(line)
    for together in by_item.values():
        yield from combinations(together, 2)


# ---------------------------------------------------------------------- a whole study


@dataclass(frozen=True)
class Quality:
    """What can be said of a study."""

    workers: pl.DataFrame
    """worker, responses, seconds (median), flagged, gold, agreement, reliability; the least reliable first."""
    measures: tuple[Measure, ...]
    """Of the whole study: each has a value, or the reason why there is none."""
    bands: pl.DataFrame | None
    """Confidence against agreement, for answers (Antol et al. 2015, figure 6)."""
    people: pl.DataFrame | None
    """Human accuracy by what people saw and by type of answer, for answers."""


def quality(lines: Sequence[Collected], gold: Mapping[str, float] = {}) -> Quality:
    """What a study's lines say of its people; ``gold`` is each worker's mean where the answer was known.

    >>> quality([]).workers.height
    0
    """
    values = values_of(lines)
    drawn = bool(lines) and lines[0].task in _DRAWN
    agreement = pairwise_agreement(lines) if drawn else loo_agreement(values)
    try:
        sure = dawid_skene(values).workers if values.height else None
    except Absent:
        sure = None
    workers = _workers(lines).join(agreement.drop("items"), on="worker", how="left")
    golden = pl.DataFrame(
        {"worker": list(gold), "gold": list(gold.values())}, schema={"worker": pl.String, "gold": pl.Float64}
    )
    workers = workers.join(golden, on="worker", how="left")
    empty = pl.DataFrame(schema={"worker": pl.String, "reliability": pl.Float64})
    workers = workers.join(sure if sure is not None else empty, on="worker", how="left")
    answers = _answers(lines)
    measures = [_measured("Krippendorff's alpha", lambda: krippendorff_alpha(values, "item", "value"))]
    measures.append(_measured("Fleiss' kappa", lambda: fleiss_kappa(values)))
    asked = answers.select("question_id", answer_type=pl.lit(None, pl.String)).unique()
    return Quality(
        workers=workers.sort("agreement", "worker", nulls_last=True),
        measures=tuple(measures),
        bands=agreement_bands(answers) if answers.height else None,
        people=human_accuracy(answers, asked) if answers.height else None,
    )


def _workers(lines: Sequence[Collected]) -> pl.DataFrame:
    rows = [(line.worker, line.seconds, bool(line.flags)) for line in lines if line.state != "rejected"]
    frame = pl.DataFrame(rows, schema={"worker": pl.String, "seconds": pl.Float64, "flagged": pl.Boolean}, orient="row")
    return frame.group_by("worker").agg(
        responses=pl.len().cast(pl.Int64),
        seconds=pl.col("seconds").median(),
        flagged=pl.col("flagged").sum().cast(pl.Int64),
    )


def _answers(lines: Sequence[Collected]) -> pl.DataFrame:
    """The rows of answers, where a study has some."""
    rows: list[dict[str, Any]] = [
        {
            "question_id": line.key,
            "worker_id": line.worker,
            "answer": line.body["answer"],
            "confidence": line.body.get("confidence"),
        }
        for line in lines
        if line.task in {"answer", "answer_vocabulary"} and line.state == "accepted" and line.kind == "real"
    ]
    schema = dict.fromkeys(("question_id", "worker_id", "answer", "confidence"), pl.String)
    return pl.DataFrame(rows, schema=schema)


def _measured(part: str, compute: Any) -> Measure:  # a call without arguments that gives a measure
    try:
        found: Measure = compute()
    except Absent as reason:
        return Measure(part, None, 0, str(reason))
    return found
