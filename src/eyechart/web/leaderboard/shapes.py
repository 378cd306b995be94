"""What programs are told: the shapes of answers, which pages show too."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from eyechart.challenge import Board, Gap, Score, finding, submitting
from eyechart.database import jobs, now

__all__ = [
    "BoardTold",
    "ChallengeTold",
    "EntryTold",
    "GapTold",
    "PhaseTold",
    "ProblemTold",
    "ScoreTold",
    "SplitTold",
    "SubmissionTold",
    "TrackTold",
    "tell_board",
    "tell_challenge",
    "tell_gap",
    "tell_submission",
]

Row = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class SplitTold:
    """A split of a phase, and who sees its scores: public, team, released or never."""

    split: str
    questions: int
    shown_to: str


@dataclass(frozen=True, slots=True)
class PhaseTold:
    """A phase of a track."""

    phase: str
    title: str
    about: str
    opens: datetime | None
    closes: datetime | None
    open: bool
    per_day: int | None
    total: int | None
    failed_per_day: int
    keeps: str
    released: datetime | None
    splits: list[SplitTold]

    @property
    def later(self) -> bool:
        """Whether it has not begun."""
        return not self.open and self.opens is not None and self.opens > now()

    @property
    def has_board(self) -> bool:
        """Whether the public sees any score of it, now or later."""
        return any(split.shown_to in {"public", "released"} for split in self.splits)


@dataclass(frozen=True, slots=True)
class TrackTold:
    """A track of a challenge; the first metric ranks."""

    track: str
    title: str
    task: str
    metrics: list[str]
    groups: list[str]
    phases: list[PhaseTold]


@dataclass(frozen=True, slots=True)
class ChallengeTold:
    """A challenge."""

    challenge: str
    title: str
    about: str
    rules: list[str]
    created: datetime
    tracks: list[TrackTold]

    def title_of(self, track: str, phase: str) -> str:
        """What people call a phase of a track."""
        return next(
            f"{each.title}, {one.title}"
            for each in self.tracks
            for one in each.phases
            if (each.track, one.phase) == (track, phase)
        )

    def ranking_of(self, track: str) -> str:
        """The metric that ranks a track."""
        return next(each.metrics[0] for each in self.tracks if each.track == track)


@dataclass(frozen=True, slots=True)
class ScoreTold:
    """One number, in percent where it is a share, with its 95 % interval."""

    split: str
    metric: str
    by: str
    group: str
    value: float | None
    low: float | None
    high: float | None
    questions: int
    unit: str
    absent: str | None


@dataclass(frozen=True, slots=True)
class EntryTold:
    """A row of a board; baselines and people have no rank."""

    submission: int
    rank: int | None
    kind: str
    team: str
    method: str
    link: str
    external_data: str
    handed_in: datetime
    scores: list[ScoreTold]


@dataclass(frozen=True, slots=True)
class BoardTold:
    """A board: its columns by key, the one that ranks, and its rows in order."""

    challenge: str
    track: str
    phase: str
    by: str
    ranking: str | None
    columns: list[str]
    entries: list[EntryTold]


@dataclass(frozen=True, slots=True)
class ProblemTold:
    """One thing that is wrong with a result file."""

    said: str
    line: int | None
    record: int | None
    question_id: str | None


@dataclass(frozen=True, slots=True)
class SubmissionTold:
    """A submission as somebody who asks may see it."""

    submission_id: int
    challenge: str
    track: str
    phase: str
    team: str
    kind: str
    method: str
    about: str
    link: str
    members: str
    external_data: str
    public: bool
    state: str
    created: datetime
    ended: datetime | None
    file_name: str
    file_size: int
    answers: int | None
    share: float
    doing: str
    ahead: int
    problems: list[ProblemTold]
    scores: list[ScoreTold]
    made_with: dict[str, str]


@dataclass(frozen=True, slots=True)
class GapTold:
    """For hosts: how far an entry's split is from the one that guards it, in points, and what chance explains."""

    submission: int
    guarded_by: str
    split: str
    gap: float
    bound: float
    raised: bool
    settled: bool


def tell_challenge(rows: Connection, challenge: Row) -> ChallengeTold:
    """A challenge with its tracks, phases and splits."""
    tracks = [
        TrackTold(
            track["slug"],
            track["title"],
            track["task"],
            track["metrics"],
            track["groups"],
            [_tell_phase(rows, phase) for phase in phases],
        )
        for track, phases in finding.phases_of(rows, challenge["challenge_id"])
    ]
    told = {name: challenge[name] for name in ("title", "about", "rules", "created")}
    return ChallengeTold(challenge=challenge["slug"], tracks=tracks, **told)


def _tell_phase(rows: Connection, phase: Row) -> PhaseTold:
    moment = now()
    begun = phase["opens"] is None or phase["opens"] <= moment
    over = phase["closes"] is not None and phase["closes"] <= moment
    names = ("title", "about", "opens", "closes", "per_day", "total", "failed_per_day", "keeps", "released")
    splits = [
        SplitTold(split.slug, split.questions, split.visibility) for split in finding.splits_of(rows, phase["phase_id"])
    ]
    told = {name: phase[name] for name in names}
    return PhaseTold(phase=phase["slug"], open=begun and not over, splits=splits, **told)


def tell_scores(scores: Iterable[Score]) -> list[ScoreTold]:
    """Scores that somebody may see."""
    names = ("split", "metric", "by", "group", "value", "low", "high", "questions", "unit", "absent")
    return [ScoreTold(*(getattr(score, name) for name in names)) for score in scores]


def tell_board(challenge: str, track: str, phase: str, board: Board) -> BoardTold:
    """A board in its order."""
    entries = [
        EntryTold(
            entry.submission_id,
            entry.rank,
            entry.kind,
            entry.team,
            entry.method,
            entry.link,
            entry.external_data,
            entry.handed_in,
            tell_scores(entry.cells[column.key] for column in board.columns if column.key in entry.cells),
        )
        for entry in board.entries
    ]
    columns = [column.key for column in board.columns]
    ranking = None if board.ranking is None else board.ranking.key
    return BoardTold(challenge, track, phase, board.by, ranking, columns, entries)


def tell_submission(
    rows: Connection, found: Row, scores: Iterable[Score], *, own: bool, job: Row | None = None
) -> SubmissionTold:
    """A submission; whoever is neither of its team nor a host is told nothing about its file."""
    if found["state"] != "queued":
        job = None
    elif job is None:
        job = submitting.job_of(rows, found["submission_id"])
    kept = ("submission_id", "challenge", "track", "phase", "answers")
    said = ("kind", "method", "about", "link", "members", "external_data", "public", "state", "created", "ended")
    told = {name: found[name] for name in (*kept, *said)}
    file = {"file_name": found["file_name"], "file_size": found["file_size"]} if own else _NO_FILE
    return SubmissionTold(
        **told,
        **file,
        team=found["team"] or "",
        share=0.0 if job is None else job["share"],
        doing="" if job is None else job["doing"],
        ahead=0 if job is None else jobs.ahead_of(rows, submitting.JOB, str(found["submission_id"])),
        problems=[ProblemTold(**problem) for problem in found["problems"]] if own else [],
        scores=tell_scores(scores),
        made_with={name: str(value) for name, value in found["made_with"].items()},
    )


_NO_FILE = {"file_name": "", "file_size": 0}


def tell_gap(gap: Gap) -> GapTold:
    """A gap, for hosts."""
    return GapTold(gap.submission_id, gap.split, gap.guards, gap.gap, gap.bound, gap.raised, gap.settled)
