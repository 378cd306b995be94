"""Abstract scenes: clip art that is present, and all that was offered besides."""

import json
import shutil
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from round_trip import Case, Roles, contents, exported, imported, round_trip

from eyechart.errors import FormatError
from eyechart.formats import FORMATS, plan
from eyechart.pipeline import Output, run
from eyechart.pipeline.stages.import_files import ImportFiles
from eyechart.store import Benchmark
from eyechart.tables import TABLES

ABSTRACT_SCENES = FORMATS.load("abstract-scenes")
FOLDER = "scene_composition_abstract_v002_val2015"

Json = Any  # what a foreign file holds


def roles(case: str) -> Roles:
    """The files of a fixture."""
    return Case("abstract-scenes", case).roles


def piece(name: str = "sun", **members: Json) -> Json:
    """A piece of clip art that is present."""
    return {"name": name, "instanceID": 0, "present": True} | members


def scene(*pieces: Json, **members: Json) -> Json:
    """A composition in which every piece is offered by itself."""
    return members | {"scene": {"sceneType": "Park", "availableObject": [{"instance": [one]} for one in pieces]}}


def put(folder: Path, **scenes: Json) -> Roles:
    """A folder of compositions."""
    folder.mkdir(parents=True)
    for name, value in scenes.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return {"scenes": [folder]}


def test_a_folder_is_a_file_of_scenes(tmp_path: Path) -> None:
    """An unpacked archive tells its roles: the index, the captions, and the folder with a file per scene."""
    files = roles("release")
    assert {role: [path.name for path in paths] for role, paths in files.items()} == {
        "index": ["abstract_v002_val2015_scene_information.json"],
        "captions": ["captions_abstract_v002_val2015.json"],
        "scenes": [FOLDER],
    }
    (shard,) = plan(ABSTRACT_SCENES, files)
    assert shard.split == "val"
    assert contents(files) == contents(round_trip(ABSTRACT_SCENES, files, tmp_path))


def test_present_clip_art_becomes_rows() -> None:
    """Where it is, how near, which way it looks, and which of its drawings it is."""
    cliparts = imported(ABSTRACT_SCENES, roles("release"))["cliparts"]
    columns = ("image_id", "object_id", "kind", "x", "y", "depth", "flip", "sublayer", "pose", "variant")
    assert cliparts.select(columns).rows() == [
        ("20007", "Dog01-0", "animal", 120.0, 300.5, 1, True, 5, 2, None),
        ("20007", "Doll19-0", "human", 400.0, 210.0, 0, False, 5, None, None),
        ("20008", "Bottle-0", "smallObject", -3.0, 5.0, 4, False, 3, None, 1),
        ("20008", "Bottle-1", "smallObject", 33.0, 5.0, 4, True, 3, None, 0),
        ("20008", "bottle-0", "smallObject", 9.0, 8.0, 2, False, 3, None, 0),
    ]


def test_people_have_limbs() -> None:
    """Parts in the order of their numbers, with places and turns; faces and clothes."""
    person = imported(ABSTRACT_SCENES, roles("release"))["cliparts"].filter(pl.col("kind") == "human")
    columns = ("parts", "part_x", "part_turn", "scale", "expression", "style")
    assert person.select(columns).row(0) == (["Torso", "Head"], [800.0, 803.0], [0.0, 0.1], 0.5, 3, 0)
    unsorted = imported(ABSTRACT_SCENES, roles("untidy"))["cliparts"].filter(pl.col("image_id") == "my scene")
    assert unsorted["parts"].to_list() == [["a", "b"]]


def test_the_picture_knows_where_the_scene_plays() -> None:
    """Size from the index, the kind of place from the scene."""
    images = imported(ABSTRACT_SCENES, roles("release"))["images"]
    assert images.select("image_id", "split", "width", "height", "file", "location", "source").rows() == [
        ("20007", "val", 700, 400, "abstract_v002_val2015_000000020007.png", "Park", "abstract_v002"),
        ("20008", "val", 700, 400, "abstract_v002_val2015_000000020008.png", "Living", "abstract_v002"),
    ]


def test_only_what_is_not_there_is_residue() -> None:
    """A scene in which all is present leaves nothing; in the other one, what was offered and the interface's log."""
    extras = imported(ABSTRACT_SCENES, roles("release"))["extras"].drop_nulls("record")
    assert set(extras["record"]) == {"20007"}
    assert extras.sort("pointer")["pointer"].to_list() == [
        "/record/scene/availableObject/Dog01/instance/0/numPose",
        "/record/scene/availableObject/Dog01/instance/1",
        "/record/scene/availableObject/Dog01/instance/~order",
        "/record/scene/availableObject/Doll19/instance/0/body",
        "/record/scene/availableObject/Doll19/instance/0/numStyle",
        "/record/scene/availableObject/frisbee",
        "/record/scene/availableObject/~order",
        "/record/scene/deformTypesUse",
        "/record/scene/sceneType",
        "/record/scene/userSequence",
    ]


def test_moved_clip_art_keeps_what_else_was_offered(tmp_path: Path) -> None:
    """A change in the table is written; what the table does not hold stays where it was."""
    tables = imported(ABSTRACT_SCENES, roles("release"))
    dog = pl.col("object_id") == "Dog01-0"
    tables["cliparts"] = tables["cliparts"].with_columns(x=pl.when(dog).then(1.0).otherwise("x"))
    back = contents(exported(ABSTRACT_SCENES, tables, tmp_path))["scenes"][0]
    original = contents(roles("release"))["scenes"][0]
    original["abstract_v002_val2015_000000020007.json"]["scene"]["availableObject"][0]["instance"][0]["x"] = 1
    assert original == back


def test_names_are_case_sensitive(tmp_path: Path) -> None:
    """There are a Bottle and a bottle."""
    files = put(tmp_path / "scenes", a_000000000000=scene(piece("Bottle"), piece("bottle")))
    assert imported(ABSTRACT_SCENES, files)["cliparts"]["object_id"].to_list() == ["Bottle-0", "bottle-0"]


def test_the_same_piece_twice_has_two_ids(tmp_path: Path) -> None:
    """Scenes in the wild repeat instances or leave their numbers out."""
    files = put(tmp_path / "scenes", a_000000000000=scene(piece("TV"), piece("TV"), {"name": "TV", "present": True}))
    assert imported(ABSTRACT_SCENES, files)["cliparts"]["object_id"].to_list() == ["TV-0", "TV-0-1", "TV"]
    assert contents(files) == contents(round_trip(ABSTRACT_SCENES, files, tmp_path / "out"))


def test_file_names_tell_ids_and_come_back(tmp_path: Path) -> None:
    """The number at the end is the id, from 0 on; names of another form are ids themselves."""
    names = ["abstract_v002_train2015_000000000000", "abstract_v002_train2015_000000019999", "mine"]
    files = put(tmp_path / "scenes", **{name: scene(piece()) for name in names})
    assert imported(ABSTRACT_SCENES, files)["images"]["image_id"].to_list() == ["0", "19999", "mine"]
    (written,) = round_trip(ABSTRACT_SCENES, files, tmp_path / "out")["scenes"]
    assert sorted(path.stem for path in written.iterdir()) == names


def test_two_files_of_one_scene_are_refused(tmp_path: Path) -> None:
    """Their names have the same number."""
    files = put(tmp_path / "scenes", a_000000000007=scene(), b_000000000007=scene())
    with pytest.raises(FormatError, match="found id '7' again"):
        imported(ABSTRACT_SCENES, files)


def test_a_broken_file_in_a_folder_is_named(tmp_path: Path) -> None:
    """Not only the folder."""
    files = put(tmp_path / "scenes", a_000000000007=scene(piece()), a_000000000008={"id": 8})
    with pytest.raises(FormatError, match=r"scenes/a_000000000008\.json: found no member `scene`"):
        imported(ABSTRACT_SCENES, files)


def test_scenes_may_lie_in_one_file(tmp_path: Path) -> None:
    """All of them in a list, as in the balanced set; or a single one, as the interface stored it."""
    for case, ids in (("one_file", ["900000870", "87"]), ("one_scene", ["A1B2C3_04"])):
        tables = imported(ABSTRACT_SCENES, roles(case))
        assert ids == tables["images"]["image_id"].to_list()
        assert contents(roles(case)) == contents(exported(ABSTRACT_SCENES, tables, tmp_path / case))


def test_captions_need_not_come_scene_by_scene(tmp_path: Path) -> None:
    """Their order comes back, and so do pictures without captions."""
    pictures = [{"image_id": key, "file_name": f"{key}.png", "url": "", "height": 4, "width": 7} for key in (1, 2, 3)]
    listed = [{"id": number, "image_id": image, "caption": "x "} for number, image in enumerate((2, 1, 2))]
    path = tmp_path / "captions_val2015.json"
    path.write_text(json.dumps({"images": pictures, "annotations": listed}))
    files = {"captions": [path]}
    tables = imported(ABSTRACT_SCENES, files)
    assert tables["captions"].select("image_id", "caption_id").rows() == [("1", "1"), ("2", "0"), ("2", "2")]
    assert contents(files) == contents(exported(ABSTRACT_SCENES, tables, tmp_path / "out"))


@pytest.mark.parametrize("role", ["index", "captions", "scenes"])
def test_only_files_that_were_read_are_written(role: str, tmp_path: Path) -> None:
    """Each names pictures, which does not make the others."""
    files = {role: roles("release")[role]}
    written = round_trip(ABSTRACT_SCENES, files, tmp_path)
    assert [role] == list(written)
    assert contents(files) == contents(written)


def test_a_world_of_our_own_is_written_whole(tmp_path: Path) -> None:
    """Clip art and pictures that were never imported get an index and a folder, and can be read again."""
    frame = {"image_id": ["7"], "object_id": ["a"], "kind": ["animal"], "name": ["Cat01"], "x": [1.5], "flip": [True]}
    image = {"image_id": ["7"], "split": ["train"], "width": [700], "height": [400], "location": ["Park"]}
    tables = {
        "images": TABLES["images"].conform(pl.DataFrame(image)),
        "cliparts": TABLES["cliparts"].conform(pl.DataFrame(frame)),
    }
    written = exported(ABSTRACT_SCENES, tables, tmp_path)
    ((scene_file,), (index,)) = (contents(written)[role] for role in ("scenes", "index"))
    assert list(scene_file) == [index["compositions"][0]["file_name"]] == ["abstract_v002_train2015_000000000007.json"]
    again = imported(ABSTRACT_SCENES, written)
    assert again["cliparts"].select("image_id", "kind", "name", "x", "flip").rows() == [
        ("7", "animal", "Cat01", 1.5, True)
    ]


def test_thousands_of_files_are_one_import(tmp_path: Path) -> None:
    """In slices, each of which reads its own files."""
    names = {f"abstract_v002_train2015_{number:012d}": scene(piece(x=number)) for number in range(2000)}
    files = put(tmp_path / "scenes", **names)
    shards = plan(ABSTRACT_SCENES, files, shard_bytes=1 << 16)
    tables = imported(ABSTRACT_SCENES, files, shard_bytes=1 << 16)
    assert len(shards) > 2
    assert tables["cliparts"]["x"].to_list() == list(map(float, range(2000)))


def test_a_changed_file_in_a_folder_is_a_new_import(tmp_path: Path) -> None:
    """The benchmark remembers what a folder held."""
    folder = tmp_path / FOLDER
    shutil.copytree(roles("release")["scenes"][0], folder)
    stage = ImportFiles("abstract-scenes", {"scenes": [str(folder)]})
    made = run(stage, Output(tmp_path / "b")).manifest
    assert run(stage, Output(tmp_path / "b")).manifest == made
    next(folder.iterdir()).write_text(json.dumps(scene(piece())))
    run(stage, Output(tmp_path / "b", replace=True))
    assert Benchmark.open(tmp_path / "b").manifest.made_by != made.made_by
