"""World files: what is packaged is good, and what is wrong is told with file and entry."""

import msgspec
import pytest

from eyechart.errors import FormatError, UnknownNameError, UsageError
from eyechart.scenes.generate import packaged_world, packaged_worlds, read_world, with_strength, world_text

SMALL = """
about = "One tree, or none."
[people]
ages = {{ adult = 1 }}
faces = {{ blank = 1 }}
poses = {{ standing = 1 }}
[places.park]
looks = {{ sunny = 1 }}
{rest}
"""


def small(rest: str = "") -> str:
    """A whole world in a few lines, and more lines of it."""
    return SMALL.format(rest=rest)


@pytest.mark.parametrize("name", packaged_worlds())
def test_packaged_worlds_are_good(name: str) -> None:
    """They are read, and know the splits of their scenes."""
    assert packaged_world(name).splits


def test_a_small_world_is_enough() -> None:
    """What is not said has a default, or is not there."""
    world = read_world(small())
    assert list(world.places) == ["park"]
    assert world.activities == []


def test_a_world_is_laid_over_another() -> None:
    """Weights are replaced whole, other tables are merged, everything else is as below."""
    text = 'about = "Green bananas."\nbased_on = "natural"\n[colors.banana]\npeel = { green = 1 }'
    world, below = read_world(text), packaged_world("natural")
    assert world.colors["banana"] == {"peel": {"green": 1}}
    assert world.colors["apple"] == below.colors["apple"]
    assert msgspec.structs.asdict(world)["places"] == msgspec.structs.asdict(below)["places"]


GROUP = "[[places.park.groups]]\npieces = { tree = 1 }\ncount = [0, 1]\n"
ACTIVITY = '[[activities]]\ndoes = "riding"\nmanner = "ride"\nwho = ["person"]\nwhat = { bicycle = 1 }\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("about = ", "mine.toml: found Invalid value"),
        ('about = "x"', "mine.toml, the file: found a wrong value (Object missing required field `places`)"),
        (small("mist = 1"), "mine.toml, places.park: found a wrong value (Object contains unknown field `mist`"),
        (
            small().replace("park", "prak"),
            "mine.toml, places: found 'prak', expected a background (did you mean 'park'",
        ),
        (small().replace("sunny", "suny"), "mine.toml, places.park.looks: found 'suny', expected a look"),
        (small("people = [0, 0]"), "mine.toml, places.park.people: found no weight above 0"),
        (small("animals = [1, 1]"), "mine.toml, places.park.fauna: found no weight above 0"),
        (small("weight = -1"), "mine.toml, places.park: found -1, expected 0 or more"),
        (small(GROUP).replace("tree", "tee"), "places.park.groups[0].pieces: found 'tee', expected a piece"),
        (small(GROUP + "depths = [3, 2]"), "places.park.groups[0].depths: found 3 to 2"),
        (small(GROUP + "depths = [0, 5]"), "places.park.groups[0].depths: found 0 to 5"),
        (small(GROUP + "across = [0.5, 0.5]"), "places.park.groups[0].across: found 0.5 to 0.5"),
        (small(GROUP + "down = [0.5, 2]"), "places.park.groups[0].down: found 0.5 to 2"),
        (small(GROUP + 'on = "roof"'), "places.park.groups[0].on: found a wrong value (Invalid enum value 'roof')"),
        (small(GROUP + "kinds = { tree = { blue = 1 } }"), "groups[0].kinds.tree: found 'blue', expected a type"),
        (small(GROUP + 'hosts = ["tabel"]'), "places.park.groups[0].hosts: found 'tabel'"),
        (small(ACTIVITY).replace("ride", "fly"), "activities[0].manner: found a wrong value"),
        (small(ACTIVITY).replace('"person"', '"parson"'), "activities[0] (riding).who: found 'parson'"),
        (small(ACTIVITY).replace("bicycle", "bycicle"), "activities[0] (riding).what: found 'bycicle'"),
        (small(ACTIVITY + 'places = ["moon"]'), "activities[0] (riding).places: found 'moon'"),
        (small(ACTIVITY + "faces = { bored_to_death = 1 }"), "activities[0] (riding).faces: found 'bored_to_death'"),
        (small(ACTIVITY + 'hold = "teeth"'), "activities[0] (riding).hold: found 'teeth'"),
        (small(ACTIVITY + "weight = -2"), "activities[0] (riding).weight: found -2"),
        (small("[poses]\ndog = { meditating = 1 }"), "mine.toml, poses.dog: found 'meditating'"),
        (small("[kinds]\ntree = { upside_down = 1 }"), "mine.toml, kinds.tree: found 'upside_down'"),
        (small("[colors.tree]\nleaves = { octarine = 1 }"), "mine.toml, colors.tree.leaves: found 'octarine'"),
        (small("[colors.tree]\nroots = { brown = 1 }"), "mine.toml, colors.tree: found 'roots', expected a slot"),
        ('asked = ["unicorn"]' + small(), "mine.toml, asked: found 'unicorn'"),
        ('based_on = "nature"' + small(), "mine.toml, based_on: found 'nature', expected one of"),
        (small('[bias]\nkind = "answer"\nstrength = 0.5'), "mine.toml, bias: found a bias without probes"),
        (small('[probes]\ncolors = ["red"]\npieces = { cup = "body" }\n[bias]'), "mine.toml, probes.colors: found 1"),
        (
            small('[probes]\ncolors = ["red", "mud"]\npieces = { cup = "body" }'),
            "mine.toml, probes.colors: found 'mud'",
        ),
        (small('[probes]\ncolors = ["red", "blue"]\npieces = { cup = "rim" }'), "probes.pieces.cup: found 'rim'"),
    ],
)
def test_mistakes_are_told_with_file_and_entry(text: str, said: str) -> None:
    """Whoever wrote the file knows where to look."""
    with pytest.raises(FormatError) as caught:
        read_world(text, "mine.toml")
    assert said in str(caught.value)
    assert str(caught.value).startswith("mine.toml")


def test_a_world_that_is_not_there() -> None:
    """Names and paths are told apart by the ending."""
    with pytest.raises(UnknownNameError, match="did you mean 'natural'"):
        world_text("natral")
    with pytest.raises(FormatError, match="nowhere.toml: found No such file"):
        world_text("nowhere.toml")


def test_strengths_have_limits() -> None:
    """From no bias to certainty, and only where there is a bias."""
    with pytest.raises(FormatError, match="bias.strength: found 1.5, expected 0.25 .no bias. to 1"):
        with_strength(packaged_world("question"), 1.5, "question")
    with pytest.raises(UsageError, match="without a bias"):
        with_strength(packaged_world("natural"), 0.5, "natural")
