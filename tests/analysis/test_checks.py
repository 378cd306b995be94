"""What the checks take for a fault, and what they do not."""

import random
from typing import Any

import polars as pl
import pytest

from eyechart.analysis import CHECKS, SEVERITIES, Finding, find_faults
from eyechart.tables import TABLES

Rows = list[dict[str, Any]]


def faults(codes: str | None = None, **tables: Rows) -> dict[str, Finding]:
    """Findings by code, of tables given as rows."""
    frames = {name: pl.DataFrame(rows, schema=TABLES[name].schema).lazy() for name, rows in tables.items()}
    return {found.code: found for found in find_faults(frames, codes=codes and [codes])}


def question(
    key: str, image: str = "1", split: str | None = "train", text: str = "What?", **rest: object
) -> Any:  # a row
    """A question's row."""
    return {"question_id": key, "image_id": image, "split": split, "question": text} | rest


def answers(key: str, *given: str, shown: str | None = "image") -> Rows:
    """What people answered, a worker each."""
    return [
        {"question_id": key, "worker_id": str(worker), "answer": answer, "shown": shown}
        for worker, answer in enumerate(given)
    ]


def choices(key: str, *offered: str, target: int | None) -> Rows:
    """A question's choices; None for a target that is not published."""
    return [
        {
            "question_id": key,
            "position": place,
            "choice": choice,
            "is_target": None if target is None else place == target,
        }
        for place, choice in enumerate(offered)
    ]


def test_no_tables_have_no_faults() -> None:
    """Nothing is wrong with nothing."""
    assert find_faults({}) == []
    assert find_faults({name: table.empty().lazy() for name, table in TABLES.items()}) == []


def test_every_check_is_in_order() -> None:
    """Codes are words joined by hyphens, severities are the three, sentences end."""
    for code, check in CHECKS.items():
        assert code == check.code
        assert code.replace("-", "").isalpha()
        assert code.islower()
        assert check.severity in SEVERITIES
        assert check.sentence.endswith(".")


def test_examples_are_the_first_three_ids() -> None:
    """In alphabetical order, each once, whatever the order of the rows."""
    rows = [question(str(key), text=" ") for key in (5, 3, 9, 1, 7, 1)]
    assert faults(questions=rows)["empty-question"].examples == ("1", "3", "5")
    assert faults(questions=rows)["empty-question"].count == 6


def test_findings_come_gravest_first() -> None:
    """Errors, then warnings, then notes."""
    relation = {"image_id": "1", "subject_id": "1", "predicate": "on", "object_id": "1"}
    found = faults(relations=[relation, relation])
    assert list(found) == ["dangling-reference", "self-relation", "repeated-statement"]


def test_test_dev_may_share_with_test() -> None:
    """A split's name ends at its first hyphen."""
    shared = [question("1", split="test-dev"), question("2", split="test", text="Who?"), question("3", "3", "test-std")]
    assert {"unknown-image"} == set(faults(questions=shared))
    assert "image-in-two-splits" in faults(questions=[*shared, question("4", split="train", text="Why?")])


def test_an_image_may_be_placed_by_its_own_row() -> None:
    """A question of one split about a picture of another is a leak too."""
    images = [{"image_id": "1", "split": "val"}]
    assert faults(images=images, questions=[question("1")])["image-in-two-splits"].examples == ("1",)


def test_no_split_at_all_is_no_fault() -> None:
    """Only where others have one."""
    assert "missing-split" not in faults(questions=[question("1", split=None)])


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [("yes", "Yes.", "repeated-question"), (None, "no", "repeated-question"), ("yes", "no", "contradicting-question")],
)
def test_a_repeated_question_may_contradict_itself(one: str | None, other: str, code: str) -> None:
    """Case and marks of the text do not matter, nor how the answers are spelled; an unknown answer contradicts none."""
    rows = [question("1", answer=one), question("2", text=" what", answer=other), question("3", "2")]
    found = faults(images=[{"image_id": "1"}, {"image_id": "2"}], questions=rows)
    assert [code] == list(found)
    assert found[code].examples == ("1 and 2",)


def test_answers_are_compared_as_the_evaluation_compares_them() -> None:
    """Two and "2." are one answer of two people."""
    rows = [question("1", answer="2")]
    assert {"unknown-image"} == set(faults(questions=rows, answers=answers("1", "Two", "2.", "three")))


def test_only_people_who_saw_the_picture_are_counted() -> None:
    """Guesses without it, or from a caption, say nothing of the reference answer; unstated means seen."""
    rows = [question("1", answer="red")]
    guesses = answers("1", "red", "red", shown="nothing")
    assert "answer-nobody-gave" not in faults(questions=rows, answers=guesses)
    assert "answer-nobody-gave" in faults(questions=rows, answers=[*guesses, *answers("1", "blue", shown=None)])


@pytest.mark.parametrize(
    ("given", "codes"),
    [
        (("red", "red", "blue"), set()),
        (("red", "blue"), {"tied-answer"}),
        (("red", "blue", "blue"), {"answer-not-most-frequent"}),
        (("blue", "green"), {"answer-nobody-gave"}),
    ],
)
def test_the_reference_answer_is_held_against_the_people_s(given: tuple[str, ...], codes: set[str]) -> None:
    """At most one of the three codes applies."""
    found = faults(questions=[question("1", answer="red")], answers=answers("1", *given))
    assert codes == set(found) - {"unknown-image"}


@pytest.mark.parametrize(
    ("kind", "answer", "wrong"),
    [
        ("yes/no", "Yes.", False),
        ("yes/no", "maybe", True),
        ("number", "2", False),
        ("number", "many", False),
        ("number", "no", True),
        ("other", "no", False),
        (None, "no", False),
    ],
)
def test_answers_fit_their_type(kind: str | None, answer: str, wrong: bool) -> None:  # noqa: FBT001  # a parameter of the test
    """Numbers may be words; other questions may have any answer."""
    found = faults(questions=[question("1", answer_type=kind, answer=answer)])
    assert wrong == ("wrong-answer-type" in found)


def test_targets_that_are_not_published_are_no_fault() -> None:
    """The choices of test splits are published without saying which is right."""
    assert "no-target" not in faults(choices=choices("1", "yes", "no", target=None))


def test_the_target_may_be_spelled_otherwise() -> None:
    """It is the reference answer if both normalise to the same."""
    rows = [question("1", answer="Two dogs")]
    assert "target-not-answer" not in faults(questions=rows, choices=choices("1", "2 dogs", "cat", target=0))


def positions(size: int, counts: list[int], start: int = 0) -> Rows:
    """Questions with so many choices; as many as said have the right one at each place."""
    targets = [place for place, count in enumerate(counts) for _ in range(count)]
    names = [f"choice {place}" for place in range(size)]
    return [row for key, place in enumerate(targets, start) for row in choices(str(key), *names, target=place)]


def test_position_bias_is_judged_per_number_of_choices() -> None:
    """Two biases that cancel in the sum are found; the worse one is told, and both are counted."""
    rows = positions(2, [70, 30]) + positions(3, [10, 70, 20], start=100)
    found = faults("position-bias", choices=rows)["position-bias"]
    assert found.count == 200
    assert (
        found.sentence
        == "The place of the right choice gives it away: of 100 questions with 3 choices 70.0% have it at position 1, "
        "where 33.3% are expected (p = 3e-14)."
    )


def test_shuffled_choices_have_no_position_bias() -> None:
    """A fair draw passes, and so do too few questions to tell."""
    drawn = random.Random(0).choices(range(18), k=2000)  # no secret
    fair = [drawn.count(place) for place in range(18)]
    assert faults("position-bias", choices=positions(18, fair)) == {}
    assert faults("position-bias", choices=positions(4, [19, 0, 0, 0])) == {}
    assert faults("position-bias", choices=positions(4, [20, 0, 0, 0])) != {}


def test_boxes_may_be_a_pixel_off() -> None:
    """Published boxes are rounded; a picture of unknown size bounds nothing but at its left and its top."""
    images = [{"image_id": "1", "width": 100, "height": 50}, {"image_id": "2"}]

    def outside(image: str, *box: float) -> bool:
        row = {"image_id": image, "object_id": "1", **dict(zip("xywh", box, strict=True))}
        return "box-outside-picture" in faults(images=images, objects=[row])

    assert not outside("1", -1, -1, 102, 52)
    assert outside("1", 0, 0, 101.5, 50)
    assert outside("1", 0, -1.5, 10, 10)
    assert not outside("2", 0, 0, 1e6, 1e6)
    assert outside("2", -2, 0, 10, 10)


@pytest.mark.parametrize("size", [0.0, -1.0, float("nan"), float("inf")])
def test_boxes_have_an_area(size: float) -> None:
    """Zero, negative, not a number, or without end."""
    box = {"image_id": "1", "region_id": "1", "x": 0.0, "y": 0.0, "w": size, "h": 1.0}
    assert "empty-box" in faults(images=[{"image_id": "1"}], regions=[box])


def test_scene_graphs_may_be_published_for_a_part() -> None:
    """A mention is looked for only where its image has objects."""
    tables: dict[str, Rows] = {
        "images": [{"image_id": "1"}, {"image_id": "2"}],
        "questions": [question("1"), question("2", "2", text="Who?")],
        "objects": [{"image_id": "1", "object_id": "1"}],
        "mentions": [{"question_id": key, "object_id": "9", "where": "question", "words": "0"} for key in ("1", "2")],
    }
    assert faults("unresolved-mention", **tables)["unresolved-mention"].examples == ("1/9",)


def test_anonymous_workers_do_not_repeat_a_key() -> None:
    """A key with an unknown part repeats nothing."""
    anonymous = [{"question_id": "1", "worker_id": None, "answer": answer, "shown": "image"} for answer in "ab"]
    assert faults("repeated-key", answers=anonymous) == {}


def prints(**hashes: int | None) -> Rows:
    """Fingerprints by image."""
    return [{"image_id": image, "phash": phash, "width": 1, "height": 1} for image, phash in hashes.items()]


def test_near_pictures_are_told_apart_by_split() -> None:
    """Copies within a split are worth a note, copies across a warning; unplaced and hashless pictures are neither."""
    images = [{"image_id": image, "split": split} for image, split in (("a", "train"), ("b", "train"), ("c", "val"))]
    tables = {"images": [*images, {"image_id": "d"}, {"image_id": "e", "split": "val"}]}
    found = faults(fingerprints=prints(a=0, b=1, c=2**40 - 1, d=0, e=None), **tables)
    assert list(found) == ["near-pictures"]
    assert (found["near-pictures"].count, found["near-pictures"].examples) == (2, ("a ~ b", "b ~ a"))
    found = faults("near-pictures-in-two-splits", fingerprints=prints(a=0, b=1, c=0, e=None), **tables)
    assert found["near-pictures-in-two-splits"].examples == ("a ~ c", "b ~ c", "c ~ a")


def test_the_distance_is_the_caller_s() -> None:
    """One bit more than allowed is another picture."""
    frames = {
        "images": TABLES["images"].conform(pl.DataFrame({"image_id": ["a", "b"], "split": ["train", "val"]})).lazy(),
        "fingerprints": pl.DataFrame(prints(a=0, b=7), schema=TABLES["fingerprints"].schema).lazy(),
    }
    code = "near-pictures-in-two-splits"
    assert find_faults(frames, codes=[code], distance=2) == []
    assert [found.count for found in find_faults(frames, codes=[code], distance=3)] == [2]


def test_a_table_without_its_columns_is_told_and_left_out() -> None:
    """The other tables are checked."""
    frames = {
        "questions": pl.LazyFrame({"id": [1]}),
        "pairs": pl.LazyFrame({"question_id": [1], "complement_id": ["2"]}),
    }
    (found,) = find_faults(frames)
    assert (found.code, found.count, found.examples) == ("wrong-schema", 2, ("pairs", "questions"))
