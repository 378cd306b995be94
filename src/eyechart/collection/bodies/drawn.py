"""Bodies that are scenes: one for each unit, read by the rules of the editor, kept as the editor would open them."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from eyechart.collection.bodies.contract import BodyKind, Given, Mistake
from eyechart.collection.bodies.scene import Made, Rules, SceneTask, Wanted, composition, made_tables, read_scenes
from eyechart.errors import WorkError

__all__ = ["SCENE", "SCENE_EDIT", "Scene", "SceneEdit", "made"]

Json = dict[str, Any]  # a scene as the editor writes it


class Scene(Struct, forbid_unknown_fields=True):
    """A scene made from nothing."""

    scene: Json


class SceneEdit(Struct, forbid_unknown_fields=True):
    """A scene changed so that the answer changes, and that answer; or why there is none."""

    scene: Json | None = None
    answer: Annotated[str, Meta(max_length=100)] = ""
    reason: Literal["no_sense", "same_answer"] | None = None


def made(scene: Json, given: Given) -> tuple[Made | None, tuple[str, ...]]:
    """What somebody made, and what is wrong with it."""
    wanted = msgspec.convert(given.content["scene"], Wanted)
    try:
        rules = msgspec.convert(dict(given.rules), Rules)
    except msgspec.ValidationError as error:
        raise WorkError(
            f"rules: found some that cannot be read ({error}), expected numbers; correct the study"
        ) from error
    handed_in = msgspec.json.encode({"scenes": [{**scene, "id": wanted.id}]})
    read = read_scenes(handed_in, SceneTask((wanted,), rules))
    return (read.scenes[0] if read.scenes else None), read.mistakes


def _scene_mistakes(body: Scene, given: Given) -> Iterator[Mistake]:
    _, mistakes = made(body.scene, given)
    if mistakes:
        yield "scene", " ".join(mistakes)


def _edit_mistakes(body: SceneEdit, given: Given) -> Iterator[Mistake]:
    if (body.scene is None) == (body.reason is None):
        yield "scene", "Change the scene, or say why that is not possible."
        return
    if body.scene is None:
        return
    yield from _scene_mistakes(Scene(body.scene), given)
    answer = " ".join(body.answer.split())
    if not answer:
        yield "answer", "Write the answer that is right now."
    elif answer.casefold() == str(given.content.get("answer", "")).casefold():
        yield "answer", "Change the scene so that another answer is right."


def _kept_scene(scene: Json, given: Given) -> Json:
    """The scene as the editor would open it, with what was done."""
    found, _ = made(scene, given)
    if found is None:
        raise WorkError("scene: found none that can be kept; load the page again")
    tables = made_tables([(found.id, found)])
    kept = composition(found.id, tables["cliparts"], found.scene.background)
    kept["scene"]["userSequence"] = list(found.steps)
    return kept


def _kept_edit(body: SceneEdit, given: Given) -> Mapping[str, Any]:
    scene = None if body.scene is None else _kept_scene(body.scene, given)
    answer = " ".join(body.answer.split()) if scene else None
    return {"scene": scene, "answer": answer, "reason": body.reason}


SCENE = BodyKind(Scene, _scene_mistakes, lambda body, given: {"scene": _kept_scene(body.scene, given)})
SCENE_EDIT = BodyKind(SceneEdit, _edit_mistakes, _kept_edit)
