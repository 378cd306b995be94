"""Each fault of an ontology is found, with the place of the word, and the packaged one has none."""

from dataclasses import replace
from typing import Any

import pytest

from eyechart.scenes.ontology import FAULTS, Fault, Hierarchy, Ontology, check_ontology, packaged_ontology

GOOD = packaged_ontology()


def changed(records: str, name: str, **fields: Any) -> Ontology:  # fields of any record
    """The packaged ontology with another entry."""
    entries = getattr(GOOD, records)
    return replace(GOOD, **{records: {**entries, name: replace(entries[name], **fields)}})


def above(**parents: tuple[str, ...]) -> Ontology:
    """The packaged ontology with other kinds above some names."""
    return replace(GOOD, hierarchy=Hierarchy({**GOOD.hierarchy.parents, **parents}))


def found(ontology: Ontology, name: str) -> set[tuple[str, str]]:
    """What is wrong with a name: the code, and the sentence up to its advice."""
    return {(fault.code, fault.sentence.split(";")[0]) for fault in check_ontology(ontology) if fault.name == name}


def test_the_packaged_ontology_is_in_order() -> None:
    """Nothing is found."""
    assert check_ontology(GOOD) == []


def test_cycles() -> None:
    """Of kinds, of values, of relations; the way round is told once."""
    round_ = above(mammal=("dog",))
    assert found(round_, "dog") >= {("cycle", "stands above itself: dog > mammal > dog")}
    assert not [fault for fault in check_ontology(round_) if fault.code == "cycle" and fault.name == "mammal"]
    values = changed("attributes", "blue", parent="light blue")
    assert ("cycle", "stands above itself: blue > light blue > blue") in found(values, "blue")
    relations = changed("relations", "on", general="sitting on")
    assert ("cycle", "stands above itself: on > sitting on > on") in found(relations, "on")


def test_orphans() -> None:
    """Names with nothing above them, kinds with nothing below them, types without values."""
    assert ("orphan", "has nothing above it") in found(above(dog=()), "dog")
    parents = {name: each for name, each in GOOD.hierarchy.parents.items() if name not in GOOD.members("herb")}
    assert ("orphan", "has nothing below it") in found(replace(GOOD, hierarchy=Hierarchy(parents)), "herb")
    values = {name: value for name, value in GOOD.attributes.items() if value.type != "season"}
    assert ("orphan", "has no values") in found(replace(GOOD, attributes=values), "season")


@pytest.mark.parametrize(
    ("records", "name", "fields", "sentence"),
    [
        ("attributes", "wet", {"opposite": "tall"}, "has the opposite 'tall', whose opposite is 'short' and not 'wet'"),
        ("attributes", "dry", {"opposite": None}, "has the opposite 'dry', whose opposite is None and not 'wet'"),
        ("attributes", "wet", {"opposite": "wet"}, "is opposite to 'wet' and like it at once"),
        ("attributes", "wet", {"similar": ("dry",)}, "is opposite to 'dry' and like it at once"),
        ("attributes", "wet", {"similar": ("wet",)}, "is similar to itself"),
        ("attributes", "light blue", {"parent": "tall"}, "is a color below 'tall', which is a height"),
        ("attributes", "tiny", {"parent": "small"}, "stands in the order of size beside 'small', which it implies"),
        (
            "types",
            "size",
            {"exclusive": False},
            "is ordered but not exclusive: a thing could be least and most at once",
        ),
        ("relations", "above", {"inverse": "on"}, "has the inverse 'on', whose inverse is None and not 'above'"),
        ("relations", "above", {"symmetric": True}, "is symmetric and has the inverse 'below'"),
        ("relations", "above", {"similar": ("below",)}, "is opposite to 'below' and like it at once"),
        ("relations", "worn by", {"inverse": "held by"}, "is passive, and so is its inverse 'held by'"),
        (
            "relations",
            "on",
            {"pairs": (("person", "chair"),)},
            "makes sense as animal > thing, but 'on', which follows from it, does not",
        ),
        (
            "relations",
            "worn by",
            {"pairs": (("food", "person"),)},
            "makes sense as food > person, but 'wearing' not as person > food",
        ),
    ],
)
def test_contradictions(records: str, name: str, fields: dict[str, Any], sentence: str) -> None:
    """Of opposites, of sub-values, of orders, of inverses, of kinds that a relation holds between."""
    faults = check_ontology(changed(records, name, **fields))
    assert sentence in {fault.sentence.split(";")[0] for fault in faults if fault.code == "contradiction"}


def test_kinds_that_exclude_each_other() -> None:
    """Something that is an animal and a plant; a chair that is female."""
    both = above(dog=("mammal", "plant"))
    assert ("contradiction", "is in 'plant' and in 'animal', which exclude each other") in found(both, "dog")
    female = changed("nouns", "chair", gender="female")
    assert ("contradiction", "is female but not alive") in found(female, "chair")


def test_words_that_mean_two_things() -> None:
    """A synonym that is another's name, and a plural that is another word; under ambiguous it may stand."""
    clash = changed("nouns", "dog", synonyms=("cat",))
    assert found(clash, "dog") | found(clash, "cat") == {("clash", "has the word 'cat', which means 'cat'")}
    assert check_ontology(changed("nouns", "dog", ambiguous=("cat",))) == []
    value = changed("attributes", "blue", synonyms=("green",))
    assert ("clash", "has the word 'green', which means 'green'") in found(value, "blue") | found(value, "green")
    plural = changed("nouns", "dog", plural="cat")
    assert ("clash", "has the plural 'cat', which means 'cat'") in found(plural, "dog")
    relation = changed("relations", "under", synonyms=("on",))
    assert ("clash", "has the word 'on', which means 'on'") in found(relation, "under") | found(relation, "on")


@pytest.mark.parametrize(
    ("records", "name", "fields", "sentence"),
    [
        ("nouns", "dog", {"article": ""}, "has the article '', expected a or an"),
        ("nouns", "dog", {"plural": ""}, "has no plural"),
        ("nouns", "dog", {"places": ("nowhere",)}, "is at home in 'nowhere', which is no object"),
        ("attributes", "tall", {"comparative": ""}, "has no comparative, its opposite has 'shorter'"),
        (
            "relations",
            "larger than",
            {"inverse": None},
            "compares two things but does not say what holds the other way",
        ),
        ("relations", "has", {"third": ""}, "is a verb without 'is', but its plural or singular form is missing"),
    ],
)
def test_missing_forms(records: str, name: str, fields: dict[str, Any], sentence: str) -> None:
    """Articles, plurals, places, comparatives, inverses, forms of verbs."""
    told = {each for code, each in found(changed(records, name, **fields), name) if code == "missing"}
    assert any(each.startswith(sentence) for each in told), told


def test_faults_tell_where() -> None:
    """File and line, and one of the documented codes."""
    (fault,) = check_ontology(changed("nouns", "dog", article=""))
    assert isinstance(fault, Fault)
    assert fault.place.endswith("animals.csv, line 3")
    assert fault.code in FAULTS
