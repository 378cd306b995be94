"""Foreign files into a benchmark."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import msgspec
import polars as pl

from eyechart.errors import DataError
from eyechart.formats import FORMATS, SHARED, Shard, merge_shared, plan, read
from eyechart.pipeline.stage import Json, Write
from eyechart.store import Draft

__all__ = ["ImportFiles"]


@dataclass(frozen=True)
class ImportFiles:
    """Read the files of one format; each file group, or slice of a large one, is a shard."""

    name: ClassVar[str] = "import"

    format: str
    files: dict[str, list[str]]
    """Paths by role."""
    split: str | None = None
    """The split of all files, where they do not say it themselves."""
    shard_bytes: int = 1 << 28
    """Input per shard; smaller shards spread better over workers and lose less when a run is killed."""

    def inputs(self) -> Sequence[Path]:
        """All files."""
        return [Path(path) for paths in self.files.values() for path in paths]

    def plan(self) -> Sequence[Json]:
        """Files that belong together, in slices where they are large."""
        files = {role: [Path(path) for path in paths] for role, paths in self.files.items()}
        shards = plan(FORMATS.load(self.format), files, split=self.split, shard_bytes=self.shard_bytes)
        return [msgspec.to_builtins(shard) for shard in shards]

    def run(self, shard: Json, write: Write) -> Json:
        """Decode one group of files."""
        for piece in read(FORMATS.load(self.format), msgspec.convert(shard, Shard)):
            write(piece.table, piece.rows)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Join what several shards say about the same images, and refuse ids that come twice."""
        for table in SHARED:
            rows = draft.scan(table).collect()
            if rows.height:
                draft.put(table, merge_shared(rows))
        _refuse_repeated_questions(draft.scan("questions"))


def _refuse_repeated_questions(questions: pl.LazyFrame) -> None:
    """Each file is checked while it is read; only the whole shows whether two files have the same question."""
    repeated = questions.filter(pl.col("question_id").is_duplicated()).select("question_id", "split").head(2).collect()
    if repeated.height:
        (question_id, one), (_, other) = repeated.rows()
        raise DataError(
            f"the files together: found question {question_id!r} more than once (in split {one!r} and in {other!r}), "
            "expected every id once; import the files into separate benchmarks"
        )
