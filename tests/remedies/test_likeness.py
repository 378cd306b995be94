"""Filters of alike answers, each with the examples of the papers, and the literal formulas beside ours."""

import numpy as np
import pytest

from eyechart.errors import UnknownNameError, UsageError
from eyechart.metrics import wups
from eyechart.remedies import FILTERS, Answers, Likeness
from eyechart.remedies.scales import Scales
from eyechart.text import normalize_answer, packaged_nouns

NOTHING = Likeness(threshold=2.0, contained="no", inflected=False, synonyms=False)


def reason(one: str, other: str, how: Likeness = Likeness()) -> str:
    """Why two answers are alike."""
    answers = Answers([one, other], how)
    codes = answers.coded([one, other])
    return FILTERS[answers.alike(codes[:1], codes[1:])[0]]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("A train.", "train", "equal"),
        ("two", "2", "equal"),
        ("daytime", "during the daytime", "contained"),
        ("ponytail", "pony tail", "contained"),
        ("during the daytime", "daytime", "contained"),
        ("mice", "mouse", "inflected"),
        ("women", "woman", "inflected"),
        ("riding", "ride", "inflected"),
        ("bike", "motorcycle", "synonym"),
        ("boy", "man", "similar"),
        ("horse", "zebra", "similar"),
        ("left", "right", "similar"),
        ("cat", "dog", "different"),
        ("lady", "woman", "different"),
        ("train", "bus", "different"),
        ("yes", "no", "different"),
        ("blorf", "tree", "different"),
    ],
)
def test_each_filter_on_the_papers_examples(one: str, other: str, expected: str) -> None:
    """Chao et al. 2018, section 4.1 and 5.4; the figures of similarities at 0.9."""
    assert reason(one, other) == expected


def test_similarities_are_those_of_the_paper() -> None:
    """Lady and woman have 0.632, cat and dog 0.857: of two rephrasings the less alike, hence the filter fails."""
    answers = Answers(["lady", "woman", "cat", "dog"])
    first, second = answers.coded(["lady", "cat"]), answers.coded(["woman", "dog"])
    np.testing.assert_allclose(answers.similarities(first, second), [0.632, 0.857], atol=5e-4)


def test_containment_by_characters_by_words_or_not_at_all() -> None:
    """Yes is inside yesterday, but no word of it."""
    assert reason("yes", "yesterday") == "contained"
    assert reason("yes", "yesterday", Likeness(contained="words")) == "different"
    assert reason("red ball", "red", Likeness(contained="words")) == "contained"
    assert reason("red ball", "red", Likeness(contained="no")) == "different"


def test_threshold_senses_and_direction() -> None:
    """Each option of similarity changes what is alike."""
    assert reason("lady", "woman", Likeness(threshold=0.6)) == "similar"
    assert reason("lady", "woman", Likeness(direction="either")) == "similar"
    assert reason("woman", "lady", Likeness(direction="from-target")) == "similar"
    assert reason("woman", "lady", Likeness(direction="to-target")) == "different"
    assert reason("car", "cab", Likeness(synonyms=False, contained="no")) == "similar"
    assert reason("car", "cab", Likeness(synonyms=False, senses="first")) == "different"


def test_terms_of_several_words() -> None:
    """As it stands a phrase is found with underscores only; other policies look up more of it."""
    assert reason("big zebra", "small horse") == "different"
    assert reason("big zebra", "small horse", Likeness(terms="endings")) == "similar"
    assert reason("ice skate", "roller skates", Likeness(terms="underscores")) == "similar"
    # As a set, 0.947 times 0.933 is below 0.9.
    assert reason("boy, zebra", "horse, man") == "different"
    assert reason("boy, zebra", "horse, man", Likeness(threshold=0.88)) == "similar"
    assert reason("boy zebra", "horse man", Likeness(terms="words", threshold=0.88)) == "similar"


def test_scales_are_excepted_from_similarity_only() -> None:
    """Left and right, two and three, black and white are good decoys; two and 2 are not."""
    how = Likeness(scales=("opposites", "numbers", "colors"))
    for one, other in (("left", "right"), ("black", "white")):
        assert reason(one, other) == "similar"
        assert reason(one, other, how) == "different"
    assert reason("two", "three", Likeness(threshold=0.87)) == "similar"
    assert reason("two", "three", Likeness(threshold=0.87, scales=("numbers",))) == "different"
    assert reason("two", "2", how) == "equal"
    assert reason("man", "boy", how) == "similar"


def test_same_meaning_by_word_vectors() -> None:
    """What the taxonomy does not know, averaged word vectors may."""
    assert reason("lady", "woman", Likeness(meaning=0.3)) == "same meaning"
    assert reason("lady", "bicycle", Likeness(meaning=0.9)) == "different"


def test_every_filter_can_be_off() -> None:
    """Then only equal answers are alike."""
    for one, other in (("daytime", "during the daytime"), ("mice", "mouse"), ("bike", "motorcycle"), ("boy", "man")):
        assert reason(one, other, NOTHING) == "different"
    assert NOTHING.names == ("equal",)
    assert Likeness().names == ("equal", "contained", "inflected", "synonym", "similar")


def literal(one: str, other: str) -> str:
    """The default filters, one pair at a time, in plain Python."""
    target, decoy = normalize_answer(one) or one.lower(), normalize_answer(other) or other.lower()
    nouns = packaged_nouns()
    if target == decoy:
        return "equal"
    if target.replace(" ", "") in decoy.replace(" ", "") or decoy.replace(" ", "") in target.replace(" ", ""):
        return "contained"
    forms = [set(nouns.base_forms(each.split(" ")[-1])) | {each.split(" ")[-1]} for each in (target, decoy)]
    if target.split(" ")[:-1] == decoy.split(" ")[:-1] and forms[0] & forms[1]:
        return "inflected"
    if set(nouns.synsets(target.replace(" ", "_"))) & set(nouns.synsets(decoy.replace(" ", "_"))):
        return "synonym"
    return "similar" if wups(target, decoy, 0.9) >= 0.9 else "different"


def test_filters_in_bulk_are_the_literal_ones() -> None:
    """Thousands of pairs of nouns at once, and each by itself."""
    draw = np.random.default_rng(3)
    words = [*draw.choice([w for w in packaged_nouns().words if w.isalpha() and len(w) > 2], 20, replace=False)]
    words += ["dog", "dogs", "boy", "man", "big dog", "horse", "zebra", "hat", "cap", "daytime", "two", "2", "left"]
    answers = Answers(words)
    first, second = np.divmod(np.arange(len(answers) ** 2), len(answers))
    reasons = answers.alike(first, second)
    for one, other, found in zip(first.tolist(), second.tolist(), reasons.tolist(), strict=True):
        assert FILTERS[found] == literal(answers.normal[one], answers.normal[other])


def test_mistakes_are_told() -> None:
    """Unknown names say which are known."""
    with pytest.raises(UsageError, match="expected one of endings"):
        Likeness(terms="phrase")
    with pytest.raises(UsageError, match="did you mean 'colors'"):
        Likeness(scales=("colours",))
    with pytest.raises(UnknownNameError, match="no scale is called"):
        Scales(["red"], ["hues"])
