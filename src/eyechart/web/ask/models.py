"""The models of a site that can be asked, each opened when it is first asked for."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakKeyDictionary

from eyechart.errors import UsageError
from eyechart.pipeline.interviewing import Interview
from eyechart.store import Benchmark
from eyechart.web.ui import RefusalError, Site

__all__ = ["blind", "interview", "names", "ready"]

_OPENED: WeakKeyDictionary[Site, dict[str, Interview]] = WeakKeyDictionary()
_LOCK = threading.Lock()


def names(site: Site) -> Sequence[str]:
    """What the models are called: by their folders."""
    return [folder.name for folder in site.settings.models]


def interview(site: Site, name: str) -> Interview:
    """A model, ready to be asked."""
    folders = {folder.name: folder for folder in site.settings.models}
    if name not in folders:
        raise RefusalError(404, f"No model here is called {name[:60]!r}.")
    with _LOCK:
        opened = _OPENED.setdefault(site, {})
        if name not in opened:
            benchmarks = [Benchmark.open(folder) for folder in site.settings.benchmarks]
            opened[name] = Interview.among(folders[name], benchmarks)
        return opened[name]


def blind(site: Site) -> tuple[str, Interview] | None:
    """The first model that looks at no picture: what it says is what can be known without one."""
    opened = ((name, interview(site, name)) for name in names(site))
    return next(((name, found) for name, found in opened if not found.looks), None)


@contextmanager
def ready(site: Site) -> Iterator[None]:
    """Say at the start, not to a visitor, that a folder is no model."""
    for folder in site.settings.models:
        if not (Path(folder) / "config.json").is_file():
            raise UsageError(
                f"--models {folder}: found no config.json, expected a trained model; train one with `eyechart train`"
            )
    yield
