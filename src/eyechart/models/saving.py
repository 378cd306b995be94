"""Run folders as the Hub has them: config.json, model.safetensors, vocabularies, metrics, a model card; no pickle."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart import __version__
from eyechart._lib.files import write_atomically
from eyechart._lib.hashing import sha256_of
from eyechart.errors import MissingDependencyError, UsageError
from eyechart.models.catalogue import MODELS
from eyechart.models.examples import Examples
from eyechart.models.kinds import Fitted, HoldsArrays, Network, Ranks, Statistic
from eyechart.models.recipes import Recipe

__all__ = ["CONFIG", "Run", "load_run", "safetensors_of", "save_counts", "write_card", "write_config"]

CONFIG = "config.json"
_COUNTS, WEIGHTS, CARD = "counts.json", "model.safetensors", "README.md"


class Config(msgspec.Struct, frozen=True):
    """The content of config.json: enough to build the model again, and to say what it was trained on."""

    recipe: Recipe
    seed: int
    settings: dict[str, Any] = {}  # of the model, all of them
    sizes: dict[str, int] = {}
    pictures: str = ""
    """What made the features that it was trained on."""
    vectors: str = ""
    """What word vectors it was trained with."""
    vocabulary: str = ""
    """A hash of its words and answers."""
    benchmark: str = ""
    splits: list[str] = []
    results: dict[str, float] = {}
    parameters: int = 0
    library: str = f"eyechart {__version__}"


@dataclass(frozen=True)
class Run:
    """A trained model, taken from its folder."""

    folder: Path
    config: Config
    fitted: Fitted

    def predict(self, examples: Examples, seed: int = 0) -> pl.DataFrame:
        """A predictions table; features made in another way than those of the training are refused."""
        pictures = examples.pictures
        if self.config.pictures and pictures is not None and pictures.source != self.config.pictures:
            raise UsageError(
                f"{self.folder}: found features of {pictures.source}, expected those of {self.config.pictures}, which "
                "it was trained on; encode the pictures in the same way"
            )
        return self.fitted.predict(examples, seed)

    def ranked(self, examples: Examples, most: int = 5) -> pl.DataFrame:
        """The best answers of each question: question_id, rank (from 1), answer, share.

        A network that answers open questions tells as many as are wanted; among choices each has its score; others tell
        the answer that they give.
        """
        if isinstance(self.fitted, Ranks) and not examples.choices.height:
            return self.fitted.ranked(examples, most)
        predicted = self.predict(examples)
        first = predicted.select(
            "question_id", "answer", rank=pl.lit(1, dtype=pl.Int32), share=pl.col("confidence").fill_null(0.0)
        )
        return first.select("question_id", "rank", "answer", "share")


def safetensors_of() -> Any:  # the module, which says nothing of its types
    """The library for arrays at rest, or how to get it."""
    try:
        import safetensors.numpy
    except ImportError:
        raise MissingDependencyError(
            "models: found no package safetensors, expected it; install it with pip install 'eyechart[models]'"
        ) from None
    return safetensors.numpy


def save_counts(folder: Path, fitted: Fitted) -> None:
    """What a model of counts knows."""
    write_atomically(folder / _COUNTS, msgspec.json.encode(fitted.state()))
    if isinstance(fitted, HoldsArrays):
        arrays = {name: np.ascontiguousarray(array) for name, array in fitted.arrays().items()}
        write_atomically(folder / WEIGHTS, safetensors_of().save(arrays))


def write_config(folder: Path, config: Config) -> None:
    """The last file to be written: from then on the folder is a run."""
    write_atomically(folder / CONFIG, msgspec.json.format(msgspec.json.encode(config), indent=2) + b"\n")


def load_run(folder: Path) -> Run:
    """A trained model from its folder.

    >>> load_run(Path("nowhere"))
    Traceback (most recent call last):
    eyechart.errors.UsageError: nowhere: found no config.json, expected a trained model; train a model with ...
    """
    path = folder / CONFIG
    if not path.is_file():
        unfinished = (folder / "training_state.json").is_file()
        found = "a training that was stopped" if unfinished else f"no {CONFIG}"
        do = "run the same command again to finish it" if unfinished else "train a model with `eyechart train`"
        raise UsageError(f"{folder}: found {found}, expected a trained model; {do}")
    try:
        config = msgspec.json.decode(path.read_bytes(), type=Config)
    except msgspec.MsgspecError as error:
        raise UsageError(f"{path}: {error}, expected a run of Eyechart; train the model again") from error
    kind = MODELS.load(config.recipe.model)
    if isinstance(kind, Network):
        from eyechart.models.networks import load_network

        return Run(folder, config, load_network(folder, kind, config))
    return Run(folder, config, _restored(folder, kind))


def _restored(folder: Path, kind: Statistic) -> Fitted:
    arrays: Mapping[str, npt.NDArray[Any]] = {}  # of any type of number
    if (folder / WEIGHTS).is_file():
        arrays = safetensors_of().load_file(folder / WEIGHTS)
    return kind.restore(msgspec.json.decode((folder / _COUNTS).read_bytes()), arrays)


def vocabulary_hash(*parts: bytes) -> str:
    """A short hash of words and answers.

    >>> vocabulary_hash(b"[]", b"[]") == vocabulary_hash(b"[]", b"[]")
    True
    """
    return sha256_of(b"\0".join(parts))[:16]


def write_card(folder: Path, config: Config) -> None:
    """A model card whose front matter the Hub reads."""
    recipe, name = config.recipe, folder.resolve().name
    told = "".join(f"| {part} | {100 * value:.2f} |\n" for part, value in config.results.items())
    lines = [
        "---",
        "library_name: eyechart",
        "pipeline_tag: visual-question-answering",
        f"tags: [visual-question-answering, {recipe.model}]",
        f"datasets: [{config.benchmark}]",
        "metrics: [accuracy]",
        *(_model_index(name, config) if config.results else ()),
        "---",
        f"\n# {name}\n\n{recipe.about}\n",
        f"- model: {recipe.model}, {config.parameters:,} parameters",
        f"- after: {recipe.paper or 'no paper'}",
        f"- trained on: {config.benchmark} ({', '.join(config.splits) or 'all splits'}), seed {config.seed}",
        f"- features: {config.pictures or 'none'}",
        f"\n| questions | accuracy % |\n| --- | --- |\n{told}" if told else "",
        "`eyechart predict` answers with it; `config.json` holds the whole recipe.",
    ]
    write_atomically(folder / CARD, ("\n".join(lines) + "\n").encode())


def _model_index(name: str, config: Config) -> list[str]:
    """Results as the Hub lists them."""
    head = ["model-index:", f"- name: {name}", "  results:", "  - task:", "      type: visual-question-answering"]
    dataset = ["    dataset:", f"      name: {config.benchmark}", f"      type: {config.benchmark}", "    metrics:"]
    numbers = [
        line
        for part, value in config.results.items()
        for line in ("    - type: accuracy", f"      name: accuracy, {part}", f"      value: {value:.4f}")
    ]
    return [*head, *dataset, *numbers]
