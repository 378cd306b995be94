"""A study as a TOML file: what is asked, of how many people, in which words, with which known answers."""

from pathlib import Path
from typing import Any

import msgspec

from eyechart._lib.keyed import Key
from eyechart.collection.model import Item, Kind, Settings, Study
from eyechart.collection.planning import plan_items
from eyechart.collection.task_types import TaskType, Wording, task
from eyechart.collection.work import Work
from eyechart.errors import FormatError
from eyechart.store import Benchmark

__all__ = ["Known", "StudyFile", "make_study", "read_study_file"]


class Known(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item whose answer is known: a question of the benchmark, or one of its own words."""

    expected: list[dict[str, Any]]  # bodies of the task
    question_id: str | None = None
    question: str | None = None
    choices: tuple[str, ...] = ()


class StudyFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    r"""What a file says.

    >>> msgspec.toml.decode('name = "pilot"\ntask = "answer"\n[settings]\nk = 3', type=StudyFile).settings.k
    3
    """

    name: str
    task: str
    title: str | None = None
    pool: str | None = None
    wording: str | Wording | None = None
    """A name of the task's, or words of one's own."""
    settings: Settings = Settings()
    gold: tuple[Known, ...] = ()
    attention: tuple[Known, ...] = ()
    split: str | None = None
    """Only questions or images of this split."""
    sample: int | None = None
    """At most so many items, drawn by the settings' seed."""
    scenes: int = 0
    """How many scenes to make from nothing."""


def read_study_file(path: Path) -> StudyFile:
    """A study's file; a mistake names the file and the key.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "study.toml"
    >>> _ = path.write_text('name = "pilot"')
    >>> read_study_file(path)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.errors.FormatError: ...study.toml: found a study that cannot be read (Object missing ...
    """
    try:
        return msgspec.toml.decode(path.read_bytes(), type=StudyFile)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise FormatError(
            f"{path}: found a study that cannot be read ({error}), expected the keys of docs/how-to/collect.md; "
            "correct it"
        ) from error


def make_study(
    work: Work,
    file: StudyFile,
    benchmark: Benchmark | None = None,
    *,
    account: int | None = None,
) -> tuple[Study, int]:
    """Make a study and its items; how many items. A benchmark gives what is asked about.

    >>> from tempfile import mkdtemp
    >>> from eyechart.database import Database
    >>> work = Work(Database(f"{mkdtemp()}/work.db"))
    >>> make_study(work, StudyFile(name="scenes", task="scene", scenes=3))[1]
    3
    """
    kind = task(file.task)
    settings = file.settings
    if benchmark is not None and settings.benchmark is None:
        settings = msgspec.structs.replace(settings, benchmark=str(benchmark.folder.resolve()))
    items = _items(kind, file, benchmark)
    study = work.create_study(
        file.name,
        kind,
        wording=file.wording,
        settings=settings,
        pool=file.pool or (None if benchmark is None or settings.feeds else benchmark.name),
        title=file.title,
        account=account,
    )
    return study, work.add_items(study.name, items)


def _items(kind: TaskType, file: StudyFile, benchmark: Benchmark | None) -> list[Item]:
    """Items of the benchmark, less those that are set aside because their answer is known, and these."""
    if benchmark is None and not file.scenes:
        return []  # a study that others feed
    tables = {} if benchmark is None else benchmark.tables()
    settings = file.settings
    planned = plan_items(kind.name, tables, vacant=file.scenes, seed=settings.seed, rules=settings.rules)
    by_id = {item.key: item for item in planned}
    known = [*_known("gold", file.gold, by_id), *_known("attention", file.attention, by_id)]
    aside = {item.question_id for item in known if item.question_id is not None}
    real = [item for item in planned if item.key not in aside]
    if file.split is not None and benchmark is not None:
        table, column = ("questions", "question_id") if planned and planned[0].question_id else ("images", "image_id")
        rows = benchmark.read(table)
        kept = set(rows.filter(rows["split"] == file.split)[column])
        real = [item for item in real if (item.question_id or item.image_id) in kept]
    if file.sample is not None:
        drawn = Key(file.settings.seed, "sample of a study")
        real = sorted(real, key=lambda item: drawn.of(item.key))[: file.sample]
    return real + known


def _known(kind: Kind, listed: tuple[Known, ...], by_id: dict[str, Item]) -> list[Item]:
    items = []
    for number, each in enumerate(listed, 1):
        content: dict[str, Any] = {}
        if each.question_id is not None:
            if each.question_id not in by_id:
                raise FormatError(
                    f"{kind} {number}: found question {each.question_id}, expected one of the benchmark; correct it"
                )
            content = dict(by_id[each.question_id].content)
        content |= {"question": each.question} if each.question is not None else {}
        content |= {"choices": list(each.choices)} if each.choices else {}
        item = Item(
            key=f"{kind}-{number}", question_id=each.question_id, content=content, kind=kind, expected=each.expected
        )
        items.append(item)
    return items
