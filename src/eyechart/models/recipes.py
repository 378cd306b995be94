"""Recipes: which model with which settings, on which inputs, trained how; one file each, with the paper it follows."""

from pathlib import Path
from typing import Any, Literal

import msgspec

from eyechart.errors import FormatError, UnknownNameError, UsageError
from eyechart.registry import did_you_mean

__all__ = ["AnswerList", "Recipe", "Training", "WordList", "load_recipe", "recipe_names"]

_HERE = Path(__file__).parent
_FOLDERS = (_HERE / "recipes", _HERE.parents[2] / "experiments")
"""Where recipes are in an installed package, and in a checkout."""


class WordList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which words of questions are known, and how many of a question are read."""

    fewest: int = 1
    """Rarer words are one unknown word."""
    length: int = 26
    source: Literal["question", "program"] = "question"
    vectors: str | None = None
    """Word vectors by package name or file, or minilm-sentences: with what models begin that read texts word by word,
    and what those know that read them as one vector."""


class AnswerList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which answers a network can give."""

    most: int | None = 1000
    fewest: int = 1
    given: Literal["majority", "all"] = "majority"
    """Counted over each question's most frequent answer, or over all that people gave."""
    sure: int | None = None
    """Train only on questions with so many confident answers."""


class Training(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a network is trained."""

    optimiser: Literal["adam", "adamw", "adamax", "rmsprop", "sgd"] = "adam"
    rate: float = 1e-3
    momentum: float = 0.0
    weight_decay: float = 0.0
    smoothing: float = 0.99
    """Of RMSProp's running square."""
    decay: float = 1.0
    """The rate is multiplied by this every step."""
    stall: float = 1.0
    """The rate is multiplied by this after an epoch whose training loss is no lower than the best."""
    warmup: int = 0
    """Steps over which the rate grows to its full height."""
    batch: int = 128
    together: Literal["any", "pairs", "lengths"] = "any"
    """What shares a batch: any questions; both members of a complementary pair; or questions that cost alike."""
    accumulate: int = 1
    """Batches per step."""
    epochs: int = 30
    patience: int | None = 5
    """Stop after so many epochs without a better score on held-out questions; null never stops early."""
    clip_norm: float | None = None
    clip_value: float | None = None
    average: float | None = None
    """Decay of the running average of weights that is used for answering; null uses the last weights."""
    target: Literal["hard", "sampled", "soft", "sigmoid", "binary", "softmax"] = "hard"
    """Hard, sampled and softmax are cross-entropies; soft, sigmoid and binary are sums of logistic losses."""
    uniform: float | None = None
    """All weights are drawn from minus this to this; null leaves each layer its own way."""
    tensorboard: bool = False
    """Whether the numbers of metrics.jsonl are also written as events of TensorBoard, into the run folder."""
    precision: Literal["auto", "fp32", "bf16"] = "auto"
    """What products are computed in; auto measures at the start which is faster, and keeps to it."""


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One model, ready to be trained."""

    model: str
    about: str = ""
    paper: str = ""
    settings: dict[str, Any] = {}  # of the model's own making
    view: str = ""
    """The kind of features: vector, grid, objects or scene; empty where no picture is looked at."""
    words: WordList = WordList()
    answers: AnswerList = AnswerList()
    training: Training = Training()


def recipe_names() -> list[str]:
    """All packaged recipes.

    >>> "deeper-lstm-q-norm-i" in recipe_names()
    True
    """
    return sorted({path.stem for folder in _FOLDERS for path in folder.glob("*.toml")})


def load_recipe(name: str, changes: dict[str, str] | None = None) -> Recipe:
    """A packaged recipe by name or a recipe file, with some values changed: ``training.epochs=3``.

    >>> load_recipe("prior").model
    'prior'
    >>> load_recipe("deeper-lstm-q-norm-i", {"training.epochs": "3"}).training.epochs
    3
    """
    path = Path(name)
    if path.suffix != ".toml":
        found = [folder / f"{name}.toml" for folder in _FOLDERS if (folder / f"{name}.toml").is_file()]
        if not found:
            raise UnknownNameError(f"no recipe is called {name!r}: {did_you_mean(name, recipe_names())}")
        path = found[0]
    if not path.is_file():
        raise UsageError(f"{path}: found no such file, expected a recipe; name a packaged one or another file")
    try:
        values = msgspec.toml.decode(path.read_bytes())
        for key, value in (changes or {}).items():
            _change(values, key, value)
        return msgspec.convert(values, Recipe)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: {error}, expected a recipe; correct it") from error


def _change(values: dict[str, Any], key: str, value: str) -> None:
    *outer, last = key.split(".")
    for name in outer:
        values = values.setdefault(name, {})
    # Numbers, lists and truths as TOML writes them; anything else is a word.
    try:
        values[last] = msgspec.toml.decode(f"value = {value}")["value"]
    except msgspec.DecodeError:
        values[last] = value
    if value == "null":
        values[last] = None
