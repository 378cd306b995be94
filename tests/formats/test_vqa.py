"""VQA: questions and annotations joined by id, as published and as found in the wild."""

import json
from pathlib import Path

import pytest
from round_trip import FIXTURES, Case, content, exported, imported, same

from eyechart.errors import FormatError
from eyechart.formats import FORMATS

VQA = FORMATS.load("vqa")


def put(path: Path, value: object) -> Path:
    """A JSON file."""
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_questions_are_joined_with_their_annotations() -> None:
    """One row has the text from one file and the types and the answer from the other."""
    tables = imported(VQA, Case("vqa", "open_ended").roles)
    columns = ["question_id", "image_id", "split", "question", "question_type", "answer_type", "answer"]
    first = ("7000", "7", "val", "What color is the cup?", "what color is the", "other", "red")
    assert first == tables["questions"].select(columns).row(0)
    assert [str(number) for number in range(1, 11)] == tables["answers"]["worker_id"].to_list()[:10]


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("open_ended", "COCO_val2014_000000000007.jpg"),
        ("multiple_choice", "COCO_train2014_000000000007.jpg"),
        ("missing_members", None),
    ],
)
def test_pictures_have_their_customary_names(case: str, expected: str | None) -> None:
    """The head tells how pictures are called; without it nobody knows."""
    assert expected == imported(VQA, Case("vqa", case).roles)["images"]["file"][0]


def test_pictures_of_test_dev_are_those_of_test(tmp_path: Path) -> None:
    """The two test files show the same pictures."""
    head = {"data_type": "mscoco", "data_subtype": "test-dev2015"}
    path = put(tmp_path / "questions.json", head | {"questions": [{"question_id": 1, "image_id": 2, "question": "?"}]})
    tables = imported(VQA, {"questions": [path]})
    assert tables["images"].select("file", "split").rows() == [("COCO_test2015_000000000002.jpg", "test-dev")]


def test_choices_know_their_target() -> None:
    """Eighteen choices in their order; the right one is the one people gave most."""
    choices = imported(VQA, Case("vqa", "multiple_choice").roles)["choices"]
    assert list(range(18)) == choices["position"].to_list()[:18]
    targets = choices.filter("is_target").select("question_id", "position", "choice")
    assert targets.rows() == [("70", 0, "red"), ("71", 14, "yes")]


def test_types_of_unanswered_questions_come_from_the_list(tmp_path: Path) -> None:
    """Test questions have no annotations; the published list gives their type, by the kind of pictures."""
    asked = [{"question_id": 1, "image_id": 2, "question": "Is the boy on the left?"}]
    for kind in ("mscoco", "abstract_v002"):
        path = put(tmp_path / "questions.json", {"data_type": kind, "data_subtype": "test2015", "questions": asked})
        listed = (FIXTURES.parents[2] / "src/eyechart/text/question_type_lists" / f"{kind}.txt").read_text().split("\n")
        found = imported(VQA, {"questions": [path]})["questions"]["question_type"][0]
        fitting = [line for line in listed if "is the boy on the left?".startswith(f"{line} ")]
        assert found == max(fitting, key=len)


def test_people_without_numbers_get_their_place() -> None:
    """Answer ids that are missing or repeat cannot tell people apart; export gives them back all the same."""
    answers = imported(VQA, Case("vqa", "repeated_answer_ids").roles)["answers"]
    assert answers["worker_id"].to_list() == ["1", "2", "3", "1", "2"]


@pytest.mark.parametrize("spelling", ["Open-Ended", "OpenEnded", "Open Ended", "Multiple-Choice"])
def test_every_spelling_of_the_task_is_kept(spelling: str, tmp_path: Path) -> None:
    """Files spell the task in several ways; the file name has the one without marks."""
    value = {"task_type": spelling, "data_type": "mscoco", "data_subtype": "val2014", "questions": []}
    path = put(tmp_path / "questions.json", value)
    (written,) = exported(VQA, imported(VQA, {"questions": [path]}), tmp_path / "out")["questions"]
    assert value == content(written)
    assert spelling.replace("-", "").replace(" ", "") in written.name


def test_file_names_stay_in_the_folder(tmp_path: Path) -> None:
    """What a file says of itself cannot lead its copy out of the folder."""
    value = {"data_type": "../../../etc", "data_subtype": "x" * 400 + "\x00", "questions": []}
    path = put(tmp_path / "questions.json", value)
    (written,) = exported(VQA, imported(VQA, {"questions": [path]}), tmp_path / "out")["questions"]
    assert written.resolve().is_relative_to((tmp_path / "out").resolve())
    assert value == content(written)


def test_annotations_of_another_image_are_kept(tmp_path: Path) -> None:
    """Where the two files disagree about the picture, the questions' word goes into the table, and both come back."""
    asked = put(tmp_path / "questions.json", {"questions": [{"question_id": 1, "image_id": 2, "question": "?"}]})
    answer = {"answer": "yes", "answer_confidence": "yes", "answer_id": 1}
    strict = {"question_type": "is", "answer_type": "yes/no", "multiple_choice_answer": "yes", "answers": [answer]}
    value = {"annotations": [{"question_id": 1, "image_id": 3, **strict}]}
    roles = {"questions": [asked], "annotations": [put(tmp_path / "annotations.json", value)]}
    tables = imported(VQA, roles)
    assert tables["questions"]["image_id"].to_list() == ["2"]
    assert value == content(exported(VQA, tables, tmp_path / "out")["annotations"][0])


def test_a_changed_answer_wins(tmp_path: Path) -> None:
    """What was edited in the benchmark is exported, beside all that only the file knew."""
    case = Case("vqa", "annotations_alone")
    tables = imported(VQA, case.roles)
    tables["questions"] = tables["questions"].with_columns(answer_type=tables["questions"]["answer_type"] + "!")
    (record,) = content(exported(VQA, tables, tmp_path)["annotations"][0])["annotations"]
    assert record["answer_type"] == "yes/no!"
    assert record["note"] == {"checked": True, "by": ["a", "b"]}


def test_pairs_read_apart_from_their_questions_come_back(tmp_path: Path) -> None:
    """Pairs have no split of their own; what was kept of them is found under any."""
    roles = Case("vqa", "pairs").roles
    pairs = put(tmp_path / "pairs.json", [["7000", 8000], [9000, "unknown"]])
    written = exported(VQA, imported(VQA, roles | {"pairs": [pairs]}), tmp_path / "out")
    assert same([content(pairs)], [content(path) for path in written["pairs"]])


def test_two_splits_are_two_files(tmp_path: Path) -> None:
    """Several splits imported together are exported apart, the empty one too."""
    paths = []
    for split, number in (("train", 1), ("val", 2), ("test", 0)):
        asked = [{"question_id": number, "image_id": 7, "question": "?"}] if number else []
        head = {"data_type": "mscoco", "data_subtype": f"{split}2014"}
        paths.append(put(tmp_path / f"{split}_questions.json", head | {"questions": asked}))
    written = exported(VQA, imported(VQA, {"questions": paths}), tmp_path / "out")
    assert [content(path) for path in paths] == [content(path) for path in written["questions"]]


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({"question_id": 1, "image_id": 2}, r"record 1 \(id 1\): found no member `question`"),
        ({"question_id": 1, "image_id": 2, "question": 5}, r"record 1 \(id 1\), question: found `int`, expected `str`"),
        ({"image_id": 2, "question": "?"}, "record 1: found no member `question_id`"),
        (
            {"question_id": 1, "image_id": 2, "question": "?", "multiple_choices": ["a", 7]},
            r"multiple_choices\[1\]: found `int`, expected `str`",
        ),
    ],
)
def test_unfit_questions_are_refused(record: dict[str, object], expected: str, tmp_path: Path) -> None:
    """The sentence names the record, its id and the member."""
    path = put(tmp_path / "questions.json", {"questions": [record]})
    with pytest.raises(FormatError, match=expected):
        imported(VQA, {"questions": [path]})


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "role", "file"),
    [
        ("vqa", "questions", "vqa_v2/questions.json"),
        ("vqa", "annotations", "vqa_v2/annotations.json"),
        ("vqa", "results", "vqa_v2/results_majority.json"),
        ("vqa", "results", "vqa_v2/results_noisy.json"),
        ("balanced-pairs", "pairs", "vqa_v2/balanced_pairs_1000.json"),
        ("vizwiz", "annotations", "vizwiz/annotations.json"),
        ("vizwiz", "results", "vizwiz/results_noisy.json"),
    ],
)
def test_real_files_come_back(name: str, role: str, file: str, real_data: Path, tmp_path: Path) -> None:
    """Real files, imported and exported, are equal as JSON."""
    foreign = FORMATS.load(name)
    (written,) = exported(foreign, imported(foreign, {role: [real_data / file]}), tmp_path)[role]
    assert same(content(real_data / file), content(written))


@pytest.mark.real_data
def test_real_questions_and_annotations_belong_together(real_data: Path, tmp_path: Path) -> None:
    """Read together, 200 real questions have ten answers each, and both files come back."""
    roles = {role: [real_data / "vqa_v2" / f"{role}.json"] for role in ("questions", "annotations")}
    tables = imported(VQA, roles)
    assert (tables["questions"].height, tables["answers"].height) == (200, 2000)
    assert tables["questions"]["question"].null_count() == tables["questions"]["answer_type"].null_count() == 0
    written = exported(VQA, tables, tmp_path)
    assert same([content(roles[role][0]) for role in roles], [content(written[role][0]) for role in roles])
