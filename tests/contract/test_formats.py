"""One contract for all formats: what goes in comes out, whole or in slices, through tables that keep their word."""

from pathlib import Path

import polars as pl
import pytest
from round_trip import Case, cases, contents, exported, files_of, imported, same

from eyechart.formats import FORMATS, assign_roles
from eyechart.tables import TABLES

CASES = cases()

RESIDUE = {
    # Rows of extras about records in well-formed files; where there are any, what no table has.
    "vqa/open_ended": 0,
    "vqa/multiple_choice": 0,
    "vqa/abstract": 0,
    "vqa/results": 0,
    "vqa/pairs": 0,
    "tdiuc/train": 0,
    "tdiuc/results": 0,
    "vizwiz/release_2020": 0,
    "vizwiz/release_2019": 0,
    "vizwiz/test": 0,
    "vizwiz/results": 0,
    "visual7w/telling": 0,
    "visual7w/pointing": 0,
    "visual7w/results": 4,  # the question's text; further candidates
    "coco-qa/train": 0,
    "daquar/train": 0,
    "qavg/release": 0,
    "coco-captions/photographs": 7,  # of each picture: licence, date and Flickr address; a caption's outer space
    "coco-captions/abstract": 0,
    "balanced-pairs/train": 0,
    "jsonl/full": 0,
    "jsonl/minimal": 6,  # of each row: no id, no type
    "csv/full": 1,  # a column of one's own
    "csv/minimal": 4,  # of each row: no id, no type
}
MOST_ABOUT_A_FILE = 8


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_kind_of_file_has_a_fixture(name: str) -> None:
    """No file of any format is left untried."""
    tried = {role for case in CASES if case.format == name for role in case.roles}
    assert set(FORMATS.load(name).layouts) == tried


@pytest.mark.parametrize("case", CASES, ids=str)
def test_export_gives_the_files_back(case: Case, tmp_path: Path) -> None:
    """Import, then export: the same files with the same JSON values, lines or cells."""
    written = exported(case.foreign, case.tables, tmp_path)
    original, back = contents(case.roles), contents(written)
    assert original == back
    assert same(original, back)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_exported_files_can_be_imported(case: Case, tmp_path: Path) -> None:
    """The names of exported files tell their roles, and the files become tables of the same size."""
    written = exported(case.foreign, case.tables, tmp_path)
    told = assign_roles(case.foreign, [str(tmp_path)])
    assert {role: set(paths) for role, paths in written.items()} == {role: set(told[role]) for role in told}
    again = imported(case.foreign, written)
    sizes = [{name: rows.height for name, rows in each.items() if name != "extras"} for each in (case.tables, again)]
    assert sizes[0] == sizes[1]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_tables_keep_their_word(case: Case) -> None:
    """Every table fits its schema, no key comes twice, and every reference finds its row if its table is there."""
    tables = case.tables
    for name, rows in tables.items():
        table = TABLES[name]
        assert table.conform(rows).equals(rows)
        assert rows.select(table.key).is_duplicated().sum() == 0, name
        for reference in table.references:
            if reference.table in tables:
                known = tables[reference.table].select(reference.targets)
                asked = rows.drop_nulls(list(reference.columns))
                lost = asked.join(known, left_on=reference.columns, right_on=reference.targets, how="anti")
                assert lost.is_empty(), (name, reference)
        for column in table.columns:
            if column.values:
                assert set(rows[column.name].drop_nulls()) <= set(column.values)


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("shard_bytes", [1, 150])
def test_slices_make_the_same_tables(case: Case, shard_bytes: int) -> None:
    """Large files are imported in slices, by different workers; the tables do not show it."""
    whole, sliced = case.tables, imported(case.foreign, case.roles, shard_bytes=shard_bytes)
    assert whole.keys() - {"extras"} == sliced.keys() - {"extras"}
    for name in whole.keys() - {"extras"}:
        assert whole[name].equals(sliced[name]), name


@pytest.mark.parametrize("case", CASES, ids=str)
def test_slices_lose_nothing(case: Case, tmp_path: Path) -> None:
    """What was imported in slices is exported whole, whatever each slice had to keep beside the tables."""
    written = exported(case.foreign, imported(case.foreign, case.roles, shard_bytes=1), tmp_path)
    assert contents(case.roles) == contents(written)


@pytest.mark.parametrize("name", RESIDUE)
def test_residue_of_well_formed_files_is_bounded(name: str) -> None:
    """Records as documented leave nothing behind but what no table has; a head leaves a handful of rows."""
    case = next(case for case in CASES if str(case) == name)
    extras = case.tables.get("extras", TABLES["extras"].empty())
    about_records = extras.filter(pl.col("record").is_not_null())
    assert RESIDUE[name] == about_records.height
    assert extras.height - about_records.height <= MOST_ABOUT_A_FILE * len(list(files_of(case.roles)))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_another_split_changes_nothing_else(case: Case, tmp_path: Path) -> None:
    """Whoever says the split of files at import gets the same files back."""
    tables = imported(case.foreign, case.roles, split="mine")
    assert contents(case.roles) == contents(exported(case.foreign, tables, tmp_path))
