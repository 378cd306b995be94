"""Questions as a model meets them: what is asked, what people answered, what is offered, and where the pictures are.

A model sees nothing else, so whatever is taken away here (the picture, the question) it cannot know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.errors import DataError, UnknownNameError
from eyechart.features import Rows
from eyechart.registry import did_you_mean
from eyechart.tables import TABLES
from eyechart.text import question_type

__all__ = ["CONDITIONS", "Examples", "Pictures", "examples_of", "under_condition"]

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

_QUESTION = ("question_id", "image_id", "question", "question_type", "answer", "group_global", "group_local", "program")
_EMPTY = pl.String


class Pictures(Protocol):
    """Features of pictures, by the picture's id."""

    @property
    def width(self) -> int:
        """How many numbers a row has."""

    @property
    def most(self) -> int:
        """How many rows a picture has at most."""

    @property
    def source(self) -> str:
        """What made the features, and a hash: results of different ones cannot be compared."""

    def places(self, image_ids: pl.Series) -> Places:
        """Where each picture lies; -1 for the blank one, which also stands for no picture."""

    def take(self, places: Places) -> Rows:
        """The features of these pictures."""

    def counts(self, places: Places) -> Places:
        """How many rows each of them has."""

    def boxes(self, places: Places) -> Floats | None:
        """Where each row lies in its picture: x0, y0, x1, y1 from 0 to 1; None if rows have no place."""


@dataclass(frozen=True)
class Examples:
    """Questions with what is known of them.

    >>> asked = pl.DataFrame({"question_id": ["1"], "question": ["Is it red?"], "answer": ["yes"]})
    >>> examples_of({"questions": asked.lazy()}).questions["answer"].to_list()
    ['yes']
    """

    questions: pl.DataFrame
    """question_id, image_id, question, question_type, answer, group_global, group_local, program, pair.

    Both questions of a complementary pair have the same number as their pair; others have none.
    """
    answers: pl.DataFrame
    """question_id, answer, confidence: of people who saw the picture."""
    choices: pl.DataFrame
    """question_id, position, choice, is_target; in the order of questions, then positions."""
    captions: pl.DataFrame
    """image_id, caption."""
    pictures: Pictures | None = None

    def __len__(self) -> int:
        return self.questions.height

    def rows(self, chosen: pl.Expr | pl.Series) -> "Examples":
        """Some of the questions, with what belongs to them."""
        questions = self.questions.filter(chosen)
        kept = questions.select("question_id")
        answers, choices = (
            each.join(kept, on="question_id", how="semi", maintain_order="left")
            for each in (self.answers, self.choices)
        )
        return replace(self, questions=questions, answers=answers, choices=choices)

    def with_choices(self) -> "Examples":
        """Those questions that offer choices with a known target."""
        offered = self.choices.filter(pl.col("is_target")).select("question_id").unique()
        return self.rows(self.questions["question_id"].is_in(offered["question_id"].implode()))


def examples_of(
    tables: Mapping[str, pl.LazyFrame], *, splits: Sequence[str] = (), pictures: Pictures | None = None
) -> Examples:
    """The questions of these splits, or all, from the tables of a benchmark.

    >>> asked = pl.DataFrame({"question_id": ["1", "2"], "split": ["train", "val"], "answer": ["yes", "no"]})
    >>> len(examples_of({"questions": asked.lazy()}, splits=["val"]))
    1
    """
    asked = _columns(tables, "questions", (*_QUESTION, "split"))
    known = asked["split"].drop_nulls().unique().to_list()
    for split in splits:
        if split not in known:
            raise UnknownNameError(f"no split of questions is called {split!r}: {did_you_mean(split, known)}")
    if splits:
        asked = asked.filter(pl.col("split").is_in(list(splits)))
    asked = asked.drop("split").with_columns(
        pl.col("question").fill_null(""),
        # Questions that come without a type get the one of their words.
        pl.coalesce("question_type", question_type(pl.col("question").fill_null(""))).alias("question_type"),
    )
    asked = asked.join(_pairs(tables), on="question_id", how="left", maintain_order="left")
    shown = pl.col("shown").is_null() | (pl.col("shown") == "image")
    answers = _columns(tables, "answers", ("question_id", "answer", "confidence", "shown")).filter(shown).drop("shown")
    order = asked.select("question_id").with_row_index("_place")
    choices = _columns(tables, "choices", ("question_id", "position", "choice", "is_target"))
    ordered = choices.join(order, on="question_id").sort("_place", "position").drop("_place")
    captions = _columns(tables, "captions", ("image_id", "caption"))
    answers = answers.join(order, on="question_id", how="semi", maintain_order="left")
    return Examples(asked, answers, ordered, captions, pictures)


def _pairs(tables: Mapping[str, pl.LazyFrame]) -> pl.DataFrame:
    """question_id, pair: of both members of each pair."""
    pairs = _columns(tables, "pairs", ("question_id", "complement_id")).unique("question_id", maintain_order=True)
    numbered = pairs.with_row_index("pair")
    members = [numbered.select("pair", question_id=name) for name in ("question_id", "complement_id")]
    return pl.concat(members).unique("question_id", keep="first", maintain_order=True)


def _columns(tables: Mapping[str, pl.LazyFrame], name: str, columns: Sequence[str]) -> pl.DataFrame:
    schema = TABLES[name].schema
    if name not in tables:
        return pl.DataFrame(schema={column: schema[column] for column in columns})
    there = tables[name].collect_schema()
    absent = {column: pl.lit(None, dtype=schema[column]) for column in columns if column not in there}
    return tables[name].with_columns(**absent).select(columns).collect()


CONDITIONS = {
    "full": "everything",
    "no-image": "no picture: its features are zero",
    "blank-image": "an empty picture, encoded like any other",
    "shuffled-image": "the picture of another question",
    "no-question": "no question: it has no words",
    "choices-only": "neither picture nor question",
}
"""What a model is shown; the difference to everything is what the missing part was worth."""


def under_condition(examples: Examples, condition: str, seed: int = 0) -> Examples:
    """The examples with something taken away.

    >>> asked = pl.DataFrame({"question_id": ["1"], "question": ["Is it red?"], "answer": ["yes"]})
    >>> under_condition(examples_of({"questions": asked.lazy()}), "no-question").questions["question"].to_list()
    ['']
    """
    if condition not in CONDITIONS:
        raise UnknownNameError(f"no condition is called {condition!r}: {did_you_mean(condition, CONDITIONS)}")
    if condition in {"no-question", "choices-only"}:
        hidden = examples.questions.with_columns(
            pl.lit("").alias("question"),
            *(pl.lit(None, dtype=_EMPTY).alias(name) for name in ("question_type", "group_global", "group_local")),
            pl.lit(None, dtype=examples.questions.schema["program"]).alias("program"),
        )
        examples = replace(examples, questions=hidden)
    if condition in {"no-image", "choices-only"}:
        pictures = None if examples.pictures is None else _Unseen(examples.pictures)
        # Captions tell of the picture, too.
        return replace(examples, pictures=pictures, captions=examples.captions.clear())
    if condition == "blank-image":
        blank = examples.questions.with_columns(image_id=pl.lit(None, dtype=pl.String))
        return replace(examples, questions=blank)
    if condition == "shuffled-image":
        return replace(examples, questions=_shuffled(examples.questions, seed))
    return examples


def _shuffled(questions: pl.DataFrame, seed: int) -> pl.DataFrame:
    """Every picture's questions get the picture that follows in a drawn order, never their own."""
    images = questions.select("image_id").drop_nulls().unique()
    if images.height < 2:  # noqa: PLR2004  # a picture cannot be exchanged with itself
        raise DataError("shuffled-image: found one picture, expected at least two to exchange; take another condition")
    drawn = images.sort(Key(seed, "shuffled images").over(key_of(pl.col("image_id"))))
    exchange = drawn.with_columns(other=pl.col("image_id").shift(-1).fill_null(pl.col("image_id").first()))
    joined = questions.join(exchange, on="image_id", how="left", maintain_order="left")
    return joined.with_columns(image_id="other").drop("other")


@dataclass(frozen=True)
class _Unseen:
    """Pictures whose features are all zero."""

    pictures: Pictures

    @property
    def width(self) -> int:
        return self.pictures.width

    @property
    def most(self) -> int:
        return self.pictures.most

    @property
    def source(self) -> str:
        return self.pictures.source

    def places(self, image_ids: pl.Series) -> Places:
        return self.pictures.places(image_ids)

    def take(self, places: Places) -> Rows:
        seen = self.pictures.take(places)
        return Rows(np.zeros_like(seen.rows), seen.counts)

    def counts(self, places: Places) -> Places:
        return self.pictures.counts(places)

    def boxes(self, places: Places) -> Floats | None:
        return self.pictures.boxes(places)
