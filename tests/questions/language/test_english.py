"""English words: what the ontology leaves to the language."""

import numpy as np
import pytest

from eyechart.questions.arrays.codes import Codes
from eyechart.questions.language.english import english
from eyechart.questions.language.forms import DEFINITE, Forms
from eyechart.scenes.ontology import packaged_ontology


@pytest.fixture(scope="module")
def codes() -> Codes:
    return Codes(packaged_ontology())


@pytest.fixture(scope="module")
def forms(codes: Codes) -> Forms:
    return english(codes)


def _text(forms: Forms, *phrases: int) -> str:
    return "".join(forms.phrases.texts_of(np.array(phrases))).strip()


def _phrase(forms: Forms, codes: Codes, determiner: str, kind: str, several: int) -> str:
    code = codes.kinds.code[kind]
    class_, onset = forms.class_of[code, several], forms.noun_onset[code, several]
    return _text(forms, forms.determiners[determiner][0, class_, onset], forms.noun[code, several, 0])


@pytest.mark.parametrize(
    ("determiner", "kind", "several", "expected"),
    [
        ("a", "apple", 0, "an apple"),
        ("a", "cup", 0, "a cup"),
        ("any", "cup", 1, "any cups"),
        ("a", "milk", 0, "milk"),
        ("some", "milk", 0, "some milk"),
        ("this", "pants", 1, "these pants"),
        ("that", "cup", 0, "that cup"),
        ("a", "furniture", 0, "a piece of furniture"),
        ("any", "furniture", 1, "any pieces of furniture"),
        ("any", "food", 0, "any food"),
        ("a", "headwear", 0, "a piece of headwear"),
        ("another", "cup", 0, "another cup"),
        ("another", "cup", 1, "other cups"),
        ("any", "person", 1, "any people"),
    ],
)
def test_noun_phrases(forms: Forms, codes: Codes, determiner: str, kind: str, several: int, expected: str) -> None:
    """Articles follow number, countability and the sound that follows."""
    assert _phrase(forms, codes, determiner, kind, several) == expected


@pytest.mark.parametrize(
    ("kind", "several", "expected"),
    [
        ("cup", 0, ["is", "that", "it"]),
        ("cup", 1, ["are", "that", "they"]),
        ("woman", 0, ["is", "who", "she"]),
        ("man", 0, ["is", "who", "he"]),
        ("person", 1, ["are", "who", "they"]),
        ("athlete", 0, ["is", "who", ""]),
        ("milk", 0, ["is", "that", "it"]),
    ],
)
def test_agreement(forms: Forms, codes: Codes, kind: str, several: int, expected: list[str]) -> None:
    """Verbs, relative and personal pronouns follow what the noun is; an athlete is neither he nor she."""
    class_ = forms.class_of[codes.kinds.code[kind], several]
    found = [_text(forms, table[class_]) for table in (forms.verbs["is"], forms.pronouns["rel"], forms.pronouns["it"])]
    assert found == expected


@pytest.mark.parametrize(
    ("value", "adjective", "predicate"),
    [
        ("red", "red", "red"),
        ("wood", "wooden", "made of wood"),
        ("asleep", "", "asleep"),
        ("playing tennis", "", "playing tennis"),
        ("japanese", "Japanese", "Japanese"),
        ("bmw", "BMW", None),
    ],
)
def test_values(forms: Forms, codes: Codes, value: str, adjective: str, predicate: str | None) -> None:
    """What never stands before its noun has no adjective; names have capital letters."""
    code = codes.values.code[value]
    assert _text(forms, forms.adjective[code, DEFINITE, 0, 0]) == adjective
    assert predicate is None or _text(forms, forms.predicate[code]) == predicate


def test_answers_are_small(forms: Forms, codes: Codes) -> None:
    """An answer is data: it has small letters whatever its word has in a sentence."""
    phrase = forms.value_name[codes.values.code["japanese"]]
    assert english(codes).phrases.texts()[int(forms.phrases.alone(int(phrase)))] == "japanese"
