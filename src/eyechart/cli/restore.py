"""``eyechart restore``: a site from its backup, into SQLite or PostgreSQL, whichever wrote it."""

from pathlib import Path

from eyechart.cli.site import Site, needed

__all__ = ["restore"]


def restore(
    backup: Path,
    /,
    *,
    site: Site = Site(),  # frozen
) -> None:
    """Bring a site back from a backup, into an empty place; from SQLite to PostgreSQL and back works too.

    Parameters
    ----------
    backup
        The file that ``eyechart backup`` wrote.
    """
    rows = needed().restore(backup, site.data, site.database)
    print(f"{site.data} holds {rows:,} rows again.")
