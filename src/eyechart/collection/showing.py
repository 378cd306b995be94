"""What a worker sees of an item: only parts that the study shows, and pictures by number, never by name."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from eyechart._lib.keyed import Key
from eyechart.collection.model import Assignment, Draft, Picture, Study, Unit
from eyechart.database import work
from eyechart.errors import WorkError

__all__ = ["arrange", "assignment", "picture"]


def arrange(rows: Connection, study: Study, item_id: int, worker_id: int) -> dict[str, Any]:
    """What is decided as an item is handed out: the order of choices, which earlier questions there are."""
    arranged: dict[str, Any] = {}
    if "choices" in study.shown:
        content = rows.execute(select(work.ITEMS.c.content).where(work.ITEMS.c.item_id == item_id)).scalar_one()
        key = Key(study.settings.seed, "order of choices")
        places = range(len(content["choices"]))
        arranged["choices"] = sorted(places, key=lambda place: key.of(study.name, item_id, worker_id, place))
    if "earlier_questions" in study.shown:
        arranged["earlier_questions"] = _asked_before(rows, item_id)
    return arranged


def _asked_before(rows: Connection, item_id: int) -> list[str]:
    response = work.RESPONSES.c
    given = select(response.body).where(response.item_id == item_id, response.state == "accepted")
    content = rows.execute(select(work.ITEMS.c.content).where(work.ITEMS.c.item_id == item_id)).scalar_one()
    written = [body["question"] for body in rows.execute(given.order_by(response.response_id)).scalars()]
    return [*content.get("earlier_questions", ()), *written]


def assignment(rows: Connection, study: Study, worker: str, token: str, *, resumed: bool) -> Assignment:
    """An assignment as its worker may see it."""
    lease = rows.execute(select(work.LEASES).where(work.LEASES.c.token == token)).mappings().one()
    units, items, slots = work.LEASE_UNITS, work.ITEMS, work.SLOTS
    held = (
        select(units.c.number, units.c.arranged, items.c.content)
        .join(items, items.c.item_id == units.c.item_id)
        .join(slots, slots.c.slot_id == units.c.slot_id)
        .where(units.c.lease_id == lease["lease_id"], slots.c.lease_id == lease["lease_id"])
        .order_by(units.c.number)
    )
    shown = tuple(
        Unit(number, shown_parts(study, content, arranged)) for number, arranged, content in rows.execute(held)
    )
    saved = (
        rows.execute(select(work.DRAFTS).where(work.DRAFTS.c.lease_id == lease["lease_id"])).mappings().one_or_none()
    )
    draft = None if saved is None else Draft(saved["revision"], saved["body"], saved["saved"])
    return Assignment(token, study.name, worker, shown, lease["started"], lease["expires"], draft, resumed)


def shown_parts(study: Study, content: Mapping[str, Any], arranged: Mapping[str, Any]) -> dict[str, Any]:
    """The parts of an item that a study shows.

    A part that the item lacks is left out: there is no caption of a picture that nobody described.
    """
    parts: dict[str, Any] = {}
    for part in study.shown:
        if part == "choices":
            parts[part] = [content["choices"][place] for place in arranged["choices"]]
        elif part == "earlier_questions":
            parts[part] = arranged["earlier_questions"]
        elif part == "image" and "image" in content:
            parts[part] = _numbered(0, content["image"])
        elif part == "neighbours":
            parts[part] = [_numbered(rank, each) for rank, each in enumerate(content["neighbours"], 1)]
        elif part in content:
            parts[part] = content[part]
    return parts


def _numbered(number: int, image: Mapping[str, Any]) -> dict[str, Any]:
    """A picture as a number and its size."""
    return {"picture": number, "width": image.get("width"), "height": image.get("height")}


def picture(rows: Connection, study: Study, token: str, unit: int, number: int) -> Picture:
    """A picture of an assignment by its number, if the study shows it."""
    units, items, leases = work.LEASE_UNITS.c, work.ITEMS.c, work.LEASES.c
    found = (
        select(items.content)
        .join_from(work.LEASE_UNITS, work.ITEMS, items.item_id == units.item_id)
        .join(work.LEASES, leases.lease_id == units.lease_id)
        .where(leases.token == token, units.number == unit)
    )
    content = rows.execute(found).scalar_one_or_none()
    pictures: dict[int, Any] = {}
    if content is not None and "image" in study.shown and "image" in content:
        pictures[0] = content["image"]
    if content is not None and "neighbours" in study.shown:
        pictures |= dict(enumerate(content["neighbours"], 1))
    if number not in pictures:
        raise WorkError(f"picture {number} of unit {unit}: found none that this assignment shows; reload the page")
    image = pictures[number]
    return Picture(image["image_id"], image.get("file"), image.get("scene"))
