"""GQA's evaluation straight from its files: what the published script computes, and a reason for what it cannot.

The published numbers come from the same functions as the metrics of ``eyechart grade``; here the tables that they need
are read from JSON without a benchmark in between.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import DataError, FormatError
from eyechart.formats import (
    read_gqa_attentions,
    read_gqa_boxes,
    read_gqa_choices,
    read_gqa_predictions,
    read_gqa_questions,
)
from eyechart.metrics import (
    GQA_GROUPS,
    Absent,
    GroundingForm,
    about_scene,
    check_questions,
    chi_square,
    followers,
    gqa_belonging,
    gqa_consistencies,
    gqa_groundings,
    gqa_judged,
    gqa_listed,
    gqa_regions,
    named_ids,
)

__all__ = ["GqaEvaluation", "GqaFiles", "GqaRules", "chunks", "evaluate_gqa"]

_KINDS = ("binary", "open")
_BY = ("structural", "semantic", "detailed", "steps", "words")
_LISTED = {"question_id": pl.String, "listed": pl.Boolean}


@dataclass(frozen=True, slots=True)
class GqaFiles:
    """The files of an evaluation; each may come in chunks."""

    questions: Sequence[Path]
    predictions: Sequence[Path]
    choices: Sequence[Path] = ()
    scene_graphs: Sequence[Path] = ()
    attentions: Sequence[Path] = ()


@dataclass(frozen=True, slots=True)
class GqaRules:
    """How to score."""

    profile: str = "strict"
    subset: bool = False
    """Score what is there and say how much that is, rather than refuse what is incomplete."""
    equivalent: bool = False
    """Consistency over equivalent questions too."""
    grounding: GroundingForm = "released"
    rows_first: bool = False
    """Maps have y as their first index."""


@dataclass(frozen=True, slots=True)
class GqaEvaluation:
    """GQA's numbers in the units of the published script: percent, but for distribution."""

    numbers: Mapping[str, float | None]
    by: Mapping[str, Mapping[str, tuple[float, int]]]
    """Accuracy and number of questions, for each value of each thing to tell questions apart by."""
    absent: Mapping[str, str]
    """Why a number cannot be computed."""
    notes: Sequence[str] = ()
    """What was left out of a subset."""

    def as_json(self) -> dict[str, object]:
        """One object: the numbers, null where there is none, the details and the reasons."""
        return {**self.numbers, "by": self.by, "absent": self.absent}


def chunks(patterns: Sequence[str]) -> list[Path]:
    """The files that paths and wildcards name, in order; a path that exists is never taken for a wildcard.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> for number in (1, 0):
    ...     _ = (folder / f"val_questions_{number}.json").write_text("{}")
    >>> [path.name for path in chunks([f"{folder}/val_questions_*.json"])]
    ['val_questions_0.json', 'val_questions_1.json']
    """
    found: list[Path] = []
    for pattern in patterns:
        path = Path(pattern)
        if path.exists() or not set("*?[") & set(path.name):
            found.append(path)
            continue
        matching = sorted(path.parent.glob(path.name))
        if not matching:
            raise FormatError(f"{pattern}: found no file that fits, expected at least one; check the wildcard")
        found += matching
    return list(dict.fromkeys(found))


def evaluate_gqa(files: GqaFiles, rules: GqaRules = GqaRules()) -> GqaEvaluation:  # frozen
    """Read GQA's files and compute its metrics over the balanced questions.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> question = '{"isBalanced": true, "answer": "red", "question": "Which?", "imageId": "1"}'
    >>> _ = (folder / "q.json").write_text('{"07": ' + question + '}')
    >>> _ = (folder / "p.json").write_text('[{"questionId": "07", "prediction": "red"}]')
    >>> evaluate_gqa(GqaFiles([folder / "q.json"], [folder / "p.json"])).numbers["accuracy"]
    100.0
    """
    with uncollected():
        return _Evaluating(files, rules).run()


@dataclass
class _Evaluating:
    files: GqaFiles
    rules: GqaRules
    absent: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def run(self) -> GqaEvaluation:
        tables = read_gqa_questions(self.files.questions, equivalent=self.rules.equivalent)
        judged = self._judged(tables["questions"])
        counted = judged.filter(pl.col("balanced") & pl.col("right").is_not_null()).with_columns(
            score=pl.col("right").cast(pl.Float64), scene=about_scene(), **GQA_GROUPS
        )
        kinds = _means(counted, "kind")
        numbers: dict[str, float | None] = {"accuracy": _mean(counted["score"])}
        for kind in _KINDS:
            numbers[kind] = self._number(kind, lambda kind=kind: _of_kind(kinds, kind))  # type: ignore[misc]  # bound
        numbers["consistency"] = self._number("consistency", lambda: self._consistency(judged, tables))
        numbers |= self._choices(counted)
        numbers["grounding"] = self._number("grounding", lambda: self._grounding(counted, tables))
        numbers["distribution"] = self._number("distribution", lambda: chi_square(counted))
        return GqaEvaluation(numbers, {name: _means(counted, name) for name in _BY}, self.absent, self.notes)

    def _judged(self, questions: pl.DataFrame) -> pl.DataFrame:
        predictions = read_gqa_predictions(self.files.predictions)
        balanced = questions.filter("balanced")
        if not balanced.height:
            raise DataError(
                f"{_names(self.files.questions)}: found no question with isBalanced true, expected some, because only "
                "these count; use another file"
            )
        judged = gqa_judged(predictions, questions, self.rules.profile)
        # Unbalanced questions may be predicted, but only consistency asks for them.
        asked = judged.filter(pl.col("balanced") | pl.col("predicted").is_not_null())
        check_questions(
            predictions, asked.select("question_id"), subset=self.rules.subset, name=_names(self.files.predictions)
        )
        answered = judged.filter(pl.col("balanced"))["predicted"].count()
        if not answered:
            raise DataError(
                f"{_names(self.files.predictions)}: found none for a balanced question, expected some; only these count"
            )
        if self.rules.subset:
            self.notes.append(f"{answered:,} of {balanced.height:,} balanced questions have a prediction")
            if unknown := predictions.height - judged["predicted"].count():
                self.notes.append(f"{unknown:,} of {predictions.height:,} predictions are of other questions")
        return judged

    def _number(self, name: str, compute: Callable[[], float]) -> float | None:
        try:
            return compute()
        except Absent as reason:
            self.absent[name] = str(reason)
            return None

    def _consistency(self, judged: pl.DataFrame, tables: Mapping[str, pl.DataFrame]) -> float:
        follows = followers(tables["entailments"].lazy(), equivalent=self.rules.equivalent)
        if not follows.height:
            raise Absent(f"{_names(self.files.questions)}: found no entailed questions, expected some")
        found = gqa_consistencies(judged.select("question_id", "balanced", "right"), follows, lenient=self.rules.subset)
        if unknown := int(found["unknown"].sum()):
            self.notes.append(f"consistency: {unknown:,} of {found['entailed'].sum():,} entailed questions left out")
        return _mean(found["score"])

    def _choices(self, counted: pl.DataFrame) -> dict[str, float | None]:
        origins = {"validity": "valid", "plausibility": "plausible"}
        if not self.files.choices:
            self.absent |= dict.fromkeys(origins, "no choices file was given, expected one; add --choices")
            return dict.fromkeys(origins)
        answered = counted.select("question_id", "predicted", "detailed")
        guesses = dict(answered.select("question_id", "predicted").iter_rows())
        listed: dict[str, list[bool]] = {origin: [] for origin in origins.values()}
        ids: list[str] = []
        for batch in read_gqa_choices(self.files.choices, answered["question_id"]):
            ids += batch.question_ids
            predicted = [guesses[key] for key in batch.question_ids]
            for origin in listed:
                listed[origin] += gqa_listed(predicted, getattr(batch, origin), self.rules.profile)
        frames = {
            origin: pl.DataFrame({"question_id": ids, "listed": found}, schema=_LISTED)
            for origin, found in listed.items()
        }
        return {
            name: self._number(name, lambda origin=origin: self._belonging(answered, frames[origin]))  # type: ignore[misc]
            for name, origin in origins.items()
        }

    def _belonging(self, answered: pl.DataFrame, listed: pl.DataFrame) -> float:
        scores = gqa_belonging(answered, listed)
        missing = scores.filter(pl.col("score").is_null())["question_id"]
        self._incomplete(missing, self.files.choices, "choices", answered.height)
        return _mean(scores["score"])

    def _grounding(self, counted: pl.DataFrame, tables: Mapping[str, pl.DataFrame]) -> float:
        for given, option in ((self.files.attentions, "attentions"), (self.files.scene_graphs, "scene-graphs")):
            if not given:
                raise Absent(f"no {option} file was given, expected one; add --{option}")
        attentions = read_gqa_attentions(self.files.attentions)
        twice = attentions.filter(pl.col("question_id").is_duplicated())["question_id"].unique(maintain_order=True)
        if twice.len():
            raise DataError(
                f"{_names(self.files.attentions)}: found attention for {_listed(twice)} questions more than once, "
                "expected it once; remove the others"
            )
        rows = counted.select("question_id", "image_id", "scene").join(
            attentions, on="question_id", how="left", maintain_order="left"
        )
        kinds = [pl.col(name) for name in attentions.columns if name != "question_id"]
        without = rows.filter(pl.all_horizontal(kind.is_null() for kind in kinds) if kinds else True)["question_id"]
        self._incomplete(without, self.files.attentions, "attention", rows.height)
        looked = rows.filter(~pl.col("question_id").is_in(without.implode())) if without.len() else rows
        boxes = {name: frame.lazy() for name, frame in read_gqa_boxes(self.files.scene_graphs).items()}
        lazy = {"mentions": tables["mentions"].lazy(), **boxes}
        regions = gqa_regions(looked, lazy, lenient=self.rules.subset)
        if self.rules.subset:
            looked = self._with_boxes(looked, regions, tables["mentions"])
        scores = gqa_groundings(looked, regions, self.rules.grounding, rows_first=self.rules.rows_first)
        return _mean(scores["score"])

    def _with_boxes(self, looked: pl.DataFrame, regions: pl.DataFrame, mentions: pl.DataFrame) -> pl.DataFrame:
        """Questions all of whose objects have a box: a region that is not known is not one that was not looked at."""
        words = mentions.group_by("question_id").agg(words=pl.len())
        boxes = regions.group_by("question_id").agg(boxes=pl.len())
        known = pl.col("boxes").fill_null(0) >= pl.col("words")
        without = words.join(boxes, on="question_id", how="left").filter(~known)["question_id"]
        whole = looked.filter(~pl.col("question_id").is_in(without.implode()))
        if not whole.join(boxes, on="question_id", how="semi").height:
            raise Absent(f"{_names(self.files.scene_graphs)}: found no question all of whose objects have a box")
        if whole.height < looked.height:
            self.notes.append(f"boxes: {looked.height - whole.height:,} of {looked.height:,} questions left out")
        return whole

    def _incomplete(self, missing: pl.Series, paths: Sequence[Path], what: str, total: int) -> None:
        """Without all, there is no number that others can be compared with; a subset only says so."""
        if not missing.len():
            return
        if not self.rules.subset:
            raise Absent(
                f"{_names(paths)}: found no {what} for {_listed(missing)} of {total:,} questions, expected it "
                "for each; add them, or score what is there with --subset"
            )
        self.notes.append(f"{what}: {missing.len():,} of {total:,} questions left out")


def _mean(scores: pl.Series) -> float:
    """In percent."""
    if not scores.count():
        raise Absent("found no question that has a score, expected some")
    return 100 * float(str(scores.mean()))


def _means(counted: pl.DataFrame, column: str) -> dict[str, tuple[float, int]]:
    """Accuracy in percent and number of questions by the values of a column, in their order."""
    groups = counted.drop_nulls(column).group_by(column).agg(pl.col("score").mean() * 100, pl.len()).sort(column)
    return {str(value): (mean, count) for value, mean, count in groups.iter_rows()}


def _of_kind(kinds: Mapping[str, tuple[float, int]], kind: str) -> float:
    if kind not in kinds:
        raise Absent(f"found no {kind} question, expected some")
    return kinds[kind][0]


def _listed(ids: pl.Series) -> str:
    return f"{ids.len():,} ({named_ids(ids)})"


def _names(paths: Sequence[Path]) -> str:
    return ", ".join(map(str, paths))
