"""``eyechart report``: one self-contained page about a benchmark and models."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart._lib.files import write_atomically
from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.errors import UsageError
from eyechart.pipeline.predictions import open_predictions
from eyechart.pipeline.reporting import report as reported
from eyechart.pipeline.shortcut_report import audit_section
from eyechart.report import html
from eyechart.store import Benchmark

__all__ = ["report"]


def report(
    benchmark: Path,
    predictions: Annotated[list[Path] | None, Parameter(negative="")] = None,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")] = Path("report.html"),
    name: Annotated[list[str] | None, Parameter(negative="")] = None,
    audit: Annotated[list[str] | None, Parameter(negative="")] = None,
    subset: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Write one page: what the benchmark holds, how models score on it, how they differ, where they fail.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    predictions
        Results files or folders with predictions, one per model; the others are compared with the first.
    output
        The page to write. It needs nothing else: no network, no files beside it.
    name
        What a model is called on the page, in the order of the predictions; the name of its file if not said.
    audit
        A folder that `eyechart audit -o` made, as in --audit before=FOLDER --audit after=FOLDER: they are compared.
    subset
        Grade the questions that are answered, and say how many.
    """
    paths = predictions or []
    names = [*(name or []), *(path.stem for path in paths[len(name or []) :])]
    if len(set(names)) < len(names) or len(names) > len(paths):
        told = ", ".join(names)
        raise UsageError(
            f"report: found the names {told} for {len(paths)} predictions, expected one for each; use --name"
        )
    models = {each: open_predictions(path) for each, path in zip(names, paths, strict=True)}
    further = [audit_section(_audits(audit))] if audit else []
    page = reported(Benchmark.open(benchmark), models, subset=subset, further=further, progress=speech.progress)
    output.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(output, html(page).encode())
    if speech.json:
        print_json({"page": str(output), "sections": [section.heading for section in page.sections]})
    else:
        print(f"{output} is ready.")


def _audits(named: list[str]) -> dict[str, Path]:
    """Folders of audits by what they are called; the folder's own name where nothing stands before an =."""
    pairs = [(name or Path(folder).name, Path(folder)) for name, _, folder in (each.rpartition("=") for each in named)]
    if len(dict(pairs)) < len(pairs):
        raise UsageError(
            f"--audit: found {', '.join(name for name, _ in pairs)}, expected a name for each; use NAME=FOLDER"
        )
    return dict(pairs)
