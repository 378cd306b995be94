"""Collected work goes out as lines and as tables, comes back to the byte, and stays one moment's view."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from eyechart.collection import (
    Assignment,
    Collected,
    Item,
    Settings,
    Work,
    collected_rows,
    collected_tables,
    crowd,
    read_collected,
    simulate,
    write_collected,
)
from eyechart.database import Database
from eyechart.errors import FormatError, WorkError
from eyechart.tables import TABLES

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PICTURES = [{"image_id": str(n), "file": f"{n}.jpg", "width": 640, "height": 480} for n in range(1, 6)]


def content(number: int) -> dict[str, object]:
    return {
        "image": PICTURES[0],
        "question": f"Is thing {number} red?",
        "question_id": str(number),
        "answer": "yes",
        "caption": "A red thing.",
        "choices": ["yes", "no", "maybe so", "never"],
        "neighbours": PICTURES[1:],
        "decoy": "yeah",
        "kind": "qou",
    }


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    database = Database(tmp_path / "first.db")
    yield Work(database)
    database.close()


@pytest.fixture
def second(database_url: str) -> Iterator[Work]:
    database = Database(database_url)
    yield Work(database)
    database.close()


ASKED = ("answer", "answer_blind", "answer_caption", "answer_vocabulary", "choose", "commonsense", "age")
ALL = ("question", "caption", *ASKED, "complement", "ambiguity")


def collect(work: Work, kinds: tuple[str, ...] = ALL) -> list[str]:
    """A study of each kind, answered by simulated people, with a late and a rejected response in each."""
    names = []
    for kind in kinds:
        name = kind.replace("_", "-")
        names.append(name)
        work.create_study(name, kind, settings=Settings(k=2, units=1), pool=name, now=NOW)
        about = {"image_id": "1", "question_id": None} if kind in {"question", "caption"} else {}
        items = [Item(key=str(n), **({"question_id": str(n)} | about), content=content(n)) for n in range(1, 4)]  # type: ignore[arg-type]
        work.add_items(name, items)
        simulate(work, name, crowd(4), start=NOW)
        work.review(work.responses(name)[0].response_id, "rejected", now=NOW)
    return names


def test_tables_of_every_task_fit_their_schemas(work: Work) -> None:
    """What people gave becomes rows that the schemas know, and rows of a file."""
    for name in collect(work):
        ((head, lines),) = work.gather([name])
        for table, rows in collected_tables(lines).items():
            assert rows.height
            assert rows.columns == TABLES[table].schema.names()
        flat = collected_rows(lines)
        assert flat.height == sum(line.state == "accepted" for line in lines)
        assert "worker_id" in flat.columns
        assert head.task == lines[0].task


def test_collected_work_comes_back_to_the_byte(work: Work, second: Work, tmp_path: Path) -> None:
    """Out of one database, into another, and out again: the same bytes; a second time nothing is new."""
    names = collect(work)
    write_collected(tmp_path / "one.jsonl", work.gather(names))
    for head, lines in read_collected(tmp_path / "one.jsonl"):
        assert second.take_in(head, lines) == len(lines)
        assert second.take_in(head, lines) == 0
    write_collected(tmp_path / "two.jsonl", second.gather(names))
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    write_collected(tmp_path / "again.jsonl", work.gather(names))
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


def test_what_came_from_elsewhere_counts(work: Work, second: Work) -> None:
    """Slots are filled, workers are not asked again, and the study goes on where the other round stopped."""
    work.create_study("answer", "answer", settings=Settings(k=3), pool="p", now=NOW)
    work.add_items("answer", [Item(key="1", question_id="1", content=content(1))])
    simulate(work, "answer", crowd(2), start=NOW)
    ((head, lines),) = work.gather(["answer"])
    second.take_in(head, lines)
    assert (second.progress("answer").done, second.progress("answer").wanted) == (2, 3)
    assert simulate(second, "answer", crowd(5, prefix="new")) == 1
    with pytest.raises(WorkError, match="found a study of task answer, expected one of task age"):
        second.take_in(msgspec.structs.replace(head, task="age"), [])


def test_a_study_is_gathered_as_it_stood_at_one_moment(second: Work) -> None:
    """While people work, what is gathered has whole assignments only: all units of one or none."""
    second.create_study("pilot", "answer", settings=Settings(k=4, units=3), now=NOW)
    second.add_items("pilot", [Item(key=str(n), question_id=str(n), content=content(n)) for n in range(30)])
    workers = threading.Thread(target=simulate, args=(second, "pilot", crowd(5)))
    workers.start()
    seen = []
    while workers.is_alive():
        seen.append(len(second.gather(["pilot"])[0][1]))
    workers.join()
    assert all(count % 3 == 0 for count in seen)
    assert len(second.gather(["pilot"])[0][1]) == 120


def test_questions_and_answers_of_one_pool_belong_together(work: Work) -> None:
    """Questions written in one study are those answered in the other."""
    work.create_study("answer", "answer", settings=Settings(k=2), pool="p", now=NOW)
    work.create_study("ask", "question", settings=Settings(k=2, feeds=("answer",)), pool="p", now=NOW)
    work.add_items("ask", [Item(key="1", image_id="1", content={"image": PICTURES[0]})])
    people = crowd(6)
    assert simulate(work, "ask", people) == 2
    assert simulate(work, "answer", people) == 4
    tables = collected_tables([line for _, lines in work.gather(["ask", "answer"]) for line in lines])
    questions, answers = tables["questions"], tables["answers"]
    assert questions["question_id"].to_list() == ["10", "11"]
    assert questions["author_id"].null_count() == 0
    both = answers.join(questions, on="question_id")
    assert both.height == 4
    assert both.filter(both["worker_id"] == both["author_id"]).height == 0


def test_two_judgements_of_a_person_are_one_row() -> None:
    """Common sense and age, said in two studies."""
    common: dict[str, object] = {"key": "1", "ordinal": 1, "worker": "w", "content": content(1), "submitted": NOW}
    lines = [
        Collected(task="age", body={"youngest_age": "3-4"}, **common),  # type: ignore[arg-type]
        Collected(task="commonsense", body={"needs_commonsense": "no"}, **common),  # type: ignore[arg-type]
    ]
    assert collected_tables(lines)["judgements"].rows() == [("1", "w", False, "3-4")]


def test_mistakes_in_a_file_name_their_line(tmp_path: Path) -> None:
    """A line that is none, and a response without a study."""
    path = tmp_path / "collected.jsonl"
    path.write_text('{"type":"response"}\n')
    with pytest.raises(FormatError, match="line 1: found what is no line"):
        read_collected(path)
    line = Collected(task="age", key="1", ordinal=1, worker="w", body={}, content={}, submitted=NOW)
    path.write_bytes(msgspec.json.encode(line))
    with pytest.raises(FormatError, match="found a response before any study"):
        read_collected(path)


def test_drawn_work_becomes_rows(work: Work) -> None:
    """A scene graph's boxes, attributes and relations."""
    work.create_study("graph", "scene_graph", settings=Settings(units=1), now=NOW)
    work.add_items("graph", [Item(key="1", image_id="1", content={"image": PICTURES[0]})])
    given = work.claim("graph", work.worker("t", "ada"), now=NOW)
    assert isinstance(given, Assignment)
    names = ("dog", "ball", "man")
    things = [{"object_id": n, "name": n, "x": 1, "y": 2, "w": 30, "h": 40, "attributes": ["red"]} for n in names]
    relations = [{"subject_id": "dog", "predicate": "chasing", "object_id": "ball"}]
    work.submit(given.token, "key", {0: {"graph": {"objects": things, "relations": relations}}}, now=NOW)
    tables = collected_tables(work.gather(["graph"])[0][1])
    assert {name: tables[name].height for name in ("objects", "attributes", "relations", "images")} == {
        "objects": 3,
        "attributes": 3,
        "relations": 1,
        "images": 1,
    }
