"""Made-up image-question-target triplets like Visual Genome's: 14 about an image, many of them asked only once."""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from eyechart.store import Benchmark
from eyechart.text import packaged_nouns

PER_IMAGE = 14
COLORS = [
    "white",
    "black",
    "blue",
    "red",
    "green",
    "brown",
    "yellow",
    "gray",
    "orange",
    "silver",
    "pink",
    "tan",
    "purple",
    "dark-blue",
    "light-green",
]
MATERIALS = [
    "wood",
    "metal",
    "glass",
    "plastic",
    "brick",
    "concrete",
    "leather",
    "paper",
    "stone",
    "cotton",
    "steel",
    "cloth",
]
DOINGS = [
    "standing",
    "sitting",
    "walking",
    "eating",
    "playing",
    "running",
    "sleeping",
    "looking",
    "riding",
    "surfing",
    "skiing",
    "smiling",
    "flying",
]
PLACES = [
    "on the {n}",
    "in the {n}",
    "next to the {n}",
    "behind the {n}",
    "under the {n}",
    "by the {n}",
    "in front of the {n}",
]
WHEN = ["daytime", "during the day", "night", "afternoon", "morning", "evening", "at night", "in the daytime"]
MANNERS = [
    "small",
    "big",
    "old",
    "wooden",
    "parked",
    "tall",
    "left",
    "right",
    "young",
    "open",
    "large",
    "dirty",
    "striped",
    "round",
]
PLACED = ["near", "on", "behind", "under", "beside", "above", "below", "by"]
TEMPLATES = (
    ("what color is the {n}?", 0.22),
    ("what color is the {a} {n}?", 0.06),
    ("what is the {n} made of?", 0.07),
    ("what is the {n} doing?", 0.08),
    ("where is the {n}?", 0.13),
    ("how many {n}s are there?", 0.06),
    ("what is {p} the {n}?", 0.14),
    ("when was this picture taken?", 0.03),
    ("who is {p} the {n}?", 0.06),
    ("what is the {a} {n} {p} the {m}?", 0.15),
)


def zipf(size: int, power: float) -> np.ndarray:
    """Probabilities that fall with the rank."""
    weights = 1 / np.arange(1, size + 1) ** power
    return weights / weights.sum()


def triplets(images: int, seed: int = 1) -> pl.DataFrame:
    """Questions with answers."""
    draw = np.random.default_rng(seed)
    count = images * PER_IMAGE
    every = [word.replace("_", " ") for word in packaged_nouns().words if word.isascii() and word.islower()]
    nouns = np.array(draw.choice(every, 6000, replace=False))
    kind = draw.choice(len(TEMPLATES), count, p=np.array([share for _, share in TEMPLATES]))
    n, m, what = (nouns[draw.choice(len(nouns), count, p=zipf(len(nouns), 0.9))] for _ in range(3))
    a, p = draw.choice(MANNERS, count), draw.choice(PLACED, count)
    color = np.array(COLORS)[draw.choice(len(COLORS), count, p=zipf(len(COLORS), 1.0))]
    answers = {
        0: color,
        1: color,
        2: np.array(MATERIALS)[draw.choice(len(MATERIALS), count, p=zipf(len(MATERIALS), 1.0))],
        3: np.array(DOINGS)[draw.choice(len(DOINGS), count, p=zipf(len(DOINGS), 0.8))],
        5: draw.choice(np.array([str(number) for number in range(1, 13)]), count, p=zipf(12, 1.3)),
        7: draw.choice(WHEN, count, p=zipf(len(WHEN), 0.8)),
    }
    columns = {
        "n": n,
        "m": m,
        "a": a,
        "p": p,
        "what": what,
        "kind": kind,
        "place": draw.integers(0, len(PLACES), count),
    }
    frame = pl.DataFrame(columns)
    question, answer = filled([template for template, _ in TEMPLATES], "kind"), pl.col("what")
    for number, values in answers.items():
        answer = pl.when(pl.col("kind") == number).then(pl.Series(values)).otherwise(answer)
    answer = pl.when(pl.col("kind") == 4).then(filled(PLACES, "place", n="what")).otherwise(answer)
    return frame.select(
        question_id=pl.int_range(pl.len()).cast(pl.String).str.zfill(8),
        image_id=(pl.int_range(pl.len()) // PER_IMAGE).cast(pl.String).str.zfill(6),
        split=pl.lit("train"),
        question=question,
        answer=answer,
    )


def filled(templates: Sequence[str], which: str, **other: str) -> pl.Expr:
    """The template of each row, its slots filled with columns."""
    text = pl.lit(pl.Series(templates)).gather(pl.col(which))
    for slot in "nmap":
        text = pl.concat_str(
            text.str.split_exact("{" + slot + "}", 1).struct.field("field_0"),
            pl.when(text.str.contains("{" + slot + "}", literal=True))
            .then(pl.col(other.get(slot, slot)))
            .otherwise(pl.lit("")),
            text.str.split_exact("{" + slot + "}", 1).struct.field("field_1").fill_null(""),
        )
    return text


def write(folder: Path, images: int) -> None:
    """A benchmark of these."""
    rows = triplets(images)
    with Benchmark.create(folder) as draft:
        draft.write("images", rows.select("image_id", "split").unique(maintain_order=True))
        draft.write("questions", rows)
    print(
        f"{rows.height:,} triplets, {rows['question'].n_unique():,} different questions, "
        f"{rows['answer'].n_unique():,} different answers"
    )


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
