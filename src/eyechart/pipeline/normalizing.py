"""Clean the scene graphs of a benchmark: count the whole set, then clean it shard by shard."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from eyechart._lib.progress import Progress, silent
from eyechart.errors import BenchmarkError, SchemaError
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.run import Output, Where, run
from eyechart.pipeline.stages.normalize_scenes import NormalizeScenes
from eyechart.pipeline.stages.survey_scenes import SurveyScenes
from eyechart.scenes import normalize
from eyechart.store import Benchmark

__all__ = ["TALLIES", "Cleaning", "clean", "tallied"]

TALLIES = ".tallies"
"""The hidden folder in a benchmark that keeps what its scene graphs hold how often."""


@dataclass(frozen=True)
class Cleaning:
    """What cleaning goes by, besides the graphs."""

    settings: normalize.Settings = field(default_factory=normalize.load_settings)
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """Files and folders that a person gives: edits, detections, ngrams, ontology."""
    counts: Path | None = None
    """A larger benchmark of the same kind, to count in; the benchmark itself if not said."""


def clean(
    benchmark: Benchmark, output: Output, how: Cleaning, *, where: Where = Where(), progress: Progress = silent
) -> Benchmark:
    """Make a benchmark with clean scene graphs, and with the ledger of what changed.

    >>> import tempfile
    >>> import polars as pl
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Benchmark.create(folder / "raw") as draft:
    ...     draft.write("objects", pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["Bikes."]}))
    >>> clean(Benchmark.open(folder / "raw"), Output(folder / "clean"), Cleaning()).read("objects")["name"].item()
    'bicycles'
    """
    given = {name: os.fspath(path.resolve()) for name, path in how.files.items()}
    counted = Benchmark.open(how.counts) if how.counts is not None else benchmark
    counts = tallied(counted, output, ontology=given.get("ontology"), where=where, progress=progress)
    stage = NormalizeScenes(
        os.fspath(benchmark.folder.resolve()), os.fspath(counts.folder.resolve()), how.settings, **given
    )
    made = Output(
        output.folder,
        output.name,
        output.licence or benchmark.manifest.licence,
        replace=output.replace,
        image_root=image_root(benchmark),
    )
    cleaned = run(stage, made, where=where, progress=progress)
    if counts.folder == _beside(output):
        shutil.rmtree(counts.folder)
    return cleaned


def tallied(
    benchmark: Benchmark,
    output: Output,
    *,
    ontology: str | None = None,
    where: Where = Where(),
    progress: Progress = silent,
) -> Benchmark:
    """What the scene graphs of a benchmark hold how often, counted once.

    The counts are kept in the benchmark if it can be written to, else beside the output until that is finished.

    >>> import tempfile
    >>> import polars as pl
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Benchmark.create(folder / "raw") as draft:
    ...     draft.write("objects", pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["Bikes."]}))
    >>> tallied(Benchmark.open(folder / "raw"), Output(folder / "clean")).read("tallies").filter(kind="object").rows()
    [('object', 'bicycle', None, None, 1)]
    """
    stage = SurveyScenes(os.fspath(benchmark.folder.resolve()), ontology)
    writable = os.access(benchmark.folder, os.W_OK)
    kept = benchmark.folder / TALLIES if writable else _beside(output)
    try:
        return run(stage, Output(kept, replace=True), where=where, progress=progress)
    except (BenchmarkError, SchemaError):
        if not kept.exists():
            raise
        # What is kept is damaged; it can be counted again at any time.
        shutil.rmtree(kept)
        return run(stage, Output(kept, replace=True), where=where, progress=progress)


def _beside(output: Output) -> Path:
    return output.folder.with_name(f".{output.folder.name}{TALLIES}")
