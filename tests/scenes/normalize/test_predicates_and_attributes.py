"""What annotators say that things do and are, read by the words of the ontology."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.scenes.normalize import packaged_vocabulary

WORDS = packaged_vocabulary()


@pytest.mark.parametrize(
    ("text", "relation", "rule"),
    [
        ("ON", "on", "spelling"),
        ("on.", "on", "spelling"),
        ("wears", "wearing", "synonym"),
        ("is on", "on", "synonym"),
        ("are fully on", "on", "stop words"),
        ("has five", "has", "stop words"),
        ("is standing next to", "standing next to", "synonym"),
        ("glasses on man", "on", "phrase"),
        ("satnding on", "standing on", "typo"),
    ],
)
def test_predicates(text: str, relation: str, rule: str) -> None:
    """Casing, forms of verbs, auxiliaries, adverbs, numbers, whole phrases, typos."""
    reading = WORDS.predicate(text)
    assert (reading.relations[0], reading.rule) == (relation, rule)


def test_what_follows_from_a_verb_and_a_preposition() -> None:
    """Who stands next to something is next to it."""
    assert "next to" in WORDS.ontology.implied(WORDS.predicate("is standing next to").relations[0])


@pytest.mark.parametrize("text", ["not", "is not on", "lacks", "", "xyzzy", "white star here"])
def test_predicates_that_say_nothing(text: str) -> None:
    """What is denied or unknown is no relation."""
    assert WORDS.predicate(text).relations == ()


def test_attributes_in_predicates() -> None:
    """What stands before a relation is told of the subject, unless it names a thing."""
    assert WORDS.predicate("green trees by road").attributes == ("green",)
    assert WORDS.predicate("computer has button").attributes == ()


def test_clean_relations_stay() -> None:
    """Every relation of the ontology is read as itself."""
    assert [name for name in WORDS.ontology.relations if WORDS.predicate(name).relations[:1] != (name,)] == []


@pytest.mark.parametrize(
    ("thing", "text", "attributes"),
    [
        ("car", "Red", ("red",)),
        ("car", "grey", ("gray",)),
        ("shirt", "very Red & blue", ("blue and red",)),
        ("shirt", "old, torn", ("old", "torn")),
        ("shirt", "red colored", ("red",)),
        ("shirt", "light blue", ("light blue",)),
        ("wall", "made of bricks", ("brick",)),
        ("table", "wooden", ("wood",)),
        ("man", "short", ("short",)),
    ],
)
def test_attributes(thing: str, text: str, attributes: tuple[str, ...]) -> None:
    """Casing, spellings, endings, several values, adjectives."""
    assert WORDS.attribute(thing, text).attributes == attributes


def test_the_thing_decides() -> None:
    """A word of two values means the one that the thing can have."""
    man, rope = WORDS.attribute("man", "short").attributes, WORDS.attribute("hair", "short").attributes
    types = [WORDS.ontology.attributes[value].type for (value,) in (man, rope)]
    assert types == ["height", "length"]


@pytest.mark.parametrize(("thing", "text"), [("car", "not red"), ("car", "xyzzy"), ("xyzzy", "red"), ("car", "")])
def test_attributes_that_say_nothing(thing: str, text: str) -> None:
    """What is denied, unknown, or said of nothing known."""
    assert WORDS.attribute(thing, text).attributes == ()


def test_what_a_thing_cannot_be() -> None:
    """The values are told, so that counts may overrule categories."""
    reading = WORDS.attribute("sky", "sleeping")
    assert (reading.attributes, reading.rule, reading.forbidden) == ((), "unnatural", ("sleeping",))


def test_clean_attributes_stay() -> None:
    """Every value of the ontology is read as itself, of whatever thing it is said."""
    read = WORDS.attribute_reader.values
    assert [name for name in WORDS.ontology.attributes if read(name) != (name,)] == []


@given(st.text(max_size=30), st.sampled_from(sorted(WORDS.ontology.nouns)))
def test_any_text_is_read(text: str, thing: str) -> None:
    """There is a reading with a rule, and what it means is in the ontology."""
    predicate, attribute = WORDS.predicate(text), WORDS.attribute(thing, text)
    assert predicate.rule
    assert attribute.rule
    assert set(predicate.relations) <= WORDS.ontology.relations.keys()
    assert {*attribute.attributes, *attribute.forbidden} <= WORDS.ontology.attributes.keys()
