"""A PostgreSQL server of the tests' own: in a folder that goes with them, reached through a socket in it only."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_BINARIES = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
_UNPRIVILEGED = "postgres"  # the server refuses to run as root; Debian's package makes this user
_QUICK = "-c fsync=off -c full_page_writes=off -c max_connections=200 -c listen_addresses=''"


def _program(name: str) -> str | None:
    return shutil.which(name) or next((str(folder / name) for folder in _BINARIES if (folder / name).exists()), None)


def _run(*arguments: str) -> None:
    as_another = ["runuser", "-u", _UNPRIVILEGED, "--"] if os.geteuid() == 0 else []
    subprocess.run([*as_another, *arguments], check=True, capture_output=True, cwd="/")


@contextmanager
def server(settings: str = _QUICK) -> Iterator[str]:
    """The address of a fresh server, with ``{name}`` where the name of a database goes."""
    initdb, control = _program("initdb"), _program("pg_ctl")
    if initdb is None or control is None:
        pytest.skip("no PostgreSQL is installed; apt-get install postgresql")
    folder = Path(tempfile.mkdtemp(prefix="eyechart-pg-"))
    if os.geteuid() == 0:
        shutil.chown(folder, _UNPRIVILEGED)
    data = str(folder / "data")
    try:
        _run(initdb, "--pgdata", data, "--auth=trust", "--username=eyechart", "--encoding=UTF8", "--no-sync")
        _run(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", f"-k {folder} {settings}", "start")
        yield f"postgresql://eyechart@/{{name}}?host={folder}"
        _run(control, "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def fresh(address: str, name: str) -> str:
    """The address of a new, empty database on a server."""
    import psycopg

    with psycopg.connect(address.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return address.format(name=name)
