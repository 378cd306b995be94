"""What workers are asked to do: one file of data for each kind of task, read and checked here.

A file in ``tasks/`` says what is shown and what may be withheld, in which words a task is explained, what is filled
in, and how somebody shows that they have understood. The words are named by a hash of their content, and the hash
stays with every response: wording is a variable of the experiment.
"""

from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from eyechart._lib.hashing import sha256_of
from eyechart.errors import FormatError, UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["PARTS", "Example", "Field", "TaskType", "Test", "TestQuestion", "Wording", "read_task", "task", "tasks"]

FOLDER = Path(__file__).parent / "tasks"

Part = Literal[
    "image", "question", "caption", "choices", "answer", "decoy", "neighbours", "scene", "earlier_questions", "images"
]
PARTS: tuple[str, ...] = Part.__args__  # type: ignore[attr-defined]  # a Literal knows its values
"""What a worker can be shown of an item."""


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a good or a bad response looks like, and why."""

    text: str
    why: str = ""
    about: str = ""
    """What it responds to, such as the question of an answer."""


class Wording(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a task is explained.

    >>> len(Wording(title="Stump the robot", instructions=("Ask.",)).hash)
    64
    """

    title: str
    instructions: tuple[str, ...]
    """Paragraphs."""
    remember: tuple[str, ...] = ()
    """Short rules, shown beside the work."""
    good: tuple[Example, ...] = ()
    bad: tuple[Example, ...] = ()
    earlier: str = ""
    """What is said above the questions that were asked before."""

    @property
    def hash(self) -> str:
        """Names the words: another word, another hash."""
        return sha256_of(msgspec.json.encode(self, order="deterministic"))


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field of the answer form; tasks with a surface of their own (scenes, graphs, pictures) name that."""

    name: str
    label: str
    kind: Literal["line", "text", "options", "choices", "suggest", "check", "pictures", "scene", "graph"]
    options: tuple[tuple[str, str], ...] = ()
    """Value and label of each option."""
    longest: int = 500
    required: bool = True
    hint: str = ""


class TestQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question of a qualification test."""

    ask: str
    accepted: tuple[str, ...]
    explanation: str
    options: tuple[str, ...] = ()
    """What can be picked; none for an answer to write."""


class Test(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A qualification test: who reaches the mark may work."""

    pass_mark: float
    questions: tuple[TestQuestion, ...]
    attempts: int = 3
    """So often it may be tried."""


class TaskType(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of task.

    >>> task("answer").shows
    ('image', 'question')
    """

    name: str
    title: str
    about: str
    shows: tuple[Part, ...]
    makes: tuple[str, ...]
    """The tables of a benchmark that responses become rows of."""
    fields: tuple[Field, ...]
    wordings: dict[str, Wording]
    lineage: tuple[str, ...]
    """The parts of an item's lineage: a worker meets each lineage once. question and image name what it is about,
    task makes it the task's own."""
    withholds: tuple[Part, ...] = ()
    """What the worker must not see, whatever the item holds."""
    may_withhold: tuple[Part, ...] = ()
    """What a study may withhold as well."""
    test: Test | None = None
    k: int = 1
    """So many different workers respond to an item."""
    units: int = 1
    """So many items are one assignment."""
    may_skip: bool = False
    """Whether an assignment may be handed in with some of its items left out."""
    in_rounds: bool = False
    """Whether the second worker waits for the first, to see what was written."""
    lease_seconds: int = 900
    minimum_seconds: float = 1.0
    """Who is faster has not read it; for each item."""
    pay_millionths: int = 10_000
    """Of a dollar, for each item."""

    def wording(self, name: str | None = None) -> Wording:
        """A wording by name; the first one if not said.

        >>> task("question").wording("toddler").title == task("question").wording().title
        False
        """
        if name is None:
            return next(iter(self.wordings.values()))
        if name not in self.wordings:
            raise UnknownNameError(f"task {self.name} has no wording {name!r}: {did_you_mean(name, self.wordings)}")
        return self.wordings[name]

    def shown(self, withheld: tuple[str, ...] = ()) -> tuple[Part, ...]:
        """What is left to see when a study withholds something.

        >>> task("choose").shown(("image",))
        ('question', 'choices')
        """
        return tuple(part for part in self.shows if part not in {*withheld, *self.withholds})


def read_task(path: Path) -> TaskType:
    """A kind of task from its file; a mistake names the file and the key.

    >>> read_task(FOLDER / "age.toml").k
    10
    """
    try:
        read = msgspec.toml.decode(path.read_bytes(), type=TaskType)
    except (msgspec.DecodeError, UnicodeDecodeError, OSError) as error:
        raise FormatError(
            f"{path}: found a task that cannot be read ({error}), expected the keys of docs/reference/tasks.md; "
            "correct it"
        ) from error
    for key, problem in _problems(read, path):
        raise FormatError(f"{path}, {key}: {problem}; correct it")
    return read


def _problems(read: TaskType, path: Path) -> list[tuple[str, str]]:
    fields = {field.name for field in read.fields}
    found = [
        (read.name != path.stem, "name", f"found {read.name!r}, expected the file's name, {path.stem!r}"),
        (not read.wordings, "wordings", "found none, expected at least one"),
        (not read.fields, "fields", "found none, expected at least one"),
        (len(fields) != len(read.fields), "fields", "found a name twice, expected each once"),
        (read.k < 1 or read.units < 1, "k, units", "found less than 1, expected 1 or more"),
        (
            not set(read.may_withhold) <= set(read.shows),
            "may_withhold",
            "found what is not shown, expected parts of it",
        ),
        (bool(set(read.withholds) & set(read.shows)), "withholds", "found what is shown as well, expected other parts"),
        (
            not set(read.lineage) <= {"task", "image", "question", "item"},
            "lineage",
            "expected task, image, question, item",
        ),
    ]
    for field in read.fields:
        wants = field.kind == "options"
        found.append(
            (wants != bool(field.options), f"fields.{field.name}.options", "expected them for kind options only")
        )
    if read.test is not None:
        found.append((not 0 < read.test.pass_mark <= 1, "test.pass_mark", "expected a share above 0 and up to 1"))
        for number, asked in enumerate(read.test.questions, 1):
            lost = bool(asked.options) and not set(asked.accepted) <= set(asked.options)
            found.append((lost, f"test.questions.{number}.accepted", "found what is no option, expected some of them"))
            found.append((not asked.accepted, f"test.questions.{number}.accepted", "found none, expected at least one"))
    return [(key, problem) for wrong, key, problem in found if wrong]


@cache
def tasks() -> dict[str, TaskType]:
    """Every kind of task by name.

    >>> len(tasks())
    14
    """
    return {path.stem: read_task(path) for path in sorted(FOLDER.glob("*.toml"))}


def task(name: str) -> TaskType:
    """A kind of task by name.

    >>> task("answr")
    Traceback (most recent call last):
    eyechart.errors.UnknownNameError: no task is called 'answr': did you mean 'answer'?
    """
    if name not in tasks():
        raise UnknownNameError(f"no task is called {name!r}: {did_you_mean(name, tasks())}")
    return tasks()[name]
