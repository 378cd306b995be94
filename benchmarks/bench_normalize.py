"""Claim: the scene graphs of 100,000 pictures with 20 things each are clean in 5 minutes on two cores, in 4 GB.

The graphs are made up of the ontology's own words, a few of them far more frequent than the others, written as
annotators write: in capitals, with articles, colours, owners and typos. Each picture has 20 things, 10 attributes, 20
relations. ``python benchmarks/bench_normalize.py 10000`` takes another number of pictures.
"""

import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
from side_by_side import scratch

from eyechart.scenes.ontology import packaged_ontology
from eyechart.store import Benchmark

IMAGES, THINGS, ATTRIBUTES, RELATIONS = 100_000, 20, 10, 20
STYLES = ("{}", "{}", "{}", "{}", "{}", "{}", "{}.", "a {}", "red {}", "man's {}", "white {}", "{} in the background")
SEED = 1


def words(names: list[str], count: int, draws: np.random.Generator) -> pl.Series:
    """Words by Zipf's law, one in ten with a flourish, one in fifty with a letter missing."""
    ranks = draws.zipf(1.25, count) % len(names)
    chosen = pl.Series(np.array(sorted(names, key=hash_of), dtype=object)[ranks], dtype=pl.String)
    style = pl.Series(draws.integers(0, 120, count))
    told = pl.col("word")
    for number, form in enumerate(STYLES):
        told = pl.when(pl.col("style") == number).then(pl.format(form, "word")).otherwise(told)
    told = (
        pl.when(pl.col("style") >= 118)
        .then(pl.col("word").str.slice(0, 3) + pl.col("word").str.slice(4))
        .otherwise(told)
    )
    return pl.DataFrame({"word": chosen, "style": style}).select(told).to_series()


def hash_of(name: str) -> int:
    """An order of names that has nothing to do with the alphabet, the same on every run."""
    return int.from_bytes(name[::-1].encode()[:4].ljust(4), "little") * 2654435761 % (1 << 32)


def make(folder: Path, images: int) -> None:
    """A benchmark of raw graphs."""
    ontology = packaged_ontology()
    things = [name for name in ontology.nouns if not ontology.is_a(name, "abstract thing")]
    draws = np.random.default_rng(SEED)
    with Benchmark.create(folder) as draft:
        for first in range(0, images, 10_000):
            count = min(10_000, images - first)
            ids = pl.Series(np.arange(first, first + count)).cast(pl.String)
            draft.write("images", pl.DataFrame({"image_id": ids, "width": 640, "height": 480}))
            draft.write("objects", objects(ids, things, draws))
            draft.write("attributes", attributes(ids, list(ontology.attributes), draws))
            draft.write("relations", relations(ids, list(ontology.relations), draws))


def objects(ids: pl.Series, names: list[str], draws: np.random.Generator) -> pl.DataFrame:
    """Boxes of all sizes, small ones more often."""
    count = len(ids) * THINGS
    w, h = 640 * draws.beta(1, 3, count), 480 * draws.beta(1, 3, count)
    return pl.DataFrame(
        {
            "image_id": ids.gather(np.repeat(np.arange(len(ids)), THINGS)),
            "object_id": pl.Series(np.tile(np.arange(THINGS), len(ids))).cast(pl.String),
            "name": words(names, count, draws),
            "x": (640 - w) * draws.random(count),
            "y": (480 - h) * draws.random(count),
            "w": w,
            "h": h,
        }
    )


def attributes(ids: pl.Series, names: list[str], draws: np.random.Generator) -> pl.DataFrame:
    """Ten properties a picture."""
    count = len(ids) * ATTRIBUTES
    return pl.DataFrame(
        {
            "image_id": ids.gather(np.repeat(np.arange(len(ids)), ATTRIBUTES)),
            "object_id": pl.Series(draws.integers(0, THINGS, count)).cast(pl.String),
            "attribute": words(names, count, draws),
        }
    )


def relations(ids: pl.Series, names: list[str], draws: np.random.Generator) -> pl.DataFrame:
    """Twenty relations a picture."""
    count = len(ids) * RELATIONS
    return pl.DataFrame(
        {
            "image_id": ids.gather(np.repeat(np.arange(len(ids)), RELATIONS)),
            "subject_id": pl.Series(draws.integers(0, THINGS, count)).cast(pl.String),
            "predicate": words(names, count, draws),
            "object_id": pl.Series(draws.integers(0, THINGS, count)).cast(pl.String),
        }
    )


if __name__ == "__main__":
    images = int(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    place = scratch("normalize")
    shutil.rmtree(place, ignore_errors=True)
    make(place / "raw", images)
    for executor in ("local", "pool"):
        command = ["eyechart", "scenes", "normalize", str(place / "raw"), "-o", str(place / executor)]
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        program = [
            sys.executable,
            "-m",
            "eyechart.cli.main",
            *command[1:],
            "--executor",
            executor,
            "--workers",
            "2",
            "-q",
        ]
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        peak = after.ru_maxrss / 1e6
        print(f"{images:,} pictures, {executor}: {wall:.0f} s, {cpu:.0f} s CPU, largest process {peak:.2f} GB")
        shutil.rmtree(place / "raw" / ".tallies")
    cleaned = Benchmark.open(place / "pool")
    print({table: f"{cleaned.rows(table):,}" for table in cleaned})
