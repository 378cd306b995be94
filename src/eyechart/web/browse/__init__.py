"""Look around in benchmarks: questions and pictures by what they are, and everything that hangs on one question."""

from eyechart.web.browse.area import AREA
from eyechart.web.browse.shelves import shelf_named, shelves_of

__all__ = ["AREA", "shelf_named", "shelves_of"]
