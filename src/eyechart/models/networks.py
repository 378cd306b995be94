"""Networks from recipes: vocabularies from the training set, weights from the seed, training, and back from disk."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from eyechart._lib.files import write_atomically
from eyechart._lib.progress import Progress, silent
from eyechart.errors import DataError, FormatError, UsageError
from eyechart.models.answering import FittedNetwork
from eyechart.models.blocks import WordTable
from eyechart.models.examples import Examples
from eyechart.models.inputs import Encoded, Vocabularies, question_words
from eyechart.models.kinds import Network, Sizes
from eyechart.models.learning import Learner
from eyechart.models.recipes import Recipe
from eyechart.models.saving import WEIGHTS, Config, vocabulary_hash
from eyechart.models.scoring import accuracy
from eyechart.models.targets import aim_of
from eyechart.models.vocabulary import Answers, BagOfWords, Words, tokens
from eyechart.text import SENTENCES, FileVectors, Sentences, WordVectors, packaged_vectors, text_vectors

__all__ = ["build_network", "load_network", "settings_of", "train_network"]

Floats = npt.NDArray[np.float32]
_VECTORS = "wordllama"


def settings_of(kind: Network, recipe: Recipe) -> Any:  # a Struct of the model's own
    """The settings of a recipe, completed by the model's own."""
    try:
        return msgspec.convert(dict(kind.first) | recipe.settings, kind.settings)
    except msgspec.ValidationError as error:
        known = ", ".join(kind.settings.__struct_fields__)
        raise FormatError(
            f"recipe of {recipe.model}, settings: {error}, expected some of {known}; correct it"
        ) from error


def build_network(kind: Network, settings: Any, sizes: Sizes, recipe: Recipe, seed: int) -> nn.Module:  # as above
    """A network whose first weights are drawn by the seed."""
    torch.manual_seed(seed)
    module = kind.build(settings, sizes)
    if (reach := recipe.training.uniform) is not None:
        for weight in module.parameters():
            nn.init.uniform_(weight, -reach, reach)
    return module


def train_network(
    kind: Network,
    recipe: Recipe,
    train: Examples,
    held_out: Examples | None,
    *,
    folder: Path,
    seed: int = 0,
    progress: Progress = silent,
    most_steps: int | None = None,
) -> tuple[FittedNetwork, Config] | None:
    """Train, or go on with what was stopped; None if it was stopped again."""
    settings = settings_of(kind, recipe)
    inputs = kind.inputs(settings)
    train = _learnable(train, recipe, choices=inputs.choices)
    if train.questions["answer"].null_count() == len(train):
        raise DataError(
            "training: found no question whose answer can be learned, expected some; "
            "import annotations, or ask for fewer sure answers"
        )
    known = _vocabularies(train, recipe, settings, kind)
    sizes = known.sizes(inputs, train.pictures)
    module = build_network(kind, settings, sizes, recipe, seed)
    if inputs.question == "words" and recipe.words.vectors:
        _begin_words(module, known.words, recipe)
    encoded = Encoded(train, inputs, recipe.words, known)
    aim = aim_of(encoded, known.answers, recipe.training, seed)
    learner = Learner(module, encoded, aim, recipe.training, folder=folder, seed=seed)
    learner.restore()

    def score(current: nn.Module) -> float:
        if held_out is None:
            raise AssertionError("only held-out questions are scored")
        return accuracy(FittedNetwork(current, inputs, recipe, known).predict(held_out), held_out)

    scoring = score if held_out is not None and len(held_out) else None
    if not learner.learn(scoring, progress, most_steps=most_steps):
        return None
    module.load_state_dict(learner.weights())
    config = Config(
        recipe=recipe,
        seed=seed,
        settings=msgspec.to_builtins(settings),
        sizes=asdict(sizes),
        pictures=train.pictures.source if inputs.picture != "none" and train.pictures else "",
        vectors=_meaning(recipe).source if known.meaning or recipe.words.vectors else "",
        results={"held out": learner.at.best} if learner.at.best is not None else {},
        parameters=sum(weight.numel() for weight in module.parameters()),
    )
    return FittedNetwork(module, inputs, recipe, known), msgspec.structs.replace(
        config, vocabulary=_save(folder, module, known)
    )


def _begin_words(module: nn.Module, words: Words, recipe: Recipe) -> None:
    """Known words begin with their vectors, scaled as the table's own are; they are trained like the others."""
    vectors = _meaning(recipe)
    tables = [part for part in module.modules() if isinstance(part, WordTable)]
    for table in tables:
        weight = table.table.weight
        if vectors([""]).shape[1] != weight.shape[1]:
            raise FormatError(
                f"recipe of {recipe.model}: found words of {weight.shape[1]} numbers and vectors of "
                f"{vectors(['']).shape[1]} in {vectors.source}, expected as many; set settings.word, or leave out "
                "words.vectors"
            )
        found = torch.from_numpy(vectors(words.known)) if words.known else weight[:0].detach()
        there = found.abs().sum(dim=1) > 0
        spread = weight.detach().std() / found[there].std().clamp(min=1e-6) if bool(there.any()) else 1.0
        with torch.no_grad():
            # Row 0 is the unknown word.
            weight[1:][there] = found[there] * spread


def _learnable(train: Examples, recipe: Recipe, *, choices: bool) -> Examples:
    """Questions that can be learned from; where a recipe wants it, those whose people were sure."""
    if choices:
        train = train.with_choices()
    if recipe.answers.sure is None:
        return train
    sure = train.answers.filter(pl.col("confidence") == "yes")
    enough = sure.group_by("question_id").len().filter(pl.col("len") >= recipe.answers.sure)["question_id"]
    kept = train.rows(train.questions["question_id"].is_in(enough.implode()))
    return Examples(
        kept.questions, kept.answers.filter(pl.col("confidence") == "yes"), kept.choices, kept.captions, kept.pictures
    )


def _vocabularies(train: Examples, recipe: Recipe, settings: Any, kind: Network) -> Vocabularies:  # a Struct
    inputs = kind.inputs(settings)
    texts = question_words(train, recipe.words)
    counted = recipe.answers.given == "all" and train.answers.height
    given = train.answers["answer"] if counted else train.questions["answer"]
    return Vocabularies(
        words=Words.of(texts, fewest=recipe.words.fewest) if inputs.question == "words" else Words(),
        bag=BagOfWords.of(texts) if inputs.question == "bow" else None,
        caption=_caption_words(train) if inputs.caption else None,
        answers=Answers([])
        if inputs.choices
        else Answers.of(given, most=recipe.answers.most, fewest=recipe.answers.fewest),
        meaning=_meaning(recipe) if inputs.choices or inputs.question == "meaning" else None,
    )


def _caption_words(train: Examples) -> BagOfWords:
    if not train.captions.height:
        raise UsageError("captions: found none, expected some for a model that reads them; import captions")
    return BagOfWords.of([tokens(text) for text in train.captions["caption"].to_list()], firsts=0)


def _meaning(recipe: Recipe) -> "_Meaning":
    return _opened_meaning(recipe.words.vectors or _VECTORS)


@cache
def _opened_meaning(name: str) -> "_Meaning":
    if name == SENTENCES:
        return _Meaning(Sentences())
    return _Meaning(FileVectors(Path(name)) if Path(name).suffix else packaged_vectors(name))


class _Meaning:
    """Texts as mean word vectors, or as a sentence encoder reads them; a text of unknown words is zero."""

    def __init__(self, vectors: WordVectors | Sentences) -> None:
        self.vectors, self.source = vectors, vectors.source

    def __call__(self, texts: Sequence[str]) -> Floats:
        distinct = list(dict.fromkeys(texts))
        if isinstance(self.vectors, Sentences):
            matrix, _ = self.vectors.encode(distinct)
        else:
            # A question's marks are no words.
            matrix, _ = text_vectors([" ".join(tokens(text)) for text in distinct], self.vectors)
        place = {text: row for row, text in enumerate(distinct)}
        return matrix[[place[text] for text in texts]]


def _save(folder: Path, module: nn.Module, known: Vocabularies) -> str:
    """Weights and vocabularies; gives a hash of the vocabularies."""
    weights = {name: weight.contiguous().clone() for name, weight in module.state_dict().items()}
    partial = folder / f".{WEIGHTS}.partial"
    save_file(weights, partial, {"format": "pt"})
    partial.replace(folder / WEIGHTS)
    listed = {"words": known.words.known, "bag": known.bag, "caption": known.caption}
    words, answers = msgspec.json.encode(listed), msgspec.json.encode(known.answers.known)
    write_atomically(folder / "vocab.json", words)
    write_atomically(folder / "answers.json", answers)
    return vocabulary_hash(words, answers)


class _Listed(msgspec.Struct):
    """The content of vocab.json."""

    words: list[str]
    bag: BagOfWords | None
    caption: BagOfWords | None


def load_network(folder: Path, kind: Network, config: Config) -> FittedNetwork:
    """A network from its folder."""
    recipe = config.recipe
    settings = msgspec.convert(config.settings, kind.settings)
    inputs = kind.inputs(settings)
    listed = msgspec.json.decode((folder / "vocab.json").read_bytes(), type=_Listed)
    answers = Answers(msgspec.json.decode((folder / "answers.json").read_bytes(), type=list[str]))
    meaning = _meaning(recipe) if inputs.choices or inputs.question == "meaning" else None
    known = Vocabularies(Words(listed.words), listed.bag, listed.caption, answers, meaning)
    module = build_network(kind, settings, Sizes(**config.sizes), recipe, config.seed)
    module.load_state_dict(load_file(folder / WEIGHTS))
    return FittedNetwork(module, inputs, recipe, known)
