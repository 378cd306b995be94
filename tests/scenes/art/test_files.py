"""Files of objects and backgrounds: whoever draws one is told file, entry, what was found and what to do."""

from pathlib import Path

import pytest

from eyechart.errors import FormatError
from eyechart.scenes.art import backgrounds, palette
from eyechart.scenes.art.backgrounds import read_backgrounds
from eyechart.scenes.art.drawings import LARGEST, STYLE
from eyechart.scenes.art.objects import read_objects
from eyechart.scenes.ontology import packaged_ontology

ROOT = " ".join(f'{name}="{value}"' for name, value in STYLE.items())
LIST = """
[cube]
noun = "block"
kind = "smallObject"
places = ["floor"]
slots.paint = { default = "red", colors = ["red", "blue"] }
types.plain = {}
"""
SHAPE = '<path d="M0 0L4 4" fill="#cf4439" class="paint"/>'


def drawing(inside: str = f'<g id="plain">{SHAPE}</g>', box: str = "0 0 8 8") -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {ROOT}>{inside}</svg>'


def folder(path: Path, listed: str = LIST, svg: str | None = None) -> Path:
    path.joinpath("things.toml").write_text(listed, "utf-8")
    path.joinpath("things").mkdir()
    if svg is not None:
        path.joinpath("things/cube.svg").write_text(svg, "utf-8")
    return path


def test_a_small_list_is_enough(tmp_path: Path) -> None:
    """One object with one type and one slot."""
    cube = dict(read_objects(folder(tmp_path, svg=drawing())))["cube"]
    assert cube.forms[0].slots == ("paint",)
    assert cube.forms[0].box == (-4, -4, 4, 4)


@pytest.mark.parametrize(
    ("listed", "svg", "said"),
    [
        (LIST, None, "things.toml: cube: found no drawing 'cube.svg'"),
        (LIST.replace('kind = "', 'kind = "very '), drawing(), "things.toml: found Invalid enum value"),
        (LIST.replace('"blue"', '"bleu"'), drawing(), "things.toml: cube: slot 'paint' has the colour 'bleu'"),
        (LIST.replace('default = "red"', 'default = "green"'), drawing(), "slot 'paint' lacks its default 'green'"),
        (LIST + "types.round = {}", drawing(), "cube.svg: found the groups plain, expected plain, round"),
        (LIST, drawing('<g id="plain"><path d="M0 0"/></g>'), "found no shape for the slot 'paint'"),
        (LIST, drawing('<g id="plain"><script/></g>'), "cube.svg"),
        (LIST, drawing(f'<g id="plain"><text>x</text>{SHAPE}</g>'), "cube.svg"),
        (LIST, drawing(f'<g id="plain"><image href="x.png"/>{SHAPE}</g>'), "cube.svg"),
        (LIST, drawing(f'<g id="plain" onclick="x">{SHAPE}</g>'), "cube.svg"),
        (LIST, drawing(f'<g id="plain">{SHAPE}<path d="url(#x)"/></g>'), "cube.svg"),
        (LIST, drawing(f"<g>{SHAPE}</g>"), "cube.svg: found <g> at the top"),
        (LIST, drawing("<!-- " + "x" * LARGEST + " -->"), f"expected {LARGEST} at most"),
        (LIST, "<!DOCTYPE svg>" + drawing(), "cube.svg: found a declaration of a document type"),
        (LIST, drawing()[:-9], "cube.svg: found "),
        (LIST, drawing(box="0 0 8"), "cube.svg: found the viewBox '0 0 8'"),
        (LIST, drawing().replace(ROOT, ""), "cube.svg: found a root with"),
    ],
)
def test_mistakes_in_objects(tmp_path: Path, listed: str, svg: str | None, said: str) -> None:
    """They name the list and the entry, or the drawing."""
    with pytest.raises(FormatError) as caught:
        dict(read_objects(folder(tmp_path, listed, svg)))
    assert said in str(caught.value)


BACKGROUND = """
noun = "bedroom"
indoors = true
horizon = 100
front = 380
shrink = 0.9
[looks.plain]
[regions.wall]
noun = "wall"
role = "wall"
box = [0, 0, 500, 200]
"""


RUG = "[regions.rug]\nnoun = 'rug'\nrole = 'ground'\nbox = [0, 0, 1, 1]"
WALL = drawing('<g id="wall"/>', "0 0 500 400")


@pytest.mark.parametrize(
    ("entry", "svg", "said"),
    [
        (BACKGROUND, None, "room.toml: found no drawing 'room.svg'"),
        (BACKGROUND.replace('role = "wall"', 'role = "fence"'), "", "room.toml: found Invalid enum value 'fence'"),
        (BACKGROUND, drawing('<g id="wall"/>'), "room.svg: found the viewBox"),
        (BACKGROUND, drawing('<g id="floor"/>', "0 0 500 400"), "room.svg: found the group 'floor'"),
        (BACKGROUND + RUG, WALL, "no group for the region 'rug'"),
        (BACKGROUND + "slot = 'paper'", WALL, "wall has the slot 'paper'"),
    ],
)
def test_mistakes_in_backgrounds(tmp_path: Path, entry: str, svg: str | None, said: str) -> None:
    """They name the file and the region."""
    tmp_path.joinpath("room.toml").write_text(entry, "utf-8")
    if svg is not None:
        tmp_path.joinpath("room.svg").write_text(svg, "utf-8")
    with pytest.raises(FormatError) as caught:
        dict(read_backgrounds(tmp_path))
    assert said in str(caught.value)


def test_backgrounds_are_indoors_and_outdoors() -> None:
    """Living room, kitchen and bedroom; park, street and beach; in the words of the ontology."""
    assert {name for name, found in backgrounds().items() if found.indoors} == {"living_room", "kitchen", "bedroom"}
    assert {name for name, found in backgrounds().items() if not found.indoors} == {"park", "street", "beach"}
    ontology = packaged_ontology()
    for background in backgrounds().values():
        for look in background.regions:
            assert {region.noun for region in look} <= ontology.nouns.keys()
            assert {name for region in look for name in region.attributes} <= ontology.attributes.keys()


def test_the_palette_is_the_ontology_s() -> None:
    """Every colour is an attribute of that type."""
    colors = {name for name, found in packaged_ontology().attributes.items() if found.type == "color"}
    assert palette().keys() <= colors
