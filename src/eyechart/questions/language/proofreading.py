"""What can be seen wrong with a written sentence without understanding it: articles, blanks, doubled words, its end."""

import re
from collections.abc import Callable, Iterator, Mapping

from eyechart.scenes import ontology

__all__ = ["PROOFREADERS", "english_faults", "faults"]

_DOUBLED = re.compile(r"\b(\w+) \1\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\b(an?) ([\w'-]+)", re.IGNORECASE)
_TIGHT = re.compile(r"\s[?.!,;:]|[,;:](?=\w)")
_AGREEMENT = (
    (re.compile(r"\b(?:a|an|every|another) \w+ (?:are|were)\b", re.IGNORECASE), "a plural verb"),
    (re.compile(r"\b(?:these|those) \w+ (?:is|was|has|does)\b", re.IGNORECASE), "a singular verb"),
    (re.compile(r"^(?:is|does|was|isn't) (?:these|those|they|both)\b", re.IGNORECASE), "a singular verb"),
    (
        re.compile(r"^(?:are|do|were|aren't) (?:this|that|he|she|an?) (?!.*\b(?:and|or)\b)", re.IGNORECASE),
        "a plural verb",
    ),
)
"""What cannot stand together, whatever the nouns are."""


def faults(sentence: str, *, question: bool) -> Iterator[str]:
    """What is wrong in any language.

    >>> list(faults("is  there a a cup", question=True))
    ['two blanks', 'a small letter at the beginning', 'no question mark at the end', "'a' twice"]
    """
    if "  " in sentence or sentence != sentence.strip():
        yield "two blanks"
    if not sentence[:1].isupper() and not sentence[:1].isdigit():
        yield "a small letter at the beginning"
    if not sentence.endswith("?" if question else "."):
        yield f"no {'question mark' if question else 'period'} at the end"
    for twice in _DOUBLED.findall(sentence):
        yield f"{twice!r} twice"
    if _TIGHT.search(sentence):
        yield "blanks around punctuation"
    if set("{}[]()|") & set(sentence):
        yield "what belongs to a pattern, not to a sentence"


def english_faults(sentence: str) -> Iterator[str]:
    """What is wrong in English.

    >>> list(english_faults("Is this a apple?"))
    ["'a' before 'apple'"]
    """
    for article, word in _ARTICLE.findall(sentence):
        if article.lower() != ontology.indefinite_article(word):
            yield f"{article!r} before {word!r}"
    for pattern, found in _AGREEMENT:
        if match := pattern.search(sentence):
            yield f"{found} in {match[0]!r}"


PROOFREADERS: Mapping[str, Callable[[str], Iterator[str]]] = {"english": english_faults}
"""What is wrong in one language, by its name."""
