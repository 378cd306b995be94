"""The shortcut audit: models that see only a part are trained on most of a benchmark and answer the rest, fold by fold.

Also the same for a model that is there already, by keeping the picture or the question from it.
"""

import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import msgspec
import polars as pl

from eyechart import __version__
from eyechart._lib.keyed import Key, key_of
from eyechart._lib.progress import Progress, silent
from eyechart.analysis import Shortcut, Verdict, expected_scores, shortcuts, verdicts
from eyechart.errors import DataError, UsageError
from eyechart.models import CONDITIONS, Examples, Recipe, Training, fit, scored
from eyechart.pipeline.answering import Model, benchmark_examples
from eyechart.pipeline.chatting import ChatModel, Conversation
from eyechart.store import Benchmark, Draft, MadeBy

__all__ = ["Audit", "Auditing", "audit", "audit_model", "save_audit"]

_TRAINING = Training(
    optimiser="adamw", rate=1e-3, weight_decay=0.05, batch=64, epochs=60, patience=6, precision="fp32", target="hard"
)
# With fewer, a probe that could see the picture stopped before it had learned to: a principle would seem to hold.
_CHOOSING = msgspec.structs.replace(_TRAINING, target="binary", epochs=100, patience=25)
# Of a picture's thousands of numbers few tell something: small weights, learned slowly, find these.
_SEEING = msgspec.structs.replace(_TRAINING, rate=3e-4, weight_decay=1.0, epochs=120, patience=12)
_LINEAR = {"question": "none", "picture": "standard", "variant": "code"}
_SMALL = {"hidden": 256}
_FUSION = {"join": "concatenation", "hidden": 256}


def _choice(*, question: bool, picture: bool) -> Recipe:
    view = "vector" if picture else ""
    return Recipe("mlp", settings=_SMALL | {"question": question, "picture": picture}, view=view, training=_CHOOSING)


OPEN: Mapping[str, Recipe] = {
    "prior": Recipe("prior"),
    "type prior": Recipe("prior", settings={"by": "question_type", "fewest": 1}),
    "Q": Recipe("fusion", settings=_FUSION | {"question": "bow", "picture": "none"}, training=_TRAINING),
    "I": Recipe("fusion", settings=_LINEAR, view="vector", training=msgspec.structs.replace(_SEEING, weight_decay=3.0)),
    "Q+I": Recipe(
        "fusion", settings=_FUSION | {"question": "bow", "picture": "standard"}, view="vector", training=_SEEING
    ),
}
CHOICES: Mapping[str, Recipe] = {
    "position": Recipe("choice-prior", settings={"feature": "position"}),
    "length": Recipe("choice-prior", settings={"feature": "length"}),
    "words": Recipe("choice-prior"),
    "A": _choice(question=False, picture=False),
    "I+A": _choice(question=False, picture=True),
    "Q+A": _choice(question=True, picture=False),
    "I+Q+A": _choice(question=True, picture=True),
}
"""What each probe sees: picture (I), question (Q), choices (A); words is equation 2."""


@dataclass(frozen=True)
class Auditing:
    """How an audit is done."""

    folds: int = 5
    splits: Sequence[str] = ()
    features: str | None = None
    choices: bool | None = None
    """Whether choices are offered; if not said, where the benchmark has some."""
    changes: Mapping[str, object] = field(default_factory=dict[str, object])
    """Of the probes' training."""
    seed: int = 0


@dataclass(frozen=True)
class Audit:
    """What an audit found."""

    found: list[Shortcut]
    verdicts: list[Verdict]
    scores: pl.DataFrame
    """question_id, image_id, probe, score: of every question in the fold that its probe was not trained on."""
    talks: Mapping[str, Conversation] = field(default_factory=dict[str, Conversation])
    """How the conversation went under each condition, where a chat model was asked."""


def audit(benchmark: Benchmark, how: Auditing, progress: Progress = silent) -> Audit:
    """Which parts of a benchmark are enough to answer it."""
    offers = "choices" in benchmark if how.choices is None else how.choices
    plain = _asked(benchmark, how, view="", offers=offers)
    seen = _asked(benchmark, how, view="vector", offers=offers)
    probes = CHOICES if offers else OPEN
    fold = _folds(plain, how)
    pieces = []
    with progress("Auditing", len(probes) * how.folds, "trainings") as advance:
        for name, recipe in probes.items():
            examples = seen if recipe.view else plain
            for number in range(how.folds):
                learned, answered = examples.rows(fold != number), examples.rows(fold == number)
                predicted = _fitted(recipe, learned, how, number).predict(answered, how.seed)
                pieces.append(_graded(predicted, answered, offers=offers).with_columns(probe=pl.lit(name)))
                advance(1)
    scores = pl.concat(pieces)
    found = shortcuts(scores, _chance(plain, offers=offers), "I+Q+A" if offers else "Q+I")
    return Audit(found, verdicts(found, choices=offers), scores)


def _asked(benchmark: Benchmark, how: Auditing, *, view: str, offers: bool) -> Examples:
    examples = benchmark_examples(benchmark, splits=how.splits, view=view, features=how.features if view else None)
    examples = examples.with_choices() if offers else examples.rows(pl.col("answer").is_not_null())
    if len(examples) < how.folds:
        raise DataError(
            f"{benchmark.folder}: found {len(examples)} questions with a known answer, expected at least one per fold "
            f"({how.folds}); audit a split that has answers"
        )
    if offers:
        return examples
    return Examples(
        examples.questions, examples.answers, examples.choices.clear(), examples.captions, examples.pictures
    )


def _folds(examples: Examples, how: Auditing) -> pl.Series:
    """A fold per question; questions about one picture share theirs."""
    if how.folds < 2:  # noqa: PLR2004  # one to learn from, one to answer
        raise UsageError(f"--folds is {how.folds}, expected 2 or more; choose more")
    picture = pl.col("image_id").fill_null(pl.col("question_id"))
    pictures = (
        examples.questions.select(picture=picture).unique().sort(Key(how.seed, "folds").over(key_of(pl.col("picture"))))
    )
    numbered = pictures.with_columns(fold=pl.int_range(pl.len()) % how.folds)
    return examples.questions.select(picture=picture).join(numbered, on="picture", maintain_order="left")["fold"]


class _Fitted:
    """A probe, trained in a folder that is gone when it has answered."""

    def __init__(self, recipe: Recipe, learned: Examples, held_out: Examples, seed: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="eyechart-audit-"))
        self.run = fit(recipe, learned, held_out, folder=self.folder, seed=seed)

    def predict(self, examples: Examples, seed: int) -> pl.DataFrame:
        """The answers of the fold that it was not trained on."""
        shutil.rmtree(self.folder)
        if self.run is None:
            raise KeyboardInterrupt
        return self.run.predict(examples, seed)


def _fitted(recipe: Recipe, learned: Examples, how: Auditing, number: int) -> _Fitted:
    recipe = msgspec.structs.replace(recipe, training=msgspec.structs.replace(recipe.training, **how.changes))
    if not recipe.settings or recipe.model not in {"fusion", "mlp"}:
        return _Fitted(recipe, learned, learned.rows(pl.lit(value=False)), how.seed)
    # When to stop is decided by a part of what may be learned from.
    inner = _folds(learned, replace(how, folds=8, seed=how.seed + 1 + number))
    return _Fitted(recipe, learned.rows(inner != 0), learned.rows(inner == 0), how.seed)


def _graded(predicted: pl.DataFrame, examples: Examples, *, offers: bool) -> pl.DataFrame:
    """question_id, image_id, score; equal scores of choices count in part."""
    graded = scored(predicted, examples)
    if offers and not examples.answers.height:
        graded = expected_scores(predicted, examples.choices)
    picture = pl.col("image_id").fill_null(pl.col("question_id"))
    known = examples.questions.select("question_id", picture)
    return known.join(graded.select("question_id", "score"), on="question_id", maintain_order="left")


def _chance(examples: Examples, *, offers: bool) -> float:
    """One over the number of choices; for open questions one over the number of answers."""
    if not offers:
        return 1 / max(1, examples.questions["answer"].n_unique())
    counts = examples.choices.group_by("question_id", maintain_order=True).agg(pl.col("is_target").mean())
    return float(counts["is_target"].mean() or 0.0)  # type: ignore[arg-type]  # a mean of numbers


def audit_model(model: Model, benchmark: Benchmark, how: Auditing, progress: Progress = silent) -> Audit:
    """What any model still answers when something is kept from it."""
    offers = "choices" in benchmark if how.choices is None else how.choices
    examples = _asked(benchmark, how, view=model.view, offers=offers)
    conditions = [name for name in CONDITIONS if name != "choices-only" or offers]
    pieces, talks = [], {}
    with progress("Asking", len(conditions), "conditions") as advance:
        for condition in conditions:
            predicted = model.predict(examples, condition, how.seed)
            if isinstance(model, ChatModel):
                talks[condition] = model.conversation
            pieces.append(_graded(predicted, examples, offers=offers).with_columns(probe=pl.lit(condition)))
            advance(1)
    scores = pl.concat(pieces)
    return Audit(shortcuts(scores, _chance(examples, offers=offers), "full"), [], scores, talks)


def save_audit(found: Audit, benchmark: Benchmark, folder: Path, *, force: bool = False) -> Benchmark:
    """Keep every question's scores: one per probe, and the mean of those that do not see everything."""
    everything = {"I+Q+A", "Q+I", "full"}
    rows = found.scores.select("question_id", "score", metric=pl.format("shortcut {}", "probe"))
    blind = found.scores.filter(~pl.col("probe").is_in(everything)).group_by("question_id", maintain_order=True)
    whole = blind.agg(pl.col("score").mean()).select("question_id", "score", metric=pl.lit("shortcut"))
    made_by = MadeBy("audit", inputs={str(benchmark.folder): benchmark.fingerprint}, version=__version__)
    with Draft(folder, made_by, replace=force) as draft:
        draft.put("scores", pl.concat([rows, whole]))
    return Benchmark.open(folder)
