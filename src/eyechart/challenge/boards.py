"""Boards: what a phase's public results give, computed from the scores whenever somebody looks.

Nothing is kept that could go stale: a board after any history is the board of the submissions that are there. What is
not scored is not on it; a missing value stands last whichever way a column is sorted, and never has a rank; equal
values, as printed, have equal ranks and stand in the order in which they were handed in.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection, select

from eyechart.challenge.finding import Row
from eyechart.challenge.viewing import Score, ShownSplit, scores_of, splits_shown
from eyechart.database import challenges as t
from eyechart.errors import UnknownNameError
from eyechart.metrics import metric_named

__all__ = ["Board", "Column", "Entry", "board", "columns_of"]

UNGROUPED = ("overall", "part")


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers."""

    split: str
    metric: str
    by: str
    group: str

    @property
    def key(self) -> str:
        """Its name in addresses and files.

        >>> Column("test-dev", "vqa", "answer_type", "yes/no").key
        'test-dev.vqa.yes/no'
        """
        return ".".join((self.split, self.metric, *(() if self.group == "overall" else (self.group,))))


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of a board."""

    submission_id: int
    rank: int | None
    """None for baselines, people, and what has no value."""
    kind: str
    team: str
    method: str
    link: str
    external_data: str
    handed_in: datetime
    cells: Mapping[str, Score]
    """By the key of their column."""

    def value(self, column: Column | None) -> float | None:
        """The number in a column."""
        cell = None if column is None else self.cells.get(column.key)
        return None if cell is None else cell.value


@dataclass(frozen=True)
class Board:
    """A phase's board as somebody asked for it."""

    splits: list[ShownSplit]
    columns: list[Column]
    ranking: Column | None
    """The first metric on the first split that the public sees; None before there is one."""
    entries: list[Entry]
    by: str
    """The grouping whose columns are shown."""


def board(rows: Connection, phase: Row, track: Row, *, by: str = "", sort: str = "", ascending: bool = False) -> Board:
    """The board of a phase, as the public sees it; sorted by a column's key, or by rank.

    ``by`` is one of the track's groupings; the first, if not said.
    """
    groupings = list(track["groups"])
    if by and by not in groupings:
        raise UnknownNameError(f"This board is not told apart by {by[:60]!r}; choose one of {', '.join(groupings)}.")
    grouping = by or next(iter(groupings), "overall")
    splits = splits_shown(rows, phase["phase_id"], "public")
    found = _public(rows, phase["phase_id"])
    scores = scores_of(rows, [row["submission_id"] for row in found], "public", by=(*UNGROUPED, grouping))
    columns = columns_of(splits, track["metrics"], [score for each in scores.values() for score in each])
    ranking = next((column for column in columns if column.metric == track["metrics"][0]), None)
    entries = [_entry(row, scores.get(row["submission_id"], ())) for row in found]
    ranked = _ranked(_kept(entries, ranking, phase["keeps"]), ranking)
    shown = _sorted(ranked, columns, ranking, sort=sort, ascending=ascending)
    return Board(splits, columns, ranking, shown, grouping)


def columns_of(splits: Sequence[ShownSplit], metrics: Sequence[str], scores: Iterable[Score]) -> list[Column]:
    """The columns that scores fill: split by split, metric by metric, the whole before its groups."""
    split_order = {split.slug: place for place, split in enumerate(splits)}
    metric_order = {metric: place for place, metric in enumerate(metrics)}
    sizes: dict[Column, int] = {}
    for score in scores:
        column = Column(score.split, score.metric, score.by, score.group)
        sizes[column] = max(sizes.get(column, 0), score.questions)
    shown = (column for column in sizes if column.split in split_order and column.metric in metric_order)
    return sorted(
        shown,
        key=lambda column: (
            split_order[column.split],
            metric_order[column.metric],
            column.group != "overall",
            -sizes[column],
            column.group,
        ),
    )


def _public(rows: Connection, phase_id: int) -> list[Row]:
    """Scored, public, and of no barred team; in the order in which they were handed in."""
    names = ("submission_id", "kind", "method", "link", "external_data", "created", "team_id")
    query = (
        select(*(t.SUBMISSIONS.c[name] for name in names), t.TEAMS.c.name.label("team"))
        .select_from(t.SUBMISSIONS.outerjoin(t.TEAMS, t.TEAMS.c.team_id == t.SUBMISSIONS.c.team_id))
        .where(t.SUBMISSIONS.c.phase_id == phase_id, t.SUBMISSIONS.c.state == "scored", t.SUBMISSIONS.c.public)
        .where(t.TEAMS.c.barred.is_not(True))
        .order_by(t.SUBMISSIONS.c.created, t.SUBMISSIONS.c.submission_id)
    )
    return list(rows.execute(query).mappings())


def _entry(row: Row, scores: Iterable[Score]) -> Entry:
    cells = {Column(score.split, score.metric, score.by, score.group).key: score for score in scores}
    return Entry(
        row["submission_id"],
        None,
        row["kind"],
        row["team"] or "",
        row["method"],
        row["link"],
        row["external_data"],
        row["created"],
        cells,
    )


def _kept(entries: list[Entry], ranking: Column | None, keeps: str) -> list[Entry]:
    """What a team has on the board: its best, its last, or all; baselines and people always."""
    if keeps == "all":
        return entries
    chosen: dict[str, Entry] = {}
    for entry in entries:
        if entry.kind != "entry":
            continue
        before = chosen.get(entry.team)
        if before is None or keeps == "last" or _merit(entry, ranking) > _merit(before, ranking):
            chosen[entry.team] = entry
    return [entry for entry in entries if entry.kind != "entry" or chosen[entry.team] is entry]


def _merit(entry: Entry, ranking: Column | None) -> float:
    """The greater the better, whichever way the metric counts; nothing is worse than having no value."""
    value = entry.value(ranking)
    if value is None or ranking is None:
        return -math.inf
    return value if metric_named(ranking.metric).higher_is_better else -value


def _ranked(entries: list[Entry], ranking: Column | None) -> list[Entry]:
    """With ranks: 1, 2, 2, 4 by the values as they are printed."""
    merits = [_merit(entry, ranking) if entry.kind == "entry" else -math.inf for entry in entries]
    ranks: dict[float, int] = {}
    for place, merit in enumerate(sorted(merits, reverse=True), 1):
        ranks.setdefault(merit, place)
    return [
        entry if merit == -math.inf else replace(entry, rank=ranks[merit])
        for entry, merit in zip(entries, merits, strict=True)
    ]


def _sorted(
    entries: list[Entry], columns: Sequence[Column], ranking: Column | None, *, sort: str, ascending: bool
) -> list[Entry]:
    """By a column, or by rank; missing values last either way, equal ones as they were handed in."""
    if sort in {"team", "method"}:
        return sorted(entries, key=lambda entry: _name(entry, sort).casefold(), reverse=not ascending)
    if sort in {"", "rank"}:
        return sorted(entries, key=lambda entry: -_merit(entry, ranking))
    column = next((column for column in columns if column.key == sort), None)
    if column is None:
        raise UnknownNameError(f"This board has no column {sort[:80]!r}; sort it by one of its columns.")
    there = [entry for entry in entries if entry.value(column) is not None]
    missing = [entry for entry in entries if entry.value(column) is None]
    sign = 1 if ascending else -1
    return sorted(there, key=lambda entry: sign * (entry.value(column) or 0.0)) + missing


def _name(entry: Entry, sort: str) -> str:
    return entry.method if sort == "method" else entry.team or entry.method
