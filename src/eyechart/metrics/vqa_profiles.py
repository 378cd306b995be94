"""The rules that are all called VQA accuracy, side by side. Whoever prints one number must say which rule.

Each profile says how the two sides are spelled before they are compared, what happens when all people gave the same
answer, and how agreement becomes a score.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

from eyechart.errors import UnknownNameError
from eyechart.registry import did_you_mean
from eyechart.text import clean_answer, contractions, normalize_answer, normalize_words, strip_punctuation

__all__ = ["PROFILES", "Profile", "profile"]

Spelling = Callable[[str], str]


def _raw(answer: str) -> str:
    return answer


def _curly(answer: str) -> str:
    """As the first releases did: contractions get typographic apostrophes, which no person's answer has."""
    return normalize_words(strip_punctuation(clean_answer(answer)), _curly_contractions())


@cache
def _curly_contractions() -> Mapping[str, str]:
    return {found: written.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") for found, written in contractions().items()}


@dataclass(frozen=True, slots=True)
class Profile:
    """One rule.

    >>> PROFILES["official-2021"].prediction("Two.")
    '2'
    """

    name: str
    about: str
    prediction: Spelling
    references: Spelling
    unanimous: Literal["clean both", "raw references", "no gate"] = "no gate"
    """What is compared instead where all references are the same string."""
    leave_one_out: bool = True
    by_content: bool = False
    """Leave out, with each person, everybody whose record is equal; matters where answers have no ids (V3)."""


PROFILES: dict[str, Profile] = {
    each.name: each
    for each in (
        Profile(
            "official-2021",
            "the official evaluation since 2021: both sides normalised, unless people were unanimous",
            normalize_answer,
            normalize_answer,
            unanimous="clean both",
            by_content=True,
        ),
        Profile(
            "official-2016",
            "the official evaluation until 2021: predictions always normalised, references only rid of punctuation",
            normalize_answer,
            strip_punctuation,
            unanimous="raw references",
            by_content=True,
        ),
        Profile("always", "both sides always normalised", normalize_answer, normalize_answer),
        Profile("vizwiz", "the VizWiz evaluation: references as they are, curly apostrophes", _curly, _raw),
        Profile("naive", "min(matches / 3, 1) of the strings as they are", _raw, _raw, leave_one_out=False),
    )
}
"""Every rule by name, the default first."""


def profile(name: str) -> Profile:
    """The rule of this name.

    >>> profile("vizwizz")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no profile of VQA accuracy is called 'vizwizz': did you mean 'vizwiz'?
    """
    if name not in PROFILES:
        raise UnknownNameError(f"no profile of VQA accuracy is called {name!r}: {did_you_mean(name, PROFILES)}")
    return PROFILES[name]
