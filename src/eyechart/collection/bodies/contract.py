"""What a response must be: a structure, limits, and one sentence for each mistake."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from eyechart.errors import MistakesError, WorkError

__all__ = ["BodyKind", "Given", "Mistake", "read", "rules_of"]

B = TypeVar("B", bound=msgspec.Struct)

Mistake = tuple[str, str]
"""The field, and a sentence that says what to do."""

_PLACE = " - at `$"


@dataclass(frozen=True)
class Given:
    """What the worker was given: what a response is checked against."""

    content: Mapping[str, Any]  # the item's parts, the withheld ones too
    arranged: Mapping[str, Any]  # what was shown in which order
    shown: tuple[str, ...]
    rules: Mapping[str, Any]  # the study's own


@dataclass(frozen=True)
class BodyKind(Generic[B]):
    """The body of a task: its structure, what else must hold, and what it says once it is kept."""

    structure: type[B]
    check: Callable[[B, Given], Iterator[Mistake]] = lambda _body, _given: iter(())
    kept: Callable[[B, Given], Mapping[str, Any]] | None = None
    """What is kept instead of the body as it is: places in a shown order become the things that stood there."""
    agrees: Callable[[Mapping[str, Any], Mapping[str, Any]], float] = lambda body, expected: float(body == expected)
    """How far a kept body agrees with one that is known to be right, from 0 to 1."""
    told: Callable[[Sequence[Mapping[str, Any]], Mapping[str, Any]], Mapping[str, Any]] | None = None
    """What an editor is told of the items of an assignment, and of the study's rules; none where there is no editor."""


def read(kind: BodyKind[Any], raw: object, given: Given, number: int = 0) -> dict[str, Any]:
    """A checked body, as it is kept; mistakes are named by unit and field, such as ``0.answer``.

    >>> class Note(msgspec.Struct):
    ...     text: str
    >>> kind = BodyKind(Note, check=lambda body, given: iter([("text", "Write more.")] if len(body.text) < 3 else []))
    >>> nobody = Given({}, {}, (), {})
    >>> read(kind, {"text": "yes"}, nobody)
    {'text': 'yes'}
    >>> read(kind, {"text": "y"}, nobody, number=2)
    Traceback (most recent call last):
    eyechart.errors.MistakesError: Write more.
    """
    try:
        body = msgspec.convert(raw, kind.structure)
    except msgspec.ValidationError as error:
        problem, _, place = str(error).partition(_PLACE)
        field = place.rstrip("`").lstrip(".") or _missing(problem)
        raise MistakesError({f"{number}.{field}": _sentence(problem, field)}) from error
    mistakes = dict(kind.check(body, given))
    if mistakes:
        raise MistakesError({f"{number}.{field}": sentence for field, sentence in mistakes.items()})
    kept = kind.kept(body, given) if kind.kept is not None else msgspec.to_builtins(body)
    return dict(kept)


def rules_of(told: Mapping[str, Any], rules: type[B]) -> B:
    """A study's own rules for a task, those that are not said as the task has them.

    >>> class Rules(msgspec.Struct):
    ...     things: int = 6
    >>> rules_of({"things": 2}, Rules).things
    2
    >>> rules_of({"things": "two"}, Rules)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.WorkError: rules: found some that cannot be read (Expected `int`, got `str`...
    """
    try:
        return msgspec.convert(dict(told), rules)
    except msgspec.ValidationError as error:
        known = ", ".join(rules.__struct_fields__)
        raise WorkError(
            f"rules: found some that cannot be read ({error}), expected {known}; correct the study"
        ) from error


def _missing(problem: str) -> str:
    return problem.split("`")[1] if "`" in problem else ""


def _sentence(problem: str, field: str) -> str:
    name = field.replace("_", " ") or "response"
    if problem.startswith("Object missing required field"):
        return f"Fill in {name}."
    return f"{name.capitalize()}: {problem[0].lower()}{problem[1:]}."
