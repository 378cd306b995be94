"""How much of what annotators wrote an ontology has words for, and what it has none for."""

from collections.abc import Callable, Mapping

import polars as pl

from eyechart.scenes.normalize.vocabulary import Vocabulary, table_of

__all__ = ["KINDS", "coverage", "covered"]

KINDS = ("object", "attribute", "relation")
"""What words are for."""


def covered(words: pl.DataFrame, vocabulary: Vocabulary) -> pl.DataFrame:
    """Words, each with its fate: mapped, amorphous (known, but no thing that one could ask for), or unknown.

    ``words`` has the columns kind, word and count.

    >>> from eyechart.scenes.normalize.vocabulary import packaged_vocabulary
    >>> words = pl.DataFrame({"kind": ["object"] * 3, "word": ["Bikes.", "area", "xyzzy"], "count": [5, 2, 1]})
    >>> covered(words, packaged_vocabulary()).select("word", "fate", "meaning").rows()
    [('Bikes.', 'mapped', 'bicycles'), ('area', 'amorphous', None), ('xyzzy', 'unknown', None)]
    """
    readers = _readers(vocabulary)
    told = table_of(
        words,
        ["kind", "word"],
        {"fate": pl.String, "meaning": pl.String, "rule": pl.String},
        lambda kind, word: readers[kind](word),
    )
    return words.join(told, on=("kind", "word"), maintain_order="left")


def coverage(words: pl.DataFrame) -> pl.DataFrame:
    """How many mentions and how many distinct words of each kind have which fate.

    >>> words = pl.DataFrame({"kind": ["object"] * 2, "fate": ["mapped", "unknown"], "count": [9, 1]})
    >>> coverage(words).row(0)
    ('object', 10, 9, 0, 2, 1)
    """
    counts = pl.col("count")
    found = words.group_by("kind", maintain_order=True).agg(
        mentions=counts.sum(),
        mapped=counts.filter(pl.col("fate") == "mapped").sum(),
        amorphous=counts.filter(pl.col("fate") == "amorphous").sum(),
        words=pl.len(),
        words_mapped=(pl.col("fate") == "mapped").sum(),
    )
    order = {kind: place for place, kind in enumerate(KINDS)}
    return found.sort(pl.col("kind").replace_strict(order))


_Reader = Callable[[str], tuple[str, str | None, str]]


def _readers(vocabulary: Vocabulary) -> Mapping[str, _Reader]:
    def name(word: str) -> tuple[str, str | None, str]:
        reading = vocabulary.name(word)
        return _fate(reading.names, reading.rule)

    def attribute(word: str) -> tuple[str, str | None, str]:
        return _fate(vocabulary.attribute_reader.values(word), "")

    def relation(word: str) -> tuple[str, str | None, str]:
        reading = vocabulary.predicate(word)
        return _fate(reading.relations, reading.rule)

    return {"object": name, "attribute": attribute, "relation": relation}


def _fate(meanings: tuple[str, ...], rule: str) -> tuple[str, str | None, str]:
    if meanings:
        return "mapped", meanings[0], rule
    return "amorphous" if rule == "amorphous" else "unknown", None, rule
