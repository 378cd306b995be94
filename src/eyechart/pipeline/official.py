"""Drop-in replacements for the official scorers: the same inputs, the same numbers, the same output files."""

from dataclasses import dataclass
from pathlib import Path

import msgspec
import polars as pl

from eyechart._lib.files import write_atomically
from eyechart._lib.garbage import uncollected
from eyechart.errors import DataError
from eyechart.formats import read_annotations, read_picks, read_results, read_vizwiz, read_vizwiz_results
from eyechart.metrics import Profile, check_picks, check_questions, profile, vqa_accuracies

__all__ = ["Evaluation", "evaluate_vizwiz", "evaluate_vqa"]


@dataclass(frozen=True)
class Evaluation:
    """Scores of every question with its types; the official numbers are rounded means of these."""

    scores: pl.DataFrame
    """question_id, question_type, answer_type, score (0 to 1)."""
    digits: int = 2

    @property
    def overall(self) -> float:
        """The mean over all questions, in percent."""
        return round(100 * float(str(self.scores["score"].mean())), self.digits)

    def by(self, column: str) -> dict[str, float]:
        """The mean of each type, in percent, in the order in which types come up."""
        groups = self.scores.drop_nulls(column).group_by(column, maintain_order=True).agg(pl.col("score").mean())
        return {name: round(100 * score, self.digits) for name, score in groups.iter_rows()}

    def summary(self) -> dict[str, object]:
        """What the official accuracy file holds."""
        types = {"perAnswerType": self.by("answer_type"), "perQuestionType": self.by("question_type")}
        return {"overall": self.overall, **types}

    def files(self) -> dict[str, object]:
        """The four files of the official evaluation, by the last part of their names."""
        percent = self.scores.with_columns((pl.col("score") * 100).round(self.digits))
        return {
            "accuracy": self.summary(),
            "evalQA": dict(percent.select("question_id", "score").iter_rows()),
            "evalQuesType": _nested(percent, "question_type"),
            "evalAnsType": _nested(percent, "answer_type"),
        }

    def save(self, folder: Path, stem: str) -> list[Path]:
        """Write the four files as ``<stem>_accuracy.json`` and so on."""
        folder.mkdir(parents=True, exist_ok=True)
        paths = {folder / f"{stem}_{name}.json": content for name, content in self.files().items()}
        for path, content in paths.items():
            write_atomically(path, msgspec.json.encode(content))
        return list(paths)


@uncollected()
def evaluate_vqa(
    questions: Path, annotations: Path, results: Path, *, rule: str = "official-2021", subset: bool = False
) -> Evaluation:
    """Score a results file as the official VQA evaluation does.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "q.json").write_text('{"questions": [{"question_id": 7}]}')
    >>> people = ", ".join('{"answer": "yes", "answer_id": %d}' % number for number in range(1, 11))
    >>> _ = (folder / "a.json").write_text('{"annotations": [{"question_id": 7, "answers": [%s]}]}' % people)
    >>> _ = (folder / "r.json").write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> evaluate_vqa(folder / "q.json", folder / "a.json", folder / "r.json").overall
    100.0
    """
    predictions = read_results(results)
    picks, task = read_picks(questions)
    people = read_annotations(annotations)
    _refuse_strangers(people.questions, picks, annotations, questions)
    if picks["choice"].null_count() < picks.height and _is_multiple_choice(task):
        check_picks(predictions, picks.drop_nulls("choice").explode("choice", empty_as_null=True))
    check_questions(predictions, people.questions, subset=subset, name=str(results))
    return _evaluated(predictions, people.questions, people.answers, profile(rule))


@uncollected()
def evaluate_vizwiz(annotations: Path, results: Path, *, rule: str = "vizwiz", subset: bool = False) -> Evaluation:
    """Score a results file as the VizWiz evaluation does; images are the questions.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> people = ", ".join(['{"answer": "soup"}'] * 10)
    >>> _ = (folder / "a.json").write_text('[{"image": "1.jpg", "answers": [%s]}]' % people)
    >>> _ = (folder / "r.json").write_text('[{"image": "1.jpg", "answer": "Soup."}]')
    >>> evaluate_vizwiz(folder / "a.json", folder / "r.json").overall
    100.0
    """
    people, predictions = read_vizwiz(annotations), read_vizwiz_results(results)
    check_questions(predictions, people.questions, subset=subset, name=str(results))
    return _evaluated(predictions, people.questions, people.answers, profile(rule))


def _evaluated(predictions: pl.DataFrame, questions: pl.DataFrame, answers: pl.DataFrame, rule: Profile) -> Evaluation:
    scores = vqa_accuracies(predictions, answers, rule, flags=False)
    return Evaluation(questions.join(scores, on="question_id", maintain_order="left").drop_nulls("score"))


def _refuse_strangers(annotated: pl.DataFrame, asked: pl.DataFrame, annotations: Path, questions: Path) -> None:
    repeated = annotated.filter(pl.col("question_id").is_duplicated())["question_id"]
    if repeated.len():
        raise DataError(f"{annotations}: found question {repeated[0]!r} twice, expected every id once; remove one")
    strange = annotated.join(asked, on="question_id", how="anti")["question_id"]
    if strange.len():
        raise DataError(
            f"{annotations}: found answers to {strange.len():,} questions ({strange[0]!r} and so on) that {questions} "
            "does not have, expected the same questions in both; check that the files belong together"
        )


def _is_multiple_choice(task: str | None) -> bool:
    """Whatever the spelling: MultipleChoice, Multiple Choice, Multiple-Choice."""
    return task is None or "multiplechoice" in "".join(filter(str.isalpha, task.lower()))


def _nested(scores: pl.DataFrame, column: str) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for kind, question_id, score in scores.drop_nulls(column).select(column, "question_id", "score").iter_rows():
        nested.setdefault(kind, {})[question_id] = score
    return nested
