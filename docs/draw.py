"""Draw the pictures of the pages on abstract art and scenes. ``--check`` tells whether they are current."""

import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image, ImageChops

from eyechart.scenes.art import Clip, Scene, backgrounds, pieces
from eyechart.scenes.generate import Composer, Composition, captions, depict, packaged_world
from eyechart.scenes.generate.bodies import is_person
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.render import close_ups, contact_sheet, scene_sheet

FOLDER = Path(__file__).parent / "reference" / "pictures"
ROOMS = {"living_room", "kitchen", "bedroom"}
CELL = (92, 76)
COLUMNS = 11
SEED, SAMPLES = 7, 24
HEAD = (-34.0, -110.0, 34.0, -42.0)
SAME = 2.0
"""Pictures whose pixels differ by less on average, of 255, are the same picture."""


def objects(*, indoors: bool) -> bytes:
    """Every type of every object of one kind of place."""
    return contact_sheet(
        [*_forms("largeObject", indoors=indoors), *_forms("smallObject", indoors=indoors)], COLUMNS, CELL
    )


def _forms(kind: str, *, indoors: bool) -> Iterator[tuple[str, Clip]]:
    for name, piece in pieces().items():
        if piece.kind == kind and bool(ROOMS & set(getattr(piece, "scenes", ()))) == indoors:
            for variant, form in enumerate(piece.forms):
                yield f"{name} {form.name}".replace("_", " ")[:19], Clip(name, 0, 0, variant=variant)


def animals() -> bytes:
    """Every pose of every animal."""
    found = [
        (f"{name} {form.name}", Clip(name, 0, 0, pose=pose))
        for name, piece in pieces().items()
        if piece.kind == "animal"
        for pose, form in enumerate(piece.forms)
    ]
    return contact_sheet(found, COLUMNS, CELL)


def people() -> bytes:
    """Every doll in each of its styles."""
    found = [
        (f"{name} {form.name}", Clip(name, 0, 0, style=style, expression=1 + style))
        for name, piece in pieces().items()
        if is_person(piece)
        for style, form in enumerate(piece.forms)
    ]
    return contact_sheet(found, 12, (84, 110))


def poses() -> bytes:
    """The ready-made poses of a grown-up, a child and a toddler."""
    found = []
    for name, style in (("doll01", 0), ("doll18", 1), ("doll19", 0)):
        piece = pieces()[name]
        if is_person(piece):
            found += [
                (pose, Clip(name, 0, 0, style=style, expression=1, turns=turns)) for pose, turns in piece.poses.items()
            ]
    return contact_sheet(found, COLUMNS, (92, 92))


def faces() -> bytes:
    """The expressions."""
    found = []
    for name in ("doll02", "doll09", "doll11"):
        piece = pieces()[name]
        if is_person(piece):
            found += [(face, Clip(name, 0, 0, expression=number)) for number, face in enumerate(piece.expressions)]
    return close_ups(found, HEAD, 9, 100)


def places() -> bytes:
    """Every look of every background."""
    found = [
        (f"{name} {form.name}".replace("_", " "), Scene(name, variant=variant))
        for name, background in backgrounds().items()
        for variant, form in enumerate(background.forms)
    ]
    return scene_sheet(found, 4, 244)


def samples() -> bytes:
    """The first scenes of a seed in the natural world, each with one of its captions."""
    composer = Composer(packaged_world("natural"))
    made: list[Composition] = [composer.compose(number, SEED) for number in range(SAMPLES)]
    told = [captions(graph, Lots(SEED, number))[0] for number, graph in enumerate(depict(made))]
    return scene_sheet([(text[:58], each.scene) for text, each in zip(told, made, strict=True)], 3, 326)


PICTURES: dict[str, Callable[[], bytes]] = {
    "objects-indoors": lambda: objects(indoors=True),
    "objects-outdoors": lambda: objects(indoors=False),
    "animals": animals,
    "people": people,
    "poses": poses,
    "faces": faces,
    "places": places,
    "scenes": samples,
}


def differs(name: str, drawn: bytes) -> bool:
    """Whether the picture in the folder is another one."""
    file = FOLDER / f"{name}.png"
    if not file.exists():
        return True
    with Image.open(file) as old, Image.open(io.BytesIO(drawn)) as new:
        if old.size != new.size:
            return True
        pixels = ImageChops.difference(old.convert("RGB"), new.convert("RGB")).resize((1, 1), Image.Resampling.BOX)
        return max(pixels.getpixel((0, 0))) > SAME


def main() -> None:
    """Write the pictures, or tell whether they are current."""
    stale = []
    for name, draw in PICTURES.items():
        drawn = draw()
        if "--check" in sys.argv[1:]:
            stale += [name] if differs(name, drawn) else []
        else:
            FOLDER.mkdir(parents=True, exist_ok=True)
            FOLDER.joinpath(f"{name}.png").write_bytes(drawn)
    if stale:
        sys.exit(f"not current: {', '.join(stale)}; run docs/draw.py")


if __name__ == "__main__":
    main()
