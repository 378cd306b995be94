"""``eyechart official wups``: WUPS and set accuracy of two line-aligned text files."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.pipeline.official_wups import evaluate_wups

__all__ = ["official_wups"]


def official_wups(
    gold: Path,
    predictions: Path,
    /,
    *,
    threshold: float = 0.9,
    terms: str = "strings",
    drop_blank: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),
) -> None:
    """Score answers as the script of Malinowski does: a line per question, several answers separated by commas.

    Parameters
    ----------
    gold
        The file of reference answers.
    predictions
        The file of predicted answers.
    threshold
        Similarities below it count a tenth: 0.9 and 0.0 are usual; at -1 only equal strings count.
    terms
        How several words are looked up: strings (only with underscores, as the script), underscores, or endings.
    drop_blank
        Drop blank lines from both files before they are aligned, as the script does.
    """
    result = evaluate_wups(gold, predictions, threshold, terms=terms, drop_blank=drop_blank)
    if speech.json:
        print_json(asdict(result))
        return
    print(f"exact final score: {result.score!r}\nfinal score is {100 * result.score:.2f}%")
    print(f"\nmean of {result.classes:,} classes: {100 * result.class_mean:.2f}% ({result.lines:,} questions)")
    if result.wordnet:
        print(result.wordnet)
