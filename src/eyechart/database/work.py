"""The tables of collected work: studies, what is wanted of whom, who holds it, and every word that people wrote.

Three indexes carry the promises: a slot has one accepted response, a worker meets a lineage once, and a worker holds
one assignment of a study at a time.
"""

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, String, Table, text

from eyechart.database.columns import METADATA, Instant, Json

__all__ = [
    "ATTEMPTS",
    "BLOCKS",
    "DRAFTS",
    "ENGAGEMENTS",
    "EVENTS",
    "GOLD_RESULTS",
    "GRANTS",
    "IDENTITIES",
    "ITEMS",
    "LEASES",
    "LEASE_UNITS",
    "PAYMENTS",
    "RESPONSES",
    "REVIEWS",
    "SECRETS",
    "SLOTS",
    "STUDIES",
    "WORDINGS",
    "WORKERS",
]


def _study() -> Column[int]:
    return Column("study_id", ForeignKey("studies.study_id", ondelete="CASCADE"), nullable=False)


def _worker() -> Column[int]:
    return Column("worker_id", ForeignKey("workers.worker_id", ondelete="CASCADE"), nullable=False, index=True)


WORDINGS = Table(
    "wordings",
    METADATA,
    Column("wording_hash", String(64), primary_key=True),
    Column("task", String(40), nullable=False),
    Column("name", String(60), nullable=False),
    Column("text", Json, nullable=False),  # instructions and examples, never edited in place
    Column("created", Instant, nullable=False),
)

STUDIES = Table(
    "studies",
    METADATA,
    Column("study_id", Integer, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("title", String(200), nullable=False),
    Column("task", String(40), nullable=False),
    Column("wording_hash", ForeignKey("wordings.wording_hash"), nullable=False),
    Column("pool", String(120), nullable=False),  # studies of one pool share lineages
    Column("settings", Json, nullable=False),
    Column("state", String(10), nullable=False),  # open, paused, closed
    Column("created", Instant, nullable=False),
    Column("created_by", ForeignKey("accounts.account_id", ondelete="SET NULL")),
)

ITEMS = Table(
    "items",
    METADATA,
    Column("item_id", Integer, primary_key=True),
    _study(),
    Column("key", String(250), nullable=False),
    Column("lineage", String(400), nullable=False),
    Column("image_id", String(250)),
    Column("question_id", String(250)),  # the root of its lineage
    Column("kind", String(10), nullable=False),  # real, gold, attention
    Column("content", Json, nullable=False),
    Column("expected", Json),  # what is right, for gold and attention checks
    Column("rank", Integer, nullable=False),
    Index("uq_items_study_id_key", "study_id", "key", unique=True),
    Index("ix_items_study_id_kind", "study_id", "kind"),
)

WORKERS = Table(
    "workers",
    METADATA,
    Column("worker_id", Integer, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("created", Instant, nullable=False),
)

IDENTITIES = Table(
    "identities",
    METADATA,
    Column("platform", String(40), primary_key=True),
    Column("external_hash", String(64), primary_key=True),
    _worker(),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("lease_id", Integer, primary_key=True),
    _study(),
    _worker(),
    Column("token", String(64), nullable=False, unique=True),
    Column("state", String(10), nullable=False),  # live, submitted, released, lost (to others), ended (by a block)
    Column("started", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("submitted_key", String(120)),  # of the first submission
    Index(
        "uq_leases_live",
        "study_id",
        "worker_id",
        unique=True,
        sqlite_where=text("state = 'live'"),
        postgresql_where=text("state = 'live'"),
    ),
)

SLOTS = Table(
    "slots",
    METADATA,
    Column("slot_id", Integer, primary_key=True),
    _study(),
    Column("item_id", ForeignKey("items.item_id", ondelete="CASCADE"), nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("lineage", String(400), nullable=False),
    Column("priority", BigInteger, nullable=False),
    Column("state", String(10), nullable=False),  # waiting, free, leased, done, rejected
    Column("lease_id", ForeignKey("leases.lease_id", ondelete="SET NULL"), index=True),
    Column("expires", Instant),  # of its lease; none for gold, which nobody takes over
    Index("uq_slots_item_id_ordinal", "item_id", "ordinal", unique=True),
    Index("ix_slots_study_id_state_priority", "study_id", "state", "priority"),
    Index("ix_slots_study_id_state_expires", "study_id", "state", "expires"),
)

LEASE_UNITS = Table(
    "lease_units",
    METADATA,
    Column("lease_id", ForeignKey("leases.lease_id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("slot_id", ForeignKey("slots.slot_id", ondelete="CASCADE"), nullable=False),
    Column("item_id", ForeignKey("items.item_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("arranged", Json, nullable=False),  # what was shown in which order
)

ENGAGEMENTS = Table(
    "engagements",
    METADATA,
    Column("worker_id", ForeignKey("workers.worker_id", ondelete="CASCADE"), primary_key=True),
    Column("lineage", String(400), primary_key=True),
    Column("item_id", ForeignKey("items.item_id", ondelete="SET NULL")),
    Column("answered", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
)

DRAFTS = Table(
    "drafts",
    METADATA,
    Column("lease_id", ForeignKey("leases.lease_id", ondelete="CASCADE"), primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("body", Json, nullable=False),
    Column("saved", Instant, nullable=False),
)

RESPONSES = Table(
    "responses",
    METADATA,
    Column("response_id", Integer, primary_key=True),
    _study(),
    Column("item_id", ForeignKey("items.item_id"), nullable=False, index=True),
    Column("slot_id", ForeignKey("slots.slot_id"), nullable=False),
    _worker(),
    Column("lease_id", ForeignKey("leases.lease_id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("idempotency_key", String(120), nullable=False),
    Column("state", String(10), nullable=False),  # accepted, late, rejected
    Column("body", Json, nullable=False),
    Column("arranged", Json, nullable=False),
    Column("comment", String(2000)),
    Column("wording_hash", ForeignKey("wordings.wording_hash"), nullable=False),
    Column("seconds", Float, nullable=False),  # from being handed out to being handed in, by our clock
    Column("active_seconds", Float),  # as the page counted it
    Column("flags", Json, nullable=False),
    Column("submitted", Instant, nullable=False),
    Index("uq_responses_lease_key_number", "lease_id", "idempotency_key", "number", unique=True),
    Index("ix_responses_study_id_state", "study_id", "state"),
    Index("ix_responses_study_id_worker_id_response_id", "study_id", "worker_id", "response_id"),
    Index(
        "uq_responses_accepted",
        "slot_id",
        unique=True,
        sqlite_where=text("state = 'accepted'"),
        postgresql_where=text("state = 'accepted'"),
    ),
)

GOLD_RESULTS = Table(
    "gold_results",
    METADATA,
    Column("response_id", ForeignKey("responses.response_id"), primary_key=True),
    _study(),
    _worker(),
    Column("kind", String(10), nullable=False),
    Column("score", Float, nullable=False),
    Column("at", Instant, nullable=False),
)

REVIEWS = Table(
    "reviews",
    METADATA,
    Column("review_id", Integer, primary_key=True),
    Column("response_id", ForeignKey("responses.response_id"), nullable=False, index=True),
    Column("decision", String(10), nullable=False),  # accepted, rejected
    Column("why", String(500)),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="SET NULL")),
    Column("at", Instant, nullable=False),
)

PAYMENTS = Table(
    "payments",
    METADATA,
    Column("payment_id", Integer, primary_key=True),
    _study(),
    _worker(),
    Column("response_id", ForeignKey("responses.response_id"), unique=True),  # none for a bonus
    Column("millionths", BigInteger, nullable=False),  # of the currency's unit: a triplet at $0.0125 is exact
    Column("currency", String(3), nullable=False),
    Column("why", String(500)),
    Column("state", String(10), nullable=False),  # owed, paid, withheld
    Column("at", Instant, nullable=False),
    Index("ix_payments_study_id_state", "study_id", "state"),
)

GRANTS = Table(
    "grants",
    METADATA,
    Column("worker_id", ForeignKey("workers.worker_id", ondelete="CASCADE"), primary_key=True),
    Column("qualification", String(80), primary_key=True),
    Column("value", Float, nullable=False),
    Column("why", String(500), nullable=False),
    Column("at", Instant, nullable=False),
    Column("until", Instant),
    Column("revoked", Boolean, nullable=False),
)

ATTEMPTS = Table(
    "attempts",
    METADATA,
    Column("attempt_id", Integer, primary_key=True),
    _worker(),
    Column("qualification", String(80), nullable=False),
    Column("answers", Json, nullable=False),
    Column("score", Float, nullable=False),
    Column("passed", Boolean, nullable=False),
    Column("at", Instant, nullable=False),
)

BLOCKS = Table(
    "blocks",
    METADATA,
    Column("block_id", Integer, primary_key=True),
    _worker(),
    Column("study_id", ForeignKey("studies.study_id", ondelete="CASCADE")),  # none: from every study
    Column("why", String(500), nullable=False),
    Column("at", Instant, nullable=False),
    Column("until", Instant),
    Column("lifted", Boolean, nullable=False),
)

EVENTS = Table(
    "events",
    METADATA,
    Column("event_id", Integer, primary_key=True),
    Column("lease_id", ForeignKey("leases.lease_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("kind", String(40), nullable=False),
    Column("body", Json, nullable=False),
    Column("at", Instant, nullable=False),
)

SECRETS = Table(
    "secrets",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", String(64), nullable=False),
)
