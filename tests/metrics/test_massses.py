"""MaSSeS equals the printed values of the paper, and a literal second implementation over words of made-up vectors."""

import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import MissingDependencyError
from eyechart.metrics import (
    FEASIBILITY,
    MAJORITY,
    MAS,
    MASSES_0_9,
    SES_0_7,
    Absent,
    feasibility,
    group_similar,
    masses_metrics,
    masses_scores,
    patterns,
)
from eyechart.text import FileVectors

TABLE_2 = {
    "yellow": ({"yellow": 5, "orange": 4, "light orange": 1}, 3, "yellow", (1.0, 0.44, 1.0, 1.0)),
    "refrigerator": ({"refrigerator": 6, "fridge": 4}, 2, "refrigerator", (1.0, 0.55, 1.0, 1.0)),
    "rackets": (
        {"tennis rackets": 4, "tennis racket": 2, "tennis racquet": 1, "racket": 2, "racquets": 1},
        3,
        "tennis rackets",
        (1.0, 0.33, 0.67, 0.67),
    ),
    "hot dog": (
        {"hot dogs": 5, "hot dog": 2, "hot dogs and fries": 1, "hot dog fries": 1, "hot dog and onion rings": 1},
        5,
        "hot dog",
        (0.4, 0.44, 1.0, 1.0),
    ),
    "christmas tree": (
        {
            "christmas tree": 6,
            "tree": 1,
            "christmas tree shaped santaclauses": 1,
            "christmas tree santas": 1,
            "santas": 1,
        },
        4,
        "christmas tree",
        (1.0, 0.55, 0.89, 0.89),
    ),
    "white": ({"green": 2, "light green": 1, "very light green": 1, "white": 6}, 3, "white", (1.0, 0.55, 0.55, 0.55)),
    "tea": (
        {"ginger peach": 5, "ginger peach tea": 2, "ginger peach herbal tea": 1, "unanswerable": 2},
        3,
        "unanswerable",
        (0.4, 0.44, 0.77, 0.19),
    ),
    "beef": (
        {"beef": 5, "beef flavored broth": 2, "beef flavored": 1, "beef flavor": 1, "this beef flavor": 1},
        5,
        "unanswerable",
        (0.0, 0.44, 1.0, 0.0),
    ),
}
"""People's answers (those in the paper's brackets first), how many are in brackets, prediction, MA, S, SES, MASSES."""


@pytest.mark.parametrize("name", TABLE_2)
def test_table_2(name: str) -> None:
    """Every number of table 2, the brackets given; the paper sometimes rounds and sometimes cuts its second digit."""
    said, bracketed, prediction, printed = TABLE_2[name]
    frame = pl.DataFrame(
        {
            "question_id": ["1"] * len(said),
            "answer": list(said),
            "frequency": list(said.values()),
            "similar": [place < bracketed for place in range(len(said))],
        }
    )
    scored = masses_scores(pl.DataFrame({"question_id": ["1"], "answer": [prediction]}), frame)
    found = scored.select("ma", "s", "ses", "masses").row(0)
    for value, shown in zip(found, printed, strict=True):
        assert shown in {round(value, 2), math.floor(100 * value) / 100}


@pytest.mark.parametrize(
    ("said", "reliability", "majority"),
    [
        (
            "carrots carrots carrots carrots carrot carrot carrot carrot carrot carrot",
            0.55,
            {"carrot": 1, "carrots": 4 / 6},
        ),
        ("no no no no yes no yes yes no yes", 0.55, {"no": 1.0, "yes": 4 / 6}),
        (
            "diced diced x cubed diced y y cubed z diced",
            0.33,
            {"diced": 1.0, "cubed": 0.5, "y": 0.5, "z": 0.25, "w": 0.0},
        ),
    ],
)
def test_figure_2(said: str, reliability: float, majority: dict[str, float]) -> None:
    """S and MA of the three questions of figure 2."""
    pattern = patterns(pl.DataFrame({"question_id": ["1"] * 10, "answer": said.split()}))
    for answer, expected in majority.items():
        scored = masses_scores(pl.DataFrame({"question_id": ["1"], "answer": [answer]}), pattern)
        assert scored["ma"].item() == pytest.approx(expected)
        assert math.floor(100 * scored["s"].item()) / 100 == reliability


WORDS = {"up": (0.0, 1.0), "near": (0.3, 1.0), "side": (1.0, 0.0), "down": (0.0, -1.0), "nil": (0.0, 0.0)}
ANSWERS = st.sampled_from([*WORDS, "up near", "side down", "unknown", "unknown up"])


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> FileVectors:
    """Five words on a plane."""
    path = tmp_path_factory.mktemp("vectors") / "plane.txt"
    path.write_text("".join(f"{word} {x} {y}\n" for word, (x, y) in WORDS.items()))
    return FileVectors(path)


def literal_scores(prediction: str, answers: Sequence[str], threshold: float) -> tuple[float, ...]:
    """Section 3 step by step: frequencies, centroid of distinct answers, regrouped frequencies."""

    def mean_vector(answer: str) -> np.ndarray:
        known = [np.array(WORDS[word]) for word in answer.split() if word in WORDS]
        return np.mean(known, axis=0) if known else np.zeros(2)

    frequencies = Counter(answers)
    centroid = np.mean([mean_vector(answer) for answer in frequencies], axis=0)
    alike = []
    for answer in frequencies:
        vector = mean_vector(answer)
        length = np.linalg.norm(vector) * np.linalg.norm(centroid)
        if (max(0.0, float(vector @ centroid / length)) if length > 1e-9 else 0.0) >= threshold - 1e-6:
            alike.append(answer)
    regrouped = {answer: count for answer, count in frequencies.items() if answer not in alike}
    if alike:
        regrouped |= {"the group": sum(frequencies[answer] for answer in alike)}
    grouped = "the group" if prediction in alike else prediction
    n, most, most_after = len(answers), max(frequencies.values()), max(regrouped.values())
    ma, s, ses = frequencies[prediction] / most, (most - 1) / (n - 1), (most_after - 1) / (n - 1)
    return ma, s, ma * s, ses, regrouped.get(grouped, 0) / most_after * ses


@given(
    st.lists(st.tuples(ANSWERS, st.lists(ANSWERS, min_size=2, max_size=10)), min_size=1, max_size=4),
    st.sampled_from([0.31, 0.7, 0.9]),
)
def test_whole_tables_equal_the_literal_steps(
    vectors: FileVectors, questions: list[tuple[str, list[str]]], threshold: float
) -> None:
    """Every component of every question is that of the literal steps, even when answers are interleaved."""
    rows = [(str(number), answer) for number, (_, said) in enumerate(questions) for answer in said]
    answers = pl.DataFrame(sorted(rows, key=lambda row: row[1]), schema=["question_id", "answer"], orient="row")
    guesses = pl.DataFrame(
        {"question_id": [str(number) for number in range(len(questions))], "answer": [guess for guess, _ in questions]}
    )
    scored = masses_scores(guesses, group_similar(patterns(answers), vectors, threshold)).drop("question_id")
    for found, (guess, said) in zip(scored.rows(), questions, strict=True):
        assert found == pytest.approx(literal_scores(guess, said, threshold), abs=1e-9)


def test_one_person_has_no_reliability() -> None:
    """With a single answer there is nothing to agree on: null, not zero; nor is there where nobody answered."""
    pattern = patterns(pl.DataFrame({"question_id": ["1"], "answer": ["red"]}))
    scored = masses_scores(pl.DataFrame({"question_id": ["1", "2"], "answer": ["red", "red"]}), pattern)
    assert scored.rows() == [("1", 1.0, None, None), ("2", None, None, None)]


def test_silence_is_wrong() -> None:
    """No prediction scores 0 where people answered."""
    pattern = patterns(pl.DataFrame({"question_id": ["1"] * 2, "answer": ["red"] * 2}))
    guess = pl.DataFrame({"question_id": ["1"], "answer": [None]}, schema_overrides={"answer": pl.String})
    assert masses_scores(guess, pattern)["ma"].to_list() == [0.0]


def test_feasibility_fills_all_bins() -> None:
    """Bins without questions have none, and a SES of 1 falls into the last bin."""
    reliability = pl.DataFrame({"question_id": ["1", "2", "3"], "ses": [0.0, 0.3, 1.0]})
    scores = pl.DataFrame({"question_id": ["1", "2", "3"], "score": [0.0, 0.5, 1.0]})
    binned = feasibility(scores, reliability)
    assert binned["questions"].to_list() == [1, 0, 0, 1, 0, 0, 0, 0, 0, 1]
    assert binned["score"].drop_nulls().to_list() == [0.0, 0.5, 1.0]


def test_metrics_of_a_benchmark(vectors: FileVectors) -> None:
    """The named metrics read the answers, and say with which vectors they were made."""
    tables = {"answers": pl.LazyFrame({"question_id": ["1"] * 3, "answer": ["up", "up", "near"]})}
    guess = pl.DataFrame({"question_id": ["1"], "answer": ["near"]})
    assert [metric.score(guess, tables)["score"].item() for metric in (MAJORITY, MAS)] == [0.5, 0.25]
    ses, masses = masses_metrics(0.9, lambda: vectors)
    assert [metric.score(guess, tables)["score"].item() for metric in (ses, masses)] == [1.0, 1.0]
    assert (ses.name, masses.name) == ("ses-0.9", "masses-0.9")
    assert masses.made_with is not None
    assert masses.made_with().startswith("plane.txt (sha256 ")


def test_feasibility_of_a_benchmark() -> None:
    """Accuracy is told by bins of reliability; a benchmark with one answer a question has none."""
    said = {"question_id": ["1"] * 3 + ["2"] * 3, "answer": ["racket"] * 3 + ["racket", "left", "yes"]}
    guess = pl.DataFrame({"question_id": ["1", "2"], "answer": ["racket", "no"]})
    found = {each.part: each for each in FEASIBILITY.measure(guess, {"answers": pl.LazyFrame(said)})}
    assert len(found) == 10
    assert found["SES 0.9 to 1.0"].value == pytest.approx(2 / 3)
    assert found["SES 0.0 to 0.1"].value == 0.0
    assert found["SES 0.4 to 0.5"].absent == "no question is as reliable"
    alone = {"question_id": ["1"], "answer": ["racket"]}
    asked = pl.LazyFrame({"question_id": ["1"], "answer": ["racket"]})
    with pytest.raises(Absent, match="no question has answers of two people"):
        FEASIBILITY.measure(guess.head(1), {"answers": pl.LazyFrame(alone), "questions": asked})


@pytest.mark.parametrize("metric", [SES_0_7, MASSES_0_9], ids=lambda metric: metric.name)
def test_packaged_vectors_are_the_default(metric: object) -> None:
    """Without a choice, vectors come from the installed package and are named in the result."""
    assert metric.made_with().startswith("wordllama (sha256 ")


def test_missing_vectors_are_a_reason() -> None:
    """Without vectors there is a reason and no number."""

    def none() -> FileVectors:
        raise MissingDependencyError("install them")

    tables = {"answers": pl.LazyFrame({"question_id": ["1"] * 2, "answer": ["up", "near"]})}
    with pytest.raises(Absent, match="install them"):
        masses_metrics(0.9, none)[0].score(pl.DataFrame({"question_id": ["1"], "answer": ["up"]}), tables)


def test_vectors_are_read_once_for_all_answers(vectors: FileVectors, tmp_path: Path) -> None:
    """The pattern's own column of cosines is reused for another threshold."""
    pattern = patterns(pl.DataFrame({"question_id": ["1"] * 2, "answer": ["up", "side"]}))
    near = group_similar(pattern, vectors, 0.7)
    assert near["similar"].to_list() == [True, True]
    again = group_similar(near, FileVectors(tmp_path / "not there"), 0.9)
    assert again["similar"].to_list() == [False, False]
