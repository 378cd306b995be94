"""Claim: the VQA evaluation of 214,354 questions takes about a second from its three files, and less from tables."""

import json
import re

from side_by_side import compare
from vqa_files import results_file, vqa_files

from eyechart.text import contractions

MARKS = [";", "/", "[", "]", '"', "{", "}", "(", ")", "=", "+", "\\", "_", "-", ">", "<", "@", "`", ",", "?", "!"]
NUMBERS = ["none", "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
DIGITS = dict(zip(NUMBERS, ["0", *map(str, range(11))], strict=True))


def ours() -> None:
    """Eyechart: official vqa, from questions, annotations and results."""
    from eyechart.pipeline.official import evaluate_vqa

    print(evaluate_vqa(*vqa_files(), results_file()).overall)


def theirs() -> None:
    """The published algorithm, word for word in its steps: ten leave-one-out lists of dictionaries a question."""
    questions, annotations = (json.loads(path.read_text()) for path in vqa_files())
    people = {each["question_id"]: each for each in annotations["annotations"]}
    guesses = {each["question_id"]: each["answer"] for each in json.loads(results_file().read_text())}
    ids = [each["question_id"] for each in questions["questions"]]
    scores = [accuracy(people[each]["answers"], guesses[each]) for each in ids]
    print(round(100 * sum(scores) / len(scores), 2))


def accuracy(answers: list[dict[str, object]], guess: str) -> float:
    """One question."""
    guess = guess.replace("\n", " ").replace("\t", " ").strip()
    for each in answers:
        each["answer"] = str(each["answer"]).replace("\n", " ").replace("\t", " ").strip()
    if len({each["answer"] for each in answers}) > 1:
        for each in answers:
            each["answer"] = words(punctuation(str(each["answer"])))
        guess = words(punctuation(guess))
    scores = []
    for left_out in answers:
        others = [each for each in answers if each != left_out]
        scores.append(min(1, len([each for each in others if each["answer"] == guess]) / 3))
    return sum(scores) / len(scores)


def punctuation(text: str) -> str:
    """Marks deleted or made spaces, one after the other."""
    out = text
    for mark in MARKS:
        if mark + " " in text or " " + mark in text or re.search(r"(\d)(\,)(\d)", text) is not None:
            out = out.replace(mark, "")
        else:
            out = out.replace(mark, " ")
    return re.sub(r"(?!<=\d)(\.)(?!\d)", "", out, count=32)


def words(text: str) -> str:
    """Digits, articles, contractions."""
    kept = [DIGITS.get(word, word) for word in text.lower().split()]
    kept = [word for word in kept if word not in {"a", "an", "the"}]
    return " ".join(contractions().get(word, word) for word in kept)


if __name__ == "__main__":
    results_file()
    compare("VQA evaluation from JSON, 214,354 questions of ten answers", ours, theirs, rounds=2)
