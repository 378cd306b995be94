"""A site with a study of each task that is filled in: made once, and copied for each test."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from studies import asked_benchmark, study_of_each
from web_site import ROLES, session, site


@pytest.fixture(scope="session")
def made_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that nobody has worked on."""
    folder = tmp_path_factory.mktemp("made")
    benchmark = asked_benchmark(folder / "asked")
    with site(folder / "site") as running:
        study_of_each(running.state.site.database, benchmark)
        for role in ROLES[1:]:
            session(running, role)
    return folder


@pytest.fixture
def app(made_site: Path, tmp_path: Path) -> Iterator[FastAPI]:
    """A site of its own for each test."""
    shutil.copytree(made_site / "site", tmp_path / "site")
    with site(tmp_path / "site", benchmarks=(made_site / "asked",)) as running:
        yield running
