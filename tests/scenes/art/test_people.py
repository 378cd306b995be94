"""People: twenty dolls of all ages with jointed limbs, faces and clothes; limbs join, reach and say what they do."""

import math
from importlib.resources import files
from pathlib import Path

import pytest

from eyechart.errors import DataError, FormatError
from eyechart.scenes.art import Clip, check, pieces
from eyechart.scenes.art.figures.dolls import read_dolls
from eyechart.scenes.art.figures.people import Person
from eyechart.scenes.art.model import Scene
from eyechart.scenes.ontology import packaged_ontology
from eyechart.scenes.render import drawn_box, measure

PEOPLE = [piece for piece in pieces().values() if isinstance(piece, Person)]
DATA = files("eyechart.scenes.art").joinpath("data/people")
each_person = pytest.mark.parametrize("person", PEOPLE, ids=lambda person: person.name)


def test_twenty_dolls() -> None:
    """Genders, skin tones, five ages, as in Antol et al. 2015, appendix VI."""
    assert len(PEOPLE) == 20
    assert {person.age for person in PEOPLE} == {"toddler", "child", "teenager", "adult", "elderly"}
    for gender in ("female", "male"):
        assert sum(person.gender == gender for person in PEOPLE) == 10
    assert len({person.skin for person in PEOPLE}) >= 5


@each_person
def test_limbs_and_faces(person: Person) -> None:
    """Fifteen limbs, eight of a toddler; eight expressions besides blank."""
    assert len(person.limbs) == (8 if person.age == "toddler" else 15)
    assert person.expressions[0] == "blank"
    assert len(person.expressions) == 9
    assert len(person.styles) >= 3
    faces = {"".join(part.svg for part in person.parts(Clip(person.name, 0, 0, expression=e))) for e in range(9)}
    assert len(faces) == 9


@each_person
def test_words_are_the_ontology_s(person: Person) -> None:
    """Nouns of people and clothes, and what is said of them."""
    ontology = packaged_ontology()
    said = {word for pose in person.stances.values() for word in pose.means} | set(person.expressions[1:])
    worn = [wear for s in range(len(person.styles)) for wear in person.wears(Clip(person.name, 0, 0, style=s)).values()]
    assert {person.noun, *(wear.noun for wear in worn)} <= ontology.nouns.keys()
    attributes = {*said, *person.attributes, *(word for wear in worn for word in (wear.color, *wear.attributes))}
    assert attributes <= ontology.attributes.keys()


@each_person
def test_poses_say_what_they_are(person: Person) -> None:
    """A ready-made pose has its own meaning and stands on the ground, and its box holds it."""
    for name, turns in person.poses.items():
        clip = Clip(person.name, 0, 0, turns=turns)
        assert set(person.stances[name].means) <= set(person.posture(turns)), name
        form = person.form(clip)
        left, top, right, bottom = drawn_box(clip, person)
        assert form.box[0] - 1 <= left
        assert form.box[1] - 1 <= top
        assert right <= form.box[2] + 1
        assert bottom <= form.box[3] + 1
        # The hair of somebody who lies hangs down.
        near = 12 if name == "lying" else 4
        assert bottom + person.stances[name].lift == pytest.approx(form.anchors.base[1], abs=near), name


@each_person
def test_meanings_exclude_each_other(person: Person) -> None:
    """Nobody stands and sits."""
    for turns in person.poses.values():
        exclusive = {
            "standing",
            "walking",
            "running",
            "sitting",
            "lying",
            "kneeling",
            "crouching",
            "crawling",
            "jumping",
        }
        assert len(exclusive & set(person.posture(turns))) <= 1


@each_person
def test_limbs_join(person: Person) -> None:
    """The drawing of a person in any pose is one piece: each part touches what is already there."""
    for name in ("standing", "running", "sitting", "lying"):
        scene = Scene("bedroom", (Clip(person.name, 250, 200, turns=person.poses[name]),))
        assert measure(scene).clips[0].area > 1000
        assert _pieces(person, Clip(person.name, 0, 0, turns=person.poses[name])) == 1


def _pieces(person: Person, clip: Clip) -> int:
    """How many separate patches a drawing has."""
    from eyechart.scenes.render.masks import stamp

    left = {(int(y), int(x)) for y, x in zip(*stamp(clip, person, 1.0).labels.nonzero(), strict=True)}
    patches = 0
    while left:
        patches += 1
        queue = [left.pop()]
        while queue:
            y, x = queue.pop()
            for near in [(y + a, x + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]:
                if near in left:
                    left.remove(near)
                    queue.append(near)
    return patches


@each_person
def test_hands_reach(person: Person) -> None:
    """A hand comes to a point within its reach, to a hundredth of a pixel, and never beyond a joint's limits."""
    clip = Clip(person.name, 0, 0)
    neck, hips = person.spots(clip)["neck"], person.spots(clip)["hips"]
    torso = hips[1] - neck[1]
    reached = 0
    for across in (-0.9, -0.6, -0.3):
        for down in (-0.3, 0.0, 0.3, 0.6):
            point = (neck[0] + across * torso, neck[1] + down * torso)
            for hand in ("left hand", "right hand"):
                turns = person.reach(clip, hand, point)
                if turns is None:
                    continue
                held = Clip(person.name, 0, 0, turns=turns)
                check(Scene("park", (held,)))
                assert math.dist(person.spots(held)[hand], point) < 0.01
                reached += 1
    assert reached > 6
    assert person.reach(clip, "left hand", (neck[0] - 9 * torso, neck[1])) is None


def test_knees_bend_backwards() -> None:
    """A foot that is raised brings the knee forward."""
    person = PEOPLE[0]
    clip = Clip(person.name, 0, 0)
    x, y = person.spots(clip)["left foot"]
    turns = person.reach(clip, "left foot", (x - 10, y - 25))
    assert turns is not None
    knee = person.limbs.index("left shin")
    assert turns[knee] < 0
    assert person.joints(Clip(person.name, 0, 0, turns=turns))[knee][0] < person.joints(clip)[knee][0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"style": 9}, "doll01-2: found style 9, expected 0 to 3"),
        ({"expression": -1}, "doll01-2: found expression -1, expected 0 to 8"),
        ({"turns": (0.0,) * 8}, "doll01-2: found 8 turns, expected 15"),
        ({"turns": (0.0,) * 4 + (-2.0,) + (0.0,) * 10}, "doll01-2: found -2.000 as the turn of its left forearm"),
        ({"colors": ("mud",)}, "doll01-2: found the colour 'mud'"),
        ({"colors": ("red",) * 9}, "doll01-2: found 9 colours, expected 4 at most"),
    ],
)
def test_wrong_clips_are_named(changes: dict[str, object], said: str) -> None:
    """With what is wrong about them."""
    with pytest.raises(DataError) as caught:
        check(Scene("park", (Clip("doll01", 0, 0, instance=2, **changes),)))  # type: ignore[arg-type]
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("dolls", 'hair = "short"', 'hair = "shrot"', "dolls.toml: doll01: found 'shrot'"),
        ("dolls", 'build = "adult man"', 'build = "giant"', "dolls.toml: doll01: found 'giant'"),
        ("dolls", 'age = "adult"', 'age = "old"', "dolls.toml: Invalid enum value 'old'"),
        ("poses", "left_leg = [-2, -3, 0]", "left_leg = [-2, 30, 0]", "poses.toml: standing: found 32 degrees between"),
        ("clothes", "skin flat: M-8", "fur flat: M-8", "found the paint 'fur flat'"),
        ("colors", '"teal"', '"tael"', "dolls.toml: doll"),
    ],
)
def test_mistakes_name_file_and_place(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    """Whoever dresses a doll knows where to look."""
    for each in DATA.iterdir():
        text = each.read_text("utf-8")
        if each.name == f"{file}.toml":
            assert old in text
            text = text.replace(old, new)
        tmp_path.joinpath(each.name).write_text(text, "utf-8")
    with pytest.raises(FormatError) as caught:
        read_dolls(tmp_path)
    assert said in str(caught.value)
