"""A person's word counts: changes rejected, others made, kinds marked as complete; mistakes in the file are told."""

import re
from pathlib import Path

import polars as pl
import pytest
from graphs_by_hand import clean, edges, facts, graph, names, rules, together
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.scenes.normalize import ADDED, REJECTED, Edits, check_edits, load_edits, packaged_vocabulary
from eyechart.scenes.normalize import unused_rejections as unused

HEADER = "action,image,what,object,other,was,became,rule,change,note\n"


def edits(tmp_path: Path, *lines: str) -> Edits:
    """The edits of a file with these lines."""
    file = tmp_path / "edits.csv"
    file.write_text(HEADER + "\n".join(lines), encoding="utf-8")
    return load_edits(file)


RAW = graph(
    [("a", "Mouse", (10.0, 10.0, 20.0, 20.0)), ("b", "mouse", (10.0, 10.0, 20.0, 20.0)), ("c", "xyzzy")],
    [("a", "tall"), ("a", "short")],
    [("a", "ON", "c")],
)


def test_a_change_is_rejected_by_its_id(tmp_path: Path) -> None:
    """Only that one; it stays in the ledger as a row that changes nothing, with the line that did it."""
    merged = clean(RAW)["changes"].filter(rule="duplicate").row(0, named=True)
    cleaned = clean(RAW, edits=edits(tmp_path, f"reject,1,,,,,,,{merged['change_id']},two of them"))
    assert sorted(names(cleaned)) == ["a", "b"]
    told = cleaned["changes"].filter(rule=REJECTED).select("was", "became", "other_id", "why").rows()
    assert told == [("mouse", "mouse", None, "duplicate, by line 2")]


def test_changes_are_rejected_by_what_they_look_like(tmp_path: Path) -> None:
    """A rule as a whole; a rule for one kind; in one picture."""
    both = together(RAW, graph([("a", "dog"), ("b", "dog")], [("a", "tall"), ("a", "short")], image="2"))
    assert facts(clean(RAW, edits=edits(tmp_path, "reject,,,,,,,contradiction,,"))) == {("a", "tall"), ("a", "short")}
    one = clean(both, edits=edits(tmp_path, "reject,2,attribute,,,,,contradiction,,"))
    assert one["attributes"].select("image_id", "attribute").rows() == [("2", "tall"), ("2", "short")]
    none = clean(RAW, edits=edits(tmp_path, "reject,,object,,,,cat,,,"))
    assert names(none) == names(clean(RAW))


def test_what_follows_from_a_rejected_change_does_not_happen(tmp_path: Path) -> None:
    """A thing that is not dropped keeps its relations."""
    kept = clean(RAW, edits=edits(tmp_path, "reject,1,object,c,,xyzzy,,,,"))
    assert names(kept)["c"] == "xyzzy"
    assert ("a", "on", "c") in edges(kept) | edges(clean(RAW))
    assert not kept["changes"].filter(rule="went along").height


def test_a_person_adds(tmp_path: Path) -> None:
    """A name, an attribute, a relation, a place, weather; a fact is taken away or changed."""
    cleaned = clean(
        RAW,
        edits=edits(
            tmp_path,
            "add,1,object,c,,,kettle,,,",
            "add,1,attribute,c,,,red,,,",
            "add,1,attribute,a,,tall,,,,not at all",
            "add,1,relation,c,a,,behind,,,",
            "add,1,relation,a,c,ON,under,,,",
            "add,1,location,,,,kitchen,,,",
            "add,1,weather,,,,rainy,,,",
        ),
    )
    assert names(cleaned)["c"] == "kettle"
    assert facts(cleaned) == {("c", "red"), ("a", "short")}
    assert {("c", "behind", "a"), ("a", "under", "c")} <= edges(cleaned)
    assert ("a", "on", "c") not in edges(cleaned)
    assert cleaned["images"].select("location", "weather").row(0) == ("kitchen", "rainy")
    assert ("tall", None, ADDED) in rules(cleaned, "attribute")
    assert "line 4: not at all" in cleaned["changes"].filter(rule=ADDED)["why"]


def test_no_rule_takes_an_addition_back(tmp_path: Path) -> None:
    """Neither rarity, nor categories, nor the context, nor contradictions."""
    office = graph([("a", "mouse"), ("b", "keyboard"), ("c", "computer monitor"), ("d", "desk"), ("e", "printer")])
    said = edits(
        tmp_path,
        "add,1,object,a,,,mouse,,,a real one",
        "add,1,attribute,d,,,asleep,,,",
        "add,1,relation,d,e,,drinking,,,",
    )
    assert names(clean(office, edits=said, rare=0.3)) == {"a": "mouse"}
    cleaned = clean(office, edits=said)
    assert names(cleaned)["a"] == "mouse"
    assert facts(cleaned) == {("d", "asleep")}
    assert edges(cleaned) == {("d", "drinking", "e")}


def test_complete_kinds(tmp_path: Path) -> None:
    """Everywhere or in one picture, by a name or a category."""
    both = together(graph([("a", "dog")]), graph([("a", "cat")], image="2"))
    cleaned = clean(both, edits=edits(tmp_path, "complete,,,,,,dogs,,,", "complete,2,,,,,animal,,,"))
    assert sorted(cleaned["inventories"].rows()) == [
        ("1", "dog", "people"),
        ("2", "animal", "people"),
        ("2", "dog", "people"),
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("remove,7", "line 2: the action is 'remove', expected one of reject, add, complete"),
        ("reject", "line 2: found a rejection of everything"),
        ("reject,7,location", "line 2: the what is 'location', expected one of object, attribute, relation, image"),
        ("reject,,,,,,,went along", "line 2: found the rule 'went along', which only follows from another change"),
        ("add,7", "line 2: found nothing in the cell 'what'"),
        ("add,7,colour,a,,,red", "line 2: the what is 'colour', expected one of object, attribute"),
        ("add,,object,a,,,cup", "line 2: found nothing in the cell 'image'"),
        ("add,7,attribute,a", "line 2: found neither what the attribute was nor what it becomes"),
        ("add,7,relation,a,,,on", "line 2: found nothing in the cell 'other'"),
        ("add,7,location", "line 2: found nothing in the cell 'became'"),
        ("add,7,object,a,,,cup,boxes", "line 2: found an addition with a rule or a change"),
        ("complete,7", "line 2: found nothing in the cell 'became'"),
        ("add,7,object,a,,,cup,,,,,,", "line 2: found 13 cells, the header has 10"),
        (",7", "line 2: the action is empty"),
    ],
)
def test_lines_that_cannot_be_understood(tmp_path: Path, line: str, message: str) -> None:
    """Each mistake with file and line."""
    with pytest.raises(DataError, match=rf"edits\.csv, {message}"):
        edits(tmp_path, line)


@given(
    st.lists(
        st.one_of(st.text(max_size=12), st.sampled_from(["reject", "add", "complete", "1", "object"])), max_size=12
    )
)
def test_any_line_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, cells: list[str]) -> None:
    """Whatever stands in a line: edits, or one sentence about it."""
    message = ""
    try:
        edits(tmp_path_factory.mktemp("edits"), ",".join(cells))
    except DataError as error:
        message = str(error)
    assert not message or re.search(r"edits\.csv, line \d+: (found|the)", message)


def test_columns_that_nobody_reads(tmp_path: Path) -> None:
    """A misspelt header is told with the word that was meant."""
    file = tmp_path / "edits.csv"
    file.write_text("action,imag\nreject,7\n", encoding="utf-8")
    with pytest.raises(DataError, match="line 1: found the column 'imag', which nothing reads; did you mean 'image'"):
        load_edits(file)
    with pytest.raises(DataError, match="no such file"):
        load_edits(tmp_path / "other.csv")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("reject,7,object", "line 2: found the image '7', expected one of the benchmark's"),
        ("add,1,object,z,,,cup", "line 2: found the object 'z', expected one of the image '1'"),
        ("add,1,relation,a,z,,on", "line 2: found the object 'z', expected one of the image '1'"),
        ("add,1,object,a,,,bike", "line 2: found the object 'bike', expected a word of the ontology; write 'bicycle'"),
        ("add,1,attribute,a,,,grey", "line 2: found the attribute 'grey', expected .*; write 'gray'"),
        ("add,1,relation,a,b,,ON", "line 2: found the relation 'ON', expected .*; write 'on'"),
        ("add,1,object,a,,,xyzzy", "line 2: found the object 'xyzzy', expected .*; write another one, or add it"),
        ("complete,,,,,,xyzzy", "line 2: found the kind 'xyzzy', expected a word of the ontology"),
    ],
)
def test_edits_of_what_is_not_there(tmp_path: Path, line: str, message: str) -> None:
    """Pictures and things that do not exist, words that the ontology does not have."""
    things = RAW["objects"].select("image_id", "object_id").lazy()
    given = edits(tmp_path, line)
    with pytest.raises(DataError, match=message):
        check_edits(given, "edits.csv", RAW["images"].lazy(), things, packaged_vocabulary())


def test_rejections_that_fit_nothing(tmp_path: Path) -> None:
    """Are told, so that a typo in an edits file does not go unseen."""
    edits(tmp_path, "reject,1,,,,,,contradiction,,", "reject,1,,,,,,no such rule,,")
    file = tmp_path / "edits.csv"
    cleaned = clean(RAW, edits=load_edits(file))
    assert unused(file, cleaned["changes"].lazy()) == ["line 3"]
    assert unused(file, pl.LazyFrame(schema=cleaned["changes"].schema)) == ["line 2", "line 3"]
