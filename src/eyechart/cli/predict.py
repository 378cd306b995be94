"""``eyechart predict``: a trained model answers."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.pipeline.answering import Asked
from eyechart.pipeline.answering import predict as predicted
from eyechart.store import Benchmark

__all__ = ["predict"]


def predict(
    run: Path,
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    split: Annotated[list[str] | None, Parameter(negative="")] = None,
    condition: str = "full",
    open_ended: Annotated[bool, Parameter(negative="")] = False,
    features: str | None = None,
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Let a model answer a benchmark's questions: answers, confidences, scores of choices, and where it looked.

    Parameters
    ----------
    run
        The folder of a trained model.
    benchmark
        A benchmark with questions.
    output
        The folder of the predictions; `eyechart grade` scores it.
    split
        Only this split; several times for several.
    condition
        What is kept from the model: full (nothing), no-image, blank-image, shuffled-image, no-question or choices-only.
    open_ended
        Offer no choices, even if the benchmark has some.
    features
        A store of features, by its name in the benchmark or its folder; needed where several fit.
    seed
        Decides between equal scores, and which picture is exchanged with which.
    force
        Replace predictions that are there.
    """
    asked = Asked(split or (), condition, features, not open_ended)
    made = predicted(run, Benchmark.open(benchmark), output, asked=asked, seed=seed, replace=force)
    if speech.json:
        print_json({"predictions": str(output), "rows": made.rows("predictions")})
        return
    print(f"{output} is ready: {made.rows('predictions'):,} answers.")
