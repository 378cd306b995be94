"""Alembic runs this file for every command; the connection, and the transaction around it, are the caller's."""

from typing import Any, Literal

from alembic import context
from sqlalchemy.types import TypeDecorator

from eyechart.database.tables import METADATA


def plain_type(kind: str, thing: Any, _context: object) -> str | Literal[False]:
    """A step names the database's own types, so that it never changes when ours do."""
    return f"sa.{thing.impl!r}" if kind == "type" and isinstance(thing, TypeDecorator) else False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_item=plain_type,
)
context.run_migrations()
