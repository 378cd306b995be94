"""``eyechart ask``: questions about scene graphs, with programs, full answers and grounding."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where
from eyechart.pipeline.asking import Asking, candidates
from eyechart.pipeline.asking import ask as make
from eyechart.pipeline.stages.ask import DISPROVED
from eyechart.store import Benchmark

__all__ = ["ask"]

_NO_REFUSALS = ("facts", "asked")


def ask(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    patterns: Annotated[list[Path] | None, Parameter(negative="")] = None,
    language: str = "english",
    seed: int = 0,
    rate: float = 1.0,
    per_image: int | None = None,
    complete: Annotated[list[str] | None, Parameter(negative="")] = None,
    counts: Path | None = None,
    ontology: Path | None = None,
    verify: Annotated[bool, Parameter(negative="")] = False,
    count: Annotated[bool, Parameter(negative="")] = False,
    show: int = 12,
    name: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> int:
    """Ask everything that the scene graphs of a benchmark prove, and answer it.

    Parameters
    ----------
    benchmark
        A benchmark with scene graphs: generated, imported, best of all cleaned by `eyechart scenes normalize`.
    output
        The benchmark to make.
    patterns
        A folder with further patterns; may be repeated. A group that is there already is replaced.
    language
        english, or another language that the patterns have words for.
    seed
        Another seed, other references, decoys and wordings.
    rate
        The share of all facts that is asked about.
    per_image
        The most questions about one picture.
    complete
        A kind, such as person, of which every picture shows all there are; thing for everything. Without it only the
        table inventories says what is absent, and nothing else is counted or denied.
    counts
        A larger benchmark to count in, so that decoys for a sample are as likely as in the whole.
    ontology
        A folder with an ontology of your own.
    verify
        Put every question to a second, slow executor, which answers in English; leave out what it does not agree with,
        and exit with 1.
    count
        Only say how many facts each group can ask about, and in how many wordings.
    show
        How many of the most frequent refusals are shown.
    name
        The benchmark's name; the folder's if not said.
    force
        Replace a benchmark that is there.
    """
    how = Asking(
        seed, language, tuple(patterns or ()), ontology, rate, per_image, tuple(complete or ()), verify, counts
    )
    _check(how)
    opened = Benchmark.open(benchmark)
    if count:
        _tell_candidates(candidates(opened, how), json=speech.json)
        return 0
    if output is None:
        raise UsageError("found no --output, expected the benchmark to make; name it, or only --count")
    made = Output(output, name=name, replace=force)
    asked = make(opened, made, how, where=Where(**asdict(execution)), progress=speech.progress)
    return _tell(asked, show=show, json=speech.json)


def _check(how: Asking) -> None:
    if not 0 < how.rate <= 1:
        raise UsageError(f"--rate is {how.rate}, expected a share above 0 up to 1; choose another")
    if how.verify and how.language != "english":
        raise UsageError(
            f"--verify: found it with --language {how.language}, expected english, in which the executor answers; "
            "leave one of them out"
        )
    if how.per_image is not None and how.per_image < 1:
        raise UsageError(f"--per-image is {how.per_image}, expected 1 or more; choose another")


def _tell_candidates(found: pl.DataFrame, *, json: bool) -> None:
    if json:
        print_json({"groups": found.rows(named=True)})
        return
    print(columns([*found.rows(), ("all", *found.select("facts", "wordings").sum().row(0))], head=found.columns))


def _tell(asked: Benchmark, *, show: int, json: bool) -> int:
    """What was asked and refused, and how much of the vocabulary it used; 1 if the executor disagreed."""
    refusals, coverage = asked.read("refusals"), asked.read("coverage")
    disproved = int(refusals.filter(pl.col("reason") == DISPROVED)["count"].sum())
    used = coverage.group_by("what", maintain_order=True).agg(used=pl.len(), times=pl.col("count").sum()).sort("what")
    refused = refusals.filter(~pl.col("reason").is_in(_NO_REFUSALS)).sort("count", "group", descending=[True, False])
    if json:
        print_json(
            {
                "benchmark": str(asked.folder),
                "questions": asked.rows("questions"),
                "disproved": disproved,
                "coverage": {what: {"used": n, "times": times} for what, n, times in used.iter_rows()},
                "refusals": refused.head(show).rows(named=True),
            }
        )
        return int(disproved > 0)
    print(
        columns([("questions", asked.rows("questions")), ("mentions", asked.rows("mentions"))], head=("table", "rows"))
    )
    print("\n" + columns(used.rows(), head=("used", "different", "times")))
    if refused.height:
        print(
            "\n" + columns([(g, n, r) for g, r, n in refused.head(show).iter_rows()], head=("group", "refused", "why"))
        )
    if disproved:
        print(f"\n{disproved:,} questions left out: the executor does not agree with them.")
    print(f"\n{asked.folder} is ready.")
    return int(disproved > 0)
