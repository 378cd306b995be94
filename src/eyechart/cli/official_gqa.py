"""``eyechart official gqa``: GQA's evaluation, from its files to its numbers."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import print_json
from eyechart.pipeline.official_gqa import GqaEvaluation, GqaFiles, GqaRules, chunks, evaluate_gqa

__all__ = ["official_gqa"]

Paths = Annotated[list[str], Parameter(negative="", consume_multiple=True)]
Flag = Annotated[bool, Parameter(negative="")]
Profile = Literal["strict", "lower", "lenient", "unpunctuated", "vqa"]

_ORDER = ("binary", "open", "accuracy", "consistency", "validity", "plausibility", "grounding", "distribution")
_DETAILS = {
    "structural": "structural type",
    "semantic": "semantic type",
    "steps": "steps number",
    "words": "words number",
}


def official_gqa(
    *,
    questions: Paths,
    predictions: Paths,
    choices: Paths | None = None,
    scene_graphs: Paths | None = None,
    attentions: Paths | None = None,
    profile: Profile = "strict",
    grounding: Literal["released", "union"] = "released",
    rows_first: Flag = False,
    equivalent: Flag = False,
    subset: Flag = False,
    speech: Speech = Speech(),
) -> None:
    """Score predictions as GQA's script does, over balanced questions; a number that cannot be computed has a reason.

    Parameters
    ----------
    questions
        Questions file. Chunks: several paths, or a wildcard in quotes ("train_all_questions/*.json"). Consistency
        needs the file of all questions, and predictions for all of it.
    predictions
        A list of questionId and prediction.
    choices
        Valid and plausible answers, for validity and plausibility.
    scene_graphs
        Boxes of objects, for grounding.
    attentions
        A list of questionId and attention, a square map or x0, y0, x1, y1, weight of regions, for grounding.
    profile
        Which spellings are equal: strict (as the script), lower, lenient, unpunctuated, or vqa.
    grounding
        Added up over regions as the script does (released), or the share of attention on all regions together (union).
    rows_first
        Maps have rows as first index; the script takes columns.
    equivalent
        Consistency over equivalent questions too.
    subset
        Score what is there, and say how much that is.
    """
    files = GqaFiles(*(chunks(given or []) for given in (questions, predictions, choices, scene_graphs, attentions)))
    rules = GqaRules(profile, subset, equivalent, grounding, rows_first)
    evaluation = evaluate_gqa(files, rules)
    if not speech.quiet:
        sys.stderr.write("".join(f"{note}\n" for note in evaluation.notes))
    if speech.json:
        print_json(evaluation.as_json())
    else:
        print(_text(evaluation))


def _text(evaluation: GqaEvaluation) -> str:
    """What the published script prints; a number that is not there says why."""
    lines = [_line(evaluation, name) for name in _ORDER]
    for name, title in _DETAILS.items():
        lines += ["", f"Accuracy / {title}:"]
        details = evaluation.by[name].items()
        lines += [f"  {value}: {score:.2f}% ({number} questions)" for value, (score, number) in details]
    return "\n".join(lines)


def _line(evaluation: GqaEvaluation, name: str) -> str:
    score = evaluation.numbers[name]
    if score is None:
        return f"{name.capitalize()}: not computed ({evaluation.absent[name]})"
    return f"{name.capitalize()}: {score:.2f}" + (" (lower is better)" if name == "distribution" else "%")
