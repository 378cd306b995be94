"""Result files: what fits is read, what does not is told by record, line and id."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.challenge.results import ResultsError, read_results


def problems(path: Path, content: str | bytes, questions: int = 100) -> list[str]:
    """What is said of a file with this content."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ResultsError) as refused:
        read_results(path, questions=questions)
    return [problem.said for problem in refused.value.problems]


@pytest.mark.parametrize(
    "record",
    [
        {"question_id": 7, "answer": "yes"},
        {"question_id": "7", "answer": "yes", "extra": [1, {"a": None}]},
        {"questionId": "7", "prediction": "yes"},
        {"image": "7", "answer": "yes", "confidence": 0.5},
    ],
)
def test_the_names_of_three_datasets_are_known(tmp_path: Path, record: dict[str, object]) -> None:
    """VQA's, GQA's and VizWiz's."""
    (tmp_path / "r.json").write_text("\ufeff" + json.dumps([record]))
    assert read_results(tmp_path / "r.json", questions=1).select("question_id", "answer").rows() == [("7", "yes")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", ["found broken JSON in line 1, column 1 (input data was truncated)"]),
        (
            '[\n{"question_id": 1, "answer": "a"},\n{"question_id": 2 "answer"}]',
            ["found broken JSON in line 3, column 19"],
        ),
        ('{"question_id": 1, "answer": "a"}', ["found one object, expected a list of records"]),
        ("[]", ["found an empty list"]),
        ("7", ["found a single value"]),
        ("[" * 100_000, ["found values nested too deeply"]),
        (b"\xff\xfe[]", ["found broken JSON in line 1"]),
        ('[{"question_id": 1, "answer": NaN}]', ["found broken JSON in line 1, column 31"]),
        (
            '[\n{"question_id": 1, "answer": 3},\n\n{"question_id": [], "answer": "a"},\n7]',
            [
                "record 1 (question 1), line 2: answer: found a whole number, expected a text",
                "record 2, line 4: question_id: found a list, expected a whole number or a text",
                "record 3, line 5: found a whole number, expected a record",
            ],
        ),
        (
            '[{"answer": "a"},\n{"question_id": 5}]',
            ["record 1, line 1: found no question_id", "record 2 (question 5), line 2: found no answer"],
        ),
        (
            '[{"question_id": 5, "answer": "a"},\n{"question_id": "5", "answer": "b"}]',
            [
                "found 1 questions that are answered more than once",
                "question 5: answered in the records 1, 2 (lines 1, 2)",
            ],
        ),
    ],
)
def test_problems_are_told_where_they_are(tmp_path: Path, content: str | bytes, said: list[str]) -> None:
    """One sentence each, in the file's order."""
    told = problems(tmp_path / "r.json", content)
    assert len(told) == len(said)
    for one, expected in zip(told, said, strict=True):
        assert one.startswith(expected)


def test_a_long_list_of_problems_ends(tmp_path: Path) -> None:
    """Fifty are enough to see what is wrong."""
    assert len(problems(tmp_path / "r.json", json.dumps([{"question_id": n} for n in range(3000)]), 1000)) == 50


def test_files_made_to_fill_the_memory_are_not_taken_apart(tmp_path: Path) -> None:
    """Millions of empty records, or of empty lists, for a hundred questions."""
    assert (
        "found 200,000 records for 100 questions" in problems(tmp_path / "r.json", b"[" + b"{}," * 199_999 + b"{}]")[0]
    )
    assert len(problems(tmp_path / "r.json", b"[" + b"[]," * 2_000_000 + b"[]]")) == 1


def test_endless_answers_are_refused(tmp_path: Path) -> None:
    """Nobody answers with a book."""
    told = problems(tmp_path / "r.json", json.dumps([{"question_id": 1, "answer": "x" * 5000}]))
    assert told == ["record 1 (question 1): found an answer of 5,000 characters, expected at most 1,000"]


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["question_id", "answer", "image", "x"]), inner)
        ),
    ),
    st.integers(0, 3),
)
def test_any_json_is_read_or_refused_in_words(
    tmp_path_factory: pytest.TempPathFactory, value: object, wrap: int
) -> None:
    """Never another error than ours."""
    path = tmp_path_factory.mktemp("any") / "r.json"
    path.write_text(json.dumps([value] * wrap if wrap else value))
    refused: list[ResultsError] = []
    try:
        read_results(path, questions=10)
    except ResultsError as error:
        refused.append(error)
    assert all(problem.said for error in refused for problem in error.problems)


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_in_words(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    """As above."""
    path = tmp_path_factory.mktemp("any") / "r.json"
    path.write_bytes(content)
    with pytest.raises(ResultsError):
        read_results(path, questions=10)
