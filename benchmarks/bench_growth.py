"""Claim: cost grows with the size: VQA accuracy of ten times the questions takes about ten times the time."""

import time

import polars as pl

from eyechart.metrics import vqa_accuracies

SIZES = (50_000, 500_000, 5_000_000)


def tables(questions: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Predictions, and ten answers a question."""
    ids = pl.int_range(questions, eager=True)
    right = pl.select("answer " + (ids * 7919 % 30_000).cast(pl.String)).to_series()
    answers = pl.DataFrame({"place": pl.int_range(questions * 10, eager=True)}).select(
        question_id=(pl.col("place") // 10).cast(pl.String),
        answer=pl.when(pl.col("place") % 10 < 6)
        .then(pl.lit(right).gather(pl.col("place") // 10))
        .otherwise(pl.format("other {}", pl.col("place") % 997)),
    )
    return pl.DataFrame({"question_id": ids.cast(pl.String), "answer": right}), answers


if __name__ == "__main__":
    print("VQA accuracy from tables, ten answers a question")
    for size in SIZES:
        predictions, answers = tables(size)
        cpu, wall = time.process_time(), time.perf_counter()
        vqa_accuracies(predictions, answers)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        print(f"  {size:9,} questions  {wall:7.3f} s  {cpu:7.3f} s CPU  {1e6 * cpu / size:.2f} microseconds each")
    print()
