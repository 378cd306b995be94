"""Claim: 22 million questions of 113,000 pictures are balanced, split and entailed on two cores, within 8 GB.

A world of a thousand pictures is asked once, 200 questions each, and repeated under other ids until there are enough;
so the number of different words, programs and groups is that of the small world. ``python benchmarks/bench_balance.py
2000000`` takes so many questions.
"""

import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import polars as pl

from eyechart.store import Benchmark

DATA = Path(__file__).parent / "data" / "balance"
MILLIONS = 22_600_000
PICTURES, EACH = 1000, 200
MIX = {"query": 0.49, "verify": 0.215, "choose": 0.115, "logical": 0.15, "compare": 0.03}
IDS = {"questions": ("question_id", "image_id"), "mentions": ("question_id",), "images": ("image_id",)}


def eyechart(*arguments: str) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "eyechart.cli.main", *arguments, "-q", "--force"], check=True, stdout=-3)


def small_world() -> Benchmark:
    """A thousand pictures with 200 questions each."""
    scenes, asked = DATA / "scenes", DATA / "asked"
    if not asked.is_dir():
        eyechart("scenes", "generate", "-o", str(scenes), "-n", str(PICTURES))
        eyechart("ask", str(scenes), "-o", str(asked), "--per-image", str(EACH))
    return Benchmark.open(asked)


def repeated(world: Benchmark, questions: int) -> Path:
    """The same world many times, each time with ids of its own."""
    folder = DATA / f"world-{questions}"
    if folder.is_dir():
        return folder
    tables = {table: world.read(table) for table in IDS}
    with Benchmark.create(folder) as draft:
        for copy in range(-(-questions // tables["questions"].height)):
            for table, rows in tables.items():
                ids = [pl.format(f"{copy}-{{}}", name).alias(name) for name in IDS[table]]
                draft.write(table, rows.with_columns(ids))
    return folder


def measured(name: str, size: int, *arguments: str) -> None:
    """Run a command; print time, CPU and the most memory that any command so far has held."""
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    eyechart(*arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(
        f"  {name:8}  {size:12,} questions  {time.perf_counter() - wall:7.1f} s  {cpu:7.1f} s CPU  "
        f"{size / cpu:9,.0f} per s CPU  {after.ru_maxrss / 1024:7,.0f} MB peak",
        flush=True,
    )


if __name__ == "__main__":
    DATA.mkdir(parents=True, exist_ok=True)
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else MILLIONS
    world = repeated(small_world(), wanted)
    balanced, entailed = DATA / "balanced", DATA / "entailed"
    print("Balanced, split and entailed")
    mix = [f"--mix.{kind}={share}" for kind, share in MIX.items()]
    splits = ["--split.train=0.7", "--split.val=0.1", "--split.test=0.1", "--split.challenge=0.1"]
    pool = ["--executor", "pool", "--workers", "2"]
    rows = Benchmark.open(world).rows("questions")
    measured("balance", rows, "balance", str(world), "-o", str(balanced), "--show", "0", *mix, *splits, *pool)
    measured("entail", Benchmark.open(balanced).rows("questions"), "entail", str(balanced), "-o", str(entailed), *pool)
    for folder in (balanced, entailed):
        shutil.rmtree(folder)
    print()
