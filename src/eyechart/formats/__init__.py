"""Foreign files, both ways: one file per format, one way in and out for all of them.

>>> "vqa" in FORMATS
True
"""

from eyechart.formats.layout import Format, Shard
from eyechart.formats.reading import SHARED, Piece, assign_roles, merge_shared, plan, read
from eyechart.formats.writing import Written, write
from eyechart.registry import Registry

__all__ = [
    "FORMATS",
    "SHARED",
    "Format",
    "Piece",
    "Shard",
    "Written",
    "assign_roles",
    "merge_shared",
    "plan",
    "read",
    "write",
]

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "vqa": "eyechart.formats.vqa:VQA",
    },
)
"""Every format by name."""
