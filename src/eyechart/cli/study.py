"""``eyechart study``: a paper's table, rebuilt on any benchmark."""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from eyechart._lib.files import write_atomically
from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline.studies import PEOPLE, Study, study_names
from eyechart.pipeline.studies import study as study_called
from eyechart.pipeline.studying import Studied, rebuild, study_page
from eyechart.report import html
from eyechart.store import Benchmark

__all__ = ["study"]

study = App(name="study", help="Rebuild a paper's table, with the published numbers beside ours.")


@study.default
def study_one(
    name: str,
    benchmark: Path,
    /,
    *,
    predictions: Path | None = None,
    beside: Path | None = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Rebuild a table or figure of a paper on a benchmark, with what was published beside it.

    Parameters
    ----------
    name
        The study; `eyechart study list` tells which there are and what each needs.
    benchmark
        The benchmark's folder.
    predictions
        A folder with predictions, one folder or results file per model, called as the model is.
    beside
        The other benchmark, for studies that compare two.
    output
        A page to write, with figures.
    """
    opened = Benchmark.open(benchmark)
    other = None if beside is None else Benchmark.open(beside)
    studied = rebuild(study_called(name), opened, predictions=predictions, other=other, progress=speech.progress)
    if output is not None:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(output, html(study_page(studied, opened)).encode())
    if speech.json:
        rows = studied.rows.to_dicts()
        print_json({"study": name, "rows": rows, "absent": studied.absent, "page": output and str(output)})
    else:
        _print(studied, output)


@study.command(name="list")
def study_list(*, speech: Speech = Speech()) -> None:  # frozen
    """List the studies and what each needs."""
    known = [study_called(name) for name in study_names()]
    if speech.json:
        print_json(
            [{"study": each.name, "title": each.title, "paper": each.paper, "needs": _needs(each)} for each in known]
        )
        return
    print(
        columns(
            [(each.name, f"{each.paper}, {each.place}", each.title, _needs(each)) for each in known],
            head=("study", "paper", "what", "needs"),
        )
    )


def _needs(study: Study) -> str:
    """Tables, and how many models' predictions."""
    models = [name for name in study.models if name != PEOPLE]
    told = [*study.tables, *([f"predictions of up to {len(models)} models"] if models else [])]
    return ", ".join([*told, *(["a second benchmark"] if study.beside else [])])


def _print(studied: Studied, page: Path | None) -> None:
    print(f"{studied.study.paper}, {studied.study.place}: {studied.study.title}\n")
    rows = [_row(row) for row in studied.rows.iter_rows(named=True) if row["ours"] is not None]
    if rows:
        print(columns(rows, head=("model", "number", "here", "95 %", "questions", "published")) + "\n")
    for result in studied.results:
        print(result.title)
    if studied.absent:
        print("\nNot there:\n" + "\n".join(f"  {name}: {why}" for name, why in studied.absent.items()))
    print(f"\n{studied.study.comparable}")
    if page is not None:
        print(f"\n{page} is ready.")


def _row(row: dict[str, object]) -> tuple[object, ...]:
    def number(name: str) -> str:
        return "" if row[name] is None else f"{float(str(row[name])):.2f}"

    interval = "" if row["low"] is None else f"{number('low')} to {number('high')}"
    return row["model"], row["number"], number("ours"), interval, row["questions"], number("published")
