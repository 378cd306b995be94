"""A scoring worker beside the pages: started when there is something to score, and again whenever it dies."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import select

from eyechart.database import jobs
from eyechart.web.ui import Site

__all__ = ["scoring"]

_LOOK_EVERY = 0.5
_REST_AFTER_DEATH = 2.0
_GRACE = 5.0


@contextmanager
def scoring(site: Site) -> Iterator[None]:
    """Score what is handed in as long as the block runs."""
    stop = threading.Event()
    thread = threading.Thread(target=_keep_scoring, args=(site, stop), daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join(_GRACE * 2)


def _keep_scoring(site: Site, stop: threading.Event) -> None:
    while not _something_waits(site) and not stop.wait(_LOOK_EVERY):
        pass
    while not stop.is_set():
        worker = _start(site)
        while worker.poll() is None and not stop.wait(_LOOK_EVERY):
            pass
        if worker.poll() is None:
            _end(worker)
        else:
            stop.wait(_REST_AFTER_DEATH)


def _start(site: Site) -> subprocess.Popen[bytes]:
    settings = site.settings
    options = ["--data", str(settings.folder), "--database", settings.database, "--quiet", "--parent", str(os.getpid())]
    return subprocess.Popen([sys.executable, "-m", "eyechart.cli.main", "challenge", "worker", *options])  # noqa: S603 - ourselves


def _end(worker: subprocess.Popen[bytes]) -> None:
    """Let it finish what it has begun, but not for long: a job that is cut off is done again."""
    worker.terminate()
    try:
        worker.wait(_GRACE)
    except subprocess.TimeoutExpired:
        worker.kill()
        worker.wait()


def _something_waits(site: Site) -> bool:
    with site.database.reading() as rows:
        unfinished = jobs.JOBS.c.state.in_(("waiting", "running"))
        return rows.execute(select(jobs.JOBS.c.job_id).where(unfinished).limit(1)).first() is not None
