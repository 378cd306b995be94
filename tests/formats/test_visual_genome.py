"""Visual Genome: many files about the same pictures, in the spellings of three versions."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from round_trip import Case, Roles, contents, exported, imported, round_trip, same

from eyechart.errors import FormatError
from eyechart.formats import FORMATS, assign_roles
from eyechart.tables import TABLES

VISUAL_GENOME = FORMATS.load("visual-genome")

Json = Any  # what a foreign file holds


def roles(case: str) -> Roles:
    """The files of a fixture."""
    return Case("visual-genome", case).roles


def residue(tables: dict[str, pl.DataFrame]) -> pl.DataFrame:
    """What is kept of records."""
    return tables.get("extras", TABLES["extras"].empty()).filter(pl.col("record").is_not_null())


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "most_rows"),
    [
        ("objects.json", 0),
        ("question_answers.json", 0),
        # The address, which other files have.
        ("image_attributes.json", 1),
        ("image_attributes2.json", 1),
        # 846 relations: where a merged object shares its id with one of its parts, they differ in names and boxes.
        ("relationships.json", 987),
    ],
)
def test_real_files_come_back(name: str, most_rows: int, real_data: Path, tmp_path: Path) -> None:
    """Each file alone, with little kept beside the tables."""
    files = assign_roles(VISUAL_GENOME, [str(real_data / "visual_genome" / name)])
    tables = imported(VISUAL_GENOME, files)
    assert residue(tables).height <= most_rows
    assert residue(tables).estimated_size() <= 0.35 * (real_data / "visual_genome" / name).stat().st_size
    written = exported(VISUAL_GENOME, tables, tmp_path)
    assert files.keys() == written.keys()
    assert same(contents(files), contents(written))


@pytest.mark.real_data
def test_real_files_come_back_together(real_data: Path, tmp_path: Path) -> None:
    """Files of two versions disagree about most boxes; each gets its own back."""
    names = ("objects.json", "relationships.json", "question_answers.json", "image_attributes.json")
    files = assign_roles(VISUAL_GENOME, [str(real_data / "visual_genome" / name) for name in names])
    assert same(contents(files), contents(round_trip(VISUAL_GENOME, files, tmp_path)))


@pytest.mark.parametrize("case", ["release_1_4", "release_1_2", "vocabulary"])
def test_well_formed_files_leave_nothing_behind(case: str) -> None:
    """Everything in the documented files of one version has its place in a table."""
    assert residue(imported(VISUAL_GENOME, roles(case))).is_empty()


def test_an_object_of_several_files_is_one_row() -> None:
    """The objects' own file is believed first, for names and box; what others mention is added."""
    objects = imported(VISUAL_GENOME, roles("together"))["objects"]
    columns = ("object_id", "name", "other_names", "x", "merged_ids")
    assert objects.filter(pl.col("image_id") == "7").select(columns).rows() == [
        ("702", "table", [], 1.0, ["704"]),
        ("701", "cup", [], 5.0, []),
        ("703", "spoon", ["ladle"], 1.0, None),
    ]


def test_ends_of_relations_are_objects() -> None:
    """Many are not in the objects' file; the relation brings their name and box."""
    tables = imported(VISUAL_GENOME, roles("release_1_4"))
    lamp = tables["objects"].filter(pl.col("object_id") == "706")
    assert lamp.select("name", "x", "h", "synsets").row(0) == ("lamp post", -3.0, 99.0, [])
    assert tables["relations"].select("relation_id", "subject_id", "predicate", "object_id").rows() == [
        ("711", "701", "ON", "702"),
        ("712", "706", "near ", "701"),
    ]


def test_the_address_tells_the_file() -> None:
    """Pictures lie in two archives, and not always under their ids."""
    images = imported(VISUAL_GENOME, roles("release_1_4"))["images"]
    assert images.select("image_id", "file", "width", "coco_id", "flickr_id").rows() == [
        ("7", "VG_100K/7.jpg", 800, None, "33"),
        ("2412112", "VG_100K_2/2370463.jpg", 640, "262145", None),
    ]


def test_the_pictures_own_file_knows_the_address() -> None:
    """The objects' file may name the wrong archive."""
    images = imported(VISUAL_GENOME, roles("together"))["images"]
    assert images.filter(pl.col("image_id") == "7")["file"].to_list() == ["VG_100K/7.jpg"]


def test_regions_are_described_and_graphs() -> None:
    """A region keeps its phrase as written, and knows the objects, relations and senses that it is about."""
    described = imported(VISUAL_GENOME, roles("release_1_4"))["regions"]
    assert described.select("region_id", "phrase", "x", "w").row(1) == ("72", " tall\n", -2.0, 10.0)
    graphs = imported(VISUAL_GENOME, roles("release_1_2"))["regions"]
    assert graphs.select("object_ids", "relation_ids", "senses").rows() == [
        (["701", "702"], ["711"], [{"synset": "cup.n.01", "words": "cup", "start": 6, "end": 9}]),
        ([], [], []),
    ]


def test_questions_keep_their_answers_as_written() -> None:
    """With capital and full stop."""
    questions = imported(VISUAL_GENOME, roles("release_1_4"))["questions"]
    assert questions.select("question_id", "image_id", "question", "answer").row(0) == (
        *("9001", "7", "What color is the cup?", "Red."),
    )


def test_words_have_senses() -> None:
    """The same word may name an object and an attribute."""
    senses = imported(VISUAL_GENOME, roles("vocabulary"))["senses"]
    assert senses.filter(pl.col("word") == "bird on left").select("kind", "synset").rows() == [
        ("object", "bird.n.01"),
        ("attribute", "left.a.01"),
    ]
    assert senses.filter(pl.col("kind") == "synset").row(0) == (
        *("synset", "cup.n.01", "cup.n.01", "a small open container"),
    )


def test_version_1_0_spells_ids_and_names_otherwise() -> None:
    """An id is an id under either name, and so is a list of names."""
    tables = imported(VISUAL_GENOME, roles("release_1_0"))
    assert tables["objects"].select("image_id", "object_id", "name", "x", "synsets").rows() == [
        ("7", "701", "Red cup", -1.0, None),
        ("7", "702", "table", 0.0, None),
    ]
    assert tables["relations"].select("relation_id", "subject_id", "object_id").row(0) == ("711", "701", "702")
    assert tables["regions"].select("image_id", "region_id").row(0) == ("7", "71")
    assert tables["images"].select("image_id", "width").row(0) == ("7", 800)


@pytest.mark.parametrize("alone", [True, False])
def test_one_picture_may_stand_alone_in_its_file(alone: bool, tmp_path: Path) -> None:  # noqa: FBT001  # parametrized
    """It comes back as it came: an object, or a list with one."""
    record = {"image_id": 7, "attributes": [{"object_id": 1, "names": ["cup"], "x": 1, "y": 1, "w": 1, "h": 1}]}
    path = tmp_path / "image_attributes.json"
    path.write_text(json.dumps(record if alone else [record]))
    files = assign_roles(VISUAL_GENOME, [str(path)])
    assert contents(files) == contents(round_trip(VISUAL_GENOME, files, tmp_path / "out"))


def test_two_single_pictures_become_a_list(tmp_path: Path) -> None:
    """One file cannot hold two objects side by side."""
    for number in (1, 2):
        record = {"image_id": number, "attributes": [{"object_id": number, "names": ["cup"]}]}
        (tmp_path / f"attributes{number}.json").write_text(json.dumps(record))
    files = assign_roles(VISUAL_GENOME, [str(tmp_path)])
    ((back,),) = contents(round_trip(VISUAL_GENOME, files, tmp_path / "out")).values()
    assert [record["image_id"] for record in back] == [1, 2]


def test_repeated_relations_come_back(tmp_path: Path) -> None:
    """Annotators said many things twice, under two ids."""
    thing = {"object_id": 1, "name": "cup", "x": 1, "y": 1, "w": 1, "h": 1}
    relations = [
        {"relationship_id": number, "predicate": "near", "synsets": [], "subject": thing, "object": thing}
        for number in (1, 2)
    ]
    path = tmp_path / "relationships.json"
    path.write_text(json.dumps([{"image_id": 7, "relationships": relations}]))
    files = assign_roles(VISUAL_GENOME, [str(path)])
    tables = imported(VISUAL_GENOME, files)
    assert residue(tables).is_empty()
    assert contents(files) == contents(exported(VISUAL_GENOME, tables, tmp_path / "out"))


def test_only_files_that_were_read_are_written(tmp_path: Path) -> None:
    """Relations bring objects, which does not make an objects' file that nobody had."""
    for role, paths in roles("release_1_4").items():
        written = round_trip(VISUAL_GENOME, {role: paths}, tmp_path / role)
        assert [role] == list(written)


def test_what_has_become_known_since_is_written_too(tmp_path: Path) -> None:
    """A table that none of the files read can hold gets its own file."""
    tables = imported(VISUAL_GENOME, {"objects": roles("release_1_4")["objects"]})
    relation = {"image_id": ["7"], "subject_id": ["701"], "predicate": ["on"], "object_id": ["702"]}
    tables["relations"] = TABLES["relations"].conform(pl.DataFrame(relation))
    assert list(exported(VISUAL_GENOME, tables, tmp_path)) == ["objects", "relationships"]


def test_a_new_data_set_is_written_without_repetition(tmp_path: Path) -> None:
    """Objects, attributes and relationships; scene graphs would say all of it again."""
    tables = imported(VISUAL_GENOME, roles("release_1_2"))
    del tables["extras"]
    written = exported(VISUAL_GENOME, tables, tmp_path)
    assert list(written) == ["objects", "attributes", "relationships", "regions"]
    again = imported(VISUAL_GENOME, written)
    for name in ("objects", "attributes", "relations"):
        columns = [column for column in tables[name].columns if column != "merged_ids"]
        assert tables[name].select(columns).equals(again[name].select(columns)), name


def test_batches_do_not_show(tmp_path: Path) -> None:
    """Pictures are read and written a few at a time; the files are the same."""
    first, *others = VISUAL_GENOME.families
    small = replace(VISUAL_GENOME, families=(replace(first, batch=1), *others))
    for case in ("together", "release_1_2"):
        tables = imported(small, roles(case))
        whole = imported(VISUAL_GENOME, roles(case))
        assert all(tables[name].equals(whole[name]) for name in whole if name != "extras")
        assert contents(roles(case)) == contents(exported(small, tables, tmp_path / case))


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"objects": []}, r"record 2: found no member 'image_id' or 'id'"),
        ({"image_id": 8}, r"record 2 \(id 8\): found no member `objects`"),
        ({"image_id": 7, "objects": []}, r"record 2: found id '7' again"),
        ({"image_id": 8, "objects": [{"names": ["cup"]}]}, r"objects\[0\]: .*neither object_id nor id"),
    ],
)
def test_unfit_records_are_named(record: Json, expected: str, tmp_path: Path) -> None:
    """With file, number and what was expected."""
    path = tmp_path / "objects.json"
    path.write_text(json.dumps([{"image_id": 7, "objects": []}, record]))
    with pytest.raises(FormatError, match=expected):
        imported(VISUAL_GENOME, {"objects": [path]})
