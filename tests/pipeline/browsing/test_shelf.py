"""Looking for questions gives those that a plain loop over plain rows gives, page by page, in every order."""

import re
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shelved import ASKED, PEOPLE, models, shelved

from eyechart.errors import UnknownNameError, UsageError
from eyechart.pipeline.browsing import Shelf, Span, Wanted
from eyechart.store import Benchmark


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(shelved(tmp_path_factory.mktemp("shelf") / "b"), models())


def ids(shelf: Shelf, **query: str | list[str]) -> list[str]:
    asked = {name.replace("_is_", "."): [value] if isinstance(value, str) else value for name, value in query.items()}
    return shelf.page(Wanted.read(asked), size=100).questions["question_id"].to_list()


TEXTS = {
    "contains": lambda text, sought: sought.lower() in text.lower(),
    "starts": lambda text, sought: text.lower().startswith(sought.lower()),
    "ends": lambda text, sought: text.lower().endswith(sought.lower()),
    "regex": lambda text, sought: re.search(sought, text, re.IGNORECASE) is not None,
}


@pytest.mark.parametrize("match", TEXTS)
@pytest.mark.parametrize("sought", ["is", "What", "dog", "cup", "the DOG?", "zebra", "?", "(brown)", "\\s[ct]"])
def test_texts_are_found_as_by_a_plain_loop(shelf: Shelf, match: str, sought: str) -> None:
    """Contains, starts, ends and regular expressions, whatever the case."""
    if match == "regex":
        sought = sought.replace("?", r"\?")
    expected = [row[0] for row in ASKED if TEXTS[match](row[3], sought)]
    assert ids(shelf, text=sought, match=match) == expected


def test_answers_of_people_are_found_too(shelf: Shelf) -> None:
    """Who looks for an answer means anybody's."""
    said = {row[0] for row in ASKED if row[4] == "mug"} | {q for q, given in PEOPLE.items() if "mug" in given}
    assert ids(shelf, text="mug", within="answer") == sorted(said) == ["4"]
    assert ids(shelf, text="green", within="answer") == ["6"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"text": "beside", "within": "caption"}, ["3", "4"]),
        ({"split": "val"}, ["3", "4", "5"]),
        ({"answer_type": "yes/no", "split": "train"}, ["2"]),
        ({"answer": "red"}, ["1"]),
        ({"image_id": "c"}, ["5"]),
        ({"object": ["cup", "dog"]}, ["3", "4"]),
        ({"object": "dog"}, ["3", "4", "5"]),
        ({"attribute": "red"}, ["1", "2", "6"]),
        ({"relation": "to the left of"}, ["3", "4"]),
        ({"low_is_agreement": "0.5", "high_is_agreement": "0.9"}, ["1", "3", "5"]),
        ({"low_is_yes": "0.5"}, ["5"]),
        ({"low_is_models differ": "1"}, ["1", "2", "3", "4"]),
        ({"order": "-agreement"}, ["2", "1", "3", "5", "4", "6"]),
        ({"object": "zebra"}, []),
    ],
)
def test_filters_join(shelf: Shelf, query: dict[str, str | list[str]], expected: list[str]) -> None:
    """Each filter, alone or with others, in the order asked for; a question without a value comes last."""
    assert ids(shelf, **query) == expected


@given(size=st.integers(1, 7), order=st.sampled_from(["stored", "shuffled", "agreement", "-right"]))
def test_pages_tile_the_view(shelf: Shelf, size: int, order: str) -> None:
    """Going forward shows every question once; going back shows the same pages."""
    wanted = Wanted(order=order, seed=3)
    pages = [shelf.page(wanted, size=size)]
    while pages[-1].after is not None:
        pages.append(shelf.page(wanted, after=pages[-1].after, size=size))
    shown = [row for page in pages for row in page.questions["row"].to_list()]
    assert sorted(shown) == list(range(6))
    assert shown == shelf.find(wanted).rows.tolist()
    back = shelf.page(wanted, before=pages[-1].questions["row"][0], size=size)
    if len(pages) > 1:
        assert back.questions["row"].to_list() == pages[-2].questions["row"].to_list()
    assert pages[0].before is None


def test_pictures_of_a_view(shelf: Shelf) -> None:
    """Pictures come in the order of their first wanted question, with those, or with all that is asked about them."""
    wanted = Wanted.read({"text": ["dog"], "order": ["-agreement"]})
    shown = shelf.pictures(wanted, size=2)
    assert (list(shown.image_ids), shown.total, shown.following) == (["a", "c"], 3, 2)
    assert shown.questions["question_id"].to_list() == ["2", "5"]
    assert shelf.pictures(wanted, size=2, rest=True).questions["question_id"].to_list() == ["1", "2", "5", "6"]
    assert list(shelf.pictures(wanted, start=2).image_ids) == ["b"]


def test_a_shuffle_is_keyed(shelf: Shelf) -> None:
    """The same seed shows the same order, another one another."""
    first, again, other = (ids(shelf, order="shuffled", seed=seed) for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


@given(
    st.builds(
        Wanted,
        text=st.text(max_size=5),
        match=st.sampled_from(["contains", "starts", "ends", "regex"]),
        columns=st.dictionaries(st.sampled_from(["split", "answer"]), st.text(min_size=1, max_size=5)),
        objects=st.lists(st.text(min_size=1, max_size=5), max_size=2).map(tuple),
        measures=st.dictionaries(st.text(min_size=1, max_size=5), st.just(Span(0.25, 0.5)), max_size=1),
        seed=st.integers(0, 10**17),
    )
)
def test_every_view_has_a_link(wanted: Wanted) -> None:
    """What is wanted comes back from its address."""
    query: dict[str, list[str]] = {}
    for name, value in wanted.pairs():
        query.setdefault(name, []).append(value)
    assert Wanted.read(query) == wanted


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"text": "(a", "match": "regex"}, "is no regular expression"),
        ({"text": "a{1000}{1000}{1000}", "match": "regex"}, "is no regular expression"),
        ({"match": "fuzzy"}, "expected one of contains, starts, ends, regex"),
        ({"colour": "red"}, "found a filter 'colour'"),
        ({"low_is_agreement": "high"}, "expected a number"),
        ({"low_is_agreement": "nan"}, "expected a number"),
        ({"low_is_rihgt": "0"}, "did you mean 'right'"),
        ({"order": "agremeent"}, "did you mean 'agreement'"),
        ({"seed": "one"}, "expected a whole number"),
        ({"text": "x" * 1001}, "more than 1000 characters"),
    ],
)
def test_mistakes_are_a_sentence(shelf: Shelf, query: dict[str, str], said: str) -> None:
    """A wrong filter is refused in words that say what would be right."""
    with pytest.raises((UsageError, UnknownNameError), match=said):
        ids(shelf, **query)


def test_an_expression_that_takes_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a search that goes through everything slowly."""
    monkeypatch.setattr("eyechart.pipeline.browsing.matching.PATIENCE", 0.0)
    asked = pl.DataFrame({"question_id": [str(n) for n in range(5000)], "question": "Is it red?"})
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("questions", asked)
    with pytest.raises(UsageError, match="takes longer than"):
        Shelf(Benchmark.open(tmp_path / "b")).page(Wanted(text="r.d", match="regex"))


def test_an_empty_benchmark_has_an_empty_page(tmp_path: Path) -> None:
    """Nothing to see is no mistake."""
    with Benchmark.create(tmp_path / "b") as draft:
        draft.write("images", pl.DataFrame({"image_id": ["1"]}))
    page = Shelf(Benchmark.open(tmp_path / "b")).page(Wanted(text="a"))
    assert (page.total, page.first, page.before, page.after) == (0, 0, None, None)
