"""What a view looks for. All of it stands in the view's address, so that every view is a link that can be sent."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Self, cast, get_args

from eyechart.errors import UsageError
from eyechart.registry import did_you_mean

__all__ = ["COLUMNS", "MATCHES", "ORDERS", "WITHIN", "Span", "Wanted"]

Match = Literal["contains", "starts", "ends", "regex"]
Within = Literal["question", "answer", "caption"]

MATCHES: tuple[Match, ...] = get_args(Match)
"""How a text is looked for."""
WITHIN: tuple[Within, ...] = get_args(Within)
"""Where."""
COLUMNS = ("split", "answer_type", "question_type", "structural", "semantic", "detailed", "answer", "image_id")
"""Columns of questions that are compared as they are."""
ORDERS = ("stored", "shuffled")
"""Orders beside those by a measure, which are called by its name, with a minus in front for the highest first."""

_LONGEST = 1000
"""Characters of a value; who sends more is not looking for something."""


@dataclass(frozen=True, slots=True)
class Span:
    """The values of a measure that are wanted, both ends included.

    >>> Span(0.5).text, Span(high=0.25).text, Span(0, 1).text, Span(1, 1).text
    ('from 0.5', 'up to 0.25', '0 to 1', '1')
    """

    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """In words."""
        if self.low is None or self.high is None:
            return f"up to {self.high:g}" if self.low is None else f"from {self.low:g}"
        return f"{self.low:g}" if self.low == self.high else f"{self.low:g} to {self.high:g}"


@dataclass(frozen=True)
class Wanted:
    """Which questions are wanted, and in which order; nothing said means all, as they are stored.

    >>> wanted = Wanted.read({"text": ["zebra"], "split": ["val"], "object": ["dog", "cat"], "high.agreement": ["0.5"]})
    >>> wanted.objects, wanted.measures
    (('dog', 'cat'), {'agreement': Span(low=None, high=0.5)})
    >>> list(wanted.pairs())
    [('text', 'zebra'), ('split', 'val'), ('object', 'dog'), ('object', 'cat'), ('high.agreement', '0.5')]
    """

    text: str = ""
    match: Match = "contains"
    within: Within = "question"
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    objects: tuple[str, ...] = ()
    """Names of which the picture must have all."""
    attributes: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    measures: Mapping[str, Span] = field(default_factory=dict[str, Span])
    order: str = "stored"
    seed: int = 0
    """Of the shuffled order."""

    @classmethod
    def read(cls, query: Mapping[str, Sequence[str]]) -> Self:
        """From the parts of an address; empty ones say nothing, unknown ones are refused."""
        said = {name: [each for each in values if each] for name, values in query.items()}
        said = {name: values for name, values in said.items() if values}
        for name, values in said.items():
            _check_name(name)
            if any(len(each) > _LONGEST for each in values):
                raise UsageError(f"{name}: found more than {_LONGEST} characters, expected something to look for")

        def one(name: str, otherwise: str) -> str:
            return said.get(name, [otherwise])[-1]

        return cls(
            text=one("text", ""),
            match=cast(Match, _among("match", one("match", "contains"), MATCHES)),
            within=cast(Within, _among("within", one("within", "question"), WITHIN)),
            columns={name: one(name, "") for name in COLUMNS if name in said},
            objects=tuple(said.get("object", ())),
            attributes=tuple(said.get("attribute", ())),
            relations=tuple(said.get("relation", ())),
            measures=_measures(said),
            order=one("order", "stored"),
            seed=_seed(one("seed", "0")),
        )

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The parts of the address, only those that say something."""
        plain = {"text": self.text, "match": self.match, "within": self.within}
        yield from ((name, value) for name, value in plain.items() if value != getattr(Wanted, name))
        yield from self.columns.items()
        several = {"object": self.objects, "attribute": self.attributes, "relation": self.relations}
        yield from ((name, value) for name, values in several.items() for value in values)
        for name, span in self.measures.items():
            yield from ((f"{end}.{name}", f"{value:g}") for end, value in _ends(span) if value is not None)
        if self.order != "stored":
            yield "order", self.order
        if self.seed:
            yield "seed", str(self.seed)

    @property
    def key(self) -> tuple[tuple[str, str], ...]:
        """What two views have in common that show the same questions in the same order."""
        return tuple(self.pairs())


_NAMES = ("text", "match", "within", *COLUMNS, "object", "attribute", "relation", "order", "seed")


def _check_name(name: str) -> None:
    if name not in _NAMES and not name.startswith(("low.", "high.")):
        raise UsageError(f"found a filter {name[:40]!r}, expected one that is known: {did_you_mean(name, _NAMES)}")


def _measures(said: Mapping[str, Sequence[str]]) -> dict[str, Span]:
    """Spans from their ends, each of which is a part of the address of its own."""
    ends = {name: _finite(name, values[-1]) for name, values in said.items() if name.startswith(("low.", "high."))}
    named = dict.fromkeys(name.partition(".")[2] for name in ends)
    return {name: Span(ends.get(f"low.{name}"), ends.get(f"high.{name}")) for name in named}


def _ends(span: Span) -> Iterator[tuple[str, float | None]]:
    yield "low", span.low
    yield "high", span.high


def _finite(name: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise UsageError(f"{name}: found {text[:40]!r}, expected a number such as 0.5; write one")
    return value


def _among(name: str, value: str, known: Sequence[str]) -> str:
    if value not in known:
        raise UsageError(f"{name}: found {value[:40]!r}, expected one of {', '.join(known)}; choose one")
    return value


def _seed(text: str) -> int:
    if not text.isdecimal() or len(text) > 18:  # noqa: PLR2004  # fits 64 bits
        raise UsageError(f"seed: found {text[:40]!r}, expected a whole number; write one")
    return int(text)
