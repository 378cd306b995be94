"""Benchmarks at rest: folders of Parquet tables with a manifest that is written last."""

from eyechart.store.benchmark import Benchmark
from eyechart.store.draft import Draft, ShardWriter
from eyechart.store.integrity import DAMAGE, damaged_files
from eyechart.store.manifest import MANIFEST, MadeBy, Manifest, Part

__all__ = [
    "DAMAGE",
    "MANIFEST",
    "Benchmark",
    "Draft",
    "MadeBy",
    "Manifest",
    "Part",
    "ShardWriter",
    "damaged_files",
]
