"""``eyechart official vqa``: the VQA evaluation, from its three files to its four."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline.official import Evaluation, evaluate_vqa

__all__ = ["official_vqa", "print_evaluation"]


def official_vqa(
    questions: Path,
    annotations: Path,
    results: Path,
    /,
    *,
    profile: str = "official-2021",
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    subset: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),
) -> None:
    """Score a results file as the official VQA evaluation does.

    Parameters
    ----------
    questions
        The questions file.
    annotations
        The annotations file.
    results
        The results file: a list of question_id and answer.
    profile
        The rule: official-2021, official-2016, always, vizwiz or naive.
    output
        A folder for the four files of the official evaluation.
    subset
        Score the questions that are answered, and say how many.
    """
    evaluation = evaluate_vqa(questions, annotations, results, rule=profile, subset=subset)
    print_evaluation(evaluation, output, results.stem.removesuffix("_results"), json=speech.json)


def print_evaluation(evaluation: Evaluation, output: Path | None, stem: str, *, json: bool) -> None:
    """Write the files if a folder is given, then print the numbers."""
    paths = evaluation.save(output, stem) if output else []
    if json:
        print_json(evaluation.summary())
        return
    print(f"Overall accuracy is: {evaluation.overall:.2f} ({evaluation.scores.height:,} questions)\n")
    for column, title in (("question_type", "question type"), ("answer_type", "answer type")):
        if means := evaluation.by(column):
            print(columns([(name, f"{mean:.2f}") for name, mean in means.items()], head=(f"per {title}", "accuracy")))
            print()
    print("\n".join(f"wrote {path}" for path in paths))
