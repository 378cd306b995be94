"""What annotators call things, read by one rule after another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.scenes.normalize import packaged_vocabulary
from eyechart.scenes.normalize.words import Spelling, WordGroups, words_of

NAME = packaged_vocabulary().name


@pytest.mark.parametrize(
    ("text", "name", "rule"),
    [
        ("Bicycle", "bicycle", "spelling"),
        (" DOG. ", "dog", "spelling"),
        ("T-Shirt", "t-shirt", "spelling"),
        ("bike", "bicycle", "synonym"),
        ("fire place", "fireplace", "synonym"),
        ("a dog", "dog", "stop words"),
        ("dog in the background", "dog", "stop words"),
        ("man's shirt", "shirt", "owner in name"),
        ("mans shirt", "shirt", "owner in name"),
        ("two dogs", "dogs", "number in name"),
        ("pair of jeans", "jeans", "measure"),
        ("man has glasses.", "man", "phrase"),
        ("people walking", "people", "phrase"),
        ("bus 42", "bus", "stop words"),
        ("red car", "car", "attribute in name"),
        ("monitor off", "monitor", "attribute in name"),
        ("connection wire", "wire", "compound name"),
        ("ostirch", "ostrich", "typo"),
    ],
)
def test_a_rule_reads_it(text: str, name: str, rule: str) -> None:
    """Each rule of the list in the file's docstring."""
    reading = NAME(text)
    assert (reading.names[0], reading.rule) == (name, rule)


def test_one_word_of_many_forms() -> None:
    """Casing, marks, plural: one noun; what speaks of several stays in the plural."""
    assert {NAME(text).names for text in ("Trees", "trees.", "TREES", "the trees")} == {("trees",)}
    assert NAME("tree").names == ("tree",)
    assert NAME("sheep").names == ("sheep",)


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("red car", ("red",)),
        ("small brown dog", ("small", "brown")),
        ("black and white cat", ("black and white",)),
        ("desk is grey.", ("grey",)),
        ("green trees seen.", ("green",)),
        ("laptop not green.", ()),
        ("white house", ("white",)),
        ("man standing", ("standing",)),
        ("wooden chair", ("wooden",)),
        ("kitchen chair", ()),
        ("fire truck", ()),
    ],
)
def test_attributes_in_names(text: str, attributes: tuple[str, ...]) -> None:
    """Told before, after or by "is"; not where the word belongs to the name or is denied."""
    assert NAME(text).attributes == attributes


@pytest.mark.parametrize(
    ("text", "instances"),
    [("two dogs", 2), ("3 dogs", 3), ("a couple of cows", 2), ("dogs", None), ("dog", 1), ("a dozen eggs", 12)],
)
def test_how_many(text: str, instances: int | None) -> None:
    """As words or digits; a bare plural tells no number."""
    assert NAME(text).instances == instances


@pytest.mark.parametrize(
    ("text", "owner"),
    [("man's shirt", "man"), ("leg of a table", "table"), ("girl's red shoe", "girl"), ("shirt", "")],
)
def test_owners(text: str, owner: str) -> None:
    """Who a thing belongs to stands before or after it."""
    assert NAME(text).owner == owner


@pytest.mark.parametrize(
    "text", ["side of a building", "the top of the bus", "area", "the background", "things", "part of the"]
)
def test_what_has_no_shape(text: str) -> None:
    """Amorphous names mean no thing."""
    assert (NAME(text).names, NAME(text).rule) == ((), "amorphous")


@pytest.mark.parametrize("text", ["", " . ", "xyzzy", "on sidewalk", "qwertyuiop sdf"])
def test_what_nobody_knows(text: str) -> None:
    """Unknown words, and phrases that name no thing, have no meaning; which is told."""
    assert NAME(text).names == ()
    assert NAME(text).rule in ("unknown word", "no name")


def test_words_that_also_name_something_after_a_noun() -> None:
    """A wrist rest is no wrist that rests."""
    assert "wrist" not in NAME("wrist rest").names
    assert NAME("wrist rest").names == ("rest",)


def test_senses_are_all_told() -> None:
    """The likeliest first."""
    assert set(NAME("mouse").names) >= {"mouse", "computer mouse"}


def test_clean_names_stay() -> None:
    """Every noun of the ontology is read as itself, in the singular and in the plural, unless it has no shape."""
    ontology = packaged_vocabulary().ontology
    wrong = []
    for noun in ontology.nouns.values():
        for form in {noun.name, noun.plural} if noun.number == "count" else {noun.name}:
            reading = NAME(form)
            if reading.rule != "amorphous" and form not in reading.names[:1]:
                owner = ontology.noun(form)
                wrong += [] if owner is not None and owner.name != noun.name else [form]
    assert wrong == []


@given(st.text(max_size=40))
def test_any_text_is_read(text: str) -> None:
    """Whatever is written, there is a reading with a rule; what it means is in the ontology."""
    reading = NAME(text)
    assert reading.rule
    assert all(packaged_vocabulary().noun(name) is not None for name in reading.names)


@given(
    st.lists(st.sampled_from(["a", "red", "dog", "man's", "two", "of", "is", "not", "cup", "xyzzy", "on"]), max_size=6)
)
def test_any_words_are_read(words: list[str]) -> None:
    """In any order, and the same whatever the casing."""
    assert NAME(" ".join(words)).names == NAME(" ".join(words).upper() + ".").names


def test_marks_become_blanks() -> None:
    """Commas, slashes and ampersands join; other marks part."""
    assert words_of('"Blue/white", (old) & new') == ["blue", "and", "white", "and", "old", "and", "new"]
    assert words_of("...") == []


def test_groups_are_taken_off_both_ends() -> None:
    """As long as something is left."""
    groups = WordGroups(["a", "picture of a", "seen"])
    assert groups.from_end(["dog", "seen", "seen"]) == ["dog"]
    assert groups.from_start(["a", "a"]) == ["a"]


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("tabel", None),
        ("umbrela", "umbrella"),
        ("umbrrella", "umbrella"),
        ("umbtella", "umbrella"),
        ("ubmrella", "umbrella"),
        ("umbrella", None),
        ("xumbrela", None),
        ("elephnat", "elephant"),
        ("12345678", None),
    ],
)
def test_typos(word: str, meant: str | None) -> None:
    """One letter missing, added, wrong or swapped, in words that are long enough, with the first letter right."""
    assert Spelling(["table", "umbrella", "elephant"]).corrected(word) == meant
