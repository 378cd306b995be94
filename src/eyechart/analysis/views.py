"""The tables of a benchmark as descriptions look at them; what several of them need is worked out once."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from eyechart.errors import MissingDependencyError
from eyechart.metrics import Absent
from eyechart.tables import TABLES
from eyechart.text import normalize_answers, question_type, tagged_words

__all__ = ["DEPTH", "Views", "words"]

DEPTH = 5
"""So many first words of a question are looked at."""

_SAMPLE = 20_000
"""So many sentences are tagged at the most, evenly from all: the shares of words stand still long before."""


def words(text: pl.Expr) -> pl.Expr:
    """The words of a text: lower case, without what is around and between them.

    >>> pl.select(words(pl.lit("What's  the dog's name?"))).item().to_list()
    ["what's", 'the', "dog's", 'name']
    """
    plain = text.str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}'\u2019\-]+", " ").str.strip_chars(" '-")
    return pl.when(plain != "").then(plain.str.split(" ")).otherwise(pl.lit([], dtype=pl.List(pl.String)))


@dataclass(frozen=True)
class Views:
    """Tables by name, lazily, and what follows from them.

    >>> views = Views({"questions": pl.LazyFrame({"question_id": ["1"], "question": ["Is it red?"]})})
    >>> views.openings.select("word_1", "word_2", "questions").rows()
    [('is', 'it', 1)]
    """

    tables: Mapping[str, pl.LazyFrame]
    prefix: tuple[str, ...] = ()
    """Only questions that begin with these words, for what is told of first words."""

    def __getitem__(self, table: str) -> pl.LazyFrame:
        """A table, with all its columns; one that is not there has no rows."""
        empty = TABLES[table].empty().lazy()
        if table not in self.tables:
            return empty
        rows = self.tables[table]
        missing = [name for name in empty.collect_schema() if name not in rows.collect_schema()]
        schema = TABLES[table].schema
        return rows.with_columns(pl.lit(None, dtype=schema[name]).alias(name) for name in missing)

    def __contains__(self, table: object) -> bool:
        return table in self.tables

    @cached_property
    def openings(self) -> pl.DataFrame:
        """How many questions begin with the same words: word_1 to word_5 (null after the end), questions."""
        named = [f"word_{place + 1}" for place in range(DEPTH)]
        first = self._wordings
        if self.prefix:
            begins = first_words(pl.col("first"), len(self.prefix)) == " ".join(self.prefix)
            first = first.filter(begins).with_columns(pl.col("first").list.slice(len(self.prefix)))
        counted = first.group_by(
            pl.col("first").list.get(place, null_on_oob=True).alias(name) for place, name in enumerate(named)
        ).agg(pl.col("questions").sum())
        return counted.sort("questions", *named, descending=True)

    @cached_property
    def lengths(self) -> pl.DataFrame:
        """How many questions have so many words: words, questions."""
        return self._wordings.group_by("words").agg(pl.col("questions").sum()).sort("words")

    @cached_property
    def _wordings(self) -> pl.DataFrame:
        """Questions by their first words and their length, so that texts are taken apart once."""
        said = self["questions"].select(said=words(pl.col("question"))).drop_nulls()
        apart = said.select(
            first=pl.col("said").list.head(len(self.prefix) + DEPTH), words=pl.col("said").list.len().cast(pl.Int64)
        )
        counted = apart.group_by("first", "words").agg(questions=pl.len().cast(pl.Int64))
        return counted.collect(engine="streaming")

    @cached_property
    def kinds(self) -> pl.LazyFrame:
        """The kind of each question: question_id, kind."""
        return self["questions"].select("question_id", kind=self.kind)

    @cached_property
    def kind(self) -> pl.Expr:
        """The kind of a question: its label, else its detailed type, else its first words by the published list."""
        label = pl.coalesce("question_type", "detailed")
        unlabelled = self["questions"].select(label.is_null().any()).collect(engine="streaming").item()
        return pl.coalesce(label, question_type(pl.col("question"))) if unlabelled else label

    def answered(self, where: pl.Expr | None = None, **keys: pl.Expr) -> pl.DataFrame:
        """How many questions have each combination of keys and reference answer: the keys, answer, people (questions).

        Counted before texts are made alike, so that a set of any size is read once and never held.
        """
        stored = self["questions"].select(pl.col("answer").is_not_null().any()).collect(engine="streaming").item()
        asked = (
            self["questions"]
            if stored
            else self["questions"].drop("answer").join(self.reference.lazy(), on="question_id")
        )
        counted = (
            asked.filter(pl.lit(value=True) if where is None else where)
            .select("answer", **keys)
            .drop_nulls()
            .group_by(*keys, "answer")
            .agg(people=pl.len().cast(pl.Int64))
        )
        return _merged(counted.collect(engine="streaming"), list(keys))

    @cached_property
    def said(self) -> pl.DataFrame:
        """How many people said what, by what they saw: question_id, shown, answer (normalised), people.

        Where nobody was asked, the reference answer counts once, as by somebody who saw the picture.
        """
        given = self["answers"].select("question_id", "answer", shown=pl.col("shown").fill_null("image"))
        if "answers" not in self.tables:
            given = self["questions"].select("question_id", "answer", shown=pl.lit("image"))
        counted = (
            given.drop_nulls("answer").group_by("question_id", "shown", "answer").agg(people=pl.len().cast(pl.Int64))
        )
        return _merged(counted.collect(engine="streaming"), ["question_id", "shown"])

    @cached_property
    def answer_counts(self) -> pl.DataFrame:
        """How often each answer was given by people who saw the picture: answer, times; the most frequent first."""
        if "answers" not in self.tables:
            counted = self["questions"].drop_nulls("answer").group_by("answer").agg(people=pl.len().cast(pl.Int64))
            return _ranked(_merged(counted.collect(engine="streaming"), []))
        return _ranked(self.said.filter(pl.col("shown") == "image").select("answer", "people"))

    @cached_property
    def reference(self) -> pl.DataFrame:
        """Questions with one answer: question_id, answer (normalised); people's most frequent where none is stored."""
        stored = self["questions"].select("question_id", "answer").drop_nulls().collect(engine="streaming")
        if stored.height:
            return _normal(stored)
        seen = self.said.filter(pl.col("shown") == "image").sort("people", "answer", descending=[True, False])
        return seen.unique("question_id", keep="first", maintain_order=True).select("question_id", "answer")

    @cached_property
    def tagged_captions(self) -> pl.DataFrame:
        """The words of captions with their part of speech, as ``text.tagged_words`` gives them."""
        return _tagged(_sample(self["captions"].select(text="caption").drop_nulls())["text"])

    @cached_property
    def sampled(self) -> pl.DataFrame:
        """Questions with a text, evenly from all: their columns."""
        return _sample(self["questions"].drop_nulls("question"))

    @cached_property
    def tagged_questions(self) -> pl.DataFrame:
        """The words of questions, each with its answer behind it."""
        asked = _sample(self["questions"].select("question_id", "question", "answer").drop_nulls("question"))
        if asked["answer"].is_null().all():
            asked = asked.drop("answer").join(self.reference, on="question_id", how="left", maintain_order="left")
        else:
            asked = _normal(asked)
        return _tagged((asked["question"] + " " + asked["answer"].fill_null("")).str.strip_chars())


def first_words(listed: pl.Expr, count: int) -> pl.Expr:
    """The first words of a list of words, as one text."""
    return listed.list.head(count).list.join(" ")


def _sample(rows: pl.LazyFrame) -> pl.DataFrame:
    height = rows.select(pl.len()).collect(engine="streaming").item()
    return rows.gather_every(max(1, -(-height // _SAMPLE))).collect(engine="streaming")


def _tagged(texts: pl.Series) -> pl.DataFrame:
    try:
        return tagged_words(texts)
    except MissingDependencyError as error:
        raise Absent(str(error)) from error


def _normal(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.with_columns(normalize_answers(rows["answer"]).alias("answer"))


def _merged(counted: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    """Counts after answers were normalised: different spellings become one answer."""
    normal = _normal(counted).filter(pl.col("answer") != "")
    return normal.group_by(*by, "answer").agg(pl.col("people").sum()).sort(*by, "answer")


def _ranked(counted: pl.DataFrame) -> pl.DataFrame:
    total = counted.group_by("answer").agg(times=pl.col("people").sum())
    return total.sort("times", "answer", descending=[True, False])
