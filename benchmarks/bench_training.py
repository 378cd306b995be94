"""Training throughput: forward, backward and step on random inputs, examples per CPU-second of one thread.

    python benchmarks/bench_training.py [NAME ...]

The numbers beside them were measured elsewhere, on a loaded machine, for the same sizes; 70 % of them is the aim.
"""

import sys
import time
from typing import Any

import msgspec
import torch

from eyechart.models import MODELS
from eyechart.models.inputs import Batch
from eyechart.models.kinds import Network, Sizes, ask

WORDS = 12
CASES: dict[str, tuple[str, dict[str, Any], dict[str, int], int, tuple[int, int | None]]] = {
    # name: model, settings, sizes, batch, (elsewhere in 32 bits, in 16 bits)
    "d-LSTM + norm I": ("fusion", {"variant": "code"}, {"picture": 4096, "rows": 1, "answers": 1000}, 500, (433, 860)),
    "bottom-up, 36 objects": ("bottom-up", {}, {"picture": 2048, "rows": 36, "answers": 3129}, 128, (117, 347)),
    "MAC, 36 objects": ("mac", {}, {"picture": 2048, "rows": 36, "answers": 1878}, 128, (112, 333)),
    "co-attention, 49 cells": ("hiecoatt", {}, {"picture": 512, "rows": 49, "answers": 1000}, 100, (91, 254)),
    "MCB, no attention": (
        "mcb",
        {"attention": False, "size": 16000},
        {"picture": 2048, "rows": 1, "answers": 3000},
        64,
        (63, None),
    ),
    "MCB, 36 regions": ("mcb", {"size": 4096}, {"picture": 2048, "rows": 36, "answers": 3000}, 32, (37, None)),
}


def rate(name: str, *, bf16: bool, steps: int = 3) -> float:
    """The best of a few steps."""
    model, settings, sizes, batch, _ = CASES[name]
    kind = MODELS.load(model)
    if not isinstance(kind, Network):
        raise TypeError(f"{model} is not trained in steps")
    module = kind.build(msgspec.convert(settings, kind.settings), Sizes(words=14_772, **sizes))
    optimiser = torch.optim.Adam(module.parameters())
    words, rows = torch.randint(2, 14_000, (batch, WORDS)), torch.randn(batch, sizes["rows"], sizes["picture"])
    given = Batch(batch, words=words, rows=rows, present=torch.ones(rows.shape[:2], dtype=torch.bool))
    target = torch.randint(0, sizes["answers"], (batch,))
    best = 0.0
    for _ in range(steps):
        begun = time.process_time()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            reply = ask(module, given)
        optimiser.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(reply.scores.float(), target).backward()
        optimiser.step()
        best = max(best, batch / (time.process_time() - begun))
    return best


def main() -> None:
    """A line per model."""
    torch.set_num_threads(1)
    print(f"{'model':24} {'fp32':>7} {'there':>6} {'bf16':>7} {'there':>6}   examples per CPU-second")
    for name in sys.argv[1:] or CASES:
        plain, half = CASES[name][4]
        print(
            f"{name:24} {rate(name, bf16=False):7.0f} {plain:6} {rate(name, bf16=True):7.0f} {half or '':>6}",
            flush=True,
        )


if __name__ == "__main__":
    main()
