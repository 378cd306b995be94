"""Claim: decoys of 100,000 triplets in three minutes on two cores, of 1.4 million in an hour and in 8 GB.

Three measurements in one run: the whole command on made-up triplets; the nearest 64 questions of a sample beside one
that sorts all scores of a block, as libraries do; and Wu-Palmer similarity as the command asks for it beside NLTK's.
The number of images is the first argument; 7,143 make 100,002 triplets, 100,000 make 1.4 million.
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

from eyechart.features import nearest
from eyechart.pipeline import Output, run
from eyechart.pipeline.stages.decoys import MakeDecoys
from eyechart.store import Benchmark
from eyechart.text import packaged_nouns, text_encoder, word_bags

K, QUERIES, PAIRS, THEIR_PAIRS = 64, 4096, 200_000, 2_000


def spent(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the clock and of all processors."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - cpu


def sorted_scores(queries: np.ndarray, base: np.ndarray) -> np.ndarray:
    """All scores of a block, of which the best are picked and sorted: an all-pairs search as libraries do it."""
    found = []
    for begin in range(0, len(queries), 512):
        scores = queries[begin : begin + 512] @ base.T
        best = np.argpartition(-scores, K, axis=1)[:, :K]
        order = np.argsort(-np.take_along_axis(scores, best, 1), axis=1)
        found.append(np.take_along_axis(best, order, 1))
    return np.concatenate(found)


def neighbours(folder: Path) -> None:
    """Nearest questions, ours and by sorting."""
    questions = Benchmark.open(folder).scan("questions").select("question").collect()["question"]
    base, _ = text_encoder("wordllama").encode(word_bags(questions).unique().sort().to_list())
    queries = base[:: max(1, len(base) // QUERIES)][:QUERIES]
    print(f"nearest {K} of {len(base):,} different questions, for {len(queries):,} of them")
    ways: dict[str, Callable[[], object]] = {
        "ours": lambda: nearest(queries, base, K),
        "ours, single precision": lambda: nearest(queries, base, K, precision="single"),
        "all scores, picked and sorted": lambda: sorted_scores(queries, base),
    }
    try:
        import faiss

        index = faiss.IndexFlatIP(base.shape[1])
        index.add(base)
        ways["faiss, flat inner product"] = lambda: index.search(queries, K)
    except ImportError:
        print("  faiss is not installed")
    for name, work in ways.items():
        wall, cpu = spent(work)
        print(f"  {wall:8.1f} s  {cpu:8.1f} s CPU  {name}")


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
    """The command, then its two costly parts beside others."""
    images = int(sys.argv[1]) if len(sys.argv) > 1 else 7143
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "triplets"
        write(folder, images)
        wall, cpu = spent(lambda: run(MakeDecoys(str(folder)), Output(Path(root) / "made")))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(f"eyechart decoys: {wall:.0f} s, {cpu:.0f} s CPU, {peak:.1f} GB at most")
        neighbours(folder)
        (Path(root) / "nltk").mkdir(mode=0o700)
        similarities(folder, Path(root) / "nltk")


if __name__ == "__main__":
    main()
