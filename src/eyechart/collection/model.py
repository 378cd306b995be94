"""What studies, assignments and receipts are: the shapes that pages, commands and tests pass around."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

import msgspec

from eyechart.collection.task_types import TaskType, Wording

__all__ = [
    "Assignment",
    "Draft",
    "Item",
    "Kind",
    "Nothing",
    "Picture",
    "Progress",
    "Reason",
    "Receipt",
    "Settings",
    "Study",
    "Unit",
]

Kind = Literal["real", "gold", "attention"]

Reason = Literal["closed", "blocked", "unqualified", "done", "seen", "limit", "waiting"]
"""Why there is nothing to do: the study is not open; the worker is blocked, lacks a qualification, has seen everything
or has reached the limit; everything is answered; or others hold what is left, and some of it may come back."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The choices of a study; what is not chosen is the task's own.

    >>> Settings(k=3).pay_millionths is None
    True
    """

    k: int | None = None
    """So many different workers respond to an item."""
    units: int | None = None
    """So many items are one assignment."""
    lease_seconds: int | None = None
    minimum_seconds: float | None = None
    pay_millionths: int | None = None
    """Pay for an item, in millionths of the currency's unit."""
    currency: str = "USD"
    withheld: tuple[str, ...] = ()
    """What workers must not see; it is absent from everything that is sent to them."""
    qualification: str | None = None
    """What a worker must hold: the task's name for its own test, or a name that requesters grant."""
    qualification_least: float = 0.0
    most_per_worker: int | None = None
    gold_share: float = 0.0
    """How often an item with a known answer is handed out instead, unmarked."""
    gold_first: int = 0
    """So many items of a worker's first are such."""
    gold_window: int = 20
    """The last so many results count."""
    gold_least: int = 5
    """From so many results on, a worker can be blocked."""
    gold_mark: float = 0.5
    """Whose mean over the window is lower is blocked from the study."""
    attention_share: float = 0.0
    """How often an attention check is handed out instead."""
    feeds: tuple[str, ...] = ()
    """Studies that get an item for each accepted response: answers for new questions, a second round for new pairs."""
    neighbours: int = 24
    """So many near pictures are shown before somebody asks for more."""
    benchmark: str | None = None
    """The folder whose pictures are shown."""
    vocabulary: tuple[str, ...] = ()
    """The closed vocabulary whose nearest entries are suggested."""
    rules: dict[str, Any] = {}  # a task's own: of scenes, graphs
    """What a scene or a graph must have; the task's page lists the names."""
    seed: int = 0


@dataclass(frozen=True)
class Study:
    """A study as it stands."""

    study_id: int
    name: str
    title: str
    task: TaskType
    wording_name: str
    wording: Wording
    wording_hash: str
    pool: str
    """Studies of one pool know each other's questions and pictures: who asked must not answer in any of them."""
    settings: Settings
    state: Literal["open", "paused", "closed"]
    created: datetime

    @property
    def shown(self) -> tuple[str, ...]:
        """The parts that workers see."""
        return self.task.shown(self.settings.withheld)

    def choice(self, name: str) -> Any:  # a number of the settings
        """A setting, or the task's own where none was chosen."""
        chosen = getattr(self.settings, name)
        return getattr(self.task, name) if chosen is None else chosen


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """Something to respond to, with everything that is known of it; what is withheld stays in the database.

    >>> Item(key="1", image_id="7", question_id="1", content={"question": "Is it red?"}).kind
    'real'
    """

    key: str
    """Unique in the study."""
    content: dict[str, Any]  # parts by name, as planning makes them
    image_id: str | None = None
    question_id: str | None = None
    """The question at the root of its lineage: of a complementary one the original."""
    kind: Kind = "real"
    expected: Any = None  # a body, or several of them
    """For gold and attention checks: the bodies that are right."""
    seen_by: tuple[str, ...] = ()
    """Workers who must not get it, by name: its author, those who answered elsewhere; strangers are no matter."""
    k: int | None = None
    """So many workers, if not as many as the study says."""


class Unit(msgspec.Struct, frozen=True):
    """One item of an assignment, as its worker may see it."""

    number: int
    """Its place in the assignment: responses name it."""
    shown: dict[str, Any]  # JSON for a page
    """Parts by name. A picture is only a number, asked for with the assignment's token (``Work.picture``):
    ``image``: ``{"picture": 0, "width": …, "height": …}``; ``neighbours``: a list of such, nearest first; ``choices``:
    texts in the order in which they are shown; ``earlier_questions``: texts; ``question``, ``caption``, ``answer``,
    ``decoy``: text; ``scene``: what the editor loads."""


class Draft(msgspec.Struct, frozen=True):
    """What a worker has so far, as the page saved it."""

    revision: int
    body: Any  # the page's own
    saved: datetime


@dataclass(frozen=True)
class Assignment:
    """Work that a worker holds for some time."""

    token: str
    """Whoever knows it may save and submit."""
    study: str
    worker: str
    units: tuple[Unit, ...]
    started: datetime
    expires: datetime
    draft: Draft | None
    resumed: bool
    """Whether the worker held it already."""


@dataclass(frozen=True)
class Nothing:
    """There is nothing to do, and why."""

    reason: Reason
    when: datetime | None = None
    """When to ask again, where that may help."""
    detail: str = ""
    """A name that the reason is about, such as the qualification."""


@dataclass(frozen=True)
class Receipt:
    """What became of a submission."""

    accepted: tuple[int, ...]
    """Units that count."""
    late: tuple[int, ...]
    """Units that somebody else had taken over by then: kept and paid, beside the count."""
    skipped: tuple[int, ...]
    """Units that were left out and go to others."""
    repeated: bool
    """Whether this submission had arrived before."""
    millionths: int
    currency: str
    done: int
    """How many responses this worker has given in this study."""
    rejected: tuple[int, ...] = ()
    """Units that a review has rejected since they first arrived: kept, and asked of somebody else."""


@dataclass(frozen=True)
class Picture:
    """A picture that a worker may see."""

    image_id: str
    file: str | None
    """Relative to the pictures of the study's benchmark."""
    scene: Any = None  # a scene as planning made it
    """An abstract scene to draw, where there is no file."""


@dataclass(frozen=True)
class Progress:
    """How far a study is."""

    items: int
    wanted: int
    """Responses wanted: a slot each."""
    done: int
    held: int
    """Slots in somebody's hands."""
    late: int
    rejected: int
    workers: int
    finished: int
    """Items of which everything is done."""
    first: datetime | None
    last: datetime | None
    millionths: int
    """What is owed and paid."""
    currency: str
    flags: dict[str, int]
