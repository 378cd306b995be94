"""Claim: 113,000 scene graphs without pictures take at most ten minutes on two cores, whatever the number of workers.

Without an argument a part of them is generated, by one worker and by two, and the rest is reckoned; with --all, all.
"""

import hashlib
import resource
import sys
import tempfile
import time
from pathlib import Path

from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.generate_scenes import GenerateScenes
from eyechart.scenes.generate import world_text

ALL, PART = 113_000, 3_000
MINUTES = 10


def generate(count: int, workers: int, folder: Path) -> tuple[float, float]:
    """Seconds on the clock and on the cores."""
    stage = GenerateScenes(world_text("natural"), count, 1, None, "natural")
    before, begun = cores(), time.perf_counter()
    run(stage, Output(folder), where=Where(executor="pool" if workers > 1 else "local", workers=workers))
    return time.perf_counter() - begun, cores() - before


def cores() -> float:
    """CPU seconds of this process and of its workers that are done."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def digest(folder: Path) -> str:
    """Of all tables' bytes."""
    found = hashlib.sha256()
    for file in sorted((folder / "tables").rglob("*.parquet")):
        found.update(file.relative_to(folder).as_posix().encode() + file.read_bytes())
    return found.hexdigest()


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as place:
        if "--all" in sys.argv[1:]:
            wall, cpu = generate(ALL, 2, Path(place, "all"))
            print(f"{ALL:,} scenes, two workers: {wall:.0f} s, {cpu:.0f} s CPU; the claim allows {MINUTES * 60} s")
            return
        seen = set()
        for workers in (1, 2):
            folder = Path(place, str(workers))
            wall, cpu = generate(PART, workers, folder)
            seen.add(digest(folder))
            whole = cpu * ALL / PART / 2 / 60
            print(
                f"{PART:,} scenes, {workers} at work: {wall:.1f} s, {cpu:.1f} s CPU; all on two cores: {whole:.1f} min"
            )
        print("identical" if len(seen) == 1 else "DIFFERENT")


if __name__ == "__main__":
    main()
