"""Every table of the database, in one place for whoever makes, checks or moves a schema."""

from eyechart.database import accounts, challenges, jobs, work
from eyechart.database.columns import METADATA

__all__ = ["METADATA", "accounts", "challenges", "jobs", "work"]
