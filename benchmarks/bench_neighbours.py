"""Claim: the nearest questions, exactly and in one order on every machine, at a cost near that of faiss.

Mean word vectors of made-up questions, and the nearest 64 and 512 of all of them for 4,096: ours (a threshold per row,
in half precision where the processor multiplies that fast, and scored again exactly), faiss's flat index (pip install
faiss-cpu), and all scores of a block, picked and sorted. The number of images is the first argument; 7,143 make about
44,000 different questions, 100,000 about 320,000.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType

import numpy as np
from side_by_side import peak_mb
from triplets import triplets

from eyechart.features import nearest
from eyechart.text import text_encoder, word_bags

QUERIES = 4096
DEPTHS = (64, 512)


def exactly(queries: np.ndarray, base: np.ndarray, k: int) -> np.ndarray:
    """Ours, as the processor likes it."""
    return nearest(queries, base, k).places


def in_single_precision(queries: np.ndarray, base: np.ndarray, k: int) -> np.ndarray:
    """Ours, without half precision."""
    return nearest(queries, base, k, precision="single").places


def by_faiss(queries: np.ndarray, base: np.ndarray, k: int) -> np.ndarray:
    """The flat index of faiss for inner products."""
    import faiss

    index = faiss.IndexFlatIP(base.shape[1])
    index.add(base)
    found: np.ndarray = index.search(queries, k)[1]
    return found


def by_sorting(queries: np.ndarray, base: np.ndarray, k: int) -> np.ndarray:
    """All scores of a block, of which the best are picked and sorted."""
    found = []
    for begin in range(0, len(queries), 512):
        scores = queries[begin : begin + 512] @ base.T
        best = np.argpartition(-scores, k, axis=1)[:, :k]
        order = np.argsort(-np.take_along_axis(scores, best, 1), axis=1)
        found.append(np.take_along_axis(best, order, 1))
    return np.concatenate(found)


WAYS: Mapping[str, Callable[[np.ndarray, np.ndarray, int], np.ndarray]] = MappingProxyType(
    {
        "eyechart": exactly,
        "eyechart, single precision": in_single_precision,
        "faiss, flat": by_faiss,
        "all scores sorted": by_sorting,
    }
)


def measure(way: str, k: int, file: Path) -> dict[str, float]:
    """One way in this process: seconds, memory beyond the vectors, and how often it agrees with exact scores."""
    base = np.load(file)
    queries = base[:: max(1, len(base) // QUERIES)][:QUERIES]
    WAYS[way](queries[:32], base[:4096], min(k, 64))  # libraries are loaded and threads started before
    before, wall, cpu = peak_mb(), time.perf_counter(), time.process_time()
    found = WAYS[way](queries, base, k)
    cost = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "mb": peak_mb() - before}
    some = np.arange(0, len(queries), 64)
    exact = queries[some].astype(np.float64) @ base.T.astype(np.float64)
    kth = np.partition(exact, -k, axis=1)[:, -k]
    enough = np.take_along_axis(exact, found[some], 1) >= kth[:, None] - 1e-6
    return {**cost, "right": float(enough.mean())}


def main() -> None:
    """Each way and depth in a process of its own, the better of two rounds."""
    images = int(sys.argv[1]) if len(sys.argv) > 1 else 7143
    if find_spec("faiss") is None:
        print("faiss is not installed, so it is left out: pip install faiss-cpu")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        base, _ = text_encoder("wordllama").encode(word_bags(triplets(images)["question"]).unique().sort().to_list())
        np.save(file, base)
        for k in DEPTHS:
            print(f"nearest {k} of {len(base):,} different questions, for {QUERIES:,} of them")
            for way in WAYS:
                if "faiss" in way and find_spec("faiss") is None:
                    continue
                command = [sys.executable, __file__, way, str(k), str(file)]
                runs = [json.loads(subprocess.check_output(command, text=True)) for _ in range(2)]
                best = {name: min(run[name] for run in runs) for name in runs[0]}
                print(
                    f"  {best['wall']:7.2f} s  {best['cpu']:7.2f} s CPU  {best['mb']:7.0f} MB more  "
                    f"{100 * best['right']:.2f} % right  {way}"
                )


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(measure(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))))
    else:
        main()
