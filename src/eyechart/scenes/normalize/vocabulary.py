"""Readings as tables: each distinct string, pair or triple of a whole set is read once, the rest is joins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any

import polars as pl

from eyechart.scenes.normalize.attributes import AttributeReader, AttributeReading
from eyechart.scenes.normalize.lists import Lists, packaged_lists
from eyechart.scenes.normalize.names import NameReader, NameReading
from eyechart.scenes.normalize.predicates import PredicateReader, PredicateReading
from eyechart.scenes.ontology import Noun, Ontology, packaged_ontology

__all__ = ["Schema", "Vocabulary", "packaged_vocabulary", "table_of"]

Schema = Mapping[str, pl.DataType | type[pl.DataType]]
_KEPT = 1 << 20
"""How many pairs of names and attributes are remembered."""


def table_of(
    rows: pl.DataFrame, columns: Sequence[str], schema: Schema, told: Callable[..., Sequence[Any]]
) -> pl.DataFrame:
    """A function of some columns, for each of their distinct values once: a table to join.

    >>> words = pl.DataFrame({"word": ["a", "bb", "a"]})
    >>> table_of(words, ["word"], {"size": pl.Int64}, lambda word: [len(word)]).sort("word").rows()
    [('a', 1), ('bb', 2)]
    """
    distinct = rows.select(columns).unique(maintain_order=True)
    answers = [told(*row) for row in distinct.iter_rows()]
    return distinct.hstack(pl.DataFrame(answers, schema=dict(schema), orient="row"))


@dataclass(frozen=True)
class Vocabulary:
    """An ontology with readers for what annotators write; what was read once is remembered."""

    ontology: Ontology
    lists: Lists

    @cached_property
    def name_reader(self) -> NameReader:
        """Reads names of things."""
        return NameReader(self.ontology, self.lists)

    @cached_property
    def name(self) -> Callable[[str], NameReading]:
        """The reading of a name."""
        return cache(self.name_reader.read)

    @cached_property
    def predicate(self) -> Callable[[str], PredicateReading]:
        """The reading of a predicate."""
        return cache(PredicateReader(self.name_reader, self.lists).read)

    @cached_property
    def attribute_reader(self) -> AttributeReader:
        """Reads attributes."""
        return AttributeReader(self.name_reader)

    @cached_property
    def attribute(self) -> Callable[[str, str], AttributeReading]:
        """The reading of an attribute of a thing with a name."""
        return lru_cache(_KEPT)(self.attribute_reader.read)

    @cached_property
    def noun(self) -> Callable[[str], Noun | None]:
        """The noun of a clean name, singular or plural."""
        return cache(self.ontology.noun)

    def noun_name(self, name: str) -> str:
        """The noun of a clean name; the name itself where it is none."""
        noun = self.noun(name)
        return name if noun is None else noun.name

    def is_a(self, name: str, kind: str) -> bool:
        """Whether a clean name names a thing of a kind."""
        return self.ontology.is_a(self.noun_name(name), kind)


@cache
def packaged_vocabulary() -> Vocabulary:
    """The vocabulary of the packaged ontology, made once per process.

    >>> packaged_vocabulary().name("Two dogs").names
    ('dogs',)
    """
    return Vocabulary(packaged_ontology(), packaged_lists())
