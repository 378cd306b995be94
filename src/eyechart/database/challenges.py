"""The tables of challenges: what is measured, who takes part, what was handed in, and what came out.

Nothing here says who may see a score; :mod:`eyechart.challenge` does, in one place.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    UniqueConstraint,
)

from eyechart.database.columns import METADATA, Instant, Json

__all__ = [
    "CHALLENGES",
    "FLAGS",
    "HOSTS",
    "INVITED",
    "MEMBERS",
    "PHASES",
    "QUOTA_SLOTS",
    "SCORES",
    "SPLITS",
    "SUBMISSIONS",
    "TEAMS",
    "TRACKS",
    "VISIBILITIES",
]

CHALLENGES = Table(
    "challenges",
    METADATA,
    Column("challenge_id", Integer, primary_key=True),
    Column("slug", String(60), nullable=False, unique=True),
    Column("title", String(200), nullable=False),
    Column("about", Text, nullable=False),
    Column("rules", Json, nullable=False),  # paragraphs
    Column("created", Instant, nullable=False),
    Column("source", Text, nullable=False),  # the description it was made from, to the letter
)

HOSTS = Table(
    "challenge_hosts",
    METADATA,
    Column("challenge_id", ForeignKey("challenges.challenge_id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), primary_key=True),
)

TRACKS = Table(
    "challenge_tracks",
    METADATA,
    Column("track_id", Integer, primary_key=True),
    Column("challenge_id", ForeignKey("challenges.challenge_id", ondelete="CASCADE"), nullable=False),
    Column("slug", String(60), nullable=False),
    Column("position", Integer, nullable=False),
    Column("title", String(200), nullable=False),
    Column("task", String(20), nullable=False),  # open-ended, multiple-choice
    Column("benchmark", Text, nullable=False),  # its folder
    Column("fingerprint", String(64), nullable=False),  # what the folder held when the challenge was made
    Column("metrics", Json, nullable=False),  # names; the first one ranks
    Column("groups", Json, nullable=False),  # columns of questions by which numbers are told apart
    UniqueConstraint("challenge_id", "slug"),
)

SPLITS = Table(
    "challenge_splits",
    METADATA,
    Column("split_id", Integer, primary_key=True),
    Column("track_id", ForeignKey("challenge_tracks.track_id", ondelete="CASCADE"), nullable=False),
    Column("slug", String(60), nullable=False),
    Column("position", Integer, nullable=False),
    Column("guards", String(60)),  # the split whose scores this one is compared with, for hosts only
    Column("questions", Integer, nullable=False),
    Column("members", LargeBinary, nullable=False),  # compressed JSON: the ids of its questions
    UniqueConstraint("track_id", "slug"),
)

PHASES = Table(
    "challenge_phases",
    METADATA,
    Column("phase_id", Integer, primary_key=True),
    Column("track_id", ForeignKey("challenge_tracks.track_id", ondelete="CASCADE"), nullable=False),
    Column("slug", String(60), nullable=False),
    Column("position", Integer, nullable=False),
    Column("title", String(200), nullable=False),
    Column("about", Text, nullable=False),
    Column("opens", Instant),
    Column("closes", Instant),
    Column("per_day", Integer),
    Column("total", Integer),
    Column("failed_per_day", Integer, nullable=False),
    Column("keeps", String(10), nullable=False),  # best, last, all: what a team has on the board
    Column("released", Instant),
    UniqueConstraint("track_id", "slug"),
)

VISIBILITIES = Table(
    "challenge_visibilities",
    METADATA,
    Column("phase_id", ForeignKey("challenge_phases.phase_id", ondelete="CASCADE"), primary_key=True),
    Column("split_id", ForeignKey("challenge_splits.split_id", ondelete="CASCADE"), primary_key=True),
    Column("visibility", String(10), nullable=False),  # public, team, released, never
)

TEAMS = Table(
    "challenge_teams",
    METADATA,
    Column("team_id", Integer, primary_key=True),
    Column("challenge_id", ForeignKey("challenges.challenge_id", ondelete="CASCADE"), nullable=False),
    Column("name", String(80), nullable=False),
    Column("key", String(80), nullable=False),  # the name as it is compared
    Column("created", Instant, nullable=False),
    Column("barred", Boolean, nullable=False, default=False),
    UniqueConstraint("challenge_id", "key"),
)

MEMBERS = Table(
    "challenge_members",
    METADATA,
    Column("challenge_id", ForeignKey("challenges.challenge_id", ondelete="CASCADE"), primary_key=True),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), primary_key=True),
    Column("team_id", ForeignKey("challenge_teams.team_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("joined", Instant, nullable=False),
)
"""One team per person and challenge: quotas are per team."""

INVITED = Table(
    "challenge_invited",
    METADATA,
    Column("team_id", ForeignKey("challenge_teams.team_id", ondelete="CASCADE"), primary_key=True),
    Column("login", String(120), primary_key=True),  # whether or not there is such an account
    Column("invited", Instant, nullable=False),
)

SUBMISSIONS = Table(
    "challenge_submissions",
    METADATA,
    Column("submission_id", Integer, primary_key=True),
    Column("phase_id", ForeignKey("challenge_phases.phase_id", ondelete="CASCADE"), nullable=False),
    Column("team_id", ForeignKey("challenge_teams.team_id", ondelete="CASCADE")),  # none: the hosts'
    Column("account_id", ForeignKey("accounts.account_id", ondelete="SET NULL")),
    Column("once", String(80), unique=True),  # the same upload sent again is the same submission
    Column("kind", String(10), nullable=False),  # entry, baseline, human
    Column("state", String(10), nullable=False),  # queued, scored, failed, cancelled
    Column("created", Instant, nullable=False),
    Column("ended", Instant),
    Column("method", String(120), nullable=False),
    Column("about", Text, nullable=False),
    Column("link", String(500), nullable=False),
    Column("members", String(500), nullable=False),
    Column("external_data", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("file", String(64)),  # the hash of the result file
    Column("file_name", String(200), nullable=False),
    Column("file_size", Integer, nullable=False),
    Column("answers", Integer),
    Column("problems", Json, nullable=False),
    Column("made_with", Json, nullable=False),  # version, profile, word list: what else decides the numbers
    Index("ix_challenge_submissions_phase_team", "phase_id", "team_id"),
)

QUOTA_SLOTS = Table(
    "challenge_quota_slots",
    METADATA,
    Column("submission_id", ForeignKey("challenge_submissions.submission_id", ondelete="CASCADE"), primary_key=True),
    Column("phase_id", ForeignKey("challenge_phases.phase_id", ondelete="CASCADE"), nullable=False),
    Column("team_id", ForeignKey("challenge_teams.team_id", ondelete="CASCADE"), nullable=False),
    Column("kind", String(10), nullable=False),  # accepted, failed
    Column("day", String(10), nullable=False),  # in UTC
    Column("in_day", Integer, nullable=False),
    Column("in_all", Integer, nullable=False),
    UniqueConstraint("phase_id", "team_id", "kind", "day", "in_day"),
    UniqueConstraint("phase_id", "team_id", "kind", "in_all"),
)
"""Every submission holds a numbered slot, and no number is given twice: a quota cannot be overrun."""

SCORES = Table(
    "challenge_scores",
    METADATA,
    Column("submission_id", ForeignKey("challenge_submissions.submission_id", ondelete="CASCADE"), primary_key=True),
    Column("split_id", ForeignKey("challenge_splits.split_id", ondelete="CASCADE"), primary_key=True),
    Column("metric", String(60), primary_key=True),
    Column("by", String(60), primary_key=True),
    Column("group", String(200), primary_key=True),
    Column("value", Float),
    Column("low", Float),
    Column("high", Float),
    Column("questions", Integer, nullable=False),
    Column("unit", String(10), nullable=False),
    Column("absent", Text),
)

FLAGS = Table(
    "challenge_flags",
    METADATA,
    Column("submission_id", ForeignKey("challenge_submissions.submission_id", ondelete="CASCADE"), primary_key=True),
    Column("split_id", ForeignKey("challenge_splits.split_id", ondelete="CASCADE"), primary_key=True),
    Column("gap", Float, nullable=False),  # how much better the guarded split's score is
    Column("bound", Float, nullable=False),  # the half width of the gap's 95 % interval
    Column("raised", Instant),  # none: the gap is within
    Column("settled", Instant),
)
"""The gap between a split and the one that guards it, for every submission; a wide one is raised."""
