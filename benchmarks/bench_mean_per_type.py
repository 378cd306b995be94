"""Mean per type of 1.6 million questions, the size of TDIUC, against the published program's loop over dictionaries."""

from collections import defaultdict

import numpy as np
import polars as pl
from side_by_side import compare

from eyechart.metrics import TDIUC, mean_per_type, per_type, tdiuc_scores

QUESTIONS, TYPES, ANSWERS = 1_600_000, 12, 1_600

draws = np.random.Generator(np.random.Philox(0))
answers = pl.Series([f"answer {number}" for number in range(ANSWERS)])
right = draws.zipf(1.3, QUESTIONS) % ANSWERS
guessed = np.where(draws.random(QUESTIONS) < 0.6, right, draws.integers(0, ANSWERS, QUESTIONS))
questions = pl.DataFrame(
    {
        "question_id": pl.int_range(QUESTIONS, eager=True).cast(pl.String),
        "question_type": pl.Series([f"type {number}" for number in range(TYPES)]).gather(right % TYPES),
        "answer": answers.gather(right),
    }
)
predictions = questions.select("question_id", answers.gather(guessed).alias("answer"))
annotations = questions.rows(named=True)
results = predictions.rows(named=True)


def ours() -> dict[str, float | None]:
    """Whole tables."""
    scores, seen = tdiuc_scores(predictions, questions, answer_key=answers.to_list(), profile=TDIUC)
    return {measure.part: measure.value for measure in mean_per_type(per_type(scores, seen), TDIUC)}


def theirs() -> dict[str, float | None]:
    """A loop over predictions, lists per type, then counts per answer of each type."""
    by_id = {each["question_id"]: each for each in annotations}
    key = {answer: number for number, answer in enumerate(answers)}
    expected: dict[str, list[int]] = defaultdict(list)
    predicted: dict[str, list[int]] = defaultdict(list)
    for result in results:
        truth = by_id[result["question_id"]]
        expected[truth["question_type"]].append(key[truth["answer"]])
        predicted[truth["question_type"]].append(key[result["answer"]])
    plain, normal = [], []
    for kind, truths in expected.items():
        counts: dict[str, int] = defaultdict(int)
        for truth, guess in zip(truths, predicted[kind], strict=True):
            counts[f"{truth} asked"] += 1
            counts[f"{truth} right"] += truth == guess
        plain.append(sum(counts[f"{truth} right"] for truth in set(truths)) / len(truths) + 1e-12)
        shares = [counts[f"{truth} right"] / counts[f"{truth} asked"] for truth in set(truths)]
        normal.append(sum(shares) / len(shares) + 1e-12)
    return {
        "arithmetic": sum(plain) / len(plain),
        "harmonic": len(plain) / sum(1 / share for share in plain),
        "normalised arithmetic": sum(normal) / len(normal),
        "normalised harmonic": len(normal) / sum(1 / share for share in normal),
    }


if __name__ == "__main__":
    compare("Mean per type, plain and normalised, of 1.6 million questions", ours, theirs)
