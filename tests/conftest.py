"""What all tests share: where the real samples are, and that slow tests run only when somebody asks for them."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# What the package caches for its users stays inside the checkout while it is tested.
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / ".pytest_cache" / "cache")

# Tests assert no times: a busy machine is no mistake.
settings.register_profile("eyechart", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("eyechart")

SAMPLES = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture
def real_data() -> Path:
    """The folder of real samples beside the checkout; a test that needs it is skipped where it is absent."""
    if not SAMPLES.is_dir():
        pytest.skip("no real samples beside the checkout (../shared/data)")
    return SAMPLES


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow, unless an expression of marks was given: ``pytest -m slow``."""
    if config.option.markexpr:
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """One server for all tests of a process; where none is installed, its tests say that they were skipped."""
    from postgres import server

    with server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'work.db'}"
    from postgres import fresh

    return fresh(request.getfixturevalue("postgres_server"), f"test_{uuid.uuid4().hex}")
