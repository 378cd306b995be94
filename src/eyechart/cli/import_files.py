"""``eyechart import``: foreign files into a benchmark."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import print_summary
from eyechart.formats import FORMATS, assign_roles
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.import_files import ImportFiles

__all__ = ["import_files"]


def import_files(
    format: str,  # noqa: A002  # the word that users type
    files: list[str],
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    split: str | None = None,
    name: str | None = None,
    licence: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Read foreign files into a benchmark.

    Parameters
    ----------
    format
        The format of the files; `eyechart formats` lists them.
    files
        Files or folders. A file's name tells its role (v2_mscoco_val2014_annotations.json); if not, write ROLE=PATH.
    output
        The benchmark to make.
    split
        The split of the files, where they do not say it themselves.
    name
        The benchmark's name; the folder's if not said.
    licence
        The licence of the data.
    force
        Replace a benchmark that is there.
    """
    roles = assign_roles(FORMATS.load(format), files)
    stage = ImportFiles(format, {role: [str(path) for path in paths] for role, paths in roles.items()}, split)
    made = Output(output, name=name, licence=licence, replace=force)
    benchmark = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    print_summary(benchmark, json=speech.json)
