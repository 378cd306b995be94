"""The proofreader finds what is wrong and lets pass what is right."""

import pytest

from eyechart.questions.language.proofreading import english_faults, faults


@pytest.mark.parametrize(
    "sentence",
    [
        "Is there an apple to the left of the dog?",
        "Are these shoes white?",
        "Are a cup and a bowl made of glass?",
        "Is the man who is riding the horse old?",
        "Is an hour enough?",
    ],
)
def test_good_sentences(sentence: str) -> None:
    assert not [*faults(sentence, question=True), *english_faults(sentence)]


@pytest.mark.parametrize(
    ("sentence", "fault"),
    [
        ("Is there a apple?", "'a' before 'apple'"),
        ("Is there an cup?", "'an' before 'cup'"),
        ("Is these shoes white?", "a singular verb in 'Is these'"),
        ("Are this shoe white?", "a plural verb in 'Are this '"),
        ("Is the the cup red?", "'the' twice"),
        ("is the cup red?", "a small letter at the beginning"),
        ("Is the cup red", "no question mark at the end"),
        ("Is the cup  red?", "two blanks"),
        ("Is the cup red ?", "blanks around punctuation"),
        ("Is {o} red?", "what belongs to a pattern, not to a sentence"),
    ],
)
def test_bad_sentences(sentence: str, fault: str) -> None:
    assert fault in [*faults(sentence, question=True), *english_faults(sentence)]
