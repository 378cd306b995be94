"""Small words that depend on case, class and the sound that follows, from a TOML file.

::

    classes = ["thing", "things", "stuff"]
    [groups]
    one = ["thing", "stuff"]
    [determiners.a]
    one = { plain = "a", vowel = "an" }
    things = ""

An entry is a text, or a table by case, class, group of classes, or onset, in whatever order is shortest; every
combination has to lead to a text.
"""

from collections.abc import Mapping, Sequence
from importlib.resources.abc import Traversable
from itertools import product
from typing import Any

import msgspec
import numpy as np

from eyechart.errors import DataError
from eyechart.questions.arrays.ragged import Ints
from eyechart.questions.language.phrases import Phrases

__all__ = ["Grammar", "read_grammar"]

Entry = Any  # a text, or tables of texts; TOML nests them as the language needs


class Grammar(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A language's grammar file."""

    cases: list[str]
    classes: list[str]
    onsets: list[str]
    determiners: dict[str, Entry]
    verbs: dict[str, Entry]
    pronouns: dict[str, Entry]
    positions: dict[str, dict[str, str | list[str]]]
    answers: dict[str, str]
    numbers: list[str]
    adjective_order: list[str] = []
    """Attribute types in the order in which adjectives stand; others come before the last two."""
    groups: dict[str, list[str]] = {}
    declension: dict[str, str] = {}
    words: dict[str, Entry] = {}
    """Whatever else the language's own rules need: relative pronouns, auxiliaries."""
    file: str = ""

    def spelled(self, entry: Entry, name: str, **place: str) -> str:
        """The text of an entry in one place."""
        found = entry
        keys = set(place.values()) | {group for group, members in self.groups.items() if place["class_"] in members}
        while isinstance(found, Mapping):
            # The narrower key wins: a class before a group that holds it.
            fitting = [key for key in found if key in place.values()] or [key for key in found if key in keys]
            if not fitting:
                where = ", ".join(place.values())
                raise DataError(
                    f"{self.file}, entry {name}: found nothing for {where}, expected a text for every case, class and "
                    f"onset; add one of {', '.join(sorted(keys))}"
                )
            found = found[fitting[0]]
        return str(found)

    def table(self, phrases: Phrases, name: str, entry: Entry) -> Ints:
        """An entry in every place: ``[case, class, onset]``."""
        shape = (len(self.cases), len(self.classes), len(self.onsets))
        forms = [
            phrases.word(self.spelled(entry, name, case=case, class_=class_, onset=onset))
            for case, class_, onset in product(self.cases, self.classes, self.onsets)
        ]
        return np.array(forms, dtype=np.int64).reshape(shape)

    def ranks(self, types: Sequence[str]) -> Ints:
        """The place of each attribute type among adjectives."""
        known = {name: place for place, name in enumerate(self.adjective_order)}
        return np.array([known.get(name, len(known) / 2) for name in types])

    def by_class(self, phrases: Phrases, name: str, entry: Entry) -> Ints:
        """An entry by class only."""
        return self.table(phrases, name, entry)[0, :, 0]


def read_grammar(file: Traversable) -> Grammar:
    """A grammar from its file.

    >>> from importlib.resources import files
    >>> grammar = read_grammar(files("eyechart.questions.language").joinpath("english", "grammar.toml"))
    >>> grammar.spelled(grammar.determiners["a"], "a", case="subject", class_="thing", onset="vowel")
    'an'
    """
    try:
        return msgspec.structs.replace(msgspec.toml.decode(file.read_text("utf-8"), type=Grammar), file=str(file))
    except msgspec.DecodeError as error:
        raise DataError(f"{file}: {error}; correct the entry") from error
