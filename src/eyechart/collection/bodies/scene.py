"""Scenes that people make or change: what the editor is told, and what it hands in, which is checked again here.

A scene comes in the layout of the abstract-scenes dataset, with what was done as its ``userSequence``. The rules are
those of Antol et al. 2015, appendix VI: at least six things, a person in every other scene, faces chosen, three limbs
of every person turned, and three changes where a scene is given.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
import polars as pl
from msgspec import Meta, Struct

from eyechart._lib.keyed import Key
from eyechart.collection.bodies.contract import BodyKind, Given, Mistake, rules_of
from eyechart.errors import DataError
from eyechart.formats import encode_scenes
from eyechart.scenes import art, render
from eyechart.tables import TABLES
from eyechart.text import normalize_answer

__all__ = ["SCENE", "SCENE_EDIT", "Rules", "Wanted", "changes", "composition", "scene_state", "scene_tables", "wanted"]

_THINGS = 150
_STEPS = 20_000
_INSTANCES = 5
_PLACE = 5.0
"""Pixels that a thing must be moved for a change."""
_MEMBERS = ("variant", "pose", "style")

Json = dict[str, Any]  # a scene as the dataset's files write it


class Rules(Struct, frozen=True):
    """What a scene needs before it can be handed in.

    >>> Rules().things
    6
    """

    things: int = 6
    """At least, in a scene that is made from nothing."""
    limbs: int = 3
    """Of every new person, that are turned."""
    turn: float = 0.2
    """How far, in radians."""
    changes: int = 3
    """To a scene that is given."""
    shelf: float = 1.0
    """The share of pieces that is offered for a scene that is made from nothing, drawn anew for each."""


class Wanted(Struct, frozen=True):
    """One scene that a task asks for."""

    background: str
    variant: int = 0
    offered: tuple[str, ...] | None = None
    """Pieces on the shelf; all that are at home in the background if none are named."""
    person: bool = False
    """Whether there has to be one."""
    start: Json | None = None
    """The scene that is to be changed, in the dataset's layout."""
    question: str | None = None
    answer: str | None = None
    """For the scene that is to be changed; it shall become another."""


def wanted(key: str, *, seed: int, background: str | None = None, share: float = 1.0) -> Wanted:
    """A scene to make from nothing: where it plays, and whether there must be a person, are keyed draws.

    ``share`` of the pieces that are at home there are offered, so that scenes differ.

    >>> wanted("7", seed=1) == wanted("7", seed=1)
    True
    >>> drawn = [wanted(str(number), seed=1) for number in range(400)]
    >>> 170 < sum(each.person for each in drawn) < 230, {each.background for each in drawn} == set(art.backgrounds())
    (True, True)
    """
    places = sorted(art.backgrounds())
    place = background or places[Key(seed, "background of a scene").of(key) % len(places)]
    variant = Key(seed, "look of a scene").of(key) % len(art.backgrounds()[place].forms)
    person = Key(seed, "person in a scene").uniform(key) < 1 / 2
    offered = None if share >= 1 else _drawn(key, place, seed, share)
    people = offered is None or any(art.pieces()[name].kind == "human" for name in offered)
    return Wanted(place, variant, offered, person and people)


def _drawn(key: str, background: str, seed: int, share: float) -> tuple[str, ...]:
    drawn = Key(seed, "offered in a scene")
    return tuple(name for name in _at_home(background) if drawn.uniform(key, name) < share)


def _at_home(background: str) -> list[str]:
    home = {name: entry["scenes"] for name, entry in art.atlas()["pieces"].items()}
    return [name for name, scenes in home.items() if not scenes or background in scenes]


def wanted_of(content: Mapping[str, Any]) -> Wanted:
    """What an item asks for: its ``scene`` is one to change, with its clip art, or says what to make from nothing.

    >>> wanted_of({"scene": {"background": "beach", "person": True}}).person
    True
    """
    told = content.get("scene") or {}
    if "cliparts" not in told:
        return msgspec.convert({"background": "park", **told}, Wanted)
    rows = _rows(told["cliparts"])
    start = composition("0", rows, told.get("background"))
    question, answer = content.get("question"), content.get("answer")
    return Wanted(start["scene"]["sceneType"], start=start, question=question, answer=answer)


def _rows(clips: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Clip art as rows of its table."""
    rows = pl.DataFrame([{"image_id": "0", **clip} for clip in clips], infer_schema_length=None)
    return TABLES["cliparts"].conform(rows)


def composition(key: str, cliparts: pl.DataFrame, location: str | None = None, steps: Sequence[Json] = ()) -> Json:
    """A scene out of its rows of the table of clip art, as the editor opens it and as the dataset's files have it.

    >>> scene = art.Scene("park", (art.Clip("tree", 100.0, 150.0),))
    >>> composition("7", render.rows_of([("7", scene)]))["scene"]["sceneType"]
    'park'
    """
    background = render.scenes_of(cliparts, {key: location} if location else None)[key].background
    images = pl.DataFrame({"image_id": [key], "location": [background]})
    record: Json = encode_scenes({"images": TABLES["images"].conform(images), "cliparts": cliparts}).records[0]
    return record | {"scene": {**record["scene"], "userSequence": list(steps)}}


def scene_state(contents: Sequence[Mapping[str, Any]], rules: Mapping[str, Any]) -> Json:
    """What the editor is told: the rules, and what is asked for by each item of an assignment.

    >>> scene_state([{"scene": {"background": "beach"}}], {})["scenes"][0]["background"]
    'beach'
    """
    scenes = [msgspec.to_builtins(wanted_of(content)) for content in contents]
    return {"rules": msgspec.to_builtins(rules_of(rules, Rules)), "scenes": scenes}


# ---------------------------------------------------------------------- what is handed in

_Text = Annotated[str, Meta(max_length=100)]
_Count = Annotated[int, Meta(ge=0, le=1000)]
_Level = Annotated[int, Meta(ge=-10_000, le=10_000)]
_Number = Annotated[float, Meta(ge=-10_000, le=10_000)]
_Done = Literal[
    "add",
    "remove",
    "move",
    "depth",
    "flip",
    "forward",
    "back",
    "expression",
    "turns",
    "turn",
    "style",
    "pose",
    "variant",
    "color",
    "undo",
    "redo",
]


class _Step(Struct, forbid_unknown_fields=True):
    at: Annotated[float, Meta(ge=0)]
    do: _Done
    on: _Text
    to: _Text | _Number | bool | Annotated[list[_Text | _Number], Meta(max_length=2)] | None = None


class _Instance(
    Struct,
    rename={
        "kind": "type",
        "instance": "instanceID",
        "depth": "z",
        "layer": "depth0",
        "sublayer": "depth1",
        "variant": "typeID",
        "pose": "poseID",
        "style": "styleID",
        "expression": "expressionID",
        "turns": "deformableLocalRot",
    },
):
    """Members that follow from others, such as the places of joints, are not read: they are worked out anew."""

    name: _Text
    x: _Number
    y: _Number
    kind: Literal["human", "animal", "largeObject", "smallObject", "background"]
    present: bool = True
    instance: _Count = 0
    depth: _Count = 0
    flip: Annotated[int, Meta(ge=0, le=1)] | bool = 0
    variant: _Count = 0
    pose: _Count = 0
    style: _Count = 0
    expression: _Count = 0
    turns: Annotated[list[_Number], Meta(max_length=32)] = []
    colors: Annotated[list[_Text | None], Meta(max_length=32)] = []
    layer: _Level = 0
    sublayer: _Level = 0

    def clip(self) -> art.Clip:
        return art.Clip(
            self.name,
            self.x,
            self.y,
            depth=self.depth,
            flip=bool(self.flip),
            turns=tuple(self.turns),
            colors=tuple(self.colors),
            instance=self.instance,
            layer=self.layer,
            sublayer=self.sublayer,
            expression=self.expression,
            **{name: getattr(self, name) for name in _MEMBERS},
        )


class _Offer(Struct):
    instance: Annotated[list[_Instance], Meta(max_length=100)]


class _Composed(Struct, rename={"place": "sceneType", "offers": "availableObject", "steps": "userSequence"}):
    place: _Text
    offers: Annotated[list[_Offer], Meta(max_length=_THINGS + 1)]
    steps: Annotated[list[_Step], Meta(max_length=_STEPS)] = []


class Composition(Struct):
    """A scene as the dataset's files have it."""

    scene: _Composed


class SceneMade(Struct, forbid_unknown_fields=True):
    """A scene that was made from nothing."""

    scene: Composition


class SceneChanged(Struct, forbid_unknown_fields=True):
    """A scene that was changed, and the answer that is now right, or why that is not possible."""

    scene: Composition | None = None
    answer: Annotated[str, Meta(max_length=100)] = ""
    reason: Literal["no_sense", "same_answer"] | None = None


def _made_mistakes(body: SceneMade, given: Given) -> Iterator[Mistake]:
    if found := " ".join(_mistakes(body.scene, wanted_of(given.content), rules_of(given.rules, Rules))):
        yield "scene", found


def _changed_mistakes(body: SceneChanged, given: Given) -> Iterator[Mistake]:
    if body.reason is not None:
        return
    if body.scene is None:
        yield "scene", "Change the picture, or say why that is not possible."
        return
    if found := " ".join(_mistakes(body.scene, wanted_of(given.content), rules_of(given.rules, Rules))):
        yield "scene", found
    if not body.answer.strip():
        yield "answer", "Write the answer to the question as the picture is now."
    elif normalize_answer(body.answer) == normalize_answer(str(given.content.get("answer", ""))):
        yield "answer", "This is the old answer; change the picture until another one is right."


def _mistakes(found: Composition, asked: Wanted, rules: Rules) -> Iterator[str]:
    """What cannot be drawn, what the editor lets nobody do, or else the rules that are not kept."""
    try:
        scene = _scene(found, asked.background)
        art.check(scene)
    except DataError as error:
        yield f"The picture cannot be drawn: {error}."
        return
    strange = list(_strange(scene, asked))
    yield from strange or _missing(scene, asked, rules)


def _scene(found: Composition, background: str) -> art.Scene:
    present = [each for offer in found.scene.offers for each in offer.instance if each.present]
    clips = tuple(each.clip() for each in present if each.kind != "background")
    behind = [each.clip() for each in present if each.kind == "background"] or [art.Clip(background, 0, 0)]
    return art.Scene(behind[0].name, clips, behind[0].colors, behind[0].variant)


def _strange(scene: art.Scene, asked: Wanted) -> Iterator[str]:
    """What the editor lets nobody do."""
    before = {art.name_of(clip) for clip in _start(asked).clips} if asked.start else set()
    names = [art.name_of(clip) for clip in scene.clips]
    shelf = set(_at_home(asked.background) if asked.offered is None else asked.offered)
    if scene.background != asked.background:
        yield f"The picture plays in {scene.background}, expected {asked.background}; load the page again."
    if len(names) > _THINGS:
        yield f"There are {len(names)} things in the picture, expected {_THINGS} at most; take some out."
    if twins := {name for name in names if names.count(name) > 1}:
        yield f"{min(twins)} is in the picture twice under one number; take one out."
    for clip, name in zip(scene.clips, names, strict=True):
        if name in before:
            continue
        if clip.name not in shelf:
            yield f"{clip.name} is not on the shelf; take it out."
        if clip.instance >= _INSTANCES:
            yield f"{name} is one too many, expected {_INSTANCES} of a kind at most; take it out."
        if not (0 <= clip.x <= art.WIDTH and 0 <= clip.y <= art.HEIGHT):
            yield f"{name} is outside of the picture, at {clip.x:g}, {clip.y:g}; move it."


def _start(asked: Wanted) -> art.Scene:
    """The scene that was given."""
    return _scene(msgspec.convert(asked.start, Composition), asked.background)


def _missing(scene: art.Scene, asked: Wanted, rules: Rules) -> Iterator[str]:
    """The rules that a scene does not keep; the editor's ``rules.js`` asks for the same in the same words."""
    people = [clip for clip in scene.clips if art.piece_of(clip).kind == "human"]
    start = _start(asked) if asked.start else None
    given = {art.name_of(clip) for clip in start.clips} if start else set()
    added = [clip for clip in people if art.name_of(clip) not in given]
    if start is not None:
        if (more := rules.changes - changes(start, scene, rules.turn)) > 0:
            yield f"Make {more} more {'change' if more == 1 else 'changes'} to the picture."
    elif (more := rules.things - len(scene.clips)) > 0:
        yield f"Put {more} more {'thing' if more == 1 else 'things'} into the picture."
    if start is None and asked.person and not people:
        yield "Put at least one person into the picture."
    for clip in added:
        if clip.expression == 0:
            yield f"Choose a face for the {_label(clip)}."
        if _turned(clip, rules.turn) < rules.limbs:
            yield f"Pose the {_label(clip)}: turn at least {rules.limbs} limbs."


def _label(clip: art.Clip) -> str:
    label: str = art.atlas()["pieces"][clip.name]["label"]
    return label


def _turned(clip: art.Clip, least: float) -> int:
    rest: Sequence[float] = art.stencil(clip.name)["poses"]["standing"]
    return sum(abs(turn - still) > least for turn, still in zip(clip.turns or rest, rest, strict=True))


def changes(start: art.Scene, scene: art.Scene, turn: float = Rules().turn) -> int:
    """How many things came or went, and what of the others is no longer as it was.

    >>> start = art.Scene("park", (art.Clip("tree", 100, 150), art.Clip("dog", 250, 300)))
    >>> changes(start, art.Scene("park", (art.Clip("tree", 100, 150, flip=True), art.Clip("cat", 250, 300))))
    3
    """
    before, after = ({art.name_of(clip): clip for clip in each.clips} for each in (start, scene))
    came_or_went = len(before.keys() ^ after.keys())
    return came_or_went + sum(_differences(clip, after[name], turn) for name, clip in before.items() if name in after)


def _differences(before: art.Clip, after: art.Clip, turn: float) -> int:
    far = abs(before.x - after.x) > _PLACE or abs(before.y - after.y) > _PLACE
    slots = max(len(before.colors), len(after.colors))
    return sum(
        (
            far or before.depth != after.depth,
            before.flip != after.flip,
            before.expression != after.expression,
            any(getattr(before, name) != getattr(after, name) for name in _MEMBERS),
            _padded(before.colors, slots) != _padded(after.colors, slots),
            any(abs(a - b) > turn for a, b in zip(before.turns, after.turns, strict=False)),
        )
    )


def _padded(colors: tuple[str | None, ...], slots: int) -> tuple[str | None, ...]:
    return colors + (None,) * (slots - len(colors))


def _kept(found: Composition, background: str) -> Json:
    """The scene as rows, and what was done: what follows from other numbers is worked out anew, not believed."""
    rows = render.rows_of([("0", _scene(found, background))]).drop("image_id")
    return {
        "scene": {"background": background, "cliparts": rows.to_dicts()},
        "steps": msgspec.to_builtins(found.scene.steps),
    }


def _kept_made(body: SceneMade, given: Given) -> Json:
    return _kept(body.scene, wanted_of(given.content).background)


def _kept_changed(body: SceneChanged, given: Given) -> Json:
    if body.reason is not None or body.scene is None:
        return {"scene": None, "steps": [], "answer": None, "reason": body.reason}
    kept = _kept(body.scene, wanted_of(given.content).background)
    return {**kept, "answer": " ".join(body.answer.split()), "reason": None}


def scene_tables(kept: Iterable[tuple[str, Json]]) -> Mapping[str, pl.DataFrame]:
    """Rows of ``images`` and ``cliparts`` of scenes that were kept, each with the id of its new picture.

    >>> rows = render.rows_of([("0", art.Scene("park", (art.Clip("tree", 100.0, 150.0),)))]).drop("image_id")
    >>> tables = scene_tables([("new-7", {"scene": {"background": "park", "cliparts": rows.to_dicts()}})])
    >>> tables["images"].select("image_id", "location").rows(), tables["cliparts"].height
    ([('new-7', 'park')], 2)
    """
    scenes = [(image, each["scene"]) for image, each in kept]
    size = {"width": art.WIDTH, "height": art.HEIGHT}
    images = [{"image_id": image, "location": scene["background"], **size} for image, scene in scenes]
    clips = [_rows(scene["cliparts"]).with_columns(image_id=pl.lit(image)) for image, scene in scenes]
    return {
        "images": TABLES["images"].conform(pl.DataFrame(images)) if images else TABLES["images"].empty(),
        "cliparts": pl.concat(clips) if clips else TABLES["cliparts"].empty(),
    }


SCENE = BodyKind(SceneMade, _made_mistakes, _kept_made, told=scene_state)
SCENE_EDIT = BodyKind(SceneChanged, _changed_mistakes, _kept_changed, told=scene_state)
