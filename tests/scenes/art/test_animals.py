"""Animals: as many as the dataset had, in as many poses, that stand on the ground and do what their pose says."""

from importlib.resources import files
from pathlib import Path

import pytest

from eyechart.errors import DataError, FormatError
from eyechart.scenes.art import Clip, Form, Piece, pieces
from eyechart.scenes.art.figures.animals import read_animals
from eyechart.scenes.ontology import packaged_ontology
from eyechart.scenes.render import drawn_box

ANIMALS = [piece for piece in pieces().values() if piece.kind == "animal"]
POSES = [
    pytest.param(piece, pose, form, id=f"{piece.name} {form.name}")
    for piece in ANIMALS
    for pose, form in enumerate(piece.forms)
]
DATA = files("eyechart.scenes.art").joinpath("data/animals")
AIR = {"flying", "fluttering", "gliding", "jumping", "running", "hanging", "swimming", "hiding", "perching"}
"""Poses in which an animal need not touch the ground."""


def test_thirty_one_animals_in_five_poses() -> None:
    """The numbers of the abstract scenes of Antol et al. 2015, appendix VI."""
    assert len(ANIMALS) >= 31
    assert min(len(piece.forms) for piece in ANIMALS) >= 5
    assert sum(len(piece.forms) for piece in ANIMALS) >= 136


@pytest.mark.parametrize(("piece", "pose", "form"), POSES)
def test_its_box_holds_what_it_draws(piece: Piece, pose: int, form: Form) -> None:
    """And whoever stands has its feet on the ground, to two pixels."""
    left, top, right, bottom = drawn_box(Clip(piece.name, 0, 0, pose=pose), piece)
    assert form.box[0] - 2 <= left
    assert form.box[1] - 2 <= top
    assert right <= form.box[2] + 2
    assert bottom <= form.box[3] + 2
    assert form.anchors.base == (0.0, 0.0)
    if form.name not in AIR:
        assert bottom == pytest.approx(0, abs=5)
    else:
        assert bottom <= 5 or form.name == "perching"


@pytest.mark.parametrize("piece", ANIMALS, ids=lambda piece: piece.name)
def test_poses_look_different(piece: Piece) -> None:
    """No two drawings of an animal are equal, and the ontology has its words."""
    drawings = {piece.parts(Clip(piece.name, 0, 0, pose=pose))[0].svg for pose in range(len(piece.forms))}
    assert len(drawings) == len(piece.forms)
    ontology = packaged_ontology()
    assert {form.noun for form in piece.forms} <= ontology.nouns.keys()
    assert {name for form in piece.forms for name in form.attributes} <= ontology.attributes.keys()


@pytest.mark.parametrize("piece", ANIMALS, ids=lambda piece: piece.name)
def test_coats_have_colors(piece: Piece) -> None:
    """Every slot changes the drawing of the poses that show it, and one slot at least is shown."""
    for place, slot in enumerate(piece.slots):
        other = next((color for color in slot.colors if color != slot.default), None)
        if other is None:
            continue
        colors = tuple(other if at == place else None for at in range(len(piece.slots)))
        for pose, form in enumerate(piece.forms):
            plain, dyed = (piece.parts(Clip(piece.name, 0, 0, pose=pose, colors=each)) for each in ((), colors))
            assert (plain[0].svg != dyed[0].svg) == (slot.name in form.slots)
    assert any(slot.gives for slot in piece.slots)


def test_a_pose_that_is_not_drawn() -> None:
    """Is told by the clip's name."""
    with pytest.raises(DataError, match="dog-3: found pose 40, expected 0 to"):
        pieces()["dog"].form(Clip("dog", 0, 0, pose=40, instance=3))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('plan = "bird"', 'plan = "brid"', "owl.toml: found the plan 'brid', expected one of quadruped"),
        ('poses = ["standing"', 'poses = ["singing"', "owl.toml: found the pose 'singing'"),
        ('default = "brown"', 'default = "mud"', "owl.toml: slot 'coat' has the colour 'mud'"),
        ("coat: M-13", "cote: M-13", "owl.toml: head: found the paint 'cote'"),
        ("M-13 -6L", "m-13 -6L", "owl.toml: head: found the shape"),
        ("[tweaks.flying]", "[tweaks.flying]\nwing = 3", "owl.toml: flying: Object contains unknown field `wing`"),
        ('noun = "owl"', 'noun = "owl', "owl.toml: found "),
        ('plan = "bird"', 'like = "eagle"', "owl.toml: found like 'eagle'"),
    ],
)
def test_mistakes_name_file_and_place(tmp_path: Path, old: str, new: str, said: str) -> None:
    """Whoever draws an animal knows where to look."""
    text = DATA.joinpath("owl.toml").read_text("utf-8")
    assert old in text
    tmp_path.joinpath("owl.toml").write_text(text.replace(old, new), "utf-8")
    tmp_path.joinpath("poses.toml").write_text(DATA.joinpath("poses.toml").read_text("utf-8"), "utf-8")
    with pytest.raises(FormatError) as caught:
        read_animals(tmp_path)
    assert said in str(caught.value)


def test_a_turn_of_no_bone(tmp_path: Path) -> None:
    """A free plan names its own bones."""
    text = DATA.joinpath("crab.toml").read_text("utf-8").replace("turns = { left = 36", "turns = { claw = 36")
    tmp_path.joinpath("crab.toml").write_text(text, "utf-8")
    tmp_path.joinpath("poses.toml").write_text("", "utf-8")
    with pytest.raises(FormatError, match=r"crab\.toml: waving: found a turn of 'claw', expected a bone"):
        read_animals(tmp_path)
