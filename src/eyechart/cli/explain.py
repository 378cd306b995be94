"""``eyechart explain``: pictures that would have another answer."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.models import ExplainerSettings
from eyechart.pipeline.explaining import explain_benchmark, save_explanations, train_on
from eyechart.store import Benchmark

__all__ = ["explain"]


def explain(
    run: Path,
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    train: Annotated[bool, Parameter(negative="")] = False,
    train_split: Annotated[list[str] | None, Parameter(negative="")] = None,
    split: Annotated[list[str] | None, Parameter(negative="")] = None,
    neighbours: int = 24,
    epochs: int = 30,
    weight: float = 1.0,
    margin: float = 0.1,
    sees: str = "everything",
    features: str | None = None,
    seed: int = 0,
    speech: Speech = Speech(),  # frozen
) -> None:
    """Explain answers by counter-examples: near pictures in which the answer would be another ("unlike this").

    Writes a table and a sheet of pictures. Where the benchmark has pairs, the recall of the complements that people
    chose is told beside those of rankings by lot, by distance, by neighbours with the same answer, by people's usual
    rank, and of the same explainer with its neighbours shuffled.

    Parameters
    ----------
    run
        The explainer's folder.
    benchmark
        A benchmark with neighbours and a store of vectors.
    output
        The folder of the explanations.
    train
        Train the explainer first, on the pairs of --train-split.
    train_split
        Splits to learn from, and to count people's ranks in.
    split
        Splits to explain; all if not said.
    neighbours
        How many neighbours are ranked.
    epochs
        How long to train.
    weight
        Of the explaining loss beside the answering one.
    margin
        By which the chosen neighbour is to lead.
    sees
        everything, or rank: an explainer that knows nothing but a neighbour's rank.
    features
        A store of features, by its name in the benchmark or its folder; needed where several fit.
    seed
        Another seed, other weights to begin with.
    """
    opened = Benchmark.open(benchmark)
    if train:
        seen: Literal["everything", "rank"] = "rank" if sees == "rank" else "everything"
        settings = ExplainerSettings(neighbours=neighbours, epochs=epochs, weight=weight, margin=margin, sees=seen)
        train_on(opened, run, settings, splits=train_split or (), features=features, seed=seed)
    found = explain_benchmark(run, opened, splits=split or (), learned=train_split or (), features=features, seed=seed)
    save_explanations(found, opened, output)
    if speech.json:
        print_json({"explanations": str(output), "rows": found.rows.height, "recalls": found.recalls})
        return
    if found.recalls:
        rows = [
            (each.ranking, each.k, f"{100 * each.value:.2f}", _interval(each.low, each.high), each.questions)
            for each in found.recalls
        ]
        print(columns(rows, head=("ranking", "first", "recall %", "95 %", "questions")))
    print(f"\n{output} is ready: {found.rows['question_id'].n_unique():,} questions explained.")


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{100 * max(0.0, low):.2f} to {100 * min(1.0, high):.2f}"
