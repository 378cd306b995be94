"""What is told of a benchmark, against counts made by hand."""

import math
from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.analysis import DESCRIPTIONS, Result, describe, describe_both
from eyechart.analysis.descriptions.captions import ks_statistic
from eyechart.analysis.views import Views, words
from eyechart.tables import TABLES

QUESTIONS = [
    ("1", "a", "What color is the cat?", "what color is the", "red"),
    ("2", "a", "What color is the dog?", "what color is the", "red"),
    ("3", "b", "What is on the table?", "what is", "cup"),
    ("4", "b", "Is it red?", "is it", "yes"),
    ("5", "c", "Is it a cat?", "is it", "no"),
]


def questions() -> pl.DataFrame:
    """Five questions about three pictures."""
    columns = ("question_id", "image_id", "question", "question_type", "answer")
    return TABLES["questions"].conform(pl.DataFrame(QUESTIONS, schema=dict.fromkeys(columns, pl.String), orient="row"))


def answers() -> pl.DataFrame:
    """Four people who see the picture, and two who do not."""
    seen = [
        (q, str(worker), said, sure, "image")
        for q, *_, right in QUESTIONS
        for worker, (said, sure) in enumerate([(right, "yes")] * 3 + [("blue", "no")])
    ]
    blind = [(q, str(worker), "no", "maybe", "nothing") for q, *_ in QUESTIONS for worker in range(2)]
    columns = ("question_id", "worker_id", "answer", "confidence", "shown")
    return TABLES["answers"].conform(pl.DataFrame(seen + blind, schema=dict.fromkeys(columns, pl.String), orient="row"))


def told(name: str, **tables: pl.DataFrame) -> Result:
    """The one result of a description."""
    (found,) = describe({table: rows.lazy() for table, rows in tables.items()}, names=[name])
    assert found.absent is None, found.absent
    return found.results[0]


def test_first_words_are_counted_along_paths() -> None:
    """Each row is a path of first words; sums of paths are counts of beginnings."""
    rows = told("first-words", questions=questions()).rows
    assert dict(rows.group_by("word_1").agg(pl.col("questions").sum()).iter_rows()) == {"what": 3, "is": 2}
    assert rows.filter(word_1="what", word_2="color")["questions"].sum() == 2


def test_rare_beginnings_are_drawn_together() -> None:
    """One question among a thousand has no arc of its own, but still counts."""
    asked = ["What is it?"] * 999 + ["Zebras like grass here?"]
    table = pl.DataFrame({"question_id": [str(n) for n in range(1000)], "question": asked})
    rows = told("first-words", questions=TABLES["questions"].conform(table)).rows
    assert rows["questions"].sum() == 1000
    assert "zebras" not in rows["word_1"].to_list()
    assert rows.filter(word_1="…").row(0) == ("…", None, None, None, 1)


def test_a_prefix_keeps_only_its_questions() -> None:
    """After "what color", the rings begin with what follows."""
    (found,) = describe({"questions": questions().lazy()}, names=["first-words"], prefix="What color")
    rows = found.results[0].rows
    assert rows["questions"].sum() == 2
    assert rows["word_1"].unique().to_list() == ["is"]


def test_lengths_are_counted_in_words() -> None:
    """Punctuation is not part of a word, an apostrophe is."""
    assert pl.select(words(pl.lit("Isn't  this: the dog's bed?"))).item().to_list() == [
        "isn't",
        "this",
        "the",
        "dog's",
        "bed",
    ]
    rows = told("question-length", questions=questions()).rows
    assert dict(rows.select("words", "questions").iter_rows()) == Counter({5: 3, 3: 1, 4: 1})


def test_answers_by_kind_are_those_of_people_who_see() -> None:
    """Blind answers have a figure of their own."""
    seen = told("answers-by-kind", questions=questions(), answers=answers()).rows
    blind = told("answers-by-kind-blind", questions=questions(), answers=answers()).rows
    assert seen.filter(kind="what color is the", answer="red")["share"].item() == 0.75
    assert set(blind["answer"]) == {"no"}


def test_shares_of_kinds_of_answers() -> None:
    """Of 20 answers, 3 are yes and 3 are no."""
    result = told("answer-kinds", questions=questions(), answers=answers())
    assert dict(result.rows.select("kind", "times").iter_rows()) == {"yes/no": 6, "other": 14}
    assert result.title == "30% of answers are yes or no; of these 50% say yes"


def test_coverage_is_the_share_of_given_answers() -> None:
    """The most frequent answer of 20 was given six times."""
    rows = told("answer-coverage", questions=questions(), answers=answers()).rows
    assert rows["share"][0] == pytest.approx(6 / 20)
    assert rows["share"][-1] == pytest.approx(1)


def test_endings_count_what_is_answered() -> None:
    """Only questions that begin with what is; the ending is the last word."""
    rows = told("what-is-endings", questions=questions()).rows
    assert rows.select("ending", "answer", "share").rows() == [("table", "cup", 1.0)]


@given(
    st.lists(st.tuples(st.sampled_from("xyz"), st.sampled_from(["red", "blue", "cat", "2"])), min_size=1, max_size=40)
)
def test_entropy_is_shannons(pairs: list[tuple[str, str]]) -> None:
    """Against the formula written out: H = -sum p log2 p within each group."""
    table = pl.DataFrame(
        {
            "question_id": [str(n) for n in range(len(pairs))],
            "group_global": [g for g, _ in pairs],
            "answer": [a for _, a in pairs],
        }
    )
    rows = told("answer-entropy", questions=TABLES["questions"].conform(table)).rows
    for group, entropy in rows.select("group", "entropy").iter_rows():
        counts = Counter(answer for name, answer in pairs if name == group)
        literal = -sum(n / counts.total() * math.log2(n / counts.total()) for n in counts.values())
        assert entropy == pytest.approx(literal, abs=1e-12)


def test_people_with_and_without_the_picture() -> None:
    """Three of four agree; whoever sees nothing says no, which is right by nobody but in one question."""
    rows = told("human-accuracy", questions=questions(), answers=answers()).rows
    shown = dict(rows.filter(answer_type="all").select("shown", "accuracy").iter_rows())
    # Each of three finds two others: 2/3; the fourth finds nobody.
    assert shown["question and picture"] == pytest.approx(3 / 4 * 2 / 3)
    # Of the five questions, one has the answer no, from three of four: 1 when the fourth is left out, else 2/3.
    assert shown["question alone"] == pytest.approx((1 + 3 * 2 / 3) / 4 / 5)


def test_judgements_by_the_majority() -> None:
    """Two of three say 5-8; the younger of equally frequent groups counts."""
    judged = [("1", "3-4", True), ("1", "5-8", True), ("1", "5-8", False), ("2", "3-4", False), ("2", "18+", False)]
    table = pl.DataFrame(
        [(q, str(n), sense, age) for n, (q, age, sense) in enumerate(judged)],
        schema={
            "question_id": pl.String,
            "worker_id": pl.String,
            "needs_commonsense": pl.Boolean,
            "youngest_age": pl.String,
        },
        orient="row",
    )
    judgements = TABLES["judgements"].conform(table)
    ages = told("age", questions=questions(), judgements=judgements)
    assert ages.rows.select("youngest_age", "questions").rows() == [("3-4", 1), ("5-8", 1)]
    sense = told("commonsense", questions=questions(), judgements=judgements)
    assert sense.rows.select("said", "questions").rows() == [("0 of 2", 1), ("2 of 3", 1)]


def test_kinds_by_age_and_common_sense() -> None:
    """Two questions about colours need 3.5 and 6.5 years, one of two judges asks for common sense."""
    judged = [("1", "3-4", True), ("2", "5-8", False), ("4", "18+", True), ("5", "18+", True)]
    schema = ["question_id", "youngest_age", "needs_commonsense"]
    table = TABLES["judgements"].conform(
        pl.DataFrame(judged, schema=schema, orient="row").with_columns(worker_id=pl.lit("w"))
    )
    ages = told("age-by-kind", questions=questions(), judgements=table)
    assert ages.rows.select("kind", "age").rows() == [("is it", 21.0), ("what color is the", 5.0)]
    sense = told("sense-by-kind", questions=questions(), judgements=table)
    assert sense.rows.select("kind", "commonsense").rows() == [("is it", 1.0), ("what color is the", 0.5)]
    # Ranks 1, 2, 3.5, 3.5 of age and 3, 1, 3, 3 of common sense: 1 / sqrt(4.5 * 3).
    assert "0.27 among questions" in sense.about


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_kolmogorov_smirnov_is_the_largest_gap(one: list[int], other: list[int]) -> None:
    """The largest difference of the two distribution functions, at any value."""
    literal = max(abs(sum(x <= v for x in one) / len(one) - sum(x <= v for x in other) / len(other)) for v in range(6))
    distance, p = ks_statistic(pl.Series(one), pl.Series(other))
    assert distance == pytest.approx(literal)
    assert 0 <= p <= 1


def test_kolmogorov_smirnov_p_value_of_tables() -> None:
    """The limit distribution at 1.3581 is 0.95 (the value of every table)."""
    n = 20_000
    apart = 1.3581 / math.sqrt(n / 2)
    one = pl.Series(range(n))
    shifted = one + round(apart * n)
    assert ks_statistic(one, shifted)[1] == pytest.approx(0.05, abs=2e-3)


def test_captions_have_other_words() -> None:
    """A word that only captions use is theirs."""
    captions = pl.DataFrame(
        {"caption_id": list("123456"), "image_id": ["a"] * 6, "caption": ["A man walks along the street."] * 6}
    )
    table = TABLES["captions"].conform(captions)
    nouns = told("captions-nouns", questions=questions(), captions=table).rows
    assert nouns.filter(word="street")["place"].item() == "captions"
    # Two nouns a caption.
    assert nouns.filter(word="street")["share"].item() == 1 / 2
    assert told("captions-verbs", questions=questions(), captions=table).rows.filter(place="captions")[
        "word"
    ].to_list() == ["walks"]
    places = told("captions-prepositions", questions=questions(), captions=table).rows
    assert places.filter(word="along", of="captions")["share"].item() == 1.0


def test_scenes_are_counted_by_category() -> None:
    """Two cats and a cup: two of three things are animals."""
    objects = pl.DataFrame({"image_id": ["a"] * 3, "object_id": ["1", "2", "3"], "name": ["cat", "Cats", "cup"]})
    rows = told("frequent-categories", objects=TABLES["objects"].conform(objects)).rows
    assert dict(rows.select("category", "times").iter_rows())["animal"] == 2


def test_words_of_scenes_leave_out_sides() -> None:
    """Shares are of all mentions; left and right are not shown."""
    objects = pl.DataFrame({"image_id": ["a"] * 3, "object_id": ["1", "2", "3"], "name": ["cat", "Cat", "cup"]})
    relations = pl.DataFrame(
        {
            "image_id": ["a"] * 2,
            "subject_id": ["1", "1"],
            "predicate": ["to the left of", "on"],
            "object_id": ["2", "3"],
        }
    )
    tables = {"objects": TABLES["objects"].conform(objects), "relations": TABLES["relations"].conform(relations)}
    rows = told("scene-words", **tables).rows
    assert rows.select("word", "of", "share").rows() == [
        ("cat", "objects", 2 / 3),
        ("cup", "objects", 1 / 3),
        ("on", "relations", 1 / 2),
    ]


def test_entropy_without_groups_is_by_kind() -> None:
    """Where questions have no group and people's answers alone, kinds and most frequent answers stand in."""
    rows = told("answer-entropy", questions=questions().with_columns(answer=None), answers=answers()).rows
    assert dict(rows.select("group", "entropy").iter_rows()) == {"is it": 1.0, "what color is the": 0.0, "what is": 0.0}


def test_side_by_side() -> None:
    """Balanced answers carry more information, and every question of the balanced set is also in the whole."""
    kept = questions().filter(pl.col("question_id") != "1")
    results = {
        each.name: each.results for each in describe_both({"questions": kept.lazy()}, {"questions": questions().lazy()})
    }
    covered = dict(results["covered"][0].rows.iter_rows())
    assert covered["question texts here that are also there"] == 1
    assert covered["question texts there that are also here"] == 4 / 5
    sizes = {what: (one, other) for what, one, other in results["head-to-head"][0].rows.iter_rows()}
    assert sizes["questions"] == (4, 5)


def test_reasoning_and_parts_of_speech_side_by_side() -> None:
    """Of two programs, one relates in space and has three steps; two nouns in three words of content."""
    steps = [
        [("select", "dog (1)"), ("relate", "cup,to the left of,s (2)"), ("query", "name")],
        [("select", "dog (1)"), ("verify color", "red")],
    ]
    programs = [[{"operation": o, "argument": a, "dependencies": []} for o, a in each] for each in steps]
    table = TABLES["questions"].conform(
        pl.DataFrame(
            {
                "question_id": ["1", "2"],
                "question": ["What is near the dog?", "Is the dog red?"],
                "structural": ["query", "verify"],
                "program": programs,
            }
        )
    )
    (sizes,) = next(
        each.results for each in describe_both({"questions": table.lazy()}, {"questions": questions().lazy()})
    )
    told = {what: (one, other) for what, one, other in sizes.rows.iter_rows()}
    shares = {kind: told[f"share of {kind} questions"] for kind in ("relation", "spatial", "logical", "compositional")}
    assert shares == {
        "relation": (0.5, None),
        "spatial": (0.5, None),
        "logical": (0.0, None),
        "compositional": (0.5, None),
    }
    assert told["nouns per question"][0] == 1.0
    assert told["adjectives per question"][0] == 0.5


def test_what_cannot_be_told_has_a_reason() -> None:
    """An empty benchmark tells nothing, and says why."""
    assert all(each.absent for each in describe({}))
    assert all(each.absent for each in describe({"questions": TABLES["questions"].empty().lazy()}))


def test_names_of_results_are_those_of_their_descriptions() -> None:
    """A figure is found by the name that made it."""
    views = {"questions": questions().lazy(), "answers": answers().lazy()}
    for each in describe(views):
        assert [result.name for result in each.results] in ([each.name], []), each.name
    assert Views(views).reference.height == len(QUESTIONS)
    assert list(DESCRIPTIONS) == [description.name for description in DESCRIPTIONS.values()]
