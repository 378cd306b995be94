"""What complementary pairs have done to a benchmark: counts, reasons, entropy, designs, and a figure of the answers."""

from typing import Any

import polars as pl

from eyechart.analysis import Chart, Result
from eyechart.errors import UsageError
from eyechart.pipeline.targets import with_targets
from eyechart.registry import did_you_mean
from eyechart.remedies import complement_tasks, entropy_change
from eyechart.report import draw, specification
from eyechart.store import Benchmark
from eyechart.tables import TABLES

__all__ = ["answers_figure", "report_complements", "tasks_of"]

Json = Any  # numbers and names, as they are printed

_MOST_TYPES, _MOST_ANSWERS = 12, 12


def report_complements(before: Benchmark, after: Benchmark, by: str) -> Json:
    """Numbers of one run, beside those of the paper: pairs, refusals by reason, entropy, designs.

    >>> import tempfile; from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer": ["yes"], "question_type": ["is"]}))
    >>> tiny = Benchmark.open(draft.target)
    >>> report_complements(tiny, tiny, "question_type")["questions"]
    {'before': 1, 'after': 1, 'with a pair': 0, 'with the same answer after all': 0}
    """
    pairs = after.read("pairs")
    reasons = after.scan("unpaired").group_by("reason").len().sort("len", "reason", descending=[True, False]).collect()
    bits = entropy_change(_answered(before, by), _answered(after, by), by)
    designs: dict[str, dict[str, int]] = {}
    counted = after.scan("splits").group_by("scheme", "part").len().sort("scheme", "part").collect()
    for scheme, part, count in counted.iter_rows():
        designs.setdefault(scheme, {})[part] = count
    return {
        "questions": {
            "before": before.rows("questions"),
            "after": after.rows("questions"),
            "with a pair": pairs.height,
            "with the same answer after all": int(pairs["same_answer"].fill_null(value=False).sum()),
        },
        "not possible": dict(reasons.iter_rows()),
        "by": by,
        "entropy": {"before": bits.before, "after": bits.after, "change": bits.change},
        "designs": designs,
    }


def tasks_of(benchmark: Benchmark, near: Benchmark, candidates: int) -> pl.DataFrame:
    """Tasks for the people who pick pictures."""
    questions = with_targets(benchmark.read("questions"), benchmark)
    return complement_tasks(questions, near.read("neighbours"), candidates)


def answers_figure(before: Benchmark, after: Benchmark, by: str) -> str:
    """The answers of the most frequent groups before and after, as SVG (figure 4 of Goyal et al. 2017)."""
    old, new = _answered(before, by), _answered(after, by)
    groups = old[by].value_counts(sort=True, name="n").sort("n", by, descending=[True, False])[by].head(_MOST_TYPES)
    rows = pl.concat(
        _shares(rows.filter(pl.col(by) == group), f"{group}, {when}")
        for group in groups
        for when, rows in (("before", old), ("after", new))
    )
    chart = Chart("stack", x="group", y="share", color="answer", y_title="share of the answers", percent=True)
    drawn = specification(Result("answers", "Answers before and after", "", rows, chart))
    return draw(drawn)


def _shares(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Shares of the most frequent answers of a group; the rest as one."""
    counted = rows.group_by("answer").agg(n=pl.len()).sort("n", "answer", descending=[True, False])
    top = counted.head(_MOST_ANSWERS)
    rest = pl.DataFrame({"answer": [f"{counted.height - top.height} others"], "n": [rows.height - int(top["n"].sum())]})
    shown = pl.concat([top, rest.cast(top.schema)]).filter(pl.col("n") > 0) if rows.height else top
    return shown.select(group=pl.lit(name), answer="answer", share=pl.col("n") / max(1, rows.height))


def _answered(benchmark: Benchmark, by: str) -> pl.DataFrame:
    known = TABLES["questions"].schema
    if by not in known:
        raise UsageError(f"no column of questions is called {by!r}: {did_you_mean(by, known)}")
    rows = with_targets(benchmark.scan("questions").select("question_id", "answer", by).collect(), benchmark)
    return rows.drop_nulls(["answer", by])
