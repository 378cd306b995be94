"""``eyechart choices``: multiple-choice answers in the manner of a published scheme."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.stages.choices import MakeChoices
from eyechart.pipeline.stages.list_answers import ListAnswers
from eyechart.store import Benchmark

__all__ = ["choices"]


def choices(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    scheme: Literal["vqa18", "gqa"] = "vqa18",
    encoder: str = "bag-of-words",
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Give every question choices: 18 as in VQA 1.0, or the valid and the plausible answers of GQA.

    Parameters
    ----------
    benchmark
        A benchmark whose questions have answers; those given without the image (shown: nothing) become plausible
        choices.
    output
        The benchmark to make.
    scheme
        vqa18, the choices of VQA 1.0: the right one, three plausible, ten popular, and random ones; or gqa, all answers
        of the right kind and those that occur for the subject, for questions with programs.
    encoder
        What finds near questions where people gave too few plausible answers; as for eyechart decoys.
    seed
        Another seed, other random choices and another order.
    force
        Replace a benchmark that is there.
    """
    original = Benchmark.open(benchmark)
    stage = MakeChoices(str(benchmark), encoder, seed) if scheme == "vqa18" else ListAnswers(str(benchmark))
    made = Output(output, replace=force, licence=original.manifest.licence, image_root=image_root(original))
    after = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    counted = after.scan("choices").group_by("origin").agg(n=pl.len()).sort("n", descending=True).collect()
    origins = {origin: count for origin, count in counted.iter_rows() if origin is not None}
    asked = after.scan("choices").select(pl.col("question_id").n_unique()).collect().item()
    people, topped = origins.get("human", 0), origins.get("plausible", 0)
    if speech.json:
        print_json({"benchmark": str(after.folder), "questions": asked, "origins": origins})
        return
    print(columns(list(origins.items()), head=("origin", "choices")))
    if scheme == "vqa18":
        whole = people + topped
        print(f"\n{people:,} of {whole:,} plausible choices came from people, the others from near questions.")
    print(f"\n{after.folder} is ready.")
