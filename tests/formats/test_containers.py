"""Further ways in which records lie in files, and back."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyechart.errors import FormatError
from eyechart.formats.containers import JsonFolder, JsonListOrOne, JsonLists
from eyechart.formats.files import Container

Json = Any  # what a foreign file holds


def put(folder: Path, value: Json, name: str = "in.json") -> Path:
    """A file with a JSON value."""
    path = folder / name
    path.write_text(json.dumps(value))
    return path


def rewritten(container: Container, path: Path, folder: Path) -> Path:
    """The file, read and written record by record."""
    file = container.open(path)
    back = folder / "out.json"
    with container.writer(back, file.head) as writer:
        for key, record in zip(file.keys, file.plain(range(len(file.keys))), strict=True):
            writer.add(key, record)
    return back


@pytest.mark.parametrize("value", [{"id": 7, "x": 1}, [{"id": 7}], [], [{"id": 7}, {"image_id": "8", "id": 9}]])
def test_a_list_or_one(value: Json, tmp_path: Path) -> None:
    """A single object stays alone, a list stays a list."""
    container = JsonListOrOne(("image_id", "id"))
    assert value == json.loads(rewritten(container, put(tmp_path, value), tmp_path).read_text())


def test_the_first_of_the_ids_counts(tmp_path: Path) -> None:
    """A record may have more than one id."""
    value = [{"id": 1, "image_id": 2}, {"id": 3}]
    assert JsonListOrOne(("image_id", "id")).open(put(tmp_path, value)).keys == ["2", "3"]


@pytest.mark.parametrize("value", [{"image_id": 7, "x": 1}, [{"image_id": 7}]])
def test_the_head_says_how_records_lie(value: Json, tmp_path: Path) -> None:
    """Without reading the records."""
    container, path = JsonListOrOne(("image_id",)), put(tmp_path, value)
    assert container.open_head(path) == container.open(path).head
    folder = JsonFolder(("image_id",))
    assert folder.open_head(path) == folder.open(path).head


def test_a_folder_has_a_record_in_each_file(tmp_path: Path) -> None:
    """Files are named by what most of them have in common; other names are kept, other files are not read."""
    folder = tmp_path / "scenes"
    folder.mkdir()
    for name in ("s_000000000000", "s_000000000012", "s_12", "000000000013"):
        put(folder, {"name": name}, f"{name}.json")
    (folder / "notes.txt").write_text("mine")
    container = JsonFolder(("id",))
    file = container.open(folder)
    assert file.keys == ["13", "0", "12", "s_12"]
    assert file.head == {"prefix": "s_", "digits": 12, "names": {"13": "000000000013"}} == container.open_head(folder)
    back = rewritten(container, folder, tmp_path)
    assert {path.stem: path.stem for path in back.iterdir()} == {
        path.stem: json.loads(path.read_text())["name"] for path in back.iterdir()
    }


def test_names_of_files_stay_in_their_folder(tmp_path: Path) -> None:
    """Whatever ids a benchmark has."""
    with JsonFolder(("id",)).writer(tmp_path / "scenes", {}) as writer:
        for key in ("../../x", "/etc/passwd", "..", "a" * 500):
            writer.add(key, {})
    assert len(list((tmp_path / "scenes").iterdir())) == 4


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("abstract_v002_val2015_000000020007.png", "20007"),
        ("A1B2_03.png", "A1B2_03"),
        ("900000870", "900000870"),
        ("a.b", "a.b"),
        ("9" * 30, "9" * 30),
    ],
)
def test_ids_in_file_names(name: str, key: str, tmp_path: Path) -> None:
    """Twelve digits at the end or digits alone are a number; everything else is the id as it is."""
    assert JsonFolder(("id", "file_name")).open(put(tmp_path, [{"file_name": name}])).keys == [key]


LISTS = JsonLists(("images", "captions"), key="id")


@pytest.mark.parametrize(
    "value",
    [
        {"images": [{"id": 1}, {"id": 2}], "captions": [{"id": 2}, {"id": 1}, {"id": 2, "n": 2}], "year": 2015},
        {"captions": [{"id": 2}, {"id": 1}]},
        {"images": [], "captions": []},
        {"images": [{"id": 1}, {"id": 1, "again": True}, {"id": "1"}], "info": None},
    ],
)
def test_lists_about_the_same_things(value: Json, tmp_path: Path) -> None:
    """Each comes back in its own order, and only if it was there."""
    assert value == json.loads(rewritten(LISTS, put(tmp_path, value), tmp_path).read_text())


def test_what_lists_say_of_one_thing_is_a_record(tmp_path: Path) -> None:
    """A list that says nothing of it is empty."""
    file = LISTS.open(put(tmp_path, {"captions": [{"id": 7, "n": 1}, {"id": 8}, {"id": 7, "n": 2}], "year": 2015}))
    assert file.keys == ["7", "8"]
    assert file.plain([0]) == [{"images": [], "captions": [{"id": 7, "n": 1}, {"id": 7, "n": 2}]}]
    assert LISTS.open_head(file.path) == {"year": 2015}
    assert file.head == {"year": 2015, "images": None, "captions": ["7", "8", "7"]}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"year": 2015}, "found an object with 'year', expected a member 'images' or 'captions'"),
        ({}, "found an object with nothing, expected a member"),
        ({"images": [{"id": 1}, {}]}, r"images, record 2: found no member `id`"),
        ({"images": 7}, "found `int`, expected `array`"),
    ],
)
def test_files_without_the_lists_are_refused(value: Json, expected: str, tmp_path: Path) -> None:
    """With what was found."""
    with pytest.raises(FormatError, match=expected):
        LISTS.open(put(tmp_path, value))
