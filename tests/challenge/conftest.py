"""A small challenge in an empty database, of each kind in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from small_challenge import SmallChallenge

from eyechart.challenge import Worker
from eyechart.database import Database


@pytest.fixture
def cats(database_url: str, tmp_path: Path) -> Iterator[SmallChallenge]:
    """The challenge of the cats."""
    database = Database(database_url)
    yield SmallChallenge(database, tmp_path)
    database.close()


@pytest.fixture
def worker(cats: SmallChallenge) -> Worker:
    """Somebody who scores."""
    return Worker(cats.database, cats.files)
