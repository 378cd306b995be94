"""Export in batches: order, residue, and files that repeat each other."""

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from round_trip import Case, contents, exported, imported

from eyechart.formats import FORMATS, Format


def in_batches(source: Format, size: int) -> Format:
    """The format, read and written a few records at a time."""
    return replace(source, families=tuple(replace(family, batch=size) for family in source.families))


@pytest.mark.parametrize("size", [1, 2])
@pytest.mark.parametrize(
    "case", [Case("gqa", "untidy"), Case("gqa", "train"), Case("abstract-scenes", "untidy")], ids=str
)
def test_batches_do_not_show(size: int, case: Case, tmp_path: Path) -> None:
    """However few records are read and written at once, tables and files are the same."""
    small = in_batches(case.foreign, size)
    tables, whole = imported(small, case.roles), imported(case.foreign, case.roles)
    assert tables.keys() == whole.keys()
    assert all(tables[name].equals(whole[name]) for name in whole if name != "extras")
    assert contents(case.roles) == contents(exported(small, tables, tmp_path))


def test_windows_do_not_show(tmp_path: Path) -> None:
    """Tables are looked at for ten batches at once; what spans several of them stays in order."""
    gqa = in_batches(FORMATS.load("gqa"), 2)
    questions = {
        str(number): {"question": "?", "imageId": "1", **({"extra": number} if number % 3 == 0 else {})}
        for number in range(75)
    }
    path = tmp_path / "val_questions.json"
    path.write_text(json.dumps(questions))
    written = exported(gqa, imported(gqa, {"questions": [path]}), tmp_path / "out")
    assert list(questions.items()) == list(json.loads(written["questions"][0].read_text()).items())


def test_records_out_of_residue_keep_their_place(tmp_path: Path) -> None:
    """A record of which the tables hold nothing stands between the others, as it did."""
    records = [
        {"image_id": 1, "objects": [{"object_id": 1, "names": ["cup"]}]},
        {"image_id": 2, "objects": []},
        {"image_id": 3, "objects": [{"object_id": 1, "names": ["cup"]}]},
    ]
    path = tmp_path / "objects.json"
    path.write_text(json.dumps(records))
    files = {"objects": [path]}
    source = FORMATS.load("visual-genome")
    assert [[*records]] == contents(exported(source, imported(source, files), tmp_path / "out"))["objects"]


def test_files_in_different_orders_keep_theirs(tmp_path: Path) -> None:
    """Each of the files about the same pictures comes back in its own order."""
    for name, ids in (("image_data", (1, 2, 3)), ("attributes", (3, 1, 2))):
        things = [{"image_id": key, "width": 1, "height": 1, "attributes": [{"object_id": key}]} for key in ids]
        (tmp_path / f"{name}.json").write_text(json.dumps(things))
    files = {"image_data": [tmp_path / "image_data.json"], "attributes": [tmp_path / "attributes.json"]}
    source = FORMATS.load("visual-genome")
    assert contents(files) == contents(exported(source, imported(source, files), tmp_path / "out"))


def test_dropped_records_stay_dropped(tmp_path: Path) -> None:
    """Residue does not bring back what was taken out of the tables."""
    case = Case("visual-genome", "together")
    tables = imported(case.foreign, case.roles)
    tables["images"] = tables["images"].filter(pl.col("image_id") == "7")
    back = contents(exported(case.foreign, tables, tmp_path))
    assert [[record["image_id"] for record in file] for (file,) in back.values()] == [[7], [7], [7], [7]]
