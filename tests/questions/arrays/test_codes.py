"""The ontology in numbers says what the ontology says."""

import numpy as np
import pytest

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.codes import Codes
from eyechart.questions.codes import excludes
from eyechart.scenes.ontology import packaged_ontology


@pytest.fixture(scope="module")
def codes() -> Codes:
    return Codes(packaged_ontology())


def test_apart_is_what_the_executor_excludes(codes: Codes) -> None:
    """The planner's table of what cannot be the same and the executor's own rule agree on random pairs."""
    names, categories = codes.kinds.names, list(codes.ontology.categories)
    key = Key(1, "pairs")
    for number in range(20_000):
        one = names[key.of(number, 0) % len(names)]
        others = categories if number % 2 else names
        other = others[key.of(number, 1) % len(others)]
        found = codes.apart[codes.kinds.code[one], codes.kinds.code[other]]
        assert found == excludes(codes.ontology, one, other), (one, other)


def test_below_is_the_hierarchy(codes: Codes) -> None:
    """A kind is below itself and all its ancestors, and nothing else."""
    for name in codes.kinds.names[::37]:
        above = {codes.kinds[place] for place in np.flatnonzero(codes.below[codes.kinds.code[name]])}
        assert above == {name, *codes.ontology.ancestors(name)}


def test_words_become_kinds_as_the_executor_reads_them(codes: Codes) -> None:
    """A word that is a category is that category, not a thing of which it is another word."""
    for word, name in (("dish", "dish"), ("apples", "apple"), ("food", "food")):
        assert codes.kinds[codes.kind_of(word)] == name
    assert codes.kind_of("qqq") is None


def test_contradictions_are_mutual(codes: Codes) -> None:
    """Red proves not green, and the other way round; red proves nothing of dark red."""
    red, green, dark = (codes.values.code[each] for each in ("red", "green", "dark red"))
    assert codes.contradict[red, green]
    assert codes.contradict[green, red]
    assert not codes.contradict[red, dark]
    assert (codes.contradict == codes.contradict.T).all()
