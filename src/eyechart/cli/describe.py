"""``eyechart describe``: what a benchmark holds, in sentences, figures and one page."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.pipeline.describing import Portrait, portray, save
from eyechart.store import Benchmark

__all__ = ["describe"]


def describe(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    only: Annotated[list[str] | None, Parameter(negative="")] = None,
    prefix: str = "",
    beside: Path | None = None,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Tell what a benchmark holds: what is asked and answered, by whom, about what; alone or beside another.

    Parameters
    ----------
    benchmark
        The benchmark's folder.
    output
        A folder for a page with all figures, and each figure as SVG, PNG and CSV; without it, only
        sentences are printed.
    only
        Nothing but the description of this name; can be repeated.
    prefix
        First words of questions only after this beginning, such as "what is".
    beside
        Another benchmark, such as the same one before a remedy: what sets the two apart is told first.
    """
    other = None if beside is None else Benchmark.open(beside)
    portrait = portray(Benchmark.open(benchmark), other=other, names=only, prefix=prefix, progress=speech.progress)
    page = None if output is None else save(portrait, output, progress=speech.progress)
    if speech.json:
        _print_json(portrait, page)
        return
    for chapter in dict.fromkeys(each.chapter for each in portrait.told if each.results):
        print(f"{chapter}\n")
        for each in portrait.told:
            if each.chapter == chapter:
                print("".join(f"  {result.title}\n" for result in each.results), end="")
        print()
    print("A page with figures is made with -o FOLDER." if page is None else f"{page} shows it.")


def _print_json(portrait: Portrait, page: Path | None) -> None:
    found = [
        {
            "name": result.name,
            "title": result.title,
            "about": result.about,
            "chart": asdict(result.chart),
            "rows": result.rows.to_dicts(),
        }
        for result in portrait.results
    ]
    absent = {each.name: each.absent for each in portrait.told if each.absent}
    print_json(
        {"benchmark": str(portrait.benchmark.folder), "page": page and str(page), "results": found, "absent": absent}
    )
