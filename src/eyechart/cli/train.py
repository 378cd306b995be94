"""``eyechart train``: a model from a recipe."""

import re
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.models import load_recipe, recipe_names
from eyechart.pipeline.answering import Splits
from eyechart.pipeline.answering import train as trained
from eyechart.store import Benchmark

__all__ = ["train"]


def train(
    model: str | None = None,
    benchmark: Path | None = None,
    /,
    *,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    set: Annotated[list[str] | None, Parameter(negative="")] = None,  # noqa: A002  # the word that users type
    split: Annotated[list[str] | None, Parameter(negative="")] = None,
    held_out: Annotated[list[str] | None, Parameter(negative="")] = None,
    questions: int | None = None,
    features: str | None = None,
    seed: int = 0,
    speech: Speech = Speech(),  # frozen
) -> int:
    """Train a model on a benchmark; stopped with Control-C, the same command goes on where it was.

    Parameters
    ----------
    model
        A recipe's name, or a recipe file (.toml); without one, all recipes are listed.
    benchmark
        A benchmark with answers.
    output
        The folder of the run.
    set
        Change a value of the recipe, as in --set training.epochs=3; several times for several.
    split
        Train on this split; several times for several. Those called train if not said, or all.
    held_out
        Stop by the accuracy on this split: val, valid, validation or dev if not said, or a tenth of the pictures.
    questions
        Learn from so many questions at the most; a larger number holds the questions of a smaller one.
    features
        A store of features, by its name in the benchmark or its folder; needed where several fit.
    seed
        Another seed, other weights to begin with.
    """
    if model is None:
        print(columns([(name, load_recipe(name).about) for name in recipe_names()], head=("recipe", "what it is")))
        return 0
    if benchmark is None or output is None:
        raise UsageError("train: found no benchmark or no --output, expected both; write eyechart train MODEL B -o RUN")
    recipe = load_recipe(model, _changes(set or []))
    run = trained(
        Benchmark.open(benchmark),
        recipe,
        output,
        splits=Splits(split or (), held_out or ()),
        most=questions,
        features=features,
        seed=seed,
        progress=speech.progress,
    )
    if run is None:
        print(f"{output} is saved; the same command goes on.")
        return 130
    if speech.json:
        print_json({"run": str(output), "parameters": run.config.parameters, "results": run.config.results})
        return 0
    for name, value in run.config.results.items():
        print(f"{100 * value:.2f} % right on {name} questions.")
    print(f"{output} is ready: {model}, {run.config.parameters:,} parameters.")
    return 0


def _changes(given: list[str]) -> dict[str, str]:
    for each in given:
        if not re.match(r"[\w.-]+=", each):
            raise UsageError(f"--set {each}: found no value, expected NAME=VALUE such as training.epochs=3; add one")
    return dict(each.split("=", 1) for each in given)
