"""Claim: after the remedy the answers alone, or with image or question, tell little; all together tell much more.

Tables 3 and 4 of Chao et al. 2018 on an abstract world, whose decoys are at first those of people (human_decoys.py).
The model is a fast stand-in for their MLP: a logistic regression per answer over the words of the question and what is
seen in the picture; with both, also over what is seen of the things that the question names. It does not see
everything: how much is set so that the picture adds to question and answers as much as in the paper where the question
does not help (QoU decoys: 57.6 - 40.7 = 16.9 points). All other numbers are results.
"""

import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import numpy as np
import polars as pl
from human_decoys import abstract_world, call, like_visual7w, like_vqa

from eyechart._lib.keyed import Key, key_of, uniform
from eyechart.pipeline.decoys_report import variant_report
from eyechart.remedies import VARIANTS
from eyechart.store import Benchmark
from eyechart.text import text_encoder, word_bags

SCENES = 600
SEEN = 0.7
"""So many of the things in a picture are seen."""
VIEWS = ("A", "I+A", "Q+A", "I+Q+A")
SETS: Mapping[str, Callable[[Benchmark, Path], Path]] = MappingProxyType(
    {"like Visual7W": like_visual7w, "like VQA": like_vqa}
)
FOLDS, EPOCHS, BATCH, RATE, DECAY = 3, 12, 256, 0.3, 1e-4


@dataclass
class Sights:
    """What can be looked at: a row of numbers per question for the words, per image for the scene."""

    question: dict[str, np.ndarray]
    image: dict[str, np.ndarray]
    looked: dict[str, np.ndarray]
    """What is seen of the things that the question names: what a model attends to that uses both."""


def sights(benchmark: Benchmark) -> Sights:
    """Words of questions, and names with attributes of the things that are seen."""
    questions = benchmark.read("questions")
    words, _ = text_encoder("bag-of-words").encode(word_bags(questions["question"]).to_list())
    things = seen_things(benchmark)
    having = benchmark.read("attributes").join(things, on=["image_id", "object_id"])
    said = pl.concat([things.select("image_id", word="name"), having.select("image_id", word="attribute")]).unique()
    texts = benchmark.read("images").select("image_id").join(_bags(said, "image_id"), on="image_id", how="left")
    return Sights(
        dict(zip(questions["question_id"], words, strict=True)),
        dict(zip(texts["image_id"], _encoded(texts["word"]), strict=True)),
        dict(zip(questions["question_id"], _encoded(looked_at(benchmark, questions, things)), strict=True)),
    )


def seen_things(benchmark: Benchmark) -> pl.DataFrame:
    """The things that a model notices, by a draw for each."""
    things = benchmark.read("objects").select("image_id", "object_id", "name")
    drawn = Key(0, "seen").over(key_of(pl.col("image_id")), key_of(pl.col("object_id")))
    return things.filter(uniform(drawn) < SEEN)


def looked_at(benchmark: Benchmark, questions: pl.DataFrame, things: pl.DataFrame) -> pl.Series:
    """Attributes of the things that a question names, and what these are related to, in the order of the questions."""
    asked = questions.select("question_id", "image_id", "question").with_row_index("row")
    named = asked.join(things, on="image_id").filter(pl.col("question").str.contains(pl.col("name"), literal=True))
    having = benchmark.read("attributes").join(named, on=["image_id", "object_id"]).select("row", word="attribute")
    others = things.rename({"object_id": "other_id", "name": "other"})
    relations = benchmark.read("relations").select("image_id", "subject_id", "predicate", "object_id")
    turned = relations.select("image_id", pl.col("object_id").alias("subject_id"), "predicate", object_id="subject_id")
    near = pl.concat([relations, turned]).rename({"object_id": "other_id", "subject_id": "object_id"})
    beside = near.join(named, on=["image_id", "object_id"]).join(others, on=["image_id", "other_id"])
    said = beside.filter(pl.col("question").str.contains(pl.col("predicate"), literal=True)).select("row", word="other")
    words = pl.concat([having, named.select("row", word="name"), said]).unique()
    return asked.join(_bags(words, "row"), on="row", how="left", maintain_order="left")["word"]


def _bags(words: pl.DataFrame, by: str) -> pl.DataFrame:
    return words.group_by(by).agg(pl.col("word").str.replace_all(" ", "_").sort())


def _encoded(words: pl.Series) -> np.ndarray:
    return text_encoder("bag-of-words").encode(words.list.join(" ").fill_null("").to_list())[0]


@dataclass
class Offered:
    """The choices of questions as numbers: a row per question, as wide as the most choices."""

    ids: list[str]
    choice: np.ndarray
    there: np.ndarray
    right: np.ndarray
    answers: int

    @classmethod
    def of(cls, benchmark: Benchmark) -> "Offered":
        """All of a benchmark."""
        rows = benchmark.read("choices").sort("question_id", "position")
        counted = rows.group_by("question_id", maintain_order=True).len()
        answers = rows["choice"].unique().sort()
        code = rows["choice"].replace_strict(answers, pl.int_range(answers.len(), eager=True), return_dtype=pl.Int64)
        there = np.arange(int(counted["len"].to_numpy().max())) < counted["len"].to_numpy()[:, None]
        choice, right = np.zeros(there.shape, np.int64), np.zeros(there.shape, bool)
        choice[there], right[there] = code.to_numpy(), rows["is_target"].to_numpy()
        return cls(counted["question_id"].to_list(), choice, there, right, answers.len())

    def scored(self, weights: np.ndarray, inputs: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """A score per choice; minus infinity where there is none."""
        score = np.take_along_axis(inputs[rows] @ weights.T, self.choice[rows], axis=1)
        return np.where(self.there[rows], score, -1e9)


def accuracy(offered: Offered, images: Mapping[str, str], seen: Sights, view: str) -> float:
    """Train on two thirds of the pictures, choose on the others, for each third."""
    parts = [np.ones((len(offered.ids), 1), np.float32)]
    parts += [np.array([seen.question[each] for each in offered.ids])] if "Q" in view else []
    parts += [np.array([seen.image[images[each]] for each in offered.ids])] if "I" in view else []
    parts += [np.array([seen.looked[each] for each in offered.ids])] if view == "I+Q+A" else []
    inputs = np.hstack(parts).astype(np.float32)
    fold = np.array([int(images[each]) % FOLDS for each in offered.ids])
    chosen = np.zeros(len(offered.ids), np.int64)
    for tested in range(FOLDS):
        weights = trained(offered, inputs, np.flatnonzero(fold != tested))
        rows = np.flatnonzero(fold == tested)
        chosen[rows] = offered.scored(weights, inputs, rows).argmax(axis=1)
    return float(offered.right[np.arange(chosen.size), chosen].mean())


def trained(offered: Offered, inputs: np.ndarray, train: np.ndarray) -> np.ndarray:
    """Weights per answer, by stochastic gradients of the softmax over what is offered (AdaGrad)."""
    weights = np.zeros((offered.answers, inputs.shape[1]), np.float32)
    squares = np.full_like(weights, 1e-6)
    draw = np.random.default_rng(0)
    for _ in range(EPOCHS):
        for batch in np.array_split(draw.permutation(train), max(1, train.size // BATCH)):
            score = offered.scored(weights, inputs, batch)
            wrong = np.exp(score - score.max(axis=1, keepdims=True))
            wrong = wrong / wrong.sum(axis=1, keepdims=True) - offered.right[batch]
            pulls = np.zeros((batch.size, offered.answers), np.float32)
            np.add.at(pulls, (np.arange(batch.size)[:, None], offered.choice[batch]), wrong * offered.there[batch])
            slope = pulls.T @ inputs[batch]
            squares += slope**2
            weights -= RATE * slope / np.sqrt(squares) + DECAY * weights
    return weights


def tables(scenes: int = SCENES) -> dict[str, dict[str, dict[str, float]]]:
    """For each set and each kind of decoys the accuracy of each view, of equation (2), and of chance."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as root:
        world = abstract_world(Path(root), scenes)
        for number, (name, make) in enumerate(SETS.items()):
            human = make(world, Path(root) / f"set{number}")
            call("decoys", human, "-o", Path(root) / f"made{number}", "--variants", "every", "--yes-no", "drop")
            seen = sights(Benchmark.open(human))
            images = dict(Benchmark.open(human).read("questions").select("question_id", "image_id").iter_rows())
            found[name] = {}
            for variant in VARIANTS:
                made = Benchmark.open(Path(root) / f"made{number}" / variant)
                offered, report = Offered.of(made), variant_report(made)
                found[name][variant] = {view: accuracy(offered, images, seen, view) for view in VIEWS}
                found[name][variant] |= {"eq. (2)": report["eq. 2 accuracy"], "chance": report["chance"]}
    return found


def main() -> None:
    """Print the tables as the paper does."""
    for name, found in tables(int(sys.argv[1]) if len(sys.argv) > 1 else SCENES).items():
        print(f"\n{name:14}" + "".join(f"{variant:>9}" for variant in found))
        for view in (*VIEWS, "eq. (2)", "chance"):
            print(f"{view:14}" + "".join(f"{100 * row[view]:9.1f}" for row in found.values()))


if __name__ == "__main__":
    main()
