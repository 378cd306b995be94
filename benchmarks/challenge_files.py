"""A VQA v2 test set of the real size, made up: a benchmark with four splits by image, and result files for it."""

from pathlib import Path

import numpy as np
import polars as pl
from side_by_side import DATA

from eyechart.store import Benchmark

TEST = 447_793
_SPLITS = ("test-dev", "test-standard", "test-challenge", "test-reserve")
_TYPES = ("yes/no", "number", "other")
_PREFIXES = 65


def benchmark_of(questions: int = TEST) -> Path:
    """Questions with ten answers each; made once. A quarter of the answers disagrees."""
    folder = DATA / f"test-{questions}"
    if (folder / "benchmark.json").is_file():
        return folder
    DATA.mkdir(parents=True, exist_ok=True)
    draw = np.random.Generator(np.random.Philox(questions))
    number = np.arange(questions)
    image = number * 2 // 11  # five or six questions an image, as in the real one
    right = draw.integers(0, 3000, questions)
    given = np.where(draw.random((questions, 10)) < 0.75, right[:, None], draw.integers(0, 3000, (questions, 10)))
    words = pl.Series("answer", [_answer(place) for place in range(3000)])
    ids = pl.Series([str(i * 1000 + n % 6) for i, n in zip(image.tolist(), number.tolist(), strict=True)])
    with Benchmark.create(folder) as draft:
        asked = {
            "question_id": ids,
            "image_id": pl.Series(image).cast(pl.String),
            "split": pl.Series(_SPLITS).gather(pl.Series(image % 4)),
            "question": pl.Series(number).cast(pl.String) + " what color is the thing?",
            "question_type": "what number " + pl.Series(draw.integers(0, _PREFIXES, questions)).cast(pl.String),
            "answer_type": pl.Series(_TYPES).gather(pl.Series(draw.integers(0, 3, questions))),
            "answer": words.gather(pl.Series(right)),
        }
        draft.write("questions", pl.DataFrame(asked))
        workers = pl.Series(np.tile(np.arange(1, 11), questions)).cast(pl.String)
        answers = {
            "question_id": ids.gather(np.repeat(number, 10)),
            "worker_id": workers,
            "answer": words.gather(given.reshape(-1)),
        }
        draft.write("answers", pl.DataFrame(answers))
    return folder


def result_file(folder: Path, number: int = 0, questions: int = TEST) -> Path:
    """A model's answers in a benchmark's order: right two times in three, spelled as models spell."""
    path = DATA / f"test-{questions}-{number}.json"
    if path.is_file():
        return path
    asked = Benchmark.open(folder).read("questions").select("question_id", "answer")
    draw = np.random.Generator(np.random.Philox(1000 + number))
    wrong = pl.Series(draw.random(asked.height) < 1 / 3)
    said = asked.with_columns(answer=pl.when(wrong).then(pl.lit("no idea")).otherwise(pl.col("answer")))
    told = said.select(pl.format('"question_id": {}, "answer": "{}"', "question_id", "answer")).to_series()
    path.write_text("[{" + "}, {".join(told) + "}]")
    return path


def _answer(place: int) -> str:
    usual = ("yes", "no", "2", "3", "white", "red", "black and white", "tennis racket", "on the table", "left")
    return usual[place] if place < len(usual) else f"{usual[place % len(usual)]} {place}"
