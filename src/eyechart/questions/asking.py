"""Questions about pictures: from scene tables and counts to rows of questions, mentions, refusals and coverage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import polars as pl

from eyechart.errors import UnknownNameError
from eyechart.questions.arrays.codes import Codes
from eyechart.questions.bind.counts import Counts, count
from eyechart.questions.bind.frames import Shard
from eyechart.questions.bind.world import World, read_world
from eyechart.questions.language import LANGUAGES
from eyechart.questions.patterns.compiling import compile_groups, packaged_patterns
from eyechart.questions.plan.composing import Composer, Limits
from eyechart.questions.plan.rows import Asked
from eyechart.registry import did_you_mean
from eyechart.scenes import ontology as words

__all__ = ["SCENES", "Engine", "engine"]

SCENES = ("images", "objects", "attributes", "relations", "inventories")
"""The tables that questions are made from."""


@dataclass(frozen=True)
class Engine:
    """Words and patterns, ready to ask about any pictures.

    >>> images = pl.DataFrame({"image_id": ["1"], "width": [100], "height": [100]})
    >>> cup = {"image_id": "1", "object_id": "a", "name": "cup"}
    >>> red = {"image_id": "1", "object_id": "a", "attribute": "red"}
    >>> tables = {"images": images, "objects": pl.DataFrame(cup), "attributes": pl.DataFrame(red)}
    >>> asked = engine().ask(tables, engine().count(tables)).questions
    >>> asked.filter(pl.col("detailed") == "directOf")["full_answer"].item()
    'The cup is red.'
    """

    composer: Composer
    complete: tuple[str, ...] = ()
    """Kinds of which every picture shows all there are, whatever its inventory says."""

    @property
    def codes(self) -> Codes:
        """The ontology in numbers."""
        return self.composer.codes

    def world(self, tables: Mapping[str, pl.DataFrame]) -> World:
        """Scene tables in numbers."""
        return read_world(tables, self.codes, complete=self.complete)

    def count(self, tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
        """What is in some pictures how often, as rows of ``tallies``, which add up."""
        return count(self.world(tables)).tallies

    def ask(self, tables: Mapping[str, pl.DataFrame], tallies: pl.DataFrame | Counts, *, seed: int = 0) -> Asked:
        """All questions about the pictures of some tables."""
        return self.composer.ask(self.shard(tables, tallies, seed=seed))

    def candidates(self, tables: Mapping[str, pl.DataFrame], tallies: pl.DataFrame | Counts) -> pl.DataFrame:
        """How many facts each group can ask about, and in how many wordings."""
        return self.composer.candidates(self.shard(tables, tallies, seed=0))

    def shard(self, tables: Mapping[str, pl.DataFrame], tallies: pl.DataFrame | Counts, *, seed: int) -> Shard:
        """Some pictures with all that questions about them are made from."""
        counts = tallies if isinstance(tallies, Counts) else Counts.of(tallies, self.codes)
        return Shard(self.world(tables), self.composer.forms, counts, seed)


def engine(
    language: str = "english",
    patterns: Sequence[str] = (),
    *,
    ontology: str | None = None,
    limits: Limits | None = None,
    complete: Sequence[str] = (),
) -> Engine:
    """An engine of a language, with the packaged patterns and those of further folders; made once per process.

    >>> engine("german").composer.forms.name
    'german'
    """
    return _engine(language, tuple(patterns), ontology, limits or Limits(), tuple(complete))


@lru_cache(4)  # a process works with one or two
def _engine(
    language: str, patterns: tuple[str, ...], ontology: str | None, limits: Limits, complete: tuple[str, ...]
) -> Engine:
    if language not in LANGUAGES:
        raise UnknownNameError(f"no language is called {language!r}: {did_you_mean(language, LANGUAGES)}")
    codes = Codes(words.packaged_ontology() if ontology is None else words.load_ontology(Path(ontology)))
    forms = LANGUAGES[language](codes)
    groups = compile_groups(forms, [packaged_patterns(), *map(Path, patterns)])
    return Engine(Composer(codes, forms, groups, limits), complete)
