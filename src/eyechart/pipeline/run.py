"""Run a stage: plan, do the missing shards, reduce, finish; or find that it is done already."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from eyechart import __version__
from eyechart._lib.hashing import sha256_of_file, sha256_of_folder
from eyechart._lib.progress import Progress, silent
from eyechart.errors import FormatError, UsageError
from eyechart.pipeline.executors import EXECUTORS
from eyechart.pipeline.executors.contract import Task
from eyechart.pipeline.stage import Stage
from eyechart.store import MANIFEST, Benchmark, Draft, MadeBy

__all__ = ["Output", "Where", "run"]


@dataclass(frozen=True)
class Output:
    """The benchmark that a stage makes."""

    folder: Path
    name: str | None = None
    """The folder's name if not said."""
    licence: str | None = None
    replace: bool = False
    """Whether a benchmark that is there may be replaced."""
    image_root: str | None = None
    """The folder of the pictures, if they are not in the benchmark."""


@dataclass(frozen=True)
class Where:
    """Where a stage runs."""

    executor: str = "local"
    workers: int | None = None
    """How many; one per core if not said."""
    address: str | None = None
    """The Ray cluster to join."""

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise UsageError(f"--workers: found {self.workers}, expected 1 or more; leave it out for one per core")
        if self.address is not None and self.executor != "ray":
            raise UsageError(f"--address: found it with --executor {self.executor}, expected --executor ray; add that")


def run(stage: Stage, output: Output, *, where: Where = Where(), progress: Progress = silent) -> Benchmark:
    """Make a benchmark by a stage; a run that was killed goes on, one that is done already does nothing.

    >>> import tempfile; from eyechart.pipeline.stages.import_files import ImportFiles
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "results.json").write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> stage = ImportFiles("vqa", {"results": [str(folder / "results.json")]})
    >>> run(stage, Output(folder / "predictions")).rows("predictions")
    1
    """
    executor = EXECUTORS.load(where.executor)(where.workers, where.address)
    # As the manifest will give it back: lists for tuples.
    config = msgspec.json.decode(msgspec.json.encode(stage))
    made_by = MadeBy(stage.name, config, _fingerprints(stage.inputs()), __version__)
    if (done := _done_already(output, made_by)) is not None:
        return done
    shards = list(stage.plan())
    named = {"name": output.name, "licence": output.licence, "image_root": output.image_root}
    with Draft(output.folder, made_by, replace=output.replace, **named) as draft:
        missing = [number for number in range(len(shards)) if number not in draft.finished()]
        task = Task(_place(stage), config, shards, os.fspath(draft.folder.resolve()))
        with progress(stage.name.capitalize(), len(shards), "shards") as advance:
            advance(len(shards) - len(missing))
            for _number in executor.map(task, missing):
                advance(1)
        stage.reduce(draft, draft.finished())
    return Benchmark.open(output.folder)


def _done_already(output: Output, made_by: MadeBy) -> Benchmark | None:
    if not (output.folder / MANIFEST).is_file():
        return None
    done = Benchmark.open(output.folder)
    same = done.manifest.made_by == made_by and output.image_root in {None, done.manifest.image_root}
    return done if same else None


def _place(stage: Stage) -> str:
    return f"{type(stage).__module__}:{type(stage).__qualname__}"


def _fingerprints(inputs: Sequence[Path]) -> dict[str, str]:
    """Content hashes of files and folders, and of benchmarks by their manifests."""
    for path in inputs:
        if not path.exists():
            raise FormatError(f"{path}: found no such file, expected one to read; check the path")
    return {os.fspath(path): _fingerprint(path) for path in inputs}


def _fingerprint(path: Path) -> str:
    manifest = path / MANIFEST
    if path.is_dir() and not manifest.is_file():
        return sha256_of_folder(path)
    return sha256_of_file(manifest if path.is_dir() else path)
