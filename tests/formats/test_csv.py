"""CSV of anybody's own data."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from round_trip import Case, content, exported, imported

from eyechart.errors import FormatError
from eyechart.formats import FORMATS
from eyechart.formats.csv import Separated

CSV = FORMATS.load("csv")
CELLS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('",|\n\r\t ;'), max_size=6)


def put(path: Path, text: str) -> Path:
    """A file with this text, line ends as they are."""
    path.write_bytes(text.encode())
    return path


def test_quotes_line_breaks_and_marks_are_understood() -> None:
    """Cells in quotes may hold separators, line breaks and doubled quotes; a byte order mark is no part of a name."""
    tables = imported(CSV, Case("csv", "quotes").roles)
    rows = tables["questions"].select("question_id", "image_id", "question").rows()
    assert rows == [("q1", "x.png", 'What is\nthis "thing"?'), ("q2", "y.png", '5" or 6?')]


def test_several_values_in_a_cell() -> None:
    """A bar separates answers; a JSON array may hold answers with bars."""
    assert imported(CSV, Case("csv", "full").roles)["answers"]["answer"].to_list()[:3] == ["red", "dark red", "red"]
    assert imported(CSV, Case("csv", "tabs").roles)["answers"]["answer"].to_list() == ["a|b", "c", "yes", ""]


def test_sizes_may_have_a_point(tmp_path: Path) -> None:
    """Some libraries write every number with one; the cell comes back as it was."""
    path = put(tmp_path / "mine.csv", "image,question,width\na.png,What?,640.0\n")
    tables = imported(CSV, {"questions": [path]})
    assert tables["images"]["width"].to_list() == [640]
    assert content(path) == content(exported(CSV, tables, tmp_path / "out")["questions"][0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("image,question\na.png\n", "line 2: found a row of 1, expected 2 cells as in the header"),
        ('image,question\na.png,"What\nis it?\n', "line 3: found cells that cannot be told apart"),
        ('image,question\na.png,"What" is it?\n', "line 2: found cells that cannot be told apart"),
        ("image,image,question\n", "line 1: found the column 'image' twice"),
        ("a.png;What?\n", "line 1: found the columns 'a.png;What.', expected one called question"),
        (
            'question_id,image,question\n1,a.png,"a\nb"\n\n1,a.png,c\n',
            r"line 5: found id '1' again \(first in line 2\)",
        ),
        ("image,question\na.png,\n", r"line 2 \(id mine-0\): found no member `question`"),
        ("image,question,width\na.png,x,wide\n", "width: found 'wide', expected a number of pixels"),
        ("image,question,width\na.png,x,1e99\n", "width: found '1e99', expected a number of pixels"),
    ],
)
def test_mistakes_are_placed(text: str, expected: str, tmp_path: Path) -> None:
    """The line is the one an editor shows, whatever line breaks stand in cells."""
    with pytest.raises(FormatError, match=expected):
        imported(CSV, {"questions": [put(tmp_path / "mine.csv", text)]})


def test_columns_from_the_benchmark_come_last(tmp_path: Path) -> None:
    """A column that was filled since import is added behind the file's own."""
    tables = imported(CSV, Case("csv", "minimal").roles)
    tables["questions"] = tables["questions"].with_columns(answer=tables["questions"]["question_id"])
    (path,) = exported(CSV, tables, tmp_path)["questions"]
    assert content(path)[0] == ["image", "question", "answer"]
    assert content(path)[1] == ["cup.jpg", "What color is the cup?", "mine-0"]


def test_answers_that_look_like_lists_survive(tmp_path: Path) -> None:
    """Answers with bars or brackets, or a single empty one, come back as the answers they are."""
    vqa = FORMATS.load("vqa")
    tables = imported(vqa, Case("vqa", "string_ids").roles)
    listed = tables["answers"].with_columns(
        answer=tables["answers"]["answer"].replace_strict(["nobody", "cup", "mug"], ["", "[1]", "a|b"])
    )
    (path,) = exported(CSV, tables | {"answers": listed}, tmp_path)["questions"]
    again = imported(CSV, {"questions": [path]})["answers"]
    assert sorted(again["answer"]) == sorted(listed["answer"])


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4), st.sampled_from([".csv", ".tsv"]))
def test_any_cells_survive(rows: list[tuple[str, str]], suffix: str) -> None:
    """Whatever stands in cells, written and read again it is the same."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"mine{suffix}"
        head = {"columns": ["question", "b"]} | ({"delimiter": "\t"} if suffix == ".tsv" else {})
        records = [{name: cell for name, cell in zip(("question", "b"), row, strict=True) if cell} for row in rows]
        records = [record or {"b": "."} for record in records]
        with Separated().writer(path, head) as writer:
            for record in records:
                writer.add("", record)
        file = Separated().open(path)
        assert file.plain(range(len(records))) == records
