"""``eyechart resplit``: questions divided anew."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.stages.resplit import Resplit
from eyechart.store import Benchmark

__all__ = ["resplit"]


def resplit(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    scheme: Literal["changing-priors", "head-tail", "superset", "apply"],
    test: float = 1 / 3,
    alpha: float = 0.2,
    by: str = "group_local",
    like: Path | None = None,
    split: Annotated[dict[str, float] | None, Parameter(negative="")] = None,
    apply: str | None = None,
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Divide the questions of a benchmark anew.

    Parameters
    ----------
    benchmark
        A benchmark with questions.
    output
        The benchmark to make.
    scheme
        changing-priors: per question type other answers prevail in test than in train, as in VQA-CP.
        head-tail: mark frequent and rare answers in the table splits, as GQA-OOD does. superset: the splits of another
        benchmark, and the other images drawn. apply: a scheme of the table splits becomes the split.
    test
        The share of the test set, for changing-priors.
    alpha
        An answer is of the head if it is so much more frequent than the average one of its group, for head-tail.
    by
        The column that groups like questions, for head-tail: question_type where there is no group_local.
    like
        The benchmark whose splits are taken over, for superset.
    split
        Shares of the splits, for superset: --split.train 0.5 --split.val 0.2 --split.test 0.3.
    apply
        The scheme to apply, such as UB, BhalfB or BB after eyechart complement.
    seed
        Another seed, another division.
    force
        Replace a benchmark that is there.
    """
    if scheme == "superset" and not (like and split):
        raise UsageError("--scheme superset: found no --like or no --split, expected both; add them")
    if not 0 < test < 1:
        raise UsageError(f"--test: found {test}, expected a share between 0 and 1; correct it")
    shares = tuple((split or {}).items())
    stage = Resplit(str(benchmark), scheme, test, alpha, by, str(like) if like else None, shares, apply, seed)
    original = Benchmark.open(benchmark)
    made = Output(output, replace=force, licence=original.manifest.licence, image_root=image_root(original))
    after = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    table, column = ("splits", "part") if scheme == "head-tail" else ("questions", "split")
    rows = after.scan(table).filter(pl.col("scheme") == scheme) if table == "splits" else after.scan(table)
    parts = dict(rows.group_by(column).agg(n=pl.len()).sort(column).drop_nulls().collect().iter_rows())
    if speech.json:
        print_json({"benchmark": str(after.folder), "parts": parts})
        return
    print(columns(list(parts.items()), head=(column, "questions")))
    print(f"\n{after.folder} is ready.")
