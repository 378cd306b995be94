"""Who sees which scores: the only place where scores are read from the database.

Three audiences look at a phase. The public sees splits that are ``public``, and ``released`` ones after the release;
the team that handed something in sees its own ``team`` splits too; hosts see ``released`` ones before. A split that is
``never`` shown is shown to nobody: all that hosts learn of it is whether another split's gap to it is wide. Values are
rounded as boards print them before anybody gets them, so that ranks, tables and files agree, and nobody reads more
digits of a test set than a board has.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from eyechart.database import challenges as t

__all__ = ["Audience", "Gap", "Score", "ShownSplit", "gaps", "scores_of", "splits_shown"]

Audience = Literal["public", "team", "host"]

_SCALE = {"percent": 100, "points": 100}
_DIGITS = 2
_SEEN = {"public": ("public",), "team": ("public", "team"), "host": ("public", "team", "released")}


@dataclass(frozen=True, slots=True)
class ShownSplit:
    """A split whose scores an audience sees."""

    slug: str
    visibility: str
    questions: int


@dataclass(frozen=True, slots=True)
class Score:
    """One number as it is shown: rounded, in percent where it is a share."""

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
class Gap:
    """What hosts learn of a split that is never shown: how far another one is from it, in points."""

    submission_id: int
    split: str
    guards: str
    gap: float
    bound: float
    raised: bool
    settled: bool


def splits_shown(rows: Connection, phase_id: int, audience: Audience) -> list[ShownSplit]:
    """The splits of a phase whose scores an audience sees, in the order of the track."""
    query = (
        select(t.SPLITS.c.slug, t.VISIBILITIES.c.visibility, t.SPLITS.c.questions)
        .select_from(t.VISIBILITIES.join(t.SPLITS).join(t.PHASES, t.PHASES.c.phase_id == t.VISIBILITIES.c.phase_id))
        .where(t.PHASES.c.phase_id == phase_id, _seen_by(audience))
        .order_by(t.SPLITS.c.position)
    )
    return [ShownSplit(*row) for row in rows.execute(query)]


def scores_of(
    rows: Connection, submissions: Collection[int], audience: Audience, *, by: Collection[str] | None = None
) -> Mapping[int, list[Score]]:
    """The scores of submissions that an audience sees; those of some groupings alone, if said."""
    columns = ("metric", "by", "group", "value", "low", "high", "questions", "unit", "absent")
    query = (
        select(t.SCORES.c.submission_id, t.SPLITS.c.slug, *(t.SCORES.c[name] for name in columns))
        .select_from(
            t.SCORES.join(t.SUBMISSIONS)
            .join(t.PHASES, t.PHASES.c.phase_id == t.SUBMISSIONS.c.phase_id)
            .join(t.SPLITS, t.SPLITS.c.split_id == t.SCORES.c.split_id)
            .join(
                t.VISIBILITIES,
                and_(
                    t.VISIBILITIES.c.phase_id == t.PHASES.c.phase_id, t.VISIBILITIES.c.split_id == t.SCORES.c.split_id
                ),
            )
        )
        .where(t.SCORES.c.submission_id.in_(submissions), t.SUBMISSIONS.c.state == "scored", _seen_by(audience))
        .order_by(t.SPLITS.c.position, t.SCORES.c.questions.desc(), t.SCORES.c.group)
    )
    if by is not None:
        query = query.where(t.SCORES.c.by.in_(by))
    found: defaultdict[int, list[Score]] = defaultdict(list)
    for submission_id, *facts in rows.execute(query):
        found[submission_id].append(_score(*facts))
    return found


def gaps(rows: Connection, challenge_id: int) -> list[Gap]:
    """For hosts: how far every submission's guarded splits are from their guards, wide ones first."""
    query = (
        select(t.FLAGS, t.SPLITS.c.slug, t.SPLITS.c.guards)
        .select_from(t.FLAGS.join(t.SPLITS, t.SPLITS.c.split_id == t.FLAGS.c.split_id).join(t.TRACKS))
        .where(t.TRACKS.c.challenge_id == challenge_id)
        .order_by(t.FLAGS.c.submission_id.desc())
    )
    found = [
        Gap(
            row["submission_id"],
            row["slug"],
            row["guards"],
            round(100 * row["gap"], _DIGITS),
            round(100 * row["bound"], _DIGITS),
            row["raised"] is not None,
            row["settled"] is not None,
        )
        for row in rows.execute(query).mappings()
    ]
    return sorted(found, key=lambda gap: (not gap.raised or gap.settled, -gap.submission_id))


def _seen_by(audience: Audience) -> ColumnElement[bool]:
    seen = t.VISIBILITIES.c.visibility.in_(_SEEN[audience])
    released = and_(t.VISIBILITIES.c.visibility == "released", t.PHASES.c.released.is_not(None))
    return or_(seen, released)


def _score(split: str, metric: str, by: str, group: str, value: float | None, *rest: Any) -> Score:
    """A row of the query as it is shown."""
    low, high, questions, unit, absent = rest
    shown = {name: _shown(each, unit) for name, each in (("value", value), ("low", low), ("high", high))}
    return Score(split, metric, by, group, questions=questions, unit=unit, absent=absent, **shown)


def _shown(value: float | None, unit: str) -> float | None:
    return None if value is None else round(value * _SCALE.get(unit, 1), _DIGITS)
