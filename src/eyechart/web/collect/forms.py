"""Between a form and what is handed in: fields by unit and name, such as ``0.answer``, and back for drafts.

A form works without JavaScript, so everything that a task wants travels as plain fields.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from eyechart.collection import Field, Study

__all__ = ["bodies_of", "draft_of", "fields_of", "name_of"]

Values = Mapping[str, str]
_OWN = {"csrf", "revision", "then", "active_seconds"}
"""Fields of the page itself; its key stays, so that a draft names the page that saved it."""


def name_of(unit: int, field: str) -> str:
    """The name of a field in the form.

    >>> name_of(0, "answer")
    '0.answer'
    """
    return f"{unit}.{field}"


def fields_of(study: Study) -> tuple[Field, ...]:
    """The fields of a study: where the choices are withheld, an answer is written instead of picked."""
    fields = study.task.fields
    if "choices" in study.task.shows and "choices" not in study.shown:
        written = Field("text", "Your answer", "line", longest=100, hint="A word or a few.")
        return tuple(written if field.kind == "choices" else field for field in fields)
    return fields


def bodies_of(study: Study, units: Sequence[int], values: Values) -> dict[int, Any]:
    """What is handed in, by the number of its unit; of a unit that others took over meanwhile, what the form says.

    A unit that was left empty is left out where the task allows that.
    """
    sent = {int(number) for number, dot, _ in (name.partition(".") for name in values) if dot and number.isdecimal()}
    found: dict[int, Any] = {}
    for unit in sorted({*units, *sent}):
        body: dict[str, Any] = {}
        for field in fields_of(study):
            body |= _value(field, unit, values)
        if body or not study.task.may_skip:
            found[unit] = body
    return found


def _value(field: Field, unit: int, values: Values) -> dict[str, Any]:
    text = values.get(name_of(unit, field.name), "").strip()
    match field.kind:
        case "scene" | "graph":
            return _drawn(field.name, values.get(name_of(unit, "body"), ""))
        case "check":
            return {field.name: bool(text)}
        case "choices":
            return {field.name: int(text)} if text.isdecimal() and len(text) < 6 else {}  # noqa: PLR2004 - no list is so long
        case "pictures":
            return _picked(field.name, text, values.get(name_of(unit, "seen"), ""))
        case "suggest":
            offered = values.get(name_of(unit, "suggested"), "")
            return {field.name: text, "suggested": [each for each in offered.split("\n") if each]} if text else {}
        case _:
            return {field.name: text} if text else {}


def _drawn(name: str, text: str) -> dict[str, Any]:
    """What an editor wrote into its hidden field; nothing for a picture that was left out."""
    try:
        return {name: msgspec.json.decode(text)} if text else {}
    except msgspec.DecodeError:
        return {}


def _picked(name: str, text: str, seen: str) -> dict[str, Any]:
    picked = {name: int(text)} if text.isdecimal() and len(text) < 6 else {}  # noqa: PLR2004 - as above
    return picked | {"seen": int(seen) if seen.isdecimal() and len(seen) < 6 else 0}  # noqa: PLR2004 - as above


def draft_of(values: Values) -> dict[str, str]:
    """What a draft keeps of a form."""
    return {name: text for name, text in values.items() if name not in _OWN}
