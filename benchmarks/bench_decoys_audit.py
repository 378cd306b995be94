"""Claim: after the remedy the answers alone, or with image or question, tell little; all together tell much more.

Table 3 of Chao et al. 2018 on an abstract world: questions that the scene graphs answer, human-like decoys at first
(plausible for the kind of question, whatever the picture shows, and rarer answers as often as frequent ones). The model
is a fast stand-in for their MLP: a logistic regression per answer over the words of the question and what the scene
shows; with both, also over what the scene shows of the things that the question names.
"""

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from eyechart.cli.main import main as eyechart
from eyechart.remedies import VARIANTS
from eyechart.scenes.ontology import packaged_ontology
from eyechart.store import Benchmark
from eyechart.text import text_encoder, word_bags

SCENES, PER_SCENE = 1500, 12
NEVER_TRUE = 0.3
"""So many decoys that people think of are never the answer to anything."""
VIEWS = ("A", "I+A", "Q+A", "I+Q+A")


@dataclass
class Sights:
    """What can be looked at: a row of numbers per question for the words, per image for the scene."""

    question: dict[str, np.ndarray]
    image: dict[str, np.ndarray]
    looked: dict[str, np.ndarray]
    """What the scene shows of the things that the question names: what a model attends to that uses both."""


def call(*arguments: object) -> None:
    """Type a command."""
    try:
        eyechart([*map(str, arguments), "--quiet"])
    except SystemExit as left:
        if left.code:
            raise


def asked_world(folder: Path, scenes: int) -> tuple[Path, Path]:
    """Scenes, and a benchmark of their questions with human-like decoys."""
    world, asked, human = folder / "world", folder / "asked", folder / "human"
    call("scenes", "generate", "-o", world, "-n", scenes)
    call("ask", world, "-o", folder / "all", "--per-image", 20 * PER_SCENE)
    call("balance", folder / "all", "-o", asked)
    source = Benchmark.open(asked)
    rows = source.read("questions").filter(pl.col("structural") == "query")
    rows = rows.sort("question_id").filter(pl.int_range(pl.len()).over("image_id") < PER_SCENE)
    draw = np.random.default_rng(1)
    kinds = dict(rows.group_by("detailed").agg(pl.col("answer").unique().sort()).iter_rows())
    others = sorted(set(packaged_ontology().nouns) - set(rows["answer"]))[::7]
    choices = []
    for key, kind, answer in rows.select("question_id", "detailed", "answer").iter_rows():
        options = [each for each in kinds[kind] if each != answer]
        decoys = draw.choice(options, min(3, len(options)), replace=False).tolist()
        decoys = [draw.choice(others) if draw.random() < NEVER_TRUE else each for each in decoys]
        order = draw.permutation(len(decoys) + 1)
        offered = [answer, *decoys]
        choices += [(key, place, offered[n], n == 0, "target" if n == 0 else "human") for place, n in enumerate(order)]
    names = ["question_id", "position", "choice", "is_target", "origin"]
    with Benchmark.create(human) as draft:
        for table in ("images", "objects", "attributes", "relations"):
            draft.write(table, source.read(table))
        draft.write("questions", rows)
        draft.write("choices", pl.DataFrame(choices, schema=names, orient="row"))
    return world, human


def sights(human: Path) -> Sights:
    """Words of questions, and names with attributes in scenes."""
    benchmark = Benchmark.open(human)
    questions = benchmark.read("questions")
    words, _ = text_encoder("bag-of-words").encode(word_bags(questions["question"]).to_list())
    things = benchmark.read("objects").select("image_id", "object_id", "name")
    having = benchmark.read("attributes").join(things, on=["image_id", "object_id"])
    said = pl.concat([things.select("image_id", word="name"), having.select("image_id", word="attribute")]).unique()
    texts = said.group_by("image_id").agg(pl.col("word").str.replace_all(" ", "_").sort()).sort("image_id")
    scenes, _ = text_encoder("bag-of-words").encode(texts["word"].list.join(" ").to_list())
    bags, _ = text_encoder("bag-of-words").encode(looked_at(benchmark, questions)["word"].list.join(" ").to_list())
    return Sights(
        dict(zip(questions["question_id"], words, strict=True)),
        dict(zip(texts["image_id"], scenes, strict=True)),
        dict(zip(questions["question_id"], bags, strict=True)),
    )


def looked_at(benchmark: Benchmark, questions: pl.DataFrame) -> pl.DataFrame:
    """Attributes of the things that a question names, and what these are related to, in the order of the questions."""
    things = benchmark.read("objects").select("image_id", "object_id", "name")
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
    bags = words.group_by("row").agg(pl.col("word").str.replace_all(" ", "_").sort())
    return asked.join(bags, on="row", how="left", maintain_order="left").with_columns(pl.col("word").fill_null([]))


def accuracy(folder: Path, seen: Sights, view: str, epochs: int = 12) -> float:
    """Train on some pictures, choose on others."""
    benchmark = Benchmark.open(folder)
    images = dict(benchmark.read("questions").select("question_id", "image_id").iter_rows())
    rows = benchmark.read("choices").sort("question_id", "position")
    ids = rows["question_id"].unique(maintain_order=True).to_list()
    width = rows.group_by("question_id").len()["len"].max()
    answers = rows["choice"].unique().sort()
    code = rows["choice"].replace_strict(answers, pl.int_range(answers.len(), eager=True), return_dtype=pl.Int64)
    counts = rows.group_by("question_id", maintain_order=True).len()["len"].to_numpy()
    there = np.arange(width) < counts[:, None]
    choice, right = np.zeros((len(ids), width), np.int64), np.zeros((len(ids), width), bool)
    choice[there], right[there] = code.to_numpy(), rows["is_target"].to_numpy()
    parts = [np.ones((len(ids), 1), np.float32)]
    parts += [np.array([seen.question[each] for each in ids])] if "Q" in view else []
    parts += [np.array([seen.image[images[each]] for each in ids])] if "I" in view else []
    parts += [np.array([seen.looked[each] for each in ids])] if view == "I+Q+A" else []
    inputs = np.hstack(parts).astype(np.float32)
    tested = np.array([int(images[each]) % 3 == 0 for each in ids])
    weights = np.zeros((answers.len(), inputs.shape[1]), np.float32)
    squares = np.full_like(weights, 1e-6)
    train, draw = np.flatnonzero(~tested), np.random.default_rng(0)
    for _ in range(epochs):
        for batch in np.array_split(draw.permutation(train), max(1, train.size // 256)):
            score = scored(weights, inputs[batch], choice[batch], there[batch])
            wrong = np.exp(score - score.max(axis=1, keepdims=True))
            wrong = wrong / wrong.sum(axis=1, keepdims=True) - right[batch]
            slope = np.zeros_like(weights)
            for column in range(width):
                np.add.at(slope, choice[batch, column], wrong[:, column, None] * inputs[batch])
            squares += slope**2
            weights -= 0.3 * slope / np.sqrt(squares) + 1e-4 * weights
    score = scored(weights, inputs[tested], choice[tested], there[tested])
    return float(right[tested][np.arange(tested.sum()), score.argmax(axis=1)].mean())


def scored(weights: np.ndarray, inputs: np.ndarray, choice: np.ndarray, there: np.ndarray) -> np.ndarray:
    """A score per choice; minus infinity where there is none."""
    score = np.stack([np.einsum("ij,ij->i", weights[column], inputs) for column in choice.T], axis=1)
    return np.where(there, score, -1e9)


def table(scenes: int = SCENES) -> dict[str, dict[str, float]]:
    """Accuracy of each view on each set of decoys, and what chance gives."""
    with tempfile.TemporaryDirectory() as root:
        _, human = asked_world(Path(root), scenes)
        call("decoys", human, "-o", Path(root) / "made", "--variants", "every", "--yes-no", "drop")
        seen = sights(human)
        found: dict[str, dict[str, float]] = {}
        for name in VARIANTS:
            folder = Path(root) / "made" / name
            sizes = Benchmark.open(folder).read("choices").group_by("question_id").len()["len"]
            found[name] = {view: accuracy(folder, seen, view) for view in VIEWS} | {"chance": float((1 / sizes).mean())}
    return found


def main() -> None:
    """Print the table as the paper does."""
    found = table(int(sys.argv[1]) if len(sys.argv) > 1 else SCENES)
    print(f"{'':8}" + "".join(f"{name:>9}" for name in found))
    for view in (*VIEWS, "chance"):
        print(f"{view:8}" + "".join(f"{100 * row[view]:9.1f}" for row in found.values()))


if __name__ == "__main__":
    main()
