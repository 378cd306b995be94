"""Claim: `ask` makes ten thousand times as many questions per second as CLEVR's generator.

The graphs are made up, as many objects, attributes and relations per picture as GQA's have. The first part asks in this
process about 1,000 pictures, from tables to tables; the second, with --whole, makes 113,000 pictures into benchmarks,
balances them and finds what follows from what, with two workers.
"""

import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

from side_by_side import DATA

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from made_graphs import made_graphs

from eyechart.questions.asking import engine
from eyechart.store import Benchmark

CLEVR = 15.4
"""Questions per second of CLEVR's generator, measured with its default settings."""
IMAGES, WHOLE, PER_IMAGE = 1_000, 113_000, 220


def in_process() -> None:
    """Tables in, tables out; the second time, as in any but the first shard."""
    made, tables = engine(), made_graphs(IMAGES)
    tallies = made.count(tables)
    for _ in range(2):
        wall, cpu = time.perf_counter(), time.process_time()
        asked = made.ask(tables, tallies)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    number = asked.questions.height
    print(f"{number:,} questions about {IMAGES:,} pictures: {wall:.1f} s, {cpu:.1f} s of CPU")
    print(f"{number / wall:,.0f} a second, {number / cpu:,.0f} per second of CPU, {number / cpu / CLEVR:,.0f} x CLEVR")


def whole() -> None:
    """As many pictures as GQA has, by the command line."""
    scenes = DATA / "made-graphs"
    if not (scenes / "benchmark.json").is_file():
        shutil.rmtree(scenes, ignore_errors=True)
        with Benchmark.create(scenes) as draft:
            for first in range(0, WHOLE, 5_000):
                for name, rows in made_graphs(min(5_000, WHOLE - first), first=first).items():
                    draft.write(name, rows)
    workers = ["--executor", "pool", "--workers", "2", "--force", "--quiet"]
    split = ["--split.train", "0.7", "--split.val", "0.1", "--split.testdev", "0.1", "--split.test", "0.1"]
    timed("ask", str(scenes), "-o", str(DATA / "asked"), "--per-image", str(PER_IMAGE), *workers)
    timed("balance", str(DATA / "asked"), "-o", str(DATA / "balanced"), *split, *workers)
    timed("entail", str(DATA / "balanced"), "-o", str(DATA / "entailed"), *workers)
    print(f"{Benchmark.open(DATA / 'asked').rows('questions'):,} questions asked")
    print(f"{Benchmark.open(DATA / 'entailed').rows('questions'):,} questions balanced")


def timed(*command: str) -> None:
    """Run one verb and say what it took."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-m", "eyechart.cli.main", *command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    largest = after.ru_maxrss / 1e6
    print(f"{command[0]}: {time.perf_counter() - begun:.0f} s, {cpu:.0f} s of CPU, largest process {largest:.1f} GB")


if __name__ == "__main__":
    in_process()
    if "--whole" in sys.argv:
        whole()
