"""GQA: programs, their text to the byte, two lists of choices, attention of two kinds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from round_trip import Case, Roles, contents, exported, imported, round_trip, same

from eyechart.errors import FormatError
from eyechart.formats import FORMATS, Format, assign_roles, plan
from eyechart.formats.gqa_questions import semantic_str

GQA = FORMATS.load("gqa")

Json = Any  # what a foreign file holds


def roles(case: str) -> Roles:
    """The files of a fixture."""
    return Case("gqa", case).roles


def put(folder: Path, name: str, value: Json) -> dict[str, list[Path]]:
    """A file, with the role that its name tells."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")
    return assign_roles(GQA, [str(path)])


def without_shortcut(source: Format) -> Format:
    """The format with every record compared with what export writes."""
    families = [
        replace(family, layouts=tuple(replace(layout, exact=None) for layout in family.layouts))
        for family in source.families
    ]
    return replace(source, families=tuple(families))


@pytest.mark.real_data
def test_real_questions_leave_nothing_behind(real_data: Path, tmp_path: Path) -> None:
    """A thousand questions come back whole, each program's text byte for byte, without any residue."""
    files = assign_roles(GQA, [str(real_data / "gqa" / "questions.json")])
    tables = imported(GQA, files)
    programs = dict(tables["questions"].select("question_id", "program").iter_rows())
    ((original,),) = contents(files).values()
    assert len(original) == 1000
    assert {key: record["semanticStr"] for key, record in original.items()} == {
        key: semantic_str(program) for key, program in programs.items()
    }
    assert "extras" not in tables
    assert same(contents(files), contents(exported(GQA, tables, tmp_path)))


@pytest.mark.real_data
def test_real_scene_graphs_leave_one_repeated_attribute(real_data: Path, tmp_path: Path) -> None:
    """An object that is said to be the same twice is the one thing that the tables do not hold."""
    files = assign_roles(GQA, [str(real_data / "gqa" / "scene_graphs.json")])
    tables = imported(GQA, files)
    assert (
        tables["extras"]["pointer"].to_list() == ["/record/objects/722328/attributes"] or tables["extras"].height == 1
    )
    assert same(contents(files), contents(exported(GQA, tables, tmp_path)))


@pytest.mark.parametrize("case", ["train", "test", "results", "regions"])
def test_well_formed_files_leave_nothing_behind(case: str) -> None:
    """Everything in documented files has its place in a table, with the strict records and without them."""
    tables = imported(GQA, roles(case))
    assert "extras" not in tables
    compared = imported(without_shortcut(GQA), roles(case))
    assert tables.keys() == compared.keys()
    assert all(tables[name].equals(compared[name]) for name in tables)


def test_blanks_in_programs_are_part_of_them(tmp_path: Path) -> None:
    """Second branches end in a blank, empty arguments leave two, and numbers stand apart."""
    questions = imported(GQA, roles("train"))["questions"]
    assert [semantic_str(program) for program in questions["program"].to_list()[1:]] == [
        "select: cup (1058)->verify color: red [0]->verify size: large  [0]->and:  [1, 2]",
        "select: animal (5,4)->exist: ? [0]->select: nightstand (-) ->exist: ? [2]->or:  [1, 3]",
    ]
    another = {"1": {"question": "?", "imageId": "1", "semantic": [], "semanticStr": "and:  [1,2]"}}
    files = put(tmp_path, "questions.json", another)
    assert contents(files) == contents(round_trip(GQA, files, tmp_path / "out"))


def test_a_question_becomes_rows() -> None:
    """Ids keep their zeros; groups, types and the sentence have columns; null groups stay null."""
    questions = imported(GQA, roles("train"))["questions"]
    columns = ("question_id", "image_id", "split", "answer", "full_answer", "group_global", "group_local")
    assert questions.select(columns).row(0) == (
        *("02930152", "2354786", "train", "table", "The cup is on a table."),
        *("furniture", "14-cup_on,o"),
    )
    assert questions.select("structural", "semantic", "detailed", "balanced").row(1) == (
        *("logical", "obj", "verifyAttrAnd"),
        False,
    )
    assert questions.select("group_global", "group_local").row(2) == (None, None)


def test_grounding_and_entailment_become_rows() -> None:
    """Words with the objects they name, by the text they stand in; what follows, and what is the same."""
    tables = imported(GQA, roles("train"))
    assert tables["mentions"].head(4).rows() == [
        ("02930152", "1058", "question", "3:5"),
        ("02930152", "77", "answer", "0"),
        ("02930152", "1058", "full_answer", "1"),
        ("02930152", "77", "full_answer", "5"),
    ]
    assert tables["entailments"].filter(pl.col("question_id") == "02930153").rows() == [
        ("02930153", "02930153", "equivalent"),
        ("02930153", "02930154", "equivalent"),
    ]


def test_entailment_of_any_rule_is_entailment_to_gqa(tmp_path: Path) -> None:
    """Our own rules have names; the file lists each question once."""
    tables = imported(GQA, roles("train"))
    rules = pl.DataFrame({"question_id": "02930153", "entailed_id": "02930152", "rule": ["or-true", "and-false"]})
    tables["entailments"] = pl.concat([tables["entailments"], rules])
    ((record, *_),) = [contents(exported(GQA, tables, tmp_path))["questions"]]
    assert record["02930153"]["entailed"] == ["02930152"]


def test_test_questions_have_no_answers(tmp_path: Path) -> None:
    """What the published file lacks is null in the tables and absent again on export."""
    tables = imported(GQA, roles("test"))
    assert tables["questions"].select("answer", "program", "structural").null_count().row(0) == (2, 2, 2)
    assert contents(roles("test")) == contents(exported(GQA, tables, tmp_path))


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train_all_questions_3.json", "train"),
        ("val_balanced_questions.json", "val"),
        ("testdev_balanced_questions.json", "testdev"),
        ("test_all_questions.json", "test"),
        ("challenge_all_questions.json", "challenge"),
        ("submission_all_questions.json", "submission"),
        ("questions.json", None),
        ("training_questions.json", None),
    ],
)
def test_the_file_name_tells_the_split(name: str, split: str | None, tmp_path: Path) -> None:
    """As the published names do."""
    files = put(tmp_path, name, {"1": {"question": "?", "imageId": "1"}})
    (shard,) = plan(GQA, files)
    assert split == shard.split


def test_chunks_of_a_split_are_one_data_set(tmp_path: Path) -> None:
    """Training questions come in ten files, and their choices in ten of the same names in another folder."""
    for number in (0, 1):
        name = f"train_all_questions_{number}.json"
        put(tmp_path / "in" / "train_all_questions", name, {str(number): {"question": "?", "imageId": "1"}})
        put(tmp_path / "in" / "train_choices", name, {str(number): {"valid": ["yes"], "plausible": []}})
    files = assign_roles(GQA, [str(tmp_path / "in")])
    assert {role: len(paths) for role, paths in files.items()} == {"questions": 2, "choices": 2}
    back = contents(round_trip(GQA, files, tmp_path / "out"))
    assert [list(file) for (file,) in back.values()] == [["0", "1"], ["0", "1"]]


def test_both_lists_of_choices_share_the_positions() -> None:
    """Valid answers come first, plausible ones go on counting; which one is right is not said."""
    choices = imported(GQA, roles("train"))["choices"].filter(pl.col("question_id") == "02930152")
    assert choices.drop("question_id").rows() == [
        (0, "table", None, "valid"),
        (1, "desk", None, "valid"),
        (2, "shelf", None, "valid"),
        (3, "table", None, "plausible"),
        (4, "desk", None, "plausible"),
    ]


def test_choices_of_other_kinds_are_not_gqa_choices(tmp_path: Path) -> None:
    """A multiple-choice question of another data set has no valid and plausible answers."""
    tables = imported(GQA, roles("train"))
    tables["choices"] = tables["choices"].with_columns(origin=pl.lit("popular"))
    assert "choices" not in exported(GQA, tables, tmp_path)


def test_empty_choices_come_back(tmp_path: Path) -> None:
    """A record without any row is written again."""
    tables = imported(GQA, roles("untidy"))
    assert set(tables["choices"]["question_id"]) == {"7", "8"}
    (whole,) = contents(exported(GQA, tables, tmp_path))["choices"]
    assert list(whole) == ["7", "8", "1", "07"]


def test_predictions_and_attention_meet() -> None:
    """By question, whichever file has it."""
    predictions = imported(GQA, roles("results"))["predictions"]
    assert predictions.select("question_id", "answer", "attention_grid").rows() == [
        ("05451384", "left", [[0.25, 0.5], [0.125, 0.125]]),
        ("05451385", "yes", None),
        ("05451386", None, [[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
    ]


def test_attention_to_regions_is_told_from_grids() -> None:
    """Rows of five are regions; five of them too if each is a box, which rows of a grid hardly are."""
    predictions = imported(GQA, roles("regions"))["predictions"]
    assert predictions["attention_grid"].null_count() == 3
    assert [len(boxes) for boxes in predictions["attention_boxes"].to_list()] == [2, 0, 5]
    untidy = imported(GQA, roles("untidy"))["predictions"]
    assert [len(grid) for grid in untidy["attention_grid"].to_list()] == [2, 5]


@pytest.mark.parametrize("attention", [[0.1, 0.2], [[0.1, 0.2, 0.3]], [[0.1], 0.2], [[0.1, 0.2], [0.3]]])
def test_attention_of_other_shapes_is_refused(attention: Json, tmp_path: Path) -> None:
    """It could not be placed on the picture; the record is named."""
    files = put(tmp_path, "val_attentions.json", [{"questionId": "07", "attention": attention}])
    with pytest.raises(FormatError, match=r"record 1 \(id 07\).*neither a square grid of weights nor regions"):
        imported(GQA, files)


def test_scene_graphs_become_rows() -> None:
    """Relations stand at the object that acts; both directions are rows; a picture has a place and weather."""
    tables = imported(GQA, roles("train"))
    assert tables["relations"].select("image_id", "subject_id", "predicate", "object_id").rows() == [
        ("2354786", "1058", "on", "77"),
        ("2354786", "1058", "to the left of", "77"),
        ("2354786", "77", "to the right of", "1058"),
        ("n54424", "0", "near", "0"),
    ]
    assert tables["attributes"].rows() == [
        ("2354786", "1058", "red"),
        ("2354786", "1058", "small"),
        ("n54424", "0", "brown"),
    ]
    columns = ("image_id", "split", "width", "height", "file", "location", "weather")
    assert tables["images"].select(columns).rows() == [
        ("2354786", "train", 500, 333, "2354786.jpg", "indoors", "cloudy"),
        ("n54424", "train", 640, 480, "n54424.jpg", None, None),
    ]


def test_a_picture_in_which_nothing_is_known_comes_back(tmp_path: Path) -> None:
    """It has no objects to be written from; pictures without scene graph get none."""
    files = {"scene_graphs": roles("untidy")["scene_graphs"]}
    tables = imported(GQA, files)
    assert contents(files) == contents(exported(GQA, tables, tmp_path / "a"))
    del tables["extras"]
    ((graphs,),) = contents(exported(GQA, tables, tmp_path / "b")).values()
    assert list(graphs) == ["2354", "2356"]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"question": "?"}, "found no member `imageId`, expected one"),
        ({"question": 7, "imageId": "1"}, "question: found `int`, expected `str`"),
        ({"question": "?", "imageId": "1", "semantic": [{"operation": "and", "dependencies": [-1]}]}, "semantic"),
    ],
)
def test_unfit_questions_are_named(record: Json, expected: str, tmp_path: Path) -> None:
    """With file, number and id."""
    files = put(tmp_path, "val_questions.json", {"1": {"question": "?", "imageId": "1"}, "07": record})
    with pytest.raises(FormatError, match=rf"val_questions\.json: record 2 \(id 07\).*{expected}"):
        imported(GQA, files)
