"""Valid and plausible answers: closed questions have theirs, open ones what their groups have."""

import polars as pl

from eyechart.questions.answers import AnswerLists
from eyechart.questions.programs import Program
from eyechart.tables import TABLES

STEPS = TABLES["questions"].schema["program"]


def row(id_: str, program: str, answer: str, structural: str, *groups: str | None) -> dict[str, object]:
    return {
        "question_id": id_,
        "program": Program.parse(program).rows,
        "answer": answer,
        "structural": structural,
        "group_global": groups[0],
        "group_local": groups[1],
    }


def listed(rows: list[dict[str, object]]) -> dict[tuple[str, str], list[str]]:
    """The choices by question and origin."""
    questions = pl.DataFrame(rows, schema_overrides={"program": STEPS, "group_global": pl.String})
    found = AnswerLists.of(questions.lazy()).choices(questions)
    assert TABLES["choices"].conform(found).select("question_id", "position").is_duplicated().sum() == 0
    assert found.filter("is_target").group_by("question_id", "origin").len()["len"].to_list() == [1] * 2 * len(rows)
    lists = found.group_by("question_id", "origin", maintain_order=True).agg("choice")
    return {(id_, origin): choices for id_, origin, choices in lists.iter_rows()}


def test_open_questions() -> None:
    """Colours of everything are valid, colours of cups are plausible for cups."""
    color = "select: {} (1)->query: color [0]"
    found = listed(
        [
            row("a", color.format("cup"), "red", "query", "color", "10q-cup_color"),
            row("b", color.format("cup"), "blue", "query", "color", "10q-cup_color"),
            row("c", color.format("sky"), "gray", "query", "color", "10q-sky_color"),
        ]
    )
    assert found["a", "valid"] == ["blue", "gray", "red"]
    assert found["a", "plausible"] == ["blue", "red"]
    assert found["c", "plausible"] == ["gray"]


def test_closed_questions() -> None:
    """Yes and no; two values; two relations as one says them; a place of the same axis without a group."""
    side = "select: cup (1)->choose rel: jar,to the left of|to the right of,s (2) [0]"
    found = listed(
        [
            row("a", "select: cup (1)->exist: ? [0]", "yes", "verify", None, "03-cup"),
            row("b", "select: cup (1)->choose color: red|green [0]", "red", "choose", "color", "10c-cup_color"),
            row("c", side, "left", "choose", None, "13-cup_jar"),
            row("d", "select: cup (1)->query: hposition [0]", "right", "query", None, "10q-cup_hposition"),
            row("e", "select: jar (1)->query: hposition [0]", "left", "query", None, "10q-jar_hposition"),
        ]
    )
    assert found["a", "valid"] == found["a", "plausible"] == ["yes", "no"]
    assert found["b", "valid"] == ["red", "green"]
    assert found["c", "valid"] == ["left", "right"]
    assert found["d", "valid"] == ["left", "right"]
    assert found["d", "plausible"] == ["right"]
