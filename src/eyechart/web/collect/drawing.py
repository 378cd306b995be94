"""What the editors need of the server: what they open with, the art of scenes, the words of the ontology."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query
from starlette.responses import JSONResponse, Response

from eyechart.collection import BODIES, Assignment, Study, Unit
from eyechart.scenes import art, ontology
from eyechart.web.collect.pictures import size_of
from eyechart.web.collect.visiting import Visit
from eyechart.web.ui import RefusalError

__all__ = ["drawing_of", "pages"]

pages = APIRouter()

_EDITORS = {"scene": "collect/scene_editor.html", "graph": "collect/graph_editor.html"}
_DAY = {"Cache-Control": "public, max-age=86400"}


def drawing_of(visit: Visit, study: Study, held: Assignment, values: Mapping[str, Any]) -> dict[str, Any] | None:
    """The editor of a task: its template, what it opens with, a hidden field for each unit; none for other tasks."""
    kind = next((field.kind for field in study.task.fields if field.kind in _EDITORS), None)
    told = BODIES.load(study.task.name).told
    if kind is None or told is None:
        return None
    contents = [_told_of(visit, study, held, unit) for unit in held.units]
    names = [f"{unit.number}.body" for unit in held.units]
    return {
        "template": _EDITORS[kind],
        "state": told(contents, study.settings.rules),
        "bodies": [(name, values.get(name, "")) for name in names],
        "art_url": "/art",
        "suggest_url": "/words",
    }


def _told_of(visit: Visit, study: Study, held: Assignment, unit: Unit) -> dict[str, Any]:
    """What is shown of a unit, with the address of its picture, and with its size even if the benchmark has none."""
    url = visit.to(f"/work/{held.study}/tasks/{held.token}/pictures/{unit.number}/0")
    image = unit.shown.get("image")
    if image and not (image.get("width") and image.get("height")):
        width, height = size_of(study, visit.work.picture(held.token, unit.number, 0))
        image = {**image, "width": width, "height": height}
    return {**unit.shown, "url": url, "image": image}


@pages.get("/art/{piece}.json", response_class=JSONResponse)
def art_file(piece: Annotated[str, Path(max_length=60)]) -> Response:
    """A piece of the scenes' art, or the list of all of them."""
    atlas = art.atlas()
    if piece not in {"atlas", *atlas["pieces"], *atlas["backgrounds"]}:
        raise RefusalError(404, "There is no such piece of art; the list of them is atlas.json.")
    found = atlas if piece == "atlas" else art.stencil(piece)
    return Response(msgspec.json.encode(found), media_type="application/json", headers=_DAY)


@pages.get("/words", response_class=JSONResponse)
def words(
    kind: Annotated[Literal["object", "attribute", "relation"], Query(description="What is named.")],
    q: Annotated[str, Query(max_length=100)] = "",
    about: Annotated[str, Query(max_length=100, description="What an attribute is said of.")] = "",
) -> list[str]:
    """Words of the ontology that somebody may mean who has begun to type."""
    return ontology.suggestions(kind, q, about)
