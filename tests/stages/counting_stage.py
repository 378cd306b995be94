"""A stage for the executor contract: rows by arithmetic, a log of what ran, and a shard that kills its worker once."""

import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from eyechart.store import Draft


@dataclass(frozen=True)
class Counting:
    """Writes ``rows`` questions per shard; shard ``deadly`` kills its process the first time it is tried."""

    name: ClassVar[str] = "counting"

    shards: int
    rows: int
    log: str
    deadly: int | None = None
    always: bool = False
    """Whether the deadly shard kills its process every time."""

    def inputs(self) -> Sequence[Path]:
        return []

    def plan(self) -> Sequence[Any]:
        return [{"first": number * self.rows, "number": number} for number in range(self.shards)]

    def run(self, shard: Any, write: Any) -> Any:
        tries = Path(self.log) / f"{shard['number']}.tries"
        with tries.open("a") as file:
            file.write("x")
        ids = pl.int_range(shard["first"], shard["first"] + self.rows, eager=True).cast(pl.String)
        for half in (ids.head(self.rows // 2), ids.tail(self.rows - self.rows // 2)):
            write("questions", pl.DataFrame({"question_id": half, "question": "Number " + half + "?", "split": "val"}))
            if shard["number"] == self.deadly and (self.always or tries.read_text() == "x"):
                os.kill(os.getpid(), signal.SIGKILL)
        return {"sum": int(ids.cast(pl.Int64).sum())}

    def reduce(self, draft: Draft, statistics: Mapping[int, Any]) -> None:
        total = sum(each["sum"] for each in statistics.values())
        draft.put("images", pl.DataFrame({"image_id": ["total"], "width": [total % 1000]}))
