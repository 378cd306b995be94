"""Bodies that pick: a choice, a judgement, a picture; what is kept is the thing picked, not its place on the page."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from eyechart.collection.bodies.contract import BodyKind, Given, Mistake
from eyechart.text import normalize_answer

__all__ = ["AGE", "AMBIGUITY", "CHOICE", "COMMONSENSE", "PICK", "Age", "Ambiguity", "Choice", "Commonsense", "Pick"]


class Choice(Struct, forbid_unknown_fields=True):
    """One of the choices, by its place as shown; a text of one's own where choices are withheld."""

    choice: Annotated[int, Meta(ge=0)] | None = None
    text: Annotated[str, Meta(max_length=100)] = ""
    several: bool = False
    """More than one is right."""


class Commonsense(Struct, forbid_unknown_fields=True):
    """Whether common sense is needed."""

    needs_commonsense: Literal["yes", "no"]


class Age(Struct, forbid_unknown_fields=True):
    """The youngest who could answer."""

    youngest_age: Literal["3-4", "5-8", "9-12", "13-17", "18+"]


class Ambiguity(Struct, forbid_unknown_fields=True):
    """Whether a decoy is right as well."""

    also_right: Literal["yes", "no"]


class Pick(Struct, forbid_unknown_fields=True):
    """A near picture by its number, or why none of them will do."""

    picked: Annotated[int, Meta(ge=1)] | None = None
    reason: Literal["no_sense", "same_answer"] | None = None
    seen: Annotated[int, Meta(ge=0)] = 0
    """How many of the near pictures were shown."""


def _choice_mistakes(body: Choice, given: Given) -> Iterator[Mistake]:
    order = given.arranged.get("choices")
    if "choices" not in given.shown:
        if not body.text.strip():
            yield "text", "Write a short answer."
    elif body.choice is None:
        yield "choice", "Pick one of the answers."
    elif order is None or body.choice >= len(order):
        yield "choice", f"Pick one of the {len(order or ())} answers."


def _kept_choice(body: Choice, given: Given) -> Mapping[str, Any]:
    if "choices" not in given.shown:
        return {"choice": " ".join(body.text.split()), "position": None, "shown_at": None, "several": body.several}
    position = given.arranged["choices"][body.choice]
    return {
        "choice": given.content["choices"][position],
        "position": position,
        "shown_at": body.choice,
        "several": body.several,
    }


def _same_choice(body: Mapping[str, Any], expected: Mapping[str, Any]) -> float:
    return float(normalize_answer(body["choice"]) == normalize_answer(expected["choice"]))


def _pick_mistakes(body: Pick, given: Given) -> Iterator[Mistake]:
    offered = len(given.content.get("neighbours", ()))
    if body.picked is None and body.reason is None:
        yield "picked", "Pick a picture, or say why that is not possible."
    elif body.picked is not None and body.reason is not None:
        yield "reason", "Pick a picture or say that it is not possible, not both."
    elif body.picked is not None and body.picked > offered:
        yield "picked", f"Pick one of the {offered} pictures."


def _kept_pick(body: Pick, given: Given) -> Mapping[str, Any]:
    rank = body.picked
    picked = None if rank is None else given.content["neighbours"][rank - 1]["image_id"]
    return {"image_id": picked, "rank": rank, "reason": body.reason, "seen": body.seen}


def _same_pick(body: Mapping[str, Any], expected: Mapping[str, Any]) -> float:
    return float(body["image_id"] == expected["image_id"])


CHOICE = BodyKind(Choice, _choice_mistakes, _kept_choice, _same_choice)
COMMONSENSE = BodyKind(Commonsense)
AGE = BodyKind(Age)
AMBIGUITY = BodyKind(Ambiguity)
PICK = BodyKind(Pick, _pick_mistakes, _kept_pick, _same_pick)
