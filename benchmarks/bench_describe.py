"""Claim: 22 million generated questions, and 200,000 with ten answers each, are described in two minutes and 6 GB.

Questions are those about a small world, asked again under other ids and in other words; people's answers agree in
seven of ten cases and come from 30,000 others else. ``python benchmarks/bench_describe.py 2000000 20000`` takes other
numbers of questions.
"""

import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

from eyechart.store import Benchmark

DATA = Path(__file__).parent / "data" / "describe"
GENERATED, ASKED = 22_000_000, 200_000
PICTURES, EACH, PEOPLE = 2000, 200, 10
TABLES = ("questions", "images", "objects", "attributes", "relations")
SAID = [f"{letter}{end}" for letter in "bcdfghjklm" for end in ("ado", "eck", "ilt", "orn", "unk")]
"""A made-up word for each copy of the world, so that copies are asked in words of their own."""


def eyechart(*arguments: str) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "eyechart.cli.main", *arguments, "-q"], check=True, stdout=subprocess.DEVNULL)


def world() -> Benchmark:
    """Two thousand pictures with 200 questions each at the most."""
    scenes, asked = DATA / "scenes", DATA / "asked"
    if not asked.is_dir():
        eyechart("scenes", "generate", "-o", str(scenes), "-n", str(PICTURES), "--force")
        eyechart("ask", str(scenes), "-o", str(asked), "--per-image", str(EACH))
    return Benchmark.open(asked)


def generated(questions: int) -> Path:
    """The world many times over."""
    folder = DATA / f"generated-{questions}"
    if folder.is_dir():
        return folder
    tables = {table: world().read(table) for table in TABLES}
    with Benchmark.create(folder) as draft:
        for copy in range(-(-questions // tables["questions"].height)):
            for table, rows in tables.items():
                ids = [
                    pl.format(f"{copy}-{{}}", name).alias(name) for name in ("question_id", "image_id") if name in rows
                ]
                said = pl.col("question").str.replace(r"\bthe ", f"the {SAID[copy % len(SAID)]} ")
                draft.write(table, rows.with_columns(*ids, *([said] if table == "questions" else [])))
    return folder


def answered(questions: int) -> Path:
    """Questions without stored answers or labels, each answered by ten people, some by people who see nothing."""
    folder = DATA / f"answered-{questions}"
    if folder.is_dir():
        return folder
    known = world()
    copies = -(-questions // known.rows("questions"))
    numbered = [
        known.read("questions").with_columns(pl.format(f"{copy}-{{}}", "question_id").alias("question_id"))
        for copy in range(copies)
    ]
    asked = pl.concat(numbered).head(questions)
    others = _other_answers(known)
    unlabelled = [pl.lit(None, dtype=pl.String).alias(name) for name in ("answer", "question_type", "detailed")]
    with Benchmark.create(folder) as draft:
        for table in ("images", "captions"):
            draft.write(table, known.read(table))
        draft.write("questions", asked.with_columns(unlabelled))
        draft.write("answers", _given(asked, PEOPLE, "image", others))
        draft.write("answers", _given(asked.head(questions // 7), 3, "nothing", others))
    return folder


def _other_answers(known: Benchmark) -> pl.Series:
    things = known.scan("objects").select("name").unique().sort("name").collect()
    looks = known.scan("attributes").select("attribute").unique().sort("attribute").collect()
    return looks.join(things, how="cross").select(pl.format("{} {}", "attribute", "name")).to_series().head(30_000)


def _given(asked: pl.DataFrame, people: int, shown: str, others: pl.Series) -> pl.DataFrame:
    draw = np.random.default_rng(people)  # made-up data
    rows = asked.height * people
    other = others.gather(draw.zipf(1.3, rows) % others.len())
    given = asked.select("question_id", "answer").select(pl.all().repeat_by(people).explode())
    return given.select(
        "question_id",
        worker_id=pl.Series(np.tile(np.arange(people), asked.height)).cast(pl.String) + shown,
        answer=pl.when(pl.Series(draw.random(rows) < 0.7)).then("answer").otherwise(other),  # as said above
        confidence=pl.Series(["yes", "maybe", "no"]).gather(draw.choice(3, rows, p=[0.75, 0.15, 0.1])),
        shown=pl.lit(shown),
    )


def measured(name: str, benchmark: Path) -> None:
    """Describe with a page and all figures; print time, CPU and the most memory that any command so far has held."""
    out = DATA / "portrait"
    wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    eyechart("describe", str(benchmark), "-o", str(out))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    rows = Benchmark.open(benchmark).manifest.rows
    print(
        f"  {name:10}  {rows['questions']:12,} questions  {rows.get('answers', 0):11,} answers  "
        f"{time.perf_counter() - wall:6.1f} s  {cpu:6.1f} s CPU  {after.ru_maxrss / 1024:6,.0f} MB peak",
        flush=True,
    )
    shutil.rmtree(out)


if __name__ == "__main__":
    DATA.mkdir(parents=True, exist_ok=True)
    sizes = [int(each) for each in sys.argv[1:]] or [GENERATED, ASKED]
    folders = {"answered": answered(sizes[-1]), "generated": generated(sizes[0])}
    print("Described, with a page and all figures")
    for kind, folder in folders.items():
        measured(kind, folder)
    shutil.rmtree(folders["generated"])
    print()
