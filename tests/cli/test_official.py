"""The official scorers: same inputs, same numbers, same files."""

import json
import random
from pathlib import Path

import pytest
from command_line import call

from eyechart.text import normalize_answer


def write(path: Path, content: object) -> str:
    """A JSON file's name."""
    path.write_text(json.dumps(content))
    return str(path)


def vqa_case(folder: Path, *, numbered: bool = True, seed: int = 0) -> tuple[str, str, str]:
    """Three made-up files of 60 questions whose answers trip the rules."""
    draw = random.Random(seed)
    words = ["yes", "Yes", "two", "2", "none", "0", "a", "x-ray", "1,000 - 2", "red.", " red\n", "dont"]
    questions, annotations, results = [], [], []
    for number in range(60):
        given = [draw.choice(words[: draw.randint(1, len(words))]) for _ in range(10)]
        answers = [
            {"answer": each, "answer_confidence": draw.choice(["yes", "maybe"])}
            | ({"answer_id": i} if numbered else {})
            for i, each in enumerate(given, 1)
        ]
        types = {"question_type": draw.choice(["is it", "what"]), "answer_type": draw.choice(["yes/no", "other"])}
        questions.append({"question_id": number, "image_id": number // 3, "question": "?"})
        annotations.append({"question_id": number, "image_id": number // 3, "answers": answers} | types)
        results.append({"question_id": number, "answer": draw.choice(words)})
    return (
        write(folder / "questions.json", {"task_type": "Open-Ended", "questions": questions}),
        write(folder / "annotations.json", {"annotations": annotations}),
        write(folder / "results.json", results),
    )


def literal_2021(answers: list[dict[str, object]], guess: str) -> float:
    """The evaluation of 2021, step by step: records are compared as whole dictionaries."""
    records = [dict(each, answer=str(each["answer"]).replace("\n", " ").replace("\t", " ").strip()) for each in answers]
    guess = guess.replace("\n", " ").replace("\t", " ").strip()
    if len({each["answer"] for each in records}) > 1:
        records = [dict(each, answer=normalize_answer(str(each["answer"]))) for each in records]
        guess = normalize_answer(guess)
    scores = []
    for left_out in records:
        others = [each for each in records if each != left_out]
        scores.append(min(1.0, sum(each["answer"] == guess for each in others) / 3))
    return 100 * sum(scores) / len(scores)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("numbered", [True, False])
def test_vqa_is_the_literal_evaluation(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seed: int, *, numbered: bool
) -> None:
    """Every question's score and every mean, with people who are numbered and with people who are not (V3)."""
    files = vqa_case(tmp_path, numbered=numbered, seed=seed)
    code, out, _ = call(capsys, "official", "vqa", *files, "--json", "-o", str(tmp_path / "out"))
    assert code == 0
    annotations = json.loads(Path(files[1]).read_text())["annotations"]
    guesses = {each["question_id"]: each["answer"] for each in json.loads(Path(files[2]).read_text())}
    expected = {
        each["question_id"]: literal_2021(each["answers"], guesses[each["question_id"]]) for each in annotations
    }
    printed = json.loads(out)
    assert printed["overall"] == round(sum(expected.values()) / len(expected), 2)
    for kind in ("yes/no", "other"):
        of_kind = [expected[each["question_id"]] for each in annotations if each["answer_type"] == kind]
        assert printed["perAnswerType"][kind] == round(sum(of_kind) / len(of_kind), 2)
    kept = {name: json.loads((tmp_path / "out" / f"results_{name}.json").read_text()) for name in FILES}
    assert kept["accuracy"] == printed
    assert kept["evalQA"] == {str(key): round(score, 2) for key, score in expected.items()}
    assert sum(len(scores) for scores in kept["evalQuesType"].values()) == 60
    assert sum(len(scores) for scores in kept["evalAnsType"].values()) == 60


FILES = ("accuracy", "evalQA", "evalQuesType", "evalAnsType")


def test_multiple_choice_wants_picks(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In the multiple-choice task, whatever its spelling, an answer must be one of the choices."""
    people = [{"answer": "red", "answer_id": number} for number in range(1, 11)]
    annotations = write(tmp_path / "a.json", {"annotations": [{"question_id": 1, "answers": people}]})
    question = {"question_id": 1, "image_id": 1, "question": "?", "multiple_choices": ["red", "blue"]}
    results = write(tmp_path / "r.json", [{"question_id": 1, "answer": "green"}])
    for task in ("MultipleChoice", "Multiple Choice", "Multiple-Choice"):
        questions = write(tmp_path / "q.json", {"task_type": task, "questions": [question]})
        code, _, err = call(capsys, "official", "vqa", questions, annotations, results)
        assert code == 2
        assert "none of the choices (1: 'green')" in err
    questions = write(tmp_path / "q.json", {"task_type": "Open-Ended", "questions": [question]})
    code, out, _ = call(capsys, "official", "vqa", questions, annotations, results, "--json")
    assert (code, json.loads(out)["overall"]) == (0, 0.0)


@pytest.mark.parametrize(
    ("results", "message"),
    [
        ([], "found none for 60 of 60 questions"),
        ({"question_id": 1}, "expected `array`"),
        ([{"question_id": 1, "answer": None}], "record 1"),
        ([{"question_id": 1, "answer": "a"}] * 2, "found more than one for 1 questions (1)"),
    ],
)
def test_bad_results(capsys: pytest.CaptureFixture[str], tmp_path: Path, results: object, message: str) -> None:
    """Ids that do not fit are counted and listed; other mistakes name the record."""
    questions, annotations, _ = vqa_case(tmp_path)
    code, out, err = call(capsys, "official", "vqa", questions, annotations, write(tmp_path / "r.json", results))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1


@pytest.mark.real_data
@pytest.mark.parametrize("rule", ["official-2021", "official-2016"])
@pytest.mark.parametrize("results", ["noisy", "majority"])
def test_vqa_on_real_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, real_data: Path, results: str, rule: str
) -> None:
    """The numbers recorded from the official script come out, per question and overall."""
    folder = real_data / "vqa_v2"
    files = [str(folder / name) for name in ("questions.json", "annotations.json", f"results_{results}.json")]
    _, out, _ = call(capsys, "official", "vqa", *files, "--profile", rule, "--json", "-o", str(tmp_path))
    expected = json.loads((folder / "expected_scores.json").read_text())[rule][results]
    assert json.loads(out)["overall"] == expected["overall"]
    assert json.loads((tmp_path / f"results_{results}_evalQA.json").read_text()) == expected["per_question"]


def literal_vizwiz(answers: list[str], guess: str) -> float:
    """Predictions normalised with curly apostrophes, references as they are, people left out by position."""
    guess = normalize_answer(guess).replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    rest = [answers[:i] + answers[i + 1 :] for i in range(len(answers))]
    return sum(min(1.0, others.count(guess) / 3) for others in rest) / len(rest)


def test_vizwiz_is_the_literal_evaluation(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """References are never normalised, so a reference with a capital or a period is out of reach."""
    cases = [(["soup"] * 9 + ["Soup."], "Soup."), (["Soup."] * 10, "soup"), (["dont know"] * 10, "dont know")]
    people = [
        {"image": f"{number}.jpg", "answers": [{"answer": each} for each in answers]}
        for number, (answers, _) in enumerate(cases)
    ]
    results = [{"image": f"{number}.jpg", "answer": guess} for number, (_, guess) in enumerate(cases)]
    files = write(tmp_path / "a.json", people), write(tmp_path / "r.json", results)
    _, out, _ = call(capsys, "official", "vizwiz", *files, "--json")
    expected = [literal_vizwiz(answers, guess) for answers, guess in cases]
    assert json.loads(out)["overall"] == round(100 * sum(expected) / len(expected), 2)
