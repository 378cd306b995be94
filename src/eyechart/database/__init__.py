"""What is alive: accounts, work, submissions; rows in SQLite or PostgreSQL that change under many hands."""

from eyechart.database import accounts, work
from eyechart.database.columns import Instant, Json, now
from eyechart.database.copying import copy_rows, count_rows
from eyechart.database.engine import Database

__all__ = ["Database", "Instant", "Json", "accounts", "copy_rows", "count_rows", "now", "work"]
