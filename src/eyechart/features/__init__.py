"""What pictures are made of, in numbers: hashes by which the same picture is found again.

>>> import polars as pl
>>> near_hashes(pl.Series([0b1000, 0b1001], dtype=pl.UInt64), distance=1).height
1
"""

from eyechart.features.neighbours import Nearest, nearest, nearest_by_distance
from eyechart.features.perceptual_hash import Fingerprint, fingerprint, near_hashes, perceptual_hash

__all__ = [
    "Fingerprint",
    "Nearest",
    "fingerprint",
    "near_hashes",
    "nearest",
    "nearest_by_distance",
    "perceptual_hash",
]
