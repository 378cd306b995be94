"""Patterns on trial: on the toy world, or on the first pictures of a benchmark."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import polars as pl

from eyechart.errors import UnknownNameError, UsageError
from eyechart.questions import (
    SCENES,
    Complaint,
    Engine,
    Group,
    Sample,
    Samples,
    engine,
    groups_of,
    lint,
    toy_tables,
)
from eyechart.registry import did_you_mean
from eyechart.store import Benchmark

__all__ = ["Trial", "first_pictures"]


def first_pictures(benchmark: Benchmark, number: int) -> Mapping[str, pl.DataFrame]:
    """The scene graphs of the first pictures of a benchmark."""
    if "objects" not in benchmark:
        raise UsageError(f"{benchmark.folder} has no table objects, expected scene graphs; import or generate some")
    images = benchmark.scan("images").head(number).collect()
    wanted = images.lazy().select("image_id")
    rest = [name for name in SCENES if name in benchmark and name != "images"]
    return {"images": images} | {
        name: benchmark.scan(name).join(wanted, on="image_id", how="semi").collect() for name in rest
    }


@dataclass(frozen=True)
class Trial:
    """Patterns of a language, packaged ones and those of further folders, with pictures to try them on."""

    language: str = "english"
    patterns: Sequence[Path] = ()
    tables: Mapping[str, pl.DataFrame] | None = None
    """Of the toy world if not said."""
    seed: int = 0

    @cached_property
    def _engine(self) -> Engine:
        return engine(self.language, [str(each) for each in self.patterns])

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups."""
        return self._engine.composer.groups

    @property
    def own(self) -> tuple[str, ...]:
        """The groups of the further folders; all where there are none."""
        return tuple(name for folder in self.patterns for name in groups_of(folder, self.language))

    def complaints(self) -> Iterator[Complaint]:
        """Whatever is wrong with the patterns."""
        asked = self._engine.ask(self._pictures, self._tallies, seed=self.seed).questions
        return lint(self._samples, asked, self._pictures, self._engine.codes.ontology, self.own)

    def samples(self, pattern: str, most: int) -> Iterator[Sample]:
        """Questions of a group, or of one of its patterns, in every surface form."""
        name, _, number = pattern.partition("/")
        known = {group.name: group for group in self.groups}
        if name not in known:
            raise UnknownNameError(f"no group is called {name!r}: {did_you_mean(name, known)}")
        group = known[name]
        patterns = [each.name for each in group.asked.patterns]
        if number and pattern not in patterns:
            raise UnknownNameError(f"the group {name} has no pattern {number!r}; it has 1 to {len(patterns)}")
        said = self._samples.of(name, most, borrowed=True)
        return (each for each in said if not number or each.pattern == pattern)

    @cached_property
    def _pictures(self) -> Mapping[str, pl.DataFrame]:
        return toy_tables() if self.tables is None else self.tables

    @cached_property
    def _tallies(self) -> pl.DataFrame:
        return self._engine.count(self._pictures)

    @cached_property
    def _samples(self) -> Samples:
        return Samples(self._engine.shard(self._pictures, self._tallies, seed=self.seed), self.groups)
