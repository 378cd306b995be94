"""Claim: decoys of 100,000 triplets in three minutes on two cores, of 1.4 million in an hour and in 8 GB.

Two measurements in one run: the whole command on made-up triplets, and Wu-Palmer similarity of their answers beside
NLTK's; the search for near questions has `bench_neighbours.py`. The number of images is the first argument; 7,143 make
100,002 triplets, 100,000 make 1.4 million.
"""

import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from bench_wup import laid_out, theirs
from triplets import write

from eyechart.pipeline import Output, run
from eyechart.pipeline.stages.decoys import MakeDecoys
from eyechart.store import Benchmark
from eyechart.text import packaged_nouns

PAIRS, THEIR_PAIRS = 200_000, 2_000


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the clock and of all processors."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def similarities(folder: Path, root: Path) -> None:
    """Similarities of answers, ours and NLTK's."""
    answers = Benchmark.open(folder).scan("questions").select("answer").collect()["answer"]
    words = answers.filter(~answers.str.contains(" ")).unique().sort().to_list()
    pairs = np.random.default_rng(1).integers(0, len(words), (2, PAIRS))
    nouns = packaged_nouns()
    nouns.similarity("warm", "up")
    _, ours = spent(lambda: nouns.similarities(words, *pairs))
    os.environ["NLTK_DATA"] = str(root)
    similarity = theirs(laid_out(root))
    _, slow = spent(lambda: [similarity(words[one], words[other]) for one, other in pairs[:, :THEIR_PAIRS].T])
    print(f"Wu-Palmer, pairs a CPU second: {PAIRS / ours:,.0f} ours, {THEIR_PAIRS / slow:,.0f} NLTK")


def main() -> None:
    """The command, then the filter beside that of others."""
    images = int(sys.argv[1]) if len(sys.argv) > 1 else 7143
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "triplets"
        write(folder, images)
        wall, cpu = spent(lambda: run(MakeDecoys(str(folder)), Output(Path(root) / "made")))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"eyechart decoys: {wall:.0f} s, {cpu:.0f} s CPU, {peak:.1f} GB at most")
        (Path(root) / "nltk").mkdir(mode=0o700)
        similarities(folder, Path(root) / "nltk")


if __name__ == "__main__":
    main()
