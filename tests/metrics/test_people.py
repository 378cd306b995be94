"""What is said of people equals literal loops over their answers, and published values of alpha."""

import json
from collections import Counter, defaultdict
from itertools import permutations
from pathlib import Path
from random import Random

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.metrics.kinds import Absent
from eyechart.metrics.people import (
    agreement_bands,
    human_accuracies,
    human_accuracy,
    krippendorff_alpha,
    mean_confidence,
    measure_people,
    multiple_choice_accuracy,
    unique_answers,
)
from eyechart.metrics.vqa_accuracy import vqa_accuracy
from eyechart.text import normalize_answer

Said = list[tuple[str, str, str, str | None]]  # question, answer, confidence, shown
COLUMNS = {"question_id": pl.String, "answer": pl.String, "confidence": pl.String, "shown": pl.String}
SAID = st.lists(
    st.tuples(
        st.sampled_from("12"),
        st.sampled_from(["two", "2", "Two.", "no", "yes"]),
        st.sampled_from(["yes", "maybe", "no"]),
        st.sampled_from(["image", None, "caption", "nothing"]),
    ),
    max_size=25,
)


def table(said: Said) -> pl.DataFrame:
    """Answers as a table."""
    return pl.DataFrame(said, schema=COLUMNS, orient="row")


def literal_human_accuracies(said: Said) -> dict[tuple[str, str], float]:
    """Everybody against everybody else who saw the picture."""
    scores: dict[tuple[str, str], list[float]] = defaultdict(list)
    for place, (question, answer, _, shown) in enumerate(said):
        seen = [row[1] for row in said if row[0] == question and row[3] in {"image", None}]
        if shown in {"image", None}:
            others = [
                normalize_answer(row[1])
                for other, row in enumerate(said)
                if other != place and row[0] == question and row[3] in {"image", None}
            ]
            if others:
                scores[question, "image"].append(min(1, others.count(normalize_answer(answer)) / 3))
        elif seen:
            scores[question, shown].append(vqa_accuracy(answer, seen))
    return {key: sum(each) / len(each) for key, each in scores.items()}


@given(SAID)
def test_human_accuracy_literally(said: Said) -> None:
    """With the picture each person is left out; without it, each is graded as a model is."""
    expected = literal_human_accuracies(said)
    for rows in (said, said[::-1]):
        found = human_accuracies(table(rows))
        assert {(question, shown): score for question, shown, _, score in found.iter_rows()} == pytest.approx(expected)


def test_human_accuracy_by_type() -> None:
    """Means over questions, for all and by type, by what was seen."""
    said: Said = [("1", "yes", "yes", None)] * 4 + [("2", "a1", "no", None), ("2", "b1", "no", None)]
    said += [("1", "yes", "yes", "nothing"), ("1", "no", "yes", "nothing")]
    questions = pl.DataFrame({"question_id": ["1", "2"], "answer_type": ["yes/no", "other"]})
    assert human_accuracy(table(said), questions).rows() == [
        ("image", "all", 2, 0.5),
        ("image", "other", 1, 0.0),
        ("image", "yes/no", 1, 1.0),
        ("nothing", "all", 1, 0.5),
        ("nothing", "yes/no", 1, 0.5),
    ]


@given(st.lists(st.sampled_from(["red", "blue", "Green"]), min_size=1, max_size=5))
def test_multiple_choice_literally(picks: list[str]) -> None:
    """The accuracy of what most picked, ties shared, and the mean accuracy of picks."""
    given_answers = ["red"] * 2 + ["blue", "green"]
    answers = table([("1", answer, "yes", None) for answer in given_answers])
    accuracy = {pick: vqa_accuracy(pick, given_answers) for pick in picks}
    counts = Counter(picks)
    winners = [pick for pick in counts if counts[pick] == max(counts.values())]
    majority, average = multiple_choice_accuracy(
        pl.DataFrame({"question_id": ["1"] * len(picks), "answer": picks}), answers
    )
    assert majority.value == pytest.approx(sum(accuracy[pick] for pick in winners) / len(winners))
    assert average.value == pytest.approx(sum(accuracy[pick] for pick in picks) / len(picks))


@given(SAID)
def test_bands_literally(said: Said) -> None:
    """Each question is in one band and one bin of confidence."""
    sure = {"yes": 1.0, "maybe": 0.5, "no": 0.0}
    expected: Counter[tuple[float, str]] = Counter()
    for question in {row[0] for row in said}:
        mine = [row for row in said if row[0] == question]
        same = max(Counter(normalize_answer(row[1]) for row in mine).values())
        mean = sum(sure[row[2]] for row in mine) / len(mine)
        band = "many" if same >= 7 else "some" if same >= 3 else "few"
        expected[min(int(round(mean * 10, 6)), 9) / 10, band] += 1
    bands = agreement_bands(table(said))
    found = {
        (row["confidence"], band): row[band] for row in bands.iter_rows(named=True) for band in ("many", "some", "few")
    }
    assert {key: count for key, count in found.items() if count} == dict(expected)
    assert bands["questions"].sum() == sum(expected.values())


def test_bands_without_confidence() -> None:
    """Questions of which nobody said how sure they were stand under no confidence."""
    bands = agreement_bands(table([("1", "a1", "yes", None)]).with_columns(confidence=pl.lit(None, pl.String)))
    assert bands.rows() == [(None, 1, 0, 0, 1)]


@given(SAID)
def test_unique_answers_and_confidence_literally(said: Said) -> None:
    """Distinct answers per question, and the mean over questions of mean confidence."""
    if not said:
        for measure in (unique_answers, mean_confidence):
            with pytest.raises(Absent):
                measure(table(said))
        return
    questions = {row[0] for row in said}
    raw, normal = unique_answers(table(said))
    assert raw.value == len({row[:2] for row in said}) / len(questions)
    assert normal.value == len({(row[0], normalize_answer(row[1])) for row in said}) / len(questions)
    sure = {"yes": 1.0, "maybe": 0.5, "no": 0.0}
    means = []
    for question in questions:
        mine = [sure[row[2]] for row in said if row[0] == question]
        means.append(sum(mine) / len(mine))
    assert mean_confidence(table(said)).value == pytest.approx(sum(means) / len(means))


CLASSIC = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
"""Four observers and twelve units, a point where one said nothing (Krippendorff 2011, part C)."""


def values(observers: tuple[str, ...]) -> pl.DataFrame:
    """Each observer's values in long form, missing ones as nulls."""
    rows = [(unit, None if each == "." else each) for said in observers for unit, each in enumerate(said)]
    return pl.DataFrame(rows, schema={"question_id": pl.Int64, "answer": pl.String}, orient="row")


def literal_alpha(rows: list[tuple[int, str | None]]) -> float | None:
    """By the matrix of coincidences, pair by pair of values within a unit."""
    units: dict[int, list[str]] = defaultdict(list)
    for unit, value in rows:
        if value is not None:
            units[unit].append(value)
    coincidences: Counter[tuple[str, str]] = Counter()
    for given_values in units.values():
        for one, other in permutations(range(len(given_values)), 2):
            coincidences[given_values[one], given_values[other]] += 1 / (len(given_values) - 1)  # type: ignore[assignment]
    margins: Counter[str] = Counter()
    for (one, _), weight in coincidences.items():
        margins[one] += weight
    total = sum(margins.values())
    expected = sum(margins[one] * margins[other] for one in margins for other in margins if one != other)
    if not expected:
        return None
    observed = sum(weight for (one, other), weight in coincidences.items() if one != other)
    return 1 - (total - 1) * observed / expected


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["a", "b", "c", None])), max_size=25), st.randoms())
def test_alpha_literally(rows: list[tuple[int, str | None]], shuffle: Random) -> None:
    """The closed form equals the matrix of coincidences, in any order."""
    expected = literal_alpha(rows)
    shuffle.shuffle(rows)
    frame = pl.DataFrame(rows, schema={"question_id": pl.Int64, "answer": pl.String}, orient="row")
    if expected is None:
        with pytest.raises(Absent):
            krippendorff_alpha(frame)
    else:
        assert krippendorff_alpha(frame).value == pytest.approx(expected)


def test_alpha_of_published_examples() -> None:
    """Krippendorff's example has 0.743 for names; the one of three coders and fifteen units has 0.691."""
    assert krippendorff_alpha(values(CLASSIC)).value == pytest.approx(0.743, abs=5e-4)
    three = (".....34121133.3", "1.213343.......", "..21344.21133.4")
    assert krippendorff_alpha(values(three)).value == pytest.approx(0.691, abs=5e-4)


def test_what_is_measured_of_a_benchmark() -> None:
    """Everything, with reasons where nothing can be said."""
    said: Said = [("1", "red", "yes", None)] * 4 + [("2", "red", "maybe", None)] * 2
    questions = pl.LazyFrame({"question_id": ["1", "2"], "answer_type": ["other", "other"]})
    measured = measure_people({"answers": table(said).lazy(), "questions": questions})
    assert [(each.part, each.value) for each in measured] == [
        ("accuracy, image, all", pytest.approx((1 + 1 / 3) / 2)),
        ("accuracy, image, other", pytest.approx((1 + 1 / 3) / 2)),
        ("unique answers", 1.0),
        ("unique answers, normalised", 1.0),
        ("Krippendorff's alpha", None),
        ("confidence", 0.75),
        ("Krippendorff's alpha of confidence", 1.0),
    ]
    assert measured[4].absent == "everybody gave the same value everywhere, so chance agreement cannot be told apart"
    assert {each.value for each in measure_people({})} == {None}


@pytest.mark.real_data
def test_people_of_vqa(real_data: Path) -> None:
    """On 200 real questions the table and the loop over people agree."""
    annotations = json.loads((real_data / "vqa_v2" / "annotations.json").read_text())["annotations"]
    said: Said = [
        (str(record["question_id"]), each["answer"], each["answer_confidence"], None)
        for record in annotations
        for each in record["answers"]
    ]
    by_question: dict[str, list[str]] = defaultdict(list)
    for question, answer, _, _ in said:
        by_question[question].append(normalize_answer(answer))
    scores = [
        sum(min(1, (given_answers.count(each) - 1) / 3) for each in given_answers) / len(given_answers)
        for given_answers in by_question.values()
    ]
    kinds = pl.DataFrame(
        {
            "question_id": [str(record["question_id"]) for record in annotations],
            "answer_type": [record["answer_type"] for record in annotations],
        }
    )
    overall = human_accuracy(table(said), kinds).row(0, named=True)
    assert overall == {
        "shown": "image",
        "answer_type": "all",
        "questions": 200,
        "accuracy": pytest.approx(sum(scores) / 200),
    }
