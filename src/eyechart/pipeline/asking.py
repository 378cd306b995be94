"""Ask about a benchmark's scene graphs: count the whole set, then ask shard by shard."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart._lib.progress import Progress, silent
from eyechart.pipeline.by_image import rows_of_range, spans
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.run import Output, Where, run
from eyechart.pipeline.stages.ask import AskQuestions
from eyechart.pipeline.stages.count_scenes import CountScenes
from eyechart.questions import SCENES, engine
from eyechart.store import Benchmark

__all__ = ["COUNTS", "Asking", "ask", "candidates"]

COUNTS = ".counts"
"""The hidden folder in a benchmark that keeps what its scene graphs hold how often, in the ontology's names."""
_IMAGES_AT_ONCE = 2000


@dataclass(frozen=True)
class Asking:
    """What questions go by, besides the graphs."""

    seed: int = 0
    language: str = "english"
    patterns: tuple[Path, ...] = ()
    ontology: Path | None = None
    rate: float = 1.0
    per_image: int | None = None
    complete: tuple[str, ...] = ()
    verify: bool = False
    counts: Path | None = None
    """A larger benchmark of the same kind, to count in; the benchmark itself if not said."""


def ask(
    benchmark: Benchmark, output: Output, how: Asking, *, where: Where = Where(), progress: Progress = silent
) -> Benchmark:
    """Make a benchmark of questions about the scene graphs of another."""
    counted = Benchmark.open(how.counts) if how.counts is not None else benchmark
    counts = _counted(counted, output, how, where, progress)
    stage = AskQuestions(
        os.fspath(benchmark.folder.resolve()),
        os.fspath(counts.folder.resolve()),
        how.seed,
        how.language,
        tuple(os.fspath(each.resolve()) for each in how.patterns),
        _resolved(how.ontology),
        how.rate,
        how.per_image,
        how.complete,
        how.verify,
    )
    licence = output.licence or benchmark.manifest.licence
    made = Output(output.folder, output.name, licence, replace=output.replace, image_root=image_root(benchmark))
    asked = run(stage, made, where=where, progress=progress)
    if counts.folder == _beside(output):
        shutil.rmtree(counts.folder)
    return asked


def candidates(benchmark: Benchmark, how: Asking) -> pl.DataFrame:
    """How many facts each group of questions can ask about, and in how many wordings; nothing is written."""
    patterns = tuple(os.fspath(each.resolve()) for each in how.patterns)
    made = engine(how.language, patterns, ontology=_resolved(how.ontology), complete=how.complete)
    parts = [rows_of_range(benchmark, span, SCENES) for span in spans(benchmark, SCENES, _IMAGES_AT_ONCE)]
    tallies = pl.concat([made.count(part) for part in parts])
    counted = pl.concat([made.candidates(part, tallies) for part in parts])
    return counted.group_by("group", maintain_order=True).agg(pl.col("facts", "wordings").sum())


def _counted(benchmark: Benchmark, output: Output, how: Asking, where: Where, progress: Progress) -> Benchmark:
    """The counts are kept in the benchmark if it can be written to, else beside the output until that is finished."""
    stage = CountScenes(os.fspath(benchmark.folder.resolve()), _resolved(how.ontology))
    kept = benchmark.folder / COUNTS if os.access(benchmark.folder, os.W_OK) else _beside(output)
    return run(stage, Output(kept, replace=True), where=where, progress=progress)


def _resolved(path: Path | None) -> str | None:
    return None if path is None else os.fspath(path.resolve())


def _beside(output: Output) -> Path:
    return output.folder.with_name(f".{output.folder.name}{COUNTS}")
