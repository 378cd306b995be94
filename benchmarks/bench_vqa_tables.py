"""Claim: from tables, the VQA accuracy of 214,354 questions of ten answers takes a third of a second."""

import json

from bench_official_vqa import accuracy
from side_by_side import DATA, compare
from vqa_files import results_file, vqa_files

from eyechart.metrics import vqa_accuracies
from eyechart.pipeline import Output, run
from eyechart.pipeline.predictions import open_predictions
from eyechart.pipeline.stages.import_files import ImportFiles

questions, annotations = vqa_files()
stage = ImportFiles("vqa", {"questions": [str(questions)], "annotations": [str(annotations)]})
answers = run(stage, Output(DATA / "imported")).scan("answers").select("question_id", "answer").collect()
predictions = open_predictions(results_file())


def ours() -> None:
    """Eyechart: tables in memory; the flags of quirks, which the official script has not, are not asked for."""
    print(vqa_accuracies(predictions, answers, flags=False)["score"].mean())


def theirs() -> None:
    """The published algorithm on records that are in memory."""
    scores = [accuracy(people, guess) for people, guess in records]
    print(sum(scores) / len(scores))


def in_memory() -> list[tuple[list[dict[str, object]], str]]:
    """People's answers and the prediction of each question, as the published script holds them."""
    guesses = {each["question_id"]: each["answer"] for each in json.loads(results_file().read_text())}
    asked = json.loads(annotations.read_text())["annotations"]
    return [(each["answers"], guesses[each["question_id"]]) for each in asked]


if __name__ == "__main__":
    records = in_memory()
    compare("VQA accuracy from tables, 214,354 questions of ten answers", ours, theirs, rounds=2)
