"""Questions about graphs at random: the executor agrees with all, and each is what the contract of the engine says."""

from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from made_graphs import made_graphs

from eyechart.errors import UnknownNameError
from eyechart.questions.asking import SCENES, Engine, engine
from eyechart.questions.graph import SceneGraph
from eyechart.questions.interpret import interpret
from eyechart.questions.labels import labels
from eyechart.questions.operations import ChooseRelation, Relate, VerifyRelation
from eyechart.questions.plan.composing import Limits
from eyechart.questions.plan.rows import Asked
from eyechart.questions.programs import Program
from eyechart.questions.verify import faults
from eyechart.tables import TABLES

IMAGES = 20


@cache
def tables(images: int = IMAGES, *, complete: bool = True) -> Mapping[str, pl.DataFrame]:
    return made_graphs(images, seed=11, complete=complete)


@cache
def asked(images: int = IMAGES) -> Asked:
    made = engine()
    return made.ask(tables(images), made.count(tables(images)), seed=5)


def some(rows: pl.DataFrame, number: int = 2500) -> pl.DataFrame:
    """Rows spread over all groups."""
    group = pl.col("pattern").str.split("/").list.first()
    few = rows.filter(pl.int_range(pl.len()).over(group) < 30)
    return few.head(number)


def test_the_executor_agrees_with_everything() -> None:
    """Answers, unique references, no self-relations, on worlds that are known completely and on such that are not."""
    whole = asked().questions
    assert whole["pattern"].str.split("/").list.first().n_unique() > 100
    assert list(faults(some(whole), tables())) == []
    made = engine()
    rows = tables(IMAGES, complete=False)
    partly = made.ask(rows, made.count(rows), seed=6).questions
    assert list(faults(some(partly, 1500), rows)) == []
    # Of what is not known completely nothing is denied or counted.
    assert partly.filter(pl.col("detailed").is_in(["existC", "count"])).height == 0


def test_a_wrong_answer_is_found() -> None:
    """The verifier would see a wrong answer, an ambiguous reference and a thing related to itself."""
    row = asked().questions.filter(pl.col("detailed") == "directOf").head(1)
    wrong = row.with_columns(answer=pl.lit("octarine"))
    assert ["the answer is" in each.reason for each in faults(wrong, tables())] == [True]
    related = asked().questions.filter(pl.col("detailed") == "relVerify").head(1)
    steps = related["program"].item().to_list()
    subject = Program.read(steps).referents[-2]
    assert subject is not None
    steps[-1]["argument"] = steps[-1]["argument"].rpartition("(")[0] + f"({subject[0]})"
    step = TABLES["questions"].schema["program"]
    itself = related.with_columns(program=pl.Series([steps], dtype=step))
    assert any("to itself" in each.reason for each in faults(itself, tables()))


def test_rows_fit_their_tables() -> None:
    """Ids are unique, texts are asked once per picture, nothing is empty."""
    found = asked()
    questions = TABLES["questions"].conform(found.questions)
    assert questions["question_id"].n_unique() == questions.height
    assert questions.select("image_id", "question").n_unique() == questions.height
    needed = ("question", "answer", "full_answer", "pattern", "program", "structural", "semantic", "detailed")
    assert questions.select(needed).null_count().row(0) == (0,) * len(needed)
    assert questions.filter(~pl.col("question").str.contains(r"^[A-Z0-9].*\?$")).height == 0
    assert questions.filter(~pl.col("full_answer").str.contains(r"^[A-Z0-9].*\.$")).height == 0
    assert questions.filter(pl.col("question").str.contains(r"  | \?|\bnull\b|[{}]")).height == 0


def test_no_open_question_tells_its_answer() -> None:
    """Neither in words nor by the attribute type of a reference."""
    for row in asked().questions.filter(pl.col("structural") == "query").iter_rows(named=True):
        assert f" {row['answer']} " not in f" {row['question'].lower().rstrip('?')} "
        program = Program.read(row["program"])
        if program.last.argument not in {"name", ""}:
            kinds = {step.operation.operation for step in program.steps[-2:-1]}
            assert f"filter {program.last.argument}" not in kinds


def test_nothing_is_related_to_itself() -> None:
    """No step relates a thing to itself, in no question."""
    for rows in asked().questions["program"].to_list():
        program = Program.read(rows)
        for step in program.steps:
            if isinstance(step.operation, Relate | VerifyRelation | ChooseRelation):
                own = set(step.operation.related.ids or ())
                assert not own & set(program.referents[step.dependencies[0]] or ())


def test_labels_follow_from_programs() -> None:
    """Types and groups over columns are what is derived from each program alone."""
    for row in some(asked().questions).iter_rows(named=True):
        program = Program.read(row["program"])
        derived = [labels(program, row["answer"], names=names) for names in (None, _names(row["image_id"]))]
        assert {(row["structural"], row["semantic"])} == {(each.structural, each.semantic) for each in derived}
        assert row["detailed"] in derived[0].detailed
        assert row["group_local"] in {each.group_local for each in derived}, str(program)
        assert row["group_global"] in {each.group_global for each in derived}, str(program)


@cache
def _names(image: str) -> dict[str, str]:
    made = engine()
    rows = tables()["objects"].filter(image_id=image)
    return {
        id_: made.codes.kinds[place]
        for id_, name in rows.select("object_id", "name").iter_rows()
        if (place := made.codes.kind_of(name)) is not None
    }


def test_mentions_are_the_words_that_name_things() -> None:
    """A mention's words end with a word for its thing, and the program speaks of that thing or answers with it."""
    found = asked()
    texts = found.questions.select("question_id", "image_id", "question", "answer", "full_answer")
    rows = found.mentions.sample(4000, seed=1).join(texts, on="question_id")
    codes = engine().codes
    for row in rows.iter_rows(named=True):
        first, _, end = row["words"].partition(":")
        words = row[row["where"]].split(" ")[int(first) : int(end or int(first) + 1)]
        said = " ".join(words).strip("?.,").lower()
        name = _names(row["image_id"])[row["object_id"]]
        nouns = {name, *codes.ontology.ancestors(name)}
        known = codes.ontology.nouns
        forms = {form for each in nouns for form in (each, known[each].plural if each in known else each)}
        forms |= {each.phrase for each in codes.ontology.categories.values() if each.name in nouns and each.phrase}
        pronouns = {
            "he",
            "she",
            "they",
            "it",
            "him",
            "her",
            "them",
            "one",
            "ones",
            "who",
            "this",
            "that",
            "those",
            "these",
        }
        assert any(said == form or said.endswith(form) for form in forms | pronouns) or row["where"] != "question", row


def test_order_of_rows_makes_no_difference() -> None:
    """Shuffled tables give the same rows."""
    made = engine()
    shuffled = {name: rows.sample(fraction=1, shuffle=True, seed=2) for name, rows in tables().items()}
    again = made.ask(shuffled, made.count(shuffled), seed=5)
    columns = ["question_id", "question", "answer", "full_answer", "program"]
    for found in (asked().questions, again.questions):
        assert found.height
    assert asked().questions.select(columns).sort(columns[0]).equals(again.questions.select(columns).sort(columns[0]))


def test_a_picture_alone_is_asked_the_same() -> None:
    """What is asked about a picture depends on it and on the counts of the whole, not on the others beside it."""
    made, tallies = engine(), engine().count(tables())
    for image in ("0",):
        alone = {name: rows.filter(image_id=image) for name, rows in tables().items()}
        found = made.ask(alone, tallies, seed=5).questions
        assert found.equals(asked().questions.filter(image_id=image))


def test_a_further_pattern_takes_only_what_it_wins(tmp_path: Path) -> None:
    """With one more way to ask, every question is as before or asked in the new way."""
    words = tmp_path / "english"
    words.mkdir()
    (words / "mine.toml").write_text('[directOf]\nask = ["I would like to know the {t} of {o}?"]\n')
    made = engine(patterns=(str(tmp_path),))
    more = made.ask(tables(), made.count(tables()), seed=5).questions
    before = set(asked().questions.select("image_id", "question", "full_answer").iter_rows())
    new = [row for row in more.select("image_id", "question", "full_answer").iter_rows() if row not in before]
    assert new
    assert all(question.startswith("I would like to know") for _, question, _ in new)


def test_limits() -> None:
    """A share of all facts, and so many per picture at most; what stays is what would be there anyway."""
    tallies = engine().count(tables())
    few = engine(limits=Limits(per_image=20)).ask(tables(), tallies, seed=5).questions
    assert max(few.group_by("image_id").len()["len"]) <= 20
    ids = set(asked().questions["question_id"])
    assert sum(each in ids for each in few["question_id"]) > 0.99 * few.height
    half = engine(limits=Limits(rate=0.5)).ask(tables(), tallies, seed=5).questions
    assert 0.4 < half.height / asked().questions.height < 0.6


def test_another_seed_asks_differently() -> None:
    """Decoys, references and words are drawn anew."""
    other = engine().ask(tables(), engine().count(tables()), seed=6).questions
    same = set(other["question_id"]) & set(asked().questions["question_id"])
    assert len(same) < 0.6 * other.height


def test_groups_come_with_both_answers() -> None:
    """Whoever asks for yes also asks for no."""
    answers = asked().questions.filter(pl.col("answer").is_in(["yes", "no"]))
    for structural in ("verify", "logical", "compare"):
        found = Counter(answers.filter(structural=structural)["answer"])
        assert min(found["yes"], found["no"]) > 50, structural


def test_ledger_and_coverage_add_up() -> None:
    """Facts are asked or refused, each once; what is covered is what stands in the questions."""
    found = asked()
    ledger = found.ledger.rows
    for (group,), rows in ledger.partition_by("group", as_dict=True).items():
        counts = dict(rows.select("reason", "count").iter_rows())
        rest = sum(count for reason, count in counts.items() if reason != "facts")
        assert counts["facts"] == rest, group
    coverage = found.coverage
    assert coverage.select("what", "name").n_unique() == coverage.height
    patterns = dict(coverage.filter(what="pattern").select("name", "count").iter_rows())
    assert patterns == dict(found.questions["pattern"].value_counts().iter_rows())
    assert {"red", "blue"} <= set(coverage.filter(what="attribute")["name"])


def test_unknown_language() -> None:
    """A slip is answered with the nearest name."""
    with pytest.raises(UnknownNameError, match="did you mean 'english'"):
        engine("englsh")


def test_no_objects() -> None:
    """Pictures of which nothing is known are asked nothing, or about the scene alone."""
    empty = {name: rows.clear() for name, rows in tables().items()} | {"images": tables()["images"]}
    made: Engine = engine()
    found = made.ask(empty, made.count(empty)).questions
    assert set(found["semantic"]) <= {"global"}
    nothing = {name: rows.clear() for name, rows in tables().items()}
    assert made.ask(nothing, made.count(nothing)).questions.height == 0


def test_every_no_has_a_witness() -> None:
    """A no is proved: by an absent kind, another value, a relation that cannot hold as well."""
    graphs: dict[str, SceneGraph] = {}
    named = {name: tables()[name] for name in SCENES}
    denied = some(asked().questions.filter(answer="no", structural="verify"), 400)
    for row in denied.iter_rows(named=True):
        graph = graphs.setdefault(row["image_id"], SceneGraph.from_tables(row["image_id"], named))
        proof = interpret(Program.read(row["program"]), graph)
        assert proof.answer == "no"
