"""Understood once per wording, questions follow from each other as they do when each is read by itself."""

import numpy as np
import polars as pl
import pytest
from made_graphs import made_graphs

from eyechart.questions import Program
from eyechart.questions.asking import engine
from eyechart.questions.entailment import Entailer, Lexicon, Predicate, lexicon, opening, reading
from eyechart.questions.entailment.wordings import Wordings
from eyechart.questions.operations import Operation, read_operation
from eyechart.scenes.ontology import packaged_ontology

WORDS = Lexicon(packaged_ontology())
STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})


def as_it_stands(_words: Lexicon, operation: Operation, answer: str) -> opening.Opened:
    """Every word stays in its step."""
    return opening.Opened(operation, answer)


def test_blanks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    made, tables = engine(), made_graphs(12, seed=5)
    questions = made.ask(tables, made.count(tables)).questions
    with_blanks = Entailer(packaged_ontology())
    found = with_blanks.entail(questions)
    monkeypatch.setattr(reading, "opened", as_it_stands)
    without = Entailer(packaged_ontology())
    assert found.equals(without.entail(questions))
    assert found.height > questions.height
    # Which is why it is worth it.
    assert 3 * len(with_blanks.wordings) < len(without.wordings)


def test_batches_do_not_matter() -> None:
    made, tables = engine(), made_graphs(6, seed=6)
    questions = made.ask(tables, made.count(tables)).questions
    parts = [questions.filter(pl.col("image_id").cast(pl.Int64) % 2 == half) for half in (1, 0)]
    by_parts = Entailer(packaged_ontology())
    found = pl.concat([by_parts.entail(part) for part in parts]).sort(pl.all())
    assert found.equals(Entailer(packaged_ontology()).entail(questions).sort(pl.all()))


@pytest.mark.parametrize(
    ("operation", "argument", "answer", "expected"),
    [
        ("select", "apples", "", ("□a", "", ("apple",))),
        ("select", "she", "", ("she", "", ())),
        ("filter color", "not(red)", "", ("not(□a=color)", "", ("red",))),
        ("relate", "_,to the left of,s", "", ("_,□b,s", "", ("", "to the left of"))),
        ("relate", "cup,same color,_", "", ("□a,same color,_", "", ("cup", ""))),
        ("query", "name", "apples", ("name", "□a", ("apple",))),
        ("choose material", "wood|metal", "wooden", ("□a=material|□b=material", "□a=material", ("wood", "metal"))),
        ("choose rel", "cup,to the left of|to the right of,s", "right", ("thing,□a|□b,s", "□b", None)),
        ("choose name", "apple|fruit", "apple", ("apple|fruit", "apple", ())),
        ("at least", "3", "yes", ("3", "yes", ())),
    ],
)
def test_words_are_taken_out(
    operation: str, argument: str, answer: str, expected: tuple[str, str, tuple[str, ...] | None]
) -> None:
    found = opening.opened(WORDS, read_operation(operation, argument), answer)
    assert (found.operation.argument, found.answer) == expected[:2]
    assert expected[2] in {None, found.words}


def test_what_is_counted_is_written_in_one_order() -> None:
    said = Predicate("number", "2", "has □0a color False & is □0b  False")
    named, bare = lexicon.blanks(said)
    assert named == ("□0a", "□0b")
    assert lexicon.filled(bare, ("red", "cup")).type == "has red color False & is cup  False"
    assert lexicon.filled(bare._replace(type=" & ".join(bare.type.split(" & ")[::-1])), ("red", "cup")).type.startswith(
        "has"
    )


def test_a_program_that_cannot_be_is_told() -> None:
    broken = [{"operation": "query", "argument": "color", "dependencies": [4]}]
    rows = pl.DataFrame({"answer": ["red"], "program": [broken]}, schema_overrides={"program": pl.List(STEP)})
    with pytest.raises(Exception, match="found a dependency on step 4"):
        reading.Reader(Wordings(packaged_ontology())).read(rows, np.array([1]))


def test_a_step_that_is_no_operation_is_told() -> None:
    program = Program.parse("select: cup->exist: ? [0]").rows
    program[0]["operation"] = "pick"
    rows = pl.DataFrame({"answer": ["yes"], "program": [program]}, schema_overrides={"program": pl.List(STEP)})
    with pytest.raises(Exception, match="no operation is called 'pick'"):
        reading.Reader(Wordings(packaged_ontology())).read(rows, np.array([1]))
