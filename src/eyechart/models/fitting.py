"""From a recipe and examples to a run folder, whatever kind of model it is."""

from pathlib import Path

import msgspec

from eyechart._lib.progress import Progress, silent
from eyechart.errors import MissingDependencyError
from eyechart.models.catalogue import MODELS
from eyechart.models.examples import Examples
from eyechart.models.kinds import Network
from eyechart.models.recipes import Recipe
from eyechart.models.saving import Config, Run, save_counts, write_card, write_config

__all__ = ["fit"]


def fit(
    recipe: Recipe,
    train: Examples,
    held_out: Examples | None = None,
    *,
    folder: Path,
    seed: int = 0,
    about: tuple[str, list[str]] = ("", []),
    progress: Progress = silent,
    most_steps: int | None = None,
) -> Run | None:
    """Fit or train a model into a folder; None if the training was stopped, to go on with the same call.

    ``about`` is the benchmark's name and the splits that were trained on, for the model card.

    >>> import tempfile; import polars as pl
    >>> from eyechart.models.examples import examples_of
    >>> asked = examples_of({"questions": pl.LazyFrame({"question_id": ["1"], "answer": ["yes"]})})
    >>> run = fit(Recipe("prior"), asked, folder=Path(tempfile.mkdtemp()))
    >>> run.predict(asked)["answer"].to_list()
    ['yes']
    """
    kind = MODELS.load(recipe.model) if recipe.model not in _NEED_TORCH else _network(recipe.model)
    folder.mkdir(parents=True, exist_ok=True)
    if isinstance(kind, Network):
        from eyechart.models.networks import train_network

        trained = train_network(
            kind, recipe, train, held_out, folder=folder, seed=seed, progress=progress, most_steps=most_steps
        )
        if trained is None:
            return None
        fitted, config = trained[0], trained[1]
        run = Run(folder, config, fitted)
    else:
        counted = kind.fit(train, recipe.settings)
        save_counts(folder, counted)
        pictures = train.pictures.source if recipe.view and train.pictures else ""
        run = Run(folder, Config(recipe=recipe, seed=seed, pictures=pictures), counted)
    config = msgspec.structs.replace(run.config, benchmark=about[0], splits=about[1])
    write_card(folder, config)
    write_config(folder, config)
    return Run(folder, config, run.fitted)


_NEED_TORCH = frozenset(name for name, place in MODELS.places.items() if ".catalogue:" not in place)


def _network(name: str) -> Network:
    try:
        found = MODELS.load(name)
    except ImportError as error:
        raise MissingDependencyError(
            f"model {name!r}: found no package {error.name}, expected it; "
            "install it with pip install 'eyechart[models]'"
        ) from error
    if isinstance(found, Network):
        return found
    raise AssertionError("what is not counted is a network")
