"""Counter-example explanations (VQA v2, section 5): a similar picture in which the answer would be another.

One trunk sees the question with the picture and with each of its neighbours. The answering head gives an answer; the
explaining head scores how near each neighbour is to that answer, and the least near one is the counter-example. The
last layer of the published head mixes the neighbours' scores place by place, so that it can learn which rank people
pick without looking; ``rank-only`` and shuffled neighbours show how much of a result is that.
"""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import polars as pl
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn import functional

from eyechart._lib.files import write_atomically
from eyechart._lib.keyed import Key, draw
from eyechart.errors import DataError, UsageError
from eyechart.models.blocks import Dropout, Sentence, WordTable
from eyechart.models.examples import Examples, Pictures
from eyechart.models.explaining import ExplainerSettings
from eyechart.models.optimising import make_optimiser
from eyechart.models.recipes import Training
from eyechart.models.vocabulary import Answers, Words, tokens

__all__ = ["CounterExamples", "Explainer", "fit_explainer", "load_explainer"]

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

_NEW, _SEEDS = -1e4, 1 << 63
_BATCH = 256


class CounterExamples(nn.Module):
    """The trunk with both heads."""

    def __init__(self, settings: ExplainerSettings, words: int, picture: int, answers: int) -> None:
        super().__init__()
        self.settings = settings
        self.words = WordTable(words, settings.word)
        self.sentence = Sentence(settings.word, settings.state)
        self.question, self.picture = nn.Linear(2 * settings.state, settings.width), nn.Linear(picture, settings.width)
        self.answer = nn.Linear(settings.width, answers)
        self.near = nn.Linear(settings.width, settings.embedding)
        self.answers = nn.Embedding(answers, settings.embedding)
        self.mix = nn.Linear(settings.neighbours, settings.neighbours)
        # To begin with a neighbour's score is its own, the farther from the answer the higher.
        nn.init.zeros_(self.mix.bias)
        with torch.no_grad():
            self.mix.weight.copy_(-torch.eye(settings.neighbours))
        self.drop = Dropout(settings.dropout)

    def seen(self, words: Tensor, pictures: Tensor) -> Tensor:
        """Question times picture: batch x picture x width."""
        _, hidden, cell = self.sentence(torch.tanh(self.words(words)), words)
        asked = torch.tanh(self.question(self.drop(torch.cat([cell[0], hidden[0]], dim=1))))
        shown = torch.tanh(self.picture(self.drop(functional.normalize(pictures, dim=-1))))
        return asked[:, None] * shown

    def forward(self, words: Tensor, pictures: Tensor, answer: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Scores of answers; those of each neighbour's own answers; and how fit each is as a counter-example.

        The first picture is the question's own, the others are its neighbours.
        """
        seen = self.seen(words, pictures)
        said = self.answer(self.drop(seen[:, 0]))
        near = (self.near(seen[:, 1:]) * self.answers(answer)[:, None]).sum(dim=2)
        if self.settings.sees == "rank":
            near = torch.zeros_like(near)
        return said, self.answer(seen[:, 1:]), self.mix(near)


@dataclass
class Explainer:
    """A trained explainer with its words and answers."""

    module: CounterExamples
    words: Words
    answers: Answers
    settings: ExplainerSettings
    pictures_source: str

    def explain(self, examples: Examples, neighbours: pl.DataFrame) -> pl.DataFrame:
        """For each question with neighbours: its answer, and the neighbours from the fittest counter-example down.

        Columns: question_id, image_id, answer, neighbour_id, rank (as a neighbour), their_answer, score, place (from
        1).
        Neighbours whose own predicted answer is the same are listed last: they explain nothing.
        """
        table = _Table.of(examples, neighbours, self.words, self.settings.neighbours)
        pieces = [self._explained(table, rows) for rows in _batches(np.arange(len(table.words)))]
        if not pieces:
            return pl.DataFrame(schema=_EXPLAINED)
        whole = pl.concat(pieces)
        different = pl.col("their_answer") != pl.col("answer")
        ordered = whole.with_columns(_order=pl.col("score") + pl.when(different).then(0.0).otherwise(_NEW)).sort(
            "_row", "_order", descending=[False, True], maintain_order=True
        )
        placed = ordered.with_columns(place=pl.int_range(1, pl.len() + 1).over("_row"))
        asked = table.asked.select("_row", "question_id", "image_id")
        return placed.join(asked, on="_row", maintain_order="left").select(_EXPLAINED.names()).cast(_EXPLAINED)

    def _explained(self, table: "_Table", rows: Numbers) -> pl.DataFrame:
        self.module.eval()
        with torch.inference_mode():
            words, pictures = table.batch(rows)
            said = self.module.answer(self.module.seen(words, pictures[:, :1])[:, 0])
            own = said.argmax(dim=1)
            _, theirs, scores = self.module(words, pictures, own)
        names = pl.Series(self.answers.known, dtype=pl.String)
        k = self.settings.neighbours
        flat = {
            "_row": pl.Series(np.repeat(rows, k)),
            "answer": names.gather(pl.Series(own.repeat_interleave(k).numpy())),
            "their_answer": names.gather(pl.Series(theirs.argmax(dim=2).flatten().numpy())),
            "score": pl.Series(scores.flatten().double().numpy()),
            "rank": pl.Series(np.tile(np.arange(1, k + 1), len(rows))),
            "neighbour_id": table.ids.gather(pl.Series(table.near[rows].ravel())),
        }
        return pl.DataFrame(flat).with_columns(pl.col("_row").cast(pl.UInt32))

    def save(self, folder: Path) -> None:
        """Weights and vocabularies."""
        folder.mkdir(parents=True, exist_ok=True)
        state = {name: weight.contiguous().clone() for name, weight in self.module.state_dict().items()}
        save_file(state, folder / "model.safetensors", {"format": "pt"})
        listed = {"words": self.words.known, "answers": self.answers.known}
        write_atomically(folder / "vocab.json", msgspec.json.encode(listed))
        told = {"settings": self.settings, "pictures": self.pictures_source, "picture": self.module.picture.in_features}
        write_atomically(folder / "explainer.json", msgspec.json.encode(told))


_EXPLAINED = pl.Schema(
    {
        "question_id": pl.String,
        "image_id": pl.String,
        "answer": pl.String,
        "neighbour_id": pl.String,
        "rank": pl.Int64,
        "their_answer": pl.String,
        "score": pl.Float64,
        "place": pl.Int64,
    }
)


def load_explainer(folder: Path) -> Explainer:
    """An explainer from its folder."""
    path = folder / "explainer.json"
    if not path.is_file():
        raise UsageError(
            f"{folder}: found no {path.name}, expected an explainer; train one with `eyechart explain --train`"
        )
    told, listed = msgspec.json.decode(path.read_bytes()), msgspec.json.decode((folder / "vocab.json").read_bytes())
    settings = msgspec.convert(told["settings"], ExplainerSettings)
    words, answers = Words(listed["words"]), Answers(listed["answers"])
    module = CounterExamples(settings, len(words), told["picture"], len(answers))
    module.load_state_dict(load_file(folder / "model.safetensors"))
    return Explainer(module, words, answers, settings, told["pictures"])


@dataclass(frozen=True)
class _Table:
    """Questions that have all their neighbours, as arrays."""

    asked: pl.DataFrame
    words: Numbers
    places: Numbers
    """Question by picture: its own, then its neighbours from the nearest."""
    near: Numbers
    """Question by neighbour: places in ``ids``."""
    ids: pl.Series
    pictures: Pictures

    @classmethod
    def of(cls, examples: Examples, neighbours: pl.DataFrame, words: Words, k: int) -> "_Table":
        if examples.pictures is None:
            raise UsageError("explain: found no features, expected some; make them with `eyechart encode`")
        lists = neighbours.filter(pl.col("rank") <= k).sort("image_id", "rank").group_by("image_id").agg("neighbour_id")
        full = lists.filter(pl.col("neighbour_id").list.len() == k)
        asked = examples.questions.join(full, on="image_id", maintain_order="left")
        if not asked.height:
            raise DataError(
                f"neighbours: found no picture with {k} of them, expected as many for each that is asked about; "
                "find them with `eyechart complement`, or take fewer"
            )
        asked = asked.with_row_index("_row")
        encoded = words.encode([tokens(text) for text in asked["question"].to_list()], most=26)
        ids = full["neighbour_id"].explode().unique().sort()
        number = {image_id: place for place, image_id in enumerate(ids)}
        near = np.array([[number[each] for each in row] for row in asked["neighbour_id"].to_list()], np.int64)
        own = examples.pictures.places(asked["image_id"])
        places = np.concatenate([own[:, None], examples.pictures.places(ids)[near]], axis=1)
        return cls(asked, encoded, places, near, ids, examples.pictures)

    def batch(self, rows: Numbers) -> tuple[Tensor, Tensor]:
        """Words and pictures of some questions."""
        distinct, back = np.unique(self.places[rows], return_inverse=True)
        seen = self.pictures.take(distinct)
        pooled = seen.rows.sum(axis=1, dtype=np.float32) / np.maximum(seen.counts, 1)[:, None]
        vectors = torch.from_numpy(pooled.astype(np.float32))[torch.from_numpy(back.reshape(len(rows), -1))]
        return torch.from_numpy(self.words[rows]), vectors


def _batches(rows: Numbers) -> list[Numbers]:
    return [rows[begin : begin + _BATCH] for begin in range(0, len(rows), _BATCH)]


def fit_explainer(
    examples: Examples, neighbours: pl.DataFrame, chosen: pl.DataFrame, settings: ExplainerSettings, seed: int = 0
) -> Explainer:
    """Learn to answer, and to rank the neighbour that people chose (question_id, neighbour_id) above the others."""
    texts = [tokens(text) for text in examples.questions["question"].to_list()]
    words, answers = Words.of(texts), Answers.of(examples.questions["answer"], most=1000)
    table = _Table.of(examples, neighbours, words, settings.neighbours)
    target = answers.places(table.asked["answer"])
    wanted = _wanted(table, chosen)
    rows = np.flatnonzero((target >= 0) & (wanted >= 0))
    if not len(rows):
        raise DataError("pairs: found no complement among the neighbours, expected some to learn from; add pairs")
    torch.manual_seed(seed)
    module = CounterExamples(settings, len(words), table.pictures.width, len(answers))
    optimiser = make_optimiser(module.parameters(), Training(optimiser="adam", rate=settings.rate))
    for epoch in range(settings.epochs):
        keys = Key(seed, "explainer order").array(np.array([epoch], np.uint64), rows.astype(np.uint64))
        order = rows[np.argsort(keys, kind="stable")]
        for begin in range(0, len(order), settings.batch):
            batch = order[begin : begin + settings.batch]
            torch.manual_seed(draw(seed, "explainer step", epoch, begin) % _SEEDS)
            loss = _loss(module.train(), table, batch, target[batch], wanted[batch])
            optimiser.zero_grad()
            torch.autograd.backward(loss)
            optimiser.step()
    return Explainer(module, words, answers, settings, table.pictures.source)


def _loss(module: CounterExamples, table: _Table, rows: Numbers, target: Numbers, wanted: Numbers) -> Tensor:
    """Cross-entropy of the answer, and for every other neighbour a hinge below the chosen one."""
    words, pictures = table.batch(rows)
    truth, best = torch.from_numpy(target), torch.from_numpy(wanted)
    said, _, scores = module(words, pictures, truth)
    behind = module.settings.margin - (scores.gather(1, best[:, None]) - scores)
    # The chosen one is not compared with itself.
    hinge = behind.clamp(min=0).scatter(1, best[:, None], 0.0).sum(dim=1).mean()
    loss: Tensor = functional.cross_entropy(said, truth) + module.settings.weight * hinge
    return loss


def _wanted(table: _Table, chosen: pl.DataFrame) -> Numbers:
    """The place of the chosen neighbour of each question; -1 without one."""
    first = chosen.unique("question_id", keep="first", maintain_order=True).rename({"neighbour_id": "_chosen"})
    picked = table.asked.join(first, on="question_id", how="left", maintain_order="left")
    found = picked.select(pl.col("neighbour_id").list.eval(pl.element()).alias("all"), "_chosen")
    places = [row.index(one) if one in row else -1 for row, one in found.iter_rows()]
    return np.array(places, np.int64)
