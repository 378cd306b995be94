"""``eyechart export``: a benchmark as foreign files."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.formats import FORMATS, write
from eyechart.store import Benchmark

__all__ = ["export"]


def export(
    format: str,  # noqa: A002  # the word that users type
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    speech: Speech = Speech(),  # frozen
) -> None:
    """Write a benchmark as foreign files, one per role and split.

    Parameters
    ----------
    format
        The format of the files; `eyechart formats` lists them.
    benchmark
        The benchmark's folder.
    output
        The folder for the files.
    """
    opened = Benchmark.open(benchmark)
    files = write(FORMATS.load(format), opened.tables(), output)
    if not files:
        held = ", ".join(opened) or "nothing"
        raise UsageError(f"{benchmark}: found {held}, expected a table that {format} can hold; choose another format")
    if speech.json:
        print_json({"files": [{"role": f.role, "split": f.split, "path": str(f.path)} for f in files]})
    else:
        print(columns([(f.role, f.split or "", f.path) for f in files], head=("role", "split", "file")))
