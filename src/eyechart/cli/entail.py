"""``eyechart entail``: which answers follow from which."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.stages.entail import EntailQuestions
from eyechart.store import Benchmark

__all__ = ["entail"]


def entail(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    ontology: Path | None = None,
    show: int = 12,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Find out which answers follow from which, so that consistency can be measured.

    Parameters
    ----------
    benchmark
        A benchmark whose questions have programs and answers: asked by `eyechart ask`, or imported from GQA.
    output
        The benchmark to make: the same with a table of entailments, in place of one that is there.
    ontology
        A folder with an ontology of your own.
    show
        How many of the most frequent rules are shown.
    force
        Replace a benchmark that is there.
    """
    before = Benchmark.open(benchmark)
    made = Output(output, replace=force, licence=before.manifest.licence, image_root=image_root(before))
    stage = EntailQuestions(str(benchmark), None if ontology is None else str(ontology))
    after = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    rules = after.scan("entailments").group_by("rule").len("pairs").sort("pairs", "rule", descending=[True, False])
    _tell(after, rules.collect(), show=show, json=speech.json)


def _tell(after: Benchmark, rules: pl.DataFrame, *, show: int, json: bool) -> None:
    """How many answers follow from others, and by which rules."""
    others = after.scan("entailments").filter(pl.col("question_id") != pl.col("entailed_id"))
    pairs = others.select("question_id", "entailed_id").unique().select(pl.len()).collect().item()
    sizes = {"questions": after.rows("questions"), "pairs": pairs, "rows": after.rows("entailments")}
    if json:
        print_json({"benchmark": str(after.folder), **sizes, "rules": dict(rules.iter_rows())})
        return
    print(columns(list(sizes.items()), head=("what", "number")))
    print("\n" + columns(rules.head(show).rows(), head=("rule", "pairs")))
    print(f"\n{after.folder} is ready.")
