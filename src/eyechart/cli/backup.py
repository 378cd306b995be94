"""``eyechart backup``: everything of a site in one file, while it runs."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.site import Site, needed

__all__ = ["backup"]


def backup(
    output: Annotated[Path, Parameter(alias="-o")],
    *,
    site: Site = Site(),  # frozen
) -> None:
    """Write everything of a site into one file: rows, files and the secret; people can go on working meanwhile.

    Parameters
    ----------
    output
        The file to write, such as monday.zip.
    """
    rows = needed().back_up(site.data, site.database, output)
    print(f"{output} holds {rows:,} rows; eyechart restore {output} brings them back.")
