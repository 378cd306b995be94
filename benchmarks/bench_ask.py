"""Claim: `ask` makes ten thousand times as many questions per second as CLEVR's generator.

The graphs are made up, as many objects, attributes and relations per picture as GQA's have. The first part asks in this
process about 1,000 pictures, from tables to tables; the second asks by the command line about 20,000, with two workers,
from benchmark to benchmark. With ``--whole`` 113,000 pictures are asked about, the questions are balanced and split,
and it is found out what follows from what; with ``--whole --unmixed`` types stay as they come, which leaves three times
as many.
"""

import resource
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

from side_by_side import DATA

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from made_graphs import made_graphs

from eyechart.questions.asking import engine
from eyechart.store import Benchmark

CLEVR = 15.4
"""Questions per second of CLEVR's generator, measured with its default settings."""
IMAGES, SOME, WHOLE, PER_IMAGE = 1_000, 20_000, 113_000, 238
WORKERS = ["--executor", "pool", "--workers", "2", "--force", "--quiet"]
SPLIT = ["--split.train", "0.7", "--split.val", "0.1", "--split.testdev", "0.1", "--split.test", "0.1"]


def in_process() -> None:
    """Tables in, tables out; the second time, as in any but the first shard."""
    made, tables = engine(), made_graphs(IMAGES)
    tallies = made.count(tables)
    for _ in range(2):
        wall, cpu = time.perf_counter(), time.process_time()
        asked = made.ask(tables, tallies)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    number = asked.questions.height
    print(f"In this process: {number:,} questions about {IMAGES:,} pictures in {wall:.1f} s, {cpu:.1f} s of CPU")
    print(
        f"  {number / wall:,.0f} a second, {number / cpu:,.0f} per second of CPU, {number / cpu / CLEVR:,.0f} x CLEVR"
    )


def by_command() -> None:
    """Benchmark in, benchmark out, all that a user waits for; once without a limit, once with that of the whole."""
    scenes = made("some-graphs", SOME)
    for name, limit in (("all questions", []), (f"at most {PER_IMAGE} a picture", ["--per-image", str(PER_IMAGE)])):
        print(f"By the command line, {name}, two workers, {SOME:,} pictures")
        seconds = timed("ask", scenes, "-o", DATA / "some-asked", *limit, *WORKERS)
        number = Benchmark.open(DATA / "some-asked").rows("questions")
        print(
            f"  {number:,} questions: {number / seconds:,.0f} a second, {number / seconds / CLEVR:,.0f} x CLEVR",
            flush=True,
        )
    shutil.rmtree(DATA / "some-asked")


def whole(*balancing: str) -> None:
    """As many pictures as GQA has: ask, balance and split, entail."""
    scenes = made("made-graphs", WHOLE)
    print(f"The whole: {WHOLE:,} pictures, two workers")
    steps = [
        ("ask", scenes, "-o", DATA / "asked", "--per-image", str(PER_IMAGE)),
        ("balance", DATA / "asked", "-o", DATA / "balanced", "--show", "0", *balancing, *SPLIT),
        ("entail", DATA / "balanced", "-o", DATA / "entailed"),
    ]
    seconds = sum(timed(*step, *WORKERS) for step in steps)
    asked, entailed = (Benchmark.open(DATA / name) for name in ("asked", "entailed"))
    print(f"  {seconds:.0f} s together")
    print(f"  {asked.rows('questions'):,} questions asked, {entailed.rows('questions'):,} balanced", end=", ")
    print(f"{entailed.rows('entailments'):,} entailments")


def made(name: str, pictures: int) -> Path:
    """A benchmark of made-up scene graphs."""
    folder = DATA / name
    if not (folder / "benchmark.json").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        with Benchmark.create(folder) as draft:
            for first in range(0, pictures, 5_000):
                for table, rows in made_graphs(min(5_000, pictures - first), first=first).items():
                    draft.write(table, rows)
    return folder


def timed(*command: object) -> float:
    """Run one verb and say what it took; seconds of the clock."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    words = [sys.executable, "-m", "eyechart.cli.main", *map(str, command)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        held = Held(process.pid)
        if process.wait():
            sys.exit(f"{command[0]} failed")
        held.stop()
    seconds, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"  {command[0]}: {seconds:.0f} s, {cpu:.0f} s of CPU, {held.most / 1e6:.1f} GB in all processes", flush=True)
    return seconds


class Held:
    """The most memory that a process and all that it started hold together, looked at twice a second."""

    def __init__(self, process: int) -> None:
        self.process, self.most = process, 0
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self._watch.start()

    def stop(self) -> None:
        """Look no more."""
        self._done.set()
        self._watch.join()

    def _look(self) -> None:
        while not self._done.wait(0.5):
            self.most = max(self.most, _kilobytes(self.process))


def _kilobytes(process: int) -> int:
    """What a process holds, and all that it started, and that these started."""
    held: dict[int, int] = {}
    started: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            found = dict(line.split(":", 1) for line in status.read_text().splitlines())
        except OSError:  # it has ended meanwhile
            continue
        held[int(found["Pid"])] = int(found.get("VmRSS", "0").split()[0])
        started.setdefault(int(found["PPid"]), []).append(int(found["Pid"]))
    family = [process]
    for each in family:  # grows while it is walked
        family += started.get(each, [])
    return sum(held.get(each, 0) for each in family)


if __name__ == "__main__":
    if "--whole" in sys.argv:
        whole(*(each for each in sys.argv if each == "--unmixed"))
    else:
        in_process()
        by_command()
