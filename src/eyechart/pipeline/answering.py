"""Train a model on a benchmark, and let it answer one: read both, call the models, keep what they give."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import polars as pl

from eyechart import __version__
from eyechart._lib.keyed import Key, key_of, uniform
from eyechart._lib.progress import Progress, silent
from eyechart.errors import DataError, UsageError
from eyechart.models import Examples, Recipe, Run, examples_of, fit, load_run, under_condition
from eyechart.pipeline.chatting import INSPECT, Chat, ChatModel, Conversation
from eyechart.pipeline.encoding import find_features
from eyechart.pipeline.targets import with_targets
from eyechart.store import MANIFEST, Benchmark, Draft, MadeBy

__all__ = ["Asked", "Model", "Predicted", "Splits", "benchmark_examples", "open_model", "predict", "train"]

_TRAIN, _HELD_OUT = ("train",), ("val", "valid", "validation", "dev")
_SHARE = 0.1


@dataclass(frozen=True)
class Splits:
    """Which questions are learned from, and which decide when to stop."""

    train: Sequence[str] = ()
    """Those called train if not said, or all."""
    held_out: Sequence[str] = ()
    """Those called val, valid, validation or dev if not said; without any, a tenth of the pictures."""


def benchmark_examples(
    benchmark: Benchmark, *, splits: Sequence[str] = (), view: str = "", features: str | None = None
) -> Examples:
    """A benchmark's questions as a model meets them, with features if a view is wanted."""
    if "questions" not in benchmark:
        raise DataError(f"{benchmark.folder}: found no questions, expected some; ask or import some first")
    pictures = find_features(benchmark, view, features) if view else None
    tables = benchmark.tables()
    targets = with_targets(benchmark.read("questions"), benchmark)
    if "choices" in benchmark:
        targets = _with_choices(targets, tables["choices"])
    return examples_of(tables | {"questions": targets.lazy()}, splits=splits, pictures=pictures)


def _with_choices(questions: pl.DataFrame, choices: pl.LazyFrame) -> pl.DataFrame:
    """Where nothing else says what is right, the right choice does."""
    right = choices.filter(pl.col("is_target")).unique("question_id", keep="first", maintain_order=True)
    joined = questions.join(
        right.select("question_id", right="choice").collect(), on="question_id", how="left", maintain_order="left"
    )
    return joined.with_columns(pl.coalesce("answer", "right").alias("answer")).drop("right")


def train(
    benchmark: Benchmark,
    recipe: Recipe,
    folder: Path,
    *,
    splits: Splits = Splits(),  # frozen
    most: int | None = None,
    features: str | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Run | None:
    """Train a model into a folder, on so many questions at the most.

    None if it was stopped, to go on with the same call.
    """
    known = set(benchmark.manifest.splits)
    chosen = list(splits.train) or [name for name in _TRAIN if name in known]
    kept_back = list(splits.held_out) or [name for name in _HELD_OUT if name in known and name not in chosen]
    learned = benchmark_examples(benchmark, splits=chosen, view=recipe.view, features=features)
    if kept_back:
        held_out = benchmark_examples(benchmark, splits=kept_back, view=recipe.view, features=features)
    else:
        learned, held_out = _divided(learned, seed)
    if most is not None:
        learned = _some(learned, most, seed)
    about = (benchmark.name, chosen)
    return fit(recipe, learned, held_out, folder=folder, seed=seed, about=about, progress=progress)


def _divided(examples: Examples, seed: int) -> tuple[Examples, Examples]:
    """A tenth of the pictures to decide when to stop, and the rest."""
    picture = pl.col("image_id").fill_null(pl.col("question_id"))
    kept_back = examples.questions.select(uniform(Key(seed, "held out").over(key_of(picture))) < _SHARE).to_series()
    return examples.rows(~kept_back), examples.rows(kept_back)


def _some(examples: Examples, most: int, seed: int) -> Examples:
    """So many questions, drawn by their ids: more of them hold all of fewer."""
    drawn = examples.questions.select(Key(seed, "learned from").over(key_of(pl.col("question_id")))).to_series()
    return examples.rows(drawn.rank("ordinal") <= most)


@dataclass(frozen=True)
class Asked:
    """What a model is asked, and what is kept from it."""

    splits: Sequence[str] = ()
    condition: str = "full"
    features: str | None = None
    choices: bool = True
    """Whether choices are offered where the benchmark has some."""
    chat: Chat = field(default_factory=Chat)
    """How a chat model is asked."""


class Model(Protocol):
    """Anything that answers questions of a benchmark, whatever is kept from it."""

    @property
    def view(self) -> str:
        """The kind of features that it looks at; empty for none."""

    def predict(self, examples: Examples, condition: str = "full", seed: int = 0) -> pl.DataFrame:
        """A predictions table, made under one of the conditions."""


@dataclass(frozen=True)
class _Trained:
    """A run folder's model."""

    run: Run

    @property
    def view(self) -> str:
        return self.run.config.recipe.view

    def predict(self, examples: Examples, condition: str = "full", seed: int = 0) -> pl.DataFrame:
        return self.run.predict(under_condition(examples, condition, seed), seed)


def open_model(
    name: str, benchmark: Benchmark, *, output: Path | None, chat: Chat, progress: Progress = silent
) -> Model:
    """A trained model by its folder, or a chat model as inspect:PROVIDER/NAME; replies are kept beside the output."""
    if not name.startswith(INSPECT):
        return _Trained(load_run(Path(name)))
    if chat.replies is None and output is None:
        raise UsageError(
            f"{name}: found no place for its replies, expected one; say --output, or --replies with a file"
        )
    replies = chat.replies or output.with_name(f"{output.name}.replies.jsonl")  # type: ignore[union-attr]  # see above
    return ChatModel(name, benchmark, replies, chat, progress)


@dataclass(frozen=True)
class Predicted:
    """A folder of predictions, and how the conversation went if there was one."""

    benchmark: Benchmark
    conversation: Conversation | None = None


def predict(
    name: str,
    benchmark: Benchmark,
    output: Path,
    *,
    asked: Asked = Asked(),  # frozen
    seed: int = 0,
    replace: bool = False,
    progress: Progress = silent,
) -> Predicted:
    """Let a trained model or a chat model answer a benchmark; the predictions are a folder like any other."""
    model = open_model(name, benchmark, output=output, chat=asked.chat, progress=progress)
    examples = benchmark_examples(benchmark, splits=asked.splits, view=model.view, features=asked.features)
    if not asked.choices:
        examples = Examples(
            examples.questions, examples.answers, examples.choices.clear(), examples.captions, examples.pictures
        )
    if not len(examples):
        raise UsageError(f"{benchmark.folder}: found no questions in these splits, expected some; name other splits")
    if (output / MANIFEST).is_file() and not replace:
        raise UsageError(f"{output}: found predictions there; choose another output, or replace them with --force")
    rows = model.predict(examples, asked.condition, seed)
    conversation = model.conversation if isinstance(model, ChatModel) else None
    config = {"run": name, "condition": asked.condition, "splits": list(asked.splits), "choices": asked.choices}
    if conversation is not None:
        config |= {"prompt": asked.chat.prompt, "orders": asked.chat.orders, "longest": asked.chat.longest}
        config |= {"asked": conversation.asked, "failed": conversation.failed, "unread": conversation.unread}
    made_by = MadeBy("predict", config, {str(benchmark.folder): benchmark.fingerprint}, __version__, seed)
    with Draft(output, made_by, replace=replace) as draft:
        draft.put("predictions", rows)
    return Predicted(Benchmark.open(output), conversation)
