"""The tables of people: who may sign in, with what, and what they did."""

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Table

from eyechart.database.columns import METADATA, Instant, Json

__all__ = ["ACCOUNTS", "API_TOKENS", "AUDIT", "INVITATIONS", "LOGIN_FAILURES", "SESSIONS"]

ACCOUNTS = Table(
    "accounts",
    METADATA,
    Column("account_id", Integer, primary_key=True),
    Column("login", String(120), nullable=False, unique=True),
    Column("password_hash", String(200)),  # none: signs in by link only
    Column("role", String(20), nullable=False),  # admin, requester, worker, participant
    Column("created", Instant, nullable=False),
    Column("closed", Boolean, nullable=False, default=False),
)

SESSIONS = Table(
    "sessions",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
)

API_TOKENS = Table(
    "api_tokens",
    METADATA,
    Column("token_id", Integer, primary_key=True),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="CASCADE"), nullable=False, index=True),
    Column("name", String(120), nullable=False),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("scopes", Json, nullable=False),
    Column("created", Instant, nullable=False),
    Column("expires", Instant),
    Column("last_used", Instant),
    Column("revoked", Boolean, nullable=False, default=False),
)

INVITATIONS = Table(
    "invitations",
    METADATA,
    Column("token_hash", String(64), primary_key=True),
    Column("role", String(20), nullable=False),
    Column("invited_by", ForeignKey("accounts.account_id", ondelete="SET NULL")),
    Column("created", Instant, nullable=False),
    Column("expires", Instant, nullable=False),
    Column("used_by", ForeignKey("accounts.account_id", ondelete="SET NULL")),
)

LOGIN_FAILURES = Table(
    "login_failures",
    METADATA,
    Column("failure_id", Integer, primary_key=True),
    Column("subject", String(160), nullable=False),  # a login or an address, hashed
    Column("at", Instant, nullable=False),
    Index("ix_login_failures_subject_at", "subject", "at"),
)

AUDIT = Table(
    "audit",
    METADATA,
    Column("audit_id", Integer, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("account_id", ForeignKey("accounts.account_id", ondelete="SET NULL")),
    Column("action", String(60), nullable=False),
    Column("subject", String(200), nullable=False),
    Column("details", Json, nullable=False),
)
