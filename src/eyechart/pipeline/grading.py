"""Predictions against a benchmark: read both, call the metric, give numbers."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart.errors import DataError, FormatError
from eyechart.formats import FORMATS, plan, read
from eyechart.metrics import check_questions, vqa_accuracies
from eyechart.store import MANIFEST, Benchmark
from eyechart.tables import TABLES

__all__ = ["Grade", "grade", "open_predictions"]


@dataclass(frozen=True)
class Grade:
    """A mean over the questions of one group."""

    group: str
    accuracy: float
    """In percent."""
    questions: int


def open_predictions(path: Path) -> pl.DataFrame:
    """Predictions from a folder with a predictions table, or from a results file in the layout of VQA.

    >>> import tempfile; file = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = file.write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> open_predictions(file)["answer"].to_list()
    ['yes']
    """
    if (path / MANIFEST).is_file():
        return Benchmark.open(path).read("predictions")
    if path.is_dir():
        raise FormatError(f"{path}: found a folder without {MANIFEST}, expected predictions; name their file or folder")
    vqa = FORMATS.load("vqa")
    pieces = [piece.rows for shard in plan(vqa, {"results": [path]}) for piece in read(vqa, shard)]
    return pl.concat(pieces) if pieces else TABLES["predictions"].empty()


def grade(benchmark: Benchmark, predictions: pl.DataFrame) -> list[Grade]:
    """VQA accuracy over all questions that people answered, and by type of answer.

    >>> import tempfile
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "b") as draft:
    ...     draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer_type": ["yes/no"]}))
    ...     draft.write("answers", pl.DataFrame({"question_id": ["1"] * 4, "answer": ["yes"] * 3 + ["no"]}))
    >>> grade(Benchmark.open(draft.target), pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))[0]
    Grade(group='overall', accuracy=75.0, questions=1)
    """
    answers = (
        benchmark.scan("answers").filter(pl.col("shown").eq_missing("image") | pl.col("shown").is_null()).collect()
    )
    questions = benchmark.scan("questions").select("question_id", "answer_type").collect()
    answered = questions.join(
        answers.select("question_id").unique(), on="question_id", how="semi", maintain_order="left"
    )
    if not answered.height:
        raise DataError(
            f"{benchmark.folder}: found no answers of people, expected some to grade by; import annotations"
        )
    check_questions(predictions, answered)
    scores = vqa_accuracies(predictions, answers).join(answered, on="question_id", maintain_order="left")
    mean, count = (pl.col("score").mean() * 100).alias("accuracy"), pl.len()
    overall = scores.select(pl.lit("overall").alias("group"), mean, count)
    by_type = scores.drop_nulls("answer_type").group_by(group="answer_type").agg(mean, count).sort("group")
    return [Grade(*row) for row in pl.concat([overall, by_type]).iter_rows()]
