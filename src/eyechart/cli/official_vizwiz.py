"""``eyechart official vizwiz``: the VizWiz evaluation of answers."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.official_vqa import print_evaluation
from eyechart.cli.options import Speech
from eyechart.pipeline.official import evaluate_vizwiz

__all__ = ["official_vizwiz"]


def official_vizwiz(
    annotations: Path,
    results: Path,
    /,
    *,
    profile: str = "vizwiz",
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    subset: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),
) -> None:
    """Score a results file as the VizWiz evaluation does.

    Parameters
    ----------
    annotations
        The annotations file.
    results
        The results file: a list of image and answer.
    profile
        The rule: vizwiz, or one of those of VQA.
    output
        A folder for the files of the evaluation.
    subset
        Score the images that are answered, and say how many.
    """
    evaluation = evaluate_vizwiz(annotations, results, rule=profile, subset=subset)
    print_evaluation(evaluation, output, results.stem.removesuffix("_results"), json=speech.json)
