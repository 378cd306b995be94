"""Scenes that people make or change: what the editor is told, and what it hands in, which is checked again here.

Each scene is in the layout of the abstract-scenes dataset, with what was done as its ``userSequence``. The rules are
those of Antol et al. 2015, appendix VI: at least six things, a person in every other scene, faces chosen, three limbs
of every person turned, and three changes where a scene is given.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import msgspec
import polars as pl
from msgspec import Meta

from eyechart._lib.keyed import Key
from eyechart.errors import DataError
from eyechart.formats import encode_scenes
from eyechart.scenes import art, render

__all__ = [
    "Made",
    "Rules",
    "SceneTask",
    "Submitted",
    "Wanted",
    "changes",
    "composition",
    "made_tables",
    "read_scenes",
    "wanted",
]

LONGEST = 4_000_000
"""Bytes that may be handed in at once."""
_THINGS = 150
_STEPS = 20_000
_INSTANCES = 5
_PLACE = 5.0
"""Pixels that a thing must be moved for a change."""
_MEMBERS = ("variant", "pose", "style")

Json = dict[str, Any]  # a scene as the dataset's files write it


class Rules(msgspec.Struct, frozen=True):
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


class Wanted(msgspec.Struct, frozen=True):
    """One scene that a task asks for."""

    id: str
    background: str
    variant: int = 0
    offered: tuple[str, ...] | None = None
    """Pieces on the shelf; all that are at home in the background if none are named."""
    person: bool = False
    """Whether there has to be one."""
    start: Json | None = None
    """The scene that is to be changed."""
    question: str | None = None
    answer: str | None = None
    """For the scene that is to be changed; it shall become another."""


class SceneTask(msgspec.Struct, frozen=True):
    """What the editor is told.

    >>> SceneTask((wanted("7", seed=1),)).scenes[0].id
    '7'
    """

    scenes: tuple[Wanted, ...]
    rules: Rules = Rules()


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
    return Wanted(key, place, variant, _offered(key, place, seed, share), person)


def _offered(key: str, background: str, seed: int, share: float) -> tuple[str, ...] | None:
    if share >= 1:
        return None
    drawn = Key(seed, "offered in a scene")
    home = {name: entry["scenes"] for name, entry in art.atlas()["pieces"].items()}
    kept = [name for name, scenes in home.items() if not scenes or background in scenes]
    return tuple(name for name in kept if drawn.uniform(key, name) < share)


def composition(key: str, cliparts: pl.DataFrame, location: str | None = None) -> Json:
    """A scene out of its rows of the table of clip art, as the editor opens it.

    >>> scene = art.Scene("park", (art.Clip("tree", 100.0, 150.0),))
    >>> composition("7", render.rows_of([("7", scene)]))["scene"]["sceneType"]
    'park'
    """
    background = render.scenes_of(cliparts, {key: location} if location else None)[key].background
    columns = {"split": None, "file": None, "url": None, "width": art.WIDTH, "height": art.HEIGHT}
    images = pl.DataFrame(
        {"image_id": [key], "location": [background], **{name: [value] for name, value in columns.items()}}
    )
    record: Json = encode_scenes({"images": images, "cliparts": cliparts}).records[0]
    return record


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


class _Step(msgspec.Struct, forbid_unknown_fields=True):
    at: Annotated[float, Meta(ge=0)]
    do: _Done
    on: _Text
    to: _Text | _Number | bool | Annotated[list[_Text | _Number], Meta(max_length=2)] | None = None


class _Instance(
    msgspec.Struct,
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


class _Offer(msgspec.Struct):
    instance: Annotated[list[_Instance], Meta(max_length=100)]


class _Composed(msgspec.Struct, rename={"place": "sceneType", "offers": "availableObject", "steps": "userSequence"}):
    place: _Text
    offers: Annotated[list[_Offer], Meta(max_length=_THINGS + 1)]
    steps: Annotated[list[_Step], Meta(max_length=_STEPS)] = []


class _Composition(msgspec.Struct):
    id: _Text | int
    scene: _Composed


class _Body(msgspec.Struct, forbid_unknown_fields=True):
    scenes: Annotated[list[_Composition], Meta(max_length=50)]


@dataclass(frozen=True, slots=True)
class Made:
    """A scene that somebody made."""

    id: str
    scene: art.Scene
    steps: tuple[Json, ...]
    """What was done, in order: ``at`` so many milliseconds, ``do``, ``on`` which thing, ``to`` what."""


@dataclass(frozen=True, slots=True)
class Submitted:
    """What was handed in, and what is wrong with it, a sentence each; only without mistakes is it to be kept."""

    scenes: tuple[Made, ...]
    mistakes: tuple[str, ...]


def read_scenes(body: bytes | str, task: SceneTask) -> Submitted:
    """The scenes of a body, checked by the rules of its task.

    >>> task = SceneTask((Wanted("7", "park"),))
    >>> read_scenes('{"scenes": []}', task).mistakes
    ('scene 7: found none, expected it among those handed in; open the task again',)
    """
    size = len(body.encode() if isinstance(body, str) else body)
    if size > LONGEST:
        return Submitted((), (f"scenes: found {size} bytes, expected {LONGEST} at most; make fewer steps",))
    try:
        decoded = msgspec.json.decode(body, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return Submitted(
            (),
            (f"scenes: found what cannot be read ({error}), expected what the editor writes; load the page again",),
        )
    found = {str(each.id): each for each in decoded.scenes}
    made: list[Made] = []
    mistakes: list[str] = []
    for asked in task.scenes:
        if asked.id not in found:
            mistakes.append(f"scene {asked.id}: found none, expected it among those handed in; open the task again")
            continue
        try:
            made.append(_made(found[asked.id], asked))
        except DataError as error:
            mistakes.append(f"scene {asked.id}: {error}")
            continue
        mistakes += [f"scene {asked.id}: {missing}" for missing in _missing(made[-1].scene, asked, task.rules)]
    return Submitted(tuple(made), tuple(mistakes))


def _made(found: _Composition, asked: Wanted) -> Made:
    present = [each for offer in found.scene.offers for each in offer.instance if each.present]
    behind = [each for each in present if each.kind == "background"]
    clips = tuple(each.clip() for each in present if each.kind != "background")
    if [each.name for each in behind] not in ([], [asked.background]):
        raise DataError(f"found the background {behind[0].name!r}, expected {asked.background!r}; keep it")
    colors, variant = (tuple(behind[0].colors), behind[0].variant) if behind else ((), asked.variant)
    scene = art.Scene(asked.background, clips, colors, variant)
    art.check(scene)
    for mistake in _unfit(scene, asked):
        raise DataError(mistake)
    return Made(asked.id, scene, tuple(msgspec.to_builtins(step) for step in found.scene.steps))


def _unfit(scene: art.Scene, asked: Wanted) -> Iterator[str]:
    """What the editor does not let anybody do."""
    before = {art.name_of(clip) for clip in _start(asked).clips} if asked.start else set()
    names = [art.name_of(clip) for clip in scene.clips]
    shelf = _shelf(asked)
    if len(names) > _THINGS:
        yield f"found {len(names)} things, expected {_THINGS} at most; take some out"
    if twins := {name for name in names if names.count(name) > 1}:
        yield f"found {min(twins)} twice, expected a number for each instance; number them"
    for clip, name in zip(scene.clips, names, strict=True):
        if name in before:
            continue
        if clip.name not in shelf:
            yield f"found {clip.name}, expected a piece that the shelf offers; take it out"
        if clip.instance >= _INSTANCES:
            yield f"found {name}, expected instances 0 to {_INSTANCES - 1}; take one out"
        if not (0 <= clip.x <= art.WIDTH and 0 <= clip.y <= art.HEIGHT):
            yield f"found {name} at {clip.x:g}, {clip.y:g}, expected a place in the picture; move it"


def _shelf(asked: Wanted) -> set[str]:
    if asked.offered is not None:
        return set(asked.offered)
    home = {name: entry["scenes"] for name, entry in art.atlas()["pieces"].items()}
    return {name for name, scenes in home.items() if not scenes or asked.background in scenes}


def _start(asked: Wanted) -> art.Scene:
    """The scene that was given."""
    given = msgspec.convert(asked.start, _Composition)
    present = [each for offer in given.scene.offers for each in offer.instance if each.present]
    clips = tuple(each.clip() for each in present if each.kind != "background")
    behind = next((each.clip() for each in present if each.kind == "background"), art.Clip(asked.background, 0, 0))
    return art.Scene(asked.background, clips, behind.colors, behind.variant)


def _missing(scene: art.Scene, asked: Wanted, rules: Rules) -> Iterator[str]:
    """The rules that a scene does not keep; the editor's ``rules.js`` asks for the same."""
    people = [clip for clip in scene.clips if art.piece_of(clip).kind == "human"]
    start = _start(asked) if asked.start else None
    if start is not None:
        if (count := changes(start, scene, rules.turn)) < rules.changes:
            yield f"found {count} changes, expected {rules.changes} at least; change more"
    elif len(scene.clips) < rules.things:
        yield f"found {len(scene.clips)} things, expected {rules.things} at least; put more in"
    if start is None and asked.person and not people:
        yield "found nobody, expected a person; put one in"
    given = {art.name_of(clip) for clip in start.clips} if start else set()
    for clip in people:
        if clip.expression == 0:
            yield f"found no face on {art.name_of(clip)}, expected an expression; choose one"
        if art.name_of(clip) not in given and (turned := _turned(clip, rules.turn)) < rules.limbs:
            yield f"found {turned} limbs of {art.name_of(clip)} turned, expected {rules.limbs} at least; pose it"


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


def made_tables(made: Iterable[tuple[str, Made]]) -> Mapping[str, pl.DataFrame]:
    """Rows of ``images`` and ``cliparts`` of scenes, each with the id of its new picture.

    >>> tables = made_tables([("new-7", Made("7", art.Scene("park", (art.Clip("tree", 100.0, 150.0),)), ()))])
    >>> tables["images"].select("image_id", "location").rows(), tables["cliparts"].height
    ([('new-7', 'park')], 2)
    """
    scenes = [(image, each.scene) for image, each in made]
    images = pl.DataFrame(
        {
            "image_id": [image for image, _ in scenes],
            "location": [scene.background for _, scene in scenes],
        },
        schema={"image_id": pl.String, "location": pl.String},
    ).with_columns(width=pl.lit(art.WIDTH, pl.Int32), height=pl.lit(art.HEIGHT, pl.Int32))
    return {"images": images, "cliparts": render.rows_of(scenes)}
