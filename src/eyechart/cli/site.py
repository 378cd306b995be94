"""Where the web application keeps its things: options that serve, accounts and backup share."""

from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from cyclopts import Group, Parameter

from eyechart.errors import MissingDependencyError

__all__ = ["Site", "needed"]


@Parameter(name="*", group=Group("Where things are kept", sort_key=7))
@dataclass(frozen=True)
class Site:
    """Where a site keeps its things."""

    data: Path = Path("eyechart-data")
    "The folder of the site: its SQLite database, its secret and the files that people hand in."
    database: str = ""
    "Another database: the path of a SQLite file, or postgresql://user:password@host/name."


def needed() -> ModuleType:
    """The web application, which is installed as an extra."""
    try:
        import eyechart.web
    except ModuleNotFoundError as error:
        raise MissingDependencyError(
            f"this verb needs {error.name}, which is not installed; pip install 'eyechart[web]'"
        ) from error
    return eyechart.web
