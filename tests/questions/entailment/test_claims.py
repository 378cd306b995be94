"""What follows from what, a rule of the published catalogue at a time; and what does not."""

import json
from pathlib import Path

import polars as pl
import pytest

from eyechart.questions import Program
from eyechart.questions.entailment import Entailer
from eyechart.scenes import ontology

STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
ENTAILER = Entailer(ontology.packaged_ontology())
Said = tuple[str, str]


def rule(premise: Said, conclusion: Said) -> str | None:
    """By which rule the one follows from the other."""
    rows = [
        {"question_id": str(place), "image_id": "1", "answer": answer, "program": Program.parse(program).rows}
        for place, (program, answer) in enumerate((premise, conclusion))
    ]
    found = ENTAILER.entail(pl.DataFrame(rows, schema_overrides={"program": pl.List(STEP)}))
    hits = found.filter(pl.col("question_id") == "0", pl.col("entailed_id") == "1", pl.col("rule") != "equivalent")
    return hits["rule"].item() if hits.height else None


RED, GREEN = "select: apple (7)->verify color: red [0]", "select: apple (7)->verify color: green [0]"
COLOR, CHOICE = "select: apple (7)->query: color [0]", "select: apple (7)->choose color: red|green [0]"
APPLE, RED_APPLE = "select: apple (7)->exist: ? [0]", "select: apple (7)->filter color: red [0]->exist: ? [1]"
NOT_GREEN = "select: apple (7)->filter color: not(green) [0]->exist: ? [1]"
NO_RED = "select: apple (-)->filter color: red [0]->exist: ? [1]"
ON, HOLDS = "select: table (3)->relate: apple,on,s (7) [0]", "select: boy (1)->relate: cup,holding,o (2) [0]"
BESIDE = "select: apple (7)->verify rel: cup,{},s (8) [0]"
BOTH = "select: apple (7)->verify color: red [0]->verify size: large  [0]->and:  [1, 2]"
OLDER = "select: man (1)->select: boy (2)->choose {}:  [0, 1]"
SAME, DIFFERENT = (f"select: cup (1)->select: plate (2)->{word} color:  [0, 1]" for word in ("same", "different"))


@pytest.mark.parametrize(
    ("premise", "conclusion"),
    [
        ((COLOR, "red"), (RED, "yes")),
        ((COLOR, "red"), (GREEN, "no")),
        ((COLOR, "red"), (CHOICE, "red")),
        ((RED, "yes"), (GREEN, "no")),
        ((GREEN, "no"), (CHOICE, "red")),
        ((RED, "no"), (BOTH, "no")),
        ((BOTH, "yes"), (RED, "yes")),
        ((CHOICE, "red"), (RED, "yes")),
        ((RED_APPLE, "yes"), (APPLE, "yes")),
        ((RED_APPLE, "yes"), (NOT_GREEN, "yes")),
        ((NOT_GREEN, "yes"), (APPLE, "yes")),
        (("select: apple (-)->exist: ? [0]", "no"), (NO_RED, "no")),
        (
            ("select: apple (-)->exist: ? [0]", "no"),
            ("select: table (3)->relate: apple,on,s (-) [0]->exist: ? [1]", "no"),
        ),
        ((f"{APPLE}->select: cup (-)->exist: ? [2]->or:  [1, 3]", "no"), ("select: cup (-)->exist: ? [0]", "no")),
        ((f"{APPLE}->select: cup (8)->exist: ? [2]->and:  [1, 3]", "yes"), (APPLE, "yes")),
        ((APPLE, "yes"), (f"{APPLE}->select: cup (-)->exist: ? [2]->or:  [1, 3]", "yes")),
        ((f"{ON}->exist: ? [1]", "yes"), (APPLE, "yes")),
        ((f"{ON}->query: name [1]", "apple"), (f"{ON}->exist: ? [1]", "yes")),
        ((f"{HOLDS}->query: name [1]", "cup"), ("select: boy (1)->verify rel: cup,holding,o (2) [0]", "yes")),
        ((f"{HOLDS}->query: name [1]", "cup"), (f"{HOLDS}->choose name: cup|pear [1]", "cup")),
        (("select: fruit (7)->query: name [0]", "apple"), (APPLE, "yes")),
        ((BESIDE.format("to the left of"), "yes"), (BESIDE.format("to the right of"), "no")),
        (
            (BESIDE.format("to the left of"), "yes"),
            ("select: cup (8)->verify rel: apple,to the right of,s (7) [0]", "yes"),
        ),
        (
            (BESIDE.format("to the right of"), "no"),
            ("select: apple (7)->choose rel: cup,to the left of|to the right of,s (8) [0]", "left"),
        ),
        (
            ("select: apple (7)->choose rel: cup,to the left of|to the right of,s (8) [0]", "left"),
            (BESIDE.format("to the left of"), "yes"),
        ),
        ((SAME, "yes"), (DIFFERENT, "no")),
        ((DIFFERENT, "yes"), (SAME, "no")),
        (("select: cup (1)->select: plate (2)->common:  [0, 1]", "color"), (SAME, "yes")),
        (("select: person (1,2)->same: gender [0]", "yes"), ("select: person (1,2)->different: gender [0]", "no")),
        ((OLDER.format("older"), "man"), (OLDER.format("younger"), "boy")),
        (("select: scene->query: place [0]", "beach"), ("select: scene->verify place: beach [0]", "yes")),
        (("select: cup (1,2,3)->count: ? [0]", "3"), ("select: cup (1,2,3)->at least: 2 [0]", "yes")),
        (("select: cup (1,2,3)->count: ? [0]", "3"), ("select: cup (1,2,3)->exactly: 4 [0]", "no")),
        (("select: cup (1,2,3)->count: ? [0]", "3"), ("select: cup (1,2,3)->exist: ? [0]", "yes")),
        (("select: cup (-)->exist: ? [0]", "no"), ("select: cup (-)->count: ? [0]", "0")),
        (
            ("select: cup (1,2)->all color: red [0]", "yes"),
            ("select: cup (1,2)->filter color: red [0]->exist: ? [1]", "yes"),
        ),
    ],
)
def test_what_follows(premise: Said, conclusion: Said) -> None:
    """The direct rules that are sound."""
    assert rule(premise, conclusion)


@pytest.mark.parametrize(
    ("premise", "conclusion"),
    [
        ((RED, "yes"), (COLOR, "red")),  # it may be maroon
        ((COLOR, "red"), ("select: apple (7)->verify color: maroon [0]", "no")),  # the two are hardly told apart
        (("select: shirt (1)->query: pattern [0]", "striped"), ("select: shirt (1)->verify pattern: floral [0]", "no")),
        (
            ("select: apple (-)->filter color: not(red) [0]->exist: ? [1]", "no"),
            ("select: apple (-)->filter color: red [0]->exist: ? [1]", "no"),
        ),
        ((APPLE, "yes"), (RED_APPLE, "yes")),
        ((COLOR, "red"), ("select: apple (8)->verify color: red [0]", "yes")),
        ((BESIDE.format("on"), "yes"), ("select: cup (8)->verify rel: apple,on,s (7) [0]", "no")),
        ((OLDER.format("older"), "man"), ("select: man (1)->verify rel: boy,older than,o (2) [0]", "yes")),
        (("select: cup (1,2,3)->at least: 2 [0]", "yes"), ("select: cup (1,2,3)->count: ? [0]", "3")),
        (("select: apple (7)->choose name: apple|apple slice [0]", "apple"), (APPLE, "no")),
    ],
)
def test_what_does_not_follow(premise: Said, conclusion: Said) -> None:
    """What published rules conclude without their side conditions, and what nobody would."""
    assert rule(premise, conclusion) is None


def test_the_puppy_is_the_dog() -> None:
    """An answer may name a thing more exactly than the question does."""
    asked = "select: dog (1)->select: woman (2)->choose {}:  [0, 1]"
    assert rule((asked.format("younger"), "puppy"), (asked.format("older"), "woman"))


@pytest.mark.real_data
def test_published_entailments(real_data: Path) -> None:
    """Of 379 published entailments among a thousand questions 373 are found; the others take black to be just black."""
    asked = json.loads((real_data / "gqa" / "questions.json").read_text())
    rows = [
        {"question_id": key, "image_id": each["imageId"], "answer": each["answer"], "program": each["semantic"]}
        for key, each in asked.items()
    ]
    found = ENTAILER.entail(pl.DataFrame(rows, schema_overrides={"program": pl.List(STEP)}))
    given = {(key, other) for key, each in asked.items() for other in each["entailed"] if other in asked}
    missing = given - set(found.select("question_id", "entailed_id").iter_rows())
    assert (len(given), len(missing)) == (379, 6)
    assert {(asked[one]["types"]["detailed"], asked[other]["types"]["semantic"]) for one, other in missing} == {
        ("verifyAttrs", "attr")
    }
