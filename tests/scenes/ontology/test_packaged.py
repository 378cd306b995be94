"""The packaged ontology: how much it holds, what people would say of some of its words, what it covers."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.scenes.normalize import packaged_vocabulary
from eyechart.scenes.ontology import indefinite_article, packaged_ontology, plural_of

WORDS = packaged_ontology()
NOUNS = st.sampled_from(sorted(WORDS.nouns))


def test_sizes() -> None:
    """At least as many words as GQA's cleaned vocabulary has (Hudson and Manning 2019, section 3.1)."""
    assert len(WORDS.nouns.keys() - WORDS.categories.keys()) >= 1740
    assert len(WORDS.attributes) >= 620
    assert len(WORDS.relations) >= 330
    assert len(WORDS.categories) >= 60


def test_objects_have_what_sentences_need() -> None:
    """Chains of kinds, plurals, articles, gender, homes."""
    apple, scissors, milk = (WORDS.nouns[name] for name in ("apple", "scissors", "milk"))
    assert WORDS.ancestors("apple")[:2] == ("fruit", "food")
    assert (apple.plural, apple.article, apple.number) == ("apples", "an", "count")
    assert (scissors.number, milk.number, milk.article) == ("plural", "mass", "")
    assert (WORDS.nouns["woman"].gender, WORDS.nouns["woman"].person, WORDS.nouns["dog"].living) == (
        "female",
        True,
        True,
    )
    assert "kitchen" in WORDS.nouns["stove"].places
    assert sum(bool(noun.places) for noun in WORDS.nouns.values()) > 2000


def test_attributes_know_each_other() -> None:
    """Types, orders, opposites, shades, forms, carriers, values that are mixed up."""
    assert [WORDS.attributes[name].type for name in ("red", "wood", "round", "large", "running")] == [
        *("color", "material", "shape", "size", "pose")
    ]
    assert WORDS.broader("light blue") == ("blue",)
    assert (WORDS.attributes["wood"].adjective, WORDS.attributes["wood"].predicate) == ("wooden", "made of wood")
    assert WORDS.attributes["tall"].opposite == "short"
    assert WORDS.contradict("open", "closed")
    assert "orange" in WORDS.attributes["pink"].similar or "red" in WORDS.attributes["pink"].similar
    assert not WORDS.may_have("sky", "wood")
    assert WORDS.may_have("table", "wood")
    sizes = [value.name for value in WORDS.values("size")]
    assert sizes.index("small") < sizes.index("large")


def test_relations_know_each_other() -> None:
    """Voices, inverses, opposites, what follows, what makes sense, forms."""
    assert WORDS.inverse("wearing") == "worn by"
    assert (WORDS.relations["wearing"].voice, WORDS.relations["worn by"].voice) == ("active", "passive")
    assert WORDS.inverse("to the left of") == WORDS.relations["to the left of"].opposite == "to the right of"
    assert WORDS.relations["to the left of"].transitive
    assert WORDS.inverse("next to") == "next to"
    assert "on" in WORDS.implied("sitting on")
    assert WORDS.makes_sense("man", "wearing", "hat")
    assert not WORDS.makes_sense("hat", "wearing", "man")
    assert (WORDS.relations["has"].phrase, WORDS.relations["has"].third) == ("have", "has")


@given(NOUNS)
def test_words_lead_back(name: str) -> None:
    """Name, plural and synonyms find the noun, or one that is meant first; kinds stand in one direction."""
    noun = WORDS.nouns[name]
    assert WORDS.noun(name) is noun
    assert all(name in [each.name for each in WORDS.nouns_of(word)] for word in noun.synonyms + noun.ambiguous)
    assert name not in WORDS.ancestors(name)
    assert all(name in WORDS.members(above) for above in WORDS.ancestors(name))


@given(NOUNS, NOUNS)
def test_likeness_is_mutual(one: str, other: str) -> None:
    """Whoever cannot be told from another is not told from it either."""
    assert WORDS.alike(one, other) == WORDS.alike(other, one)


@given(*[st.sampled_from(sorted(WORDS.attributes))] * 2)
def test_contradiction_is_mutual(one: str, other: str) -> None:
    """And nothing contradicts itself or what follows from it."""
    assert WORDS.contradict(one, other) == WORDS.contradict(other, one)
    assert not WORDS.contradict(one, one)
    assert not any(WORDS.contradict(one, broader) for broader in WORDS.broader(one))


@given(st.sampled_from(sorted(WORDS.relations)))
def test_inverses_lead_back(name: str) -> None:
    """The inverse of an inverse is the relation itself."""
    inverse = WORDS.inverse(name)
    assert inverse is None or WORDS.inverse(inverse) == name


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("child", "children"),
        ("knife", "knives"),
        ("tooth", "teeth"),
        ("bus", "buses"),
        ("butterfly", "butterflies"),
        ("key", "keys"),
        ("policewoman", "policewomen"),
        ("bunch of grapes", "bunches of grapes"),
        ("deer", "deer"),
        ("potato", "potatoes"),
        ("piano", "pianos"),
    ],
)
def test_plurals(one: str, several: str) -> None:
    """Regular and irregular."""
    assert plural_of(one) == several


@pytest.mark.parametrize(
    ("phrase", "article"),
    [("old man", "an"), ("one-way sign", "a"), ("European flag", "a"), ("umbrella", "an"), ("user", "a"), ("hat", "a")],
)
def test_articles(phrase: str, article: str) -> None:
    """By sound, not by letter."""
    assert indefinite_article(phrase) == article


def leaves(content: Any) -> Iterator[str]:  # JSON of other projects
    """The words at the ends of a tree."""
    if isinstance(content, str):
        yield content
    for each in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        yield from leaves(each)


def known(words: set[str], kind: str) -> float:
    """The share of words that are mapped."""
    vocabulary = packaged_vocabulary()
    read = {
        "object": lambda word: vocabulary.name(word).names,
        "attribute": vocabulary.attribute_reader.values,
        "relation": lambda word: vocabulary.predicate(word).relations,
    }[kind]
    return sum(bool(read(word)) for word in words) / len(words)


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "kind", "least"),
    [
        ("graphvqa_class_hierarchy", "object", 0.95),
        ("graphvqa_attribute_hierarchy", "attribute", 0.97),
        ("tma_attribute_category", "attribute", 0.93),
        ("tma_relation_to_type", "relation", 0.95),
    ],
)
def test_lists_of_others_are_covered(real_data: Path, file: str, kind: str, least: float) -> None:
    """The classes, attributes and relations of two other projects."""
    content = json.loads((real_data / "ontology" / f"{file}.json").read_text("utf-8"))
    words = set(content) if file == "tma_relation_to_type" else set(leaves(content))
    assert len(words) > 100
    assert known(words, kind) >= least


@pytest.mark.real_data
def test_published_graphs_are_covered(real_data: Path) -> None:
    """The vocabulary of GQA's graphs."""
    graphs = json.loads((real_data / "gqa" / "scene_graphs.json").read_text("utf-8"))
    found: dict[str, set[str]] = {"object": set(), "attribute": set(), "relation": set()}
    for graph in graphs.values():
        objects = graph["objects"]
        for thing in objects.values() if isinstance(objects, dict) else objects:
            found["object"].add(thing["name"])
            found["attribute"].update(thing["attributes"])
            found["relation"].update(relation["name"] for relation in thing["relations"])
    assert {kind: known(words, kind) for kind, words in found.items()} == {
        "object": 1.0,
        "attribute": 1.0,
        "relation": 1.0,
    }
