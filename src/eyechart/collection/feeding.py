"""What one study brings forth, another takes up: questions to be answered, pairs whose other half needs answers."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from eyechart.collection.model import Study
from eyechart.collection.planning import follow
from eyechart.collection.rows import Row, find_study
from eyechart.collection.studies import add_items, engage

__all__ = ["feed"]


def feed(rows: Connection, study: Study, worker_id: int, unit: Row, body: Mapping[str, Any], now: datetime) -> None:
    """Note who made a question, so that they never answer it, and hand it to the studies that wait for it."""
    made = follow(study.task.name, unit["key"], unit["ordinal"], unit["content"], body)
    if made is None:
        return
    engage(rows, worker_id, f"{study.pool}|question={made.root_id}", now)
    for name in study.settings.feeds:
        add_items(rows, find_study(rows, name), [made.item()])
