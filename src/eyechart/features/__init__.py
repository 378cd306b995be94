"""What pictures are made of, in numbers: features, near ones, and hashes by which the same picture is found again.

>>> import polars as pl
>>> near_hashes(pl.Series([0b1000, 0b1001], dtype=pl.UInt64), distance=1).height
1
"""

from eyechart.features.detector_files import Detected, read_butd_hdf5, read_butd_tsv, read_gqa_hdf5
from eyechart.features.encoders import ENCODERS, Encoder, encode_boxes, load_encoder, open_picture
from eyechart.features.neighbours import FlatIndex, Nearest, nearest, nearest_by_distance
from eyechart.features.perceptual_hash import Fingerprint, fingerprint, near_hashes, perceptual_hash
from eyechart.features.scene_rows import scene_rows, scene_width
from eyechart.features.store import FeatureStore, Made, Rows, StoreDraft

__all__ = [
    "ENCODERS",
    "Detected",
    "Encoder",
    "FeatureStore",
    "Fingerprint",
    "FlatIndex",
    "Made",
    "Nearest",
    "Rows",
    "StoreDraft",
    "encode_boxes",
    "fingerprint",
    "load_encoder",
    "near_hashes",
    "nearest",
    "nearest_by_distance",
    "open_picture",
    "perceptual_hash",
    "read_butd_hdf5",
    "read_butd_tsv",
    "read_gqa_hdf5",
    "scene_rows",
    "scene_width",
]
