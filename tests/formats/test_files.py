"""Files as records: every error says where, and nothing is dropped in silence."""

from pathlib import Path

import pytest

from eyechart.errors import FormatError
from eyechart.formats.files import JsonLines, JsonList, JsonMapping
from eyechart.formats.lines import TextLines
from eyechart.formats.sections import JsonSections
from eyechart.formats.spellings import Spelled


def put(folder: Path, content: bytes, name: str = "file.json") -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "found an empty file, expected records"),
        (b"[1, 2", r"found broken JSON \(Input data was truncated\), expected whole JSON"),
        (b"{}", "found `object`, expected `array`"),
        (b'[\n  {"id": 1},\n  {"id": nul}]', r"line 3 column \d+: found broken JSON"),
        (b'[{"id": 1}, {}]', "record 2: found no member `id`, expected one"),
        (b'[{"id": 1}, 5]', "record 2: found `int`, expected `object`"),
        (b'[{"id": 1}, {"id": 1.5}]', "record 2, id: found `float`, expected `int | str`"),
        (b'[{"id": 1}, {"id": "1"}]', r"record 2: found id '1' again \(first in record 1\), expected every id once"),
        (b'[{"id": "\xff"}]', "record 1: found bytes that are not UTF-8, expected UTF-8 text"),
        (b"[" * 5000, "found values nested too deeply to read"),
        (b'[{"id": 1, "x": NaN}]', "line 1 column 17: found NaN, which is no JSON"),
        (b'[{"id": "\\ud800"}]', "found broken JSON"),
        ('[{"id": 1}]'.encode("utf-16"), "found broken JSON"),
    ],
)
def test_lists_place_their_errors(content: bytes, expected: str, tmp_path: Path) -> None:
    """A sentence names the file, the record or line, what was found and what was expected."""
    path = put(tmp_path, content)
    with pytest.raises(FormatError, match=expected) as caught:
        JsonList(key="id").open(path)
    assert str(caught.value).startswith(str(path))


def test_missing_files_and_folders(tmp_path: Path) -> None:
    """A path that is no file is refused before anything is read."""
    with pytest.raises(FormatError, match="found no such file"):
        JsonList().open(tmp_path / "missing.json")
    with pytest.raises(FormatError, match="found a folder"):
        JsonList().open(tmp_path)


def test_missing_list_names_what_is_there(tmp_path: Path) -> None:
    """Whoever gives the wrong file sees what it holds."""
    path = put(tmp_path, b'{"annotations": []}')
    with pytest.raises(FormatError, match="found an object with 'annotations', expected a member 'questions'"):
        JsonList(field="questions").open(path)


def test_a_byte_order_mark_is_no_value(tmp_path: Path) -> None:
    """Some editors begin files with one."""
    assert JsonList(key="id").open(put(tmp_path, b'\xef\xbb\xbf[{"id": 7}]')).keys == ["7"]


def test_errors_inside_records_are_placed(tmp_path: Path) -> None:
    """Among many records, the one that does not fit is named, by number, id and member."""
    path = put(tmp_path, b'[{"id": 7}, {"id": 8, "a": [1, "x"]}]')
    file = JsonList(key="id").open(path)
    with pytest.raises(FormatError, match=r"record 2 \(id 8\)"):
        file.decode(dict[str, int], [0, 1])


def test_long_ids_are_shortened(tmp_path: Path) -> None:
    """A message stays a sentence."""
    name = "9" * 4000
    path = put(tmp_path, f'["{name}", "{name}"]'.encode())
    file = JsonList().open(path)
    file.keys = [name, name]
    assert len(file.name(1)) < len(str(path)) + 100


def test_lines_must_be_values_by_themselves(tmp_path: Path) -> None:
    """Two values on a line are not two records."""
    path = put(tmp_path, b'{"id": 1}\n\n{"id": 2}, {"id": 3}\n', "file.jsonl")
    with pytest.raises(FormatError, match="line 3: found broken JSON"):
        JsonLines(key="id").open(path)


def test_line_numbers_count_blank_lines(tmp_path: Path) -> None:
    """The number is the one an editor shows."""
    path = put(tmp_path, b'\n{"id": 1}\r\n   \n{"id": 1}\n', "file.jsonl")
    with pytest.raises(FormatError, match=r"line 4: found id '1' again \(first in line 2\)"):
        JsonLines(key="id").open(path)


@pytest.mark.parametrize("content", [b'{"a": 1, "a": 2}', b'{"a":1,"b":{"a":1},"a":2}', b'{ "a" : 1,\n"\\u0061": 2 }'])
def test_repeated_members_are_refused(content: bytes, tmp_path: Path) -> None:
    """In a mapping the names are ids; parsers keep the last of two, and nobody would know."""
    with pytest.raises(FormatError, match="found the id 'a' twice"):
        JsonMapping().open(put(tmp_path, content))


@pytest.mark.parametrize(
    "content", [b"{}", b'{"a": {"a": 1}, "b": "{\\"a\\": 1}"}', b'{\n "\\u0061" :1, "b":  [1,2] }']
)
def test_members_that_only_look_repeated(content: bytes, tmp_path: Path) -> None:
    """Names inside values, and unusual white space, are no repetition."""
    JsonMapping().open(put(tmp_path, content))


def test_sections_lie_in_one_file(tmp_path: Path) -> None:
    """Records of several lists have their section's name before their id; the rest is the head."""
    lists = JsonSections({"images": ("id", "image_id"), "boxes": ("id",)}, optional=("boxes",))
    path = put(tmp_path, b'{"year": 1, "images": [{"image_id": 7}], "boxes": []}')
    file = lists.open(path)
    assert file.keys == ["images 7"]
    assert file.head == {"year": 1, "boxes": []}
    with pytest.raises(FormatError, match="boxes, record 1: found no member `id`"):
        lists.open(put(tmp_path, b'{"images": [], "boxes": [{}]}'))
    with pytest.raises(FormatError, match="images, record 1: found no member 'id' or 'image_id', expected one"):
        lists.open(put(tmp_path, b'{"images": [{}]}'))
    with pytest.raises(FormatError, match="expected a member 'images'"):
        lists.open(put(tmp_path, b'{"boxes": []}'))


def test_text_keeps_its_line_ends(tmp_path: Path) -> None:
    """DOS line ends and a last line without end come back; a stray carriage return is part of its line."""
    path, back = put(tmp_path, b"a\r\nb\r\nc", "in.txt"), tmp_path / "out.txt"
    file = TextLines().open(path)
    assert file.plain(range(3)) == ["a", "b", "c"]
    with TextLines().writer(back, file.head) as writer:
        for key, line in zip(file.keys, file.plain(range(3)), strict=True):
            writer.add(key, line)
    assert path.read_bytes() == back.read_bytes()
    assert TextLines().open(put(tmp_path, b"a\r\nb\n", "in.txt")).plain(range(2)) == ["a\r", "b"]


def test_text_must_be_utf8(tmp_path: Path) -> None:
    """The line is named."""
    with pytest.raises(FormatError, match="line 2: found bytes that are not UTF-8"):
        TextLines().open(put(tmp_path, b"a\nb\xff\n", "in.txt"))


def test_other_spellings_are_one_fact_of_the_file(tmp_path: Path) -> None:
    """A member may have another name throughout a file; ours wins where both are there."""
    spelled = Spelled(JsonList(), {"id": ("qid", "number")}, key="id")
    file = spelled.open(put(tmp_path, b'[{"qid": 7, "number": 1}, {"qid": 8}]'))
    assert (file.keys, file.head) == (["7", "8"], {"names": {"id": "qid"}})
    assert spelled.open(put(tmp_path, b'[{"id": 7, "qid": 8}]')).head == {}
    with pytest.raises(FormatError, match="found no member 'id' or 'qid' or 'number', expected one"):
        spelled.open(put(tmp_path, b"[{}]"))
