"""VQA v2 validation files of any size, made up: the same shape, word statistics of a toy."""

import json
import random
from pathlib import Path

from side_by_side import DATA

VALIDATION = 214_354
_ANSWERS = ["yes", "no", "2", "3", "white", "red", "black and white", "tennis racket", "on the table", "left"]
_HEAD = {
    "info": {
        "description": "made up",
        "url": "",
        "version": "2.0",
        "year": 2017,
        "contributor": "",
        "date_created": "",
    },
    "license": {"url": "", "name": ""},
    "data_type": "mscoco",
    "data_subtype": "val2014",
}


def vqa_files(questions: int = VALIDATION) -> tuple[Path, Path]:
    """Questions and annotations of ten answers each; made once."""
    asked, annotated = DATA / f"{questions}_questions.json", DATA / f"{questions}_annotations.json"
    if not annotated.is_file():
        DATA.mkdir(parents=True, exist_ok=True)
        draw = random.Random(questions)  # made-up data
        records = [_record(number, draw) for number in range(questions)]
        asked.write_text(json.dumps(_HEAD | {"task_type": "Open-Ended", "questions": [q for q, _ in records]}))
        annotated.write_text(json.dumps(_HEAD | {"annotations": [a for _, a in records]}))
    return asked, annotated


def _record(number: int, draw: random.Random) -> tuple[dict[str, object], dict[str, object]]:
    image, right = number // 5, draw.choice(_ANSWERS) + ("" if draw.random() < 0.5 else f" {draw.randrange(3000)}")
    question_id = image * 1000 + number % 5
    given = [right if draw.random() < 0.7 else draw.choice(_ANSWERS) for _ in range(10)]
    answers = [{"answer": a, "answer_confidence": "yes", "answer_id": i} for i, a in enumerate(given, 1)]
    question = {
        "question_id": question_id,
        "image_id": image,
        "question": f"What color is the thing numbered {number}?",
    }
    annotation = {"question_type": "what color is the", "multiple_choice_answer": right, "answers": answers}
    return question, annotation | {"image_id": image, "answer_type": "other", "question_id": question_id}


def results_file(questions: int = VALIDATION) -> Path:
    """A results file that is right about two times in three, with the noise of real ones."""
    path = DATA / f"{questions}_results.json"
    if not path.is_file():
        draw = random.Random(1)  # made-up data
        annotations = json.loads(vqa_files(questions)[1].read_text())["annotations"]
        noisy = ("{}", "{}", "{}.", "The {}", "{}!", "no idea")
        results = [
            {"question_id": each["question_id"], "answer": draw.choice(noisy).format(each["multiple_choice_answer"])}
            for each in annotations
        ]
        path.write_text(json.dumps(results))
    return path
