"""What every model promises, whatever it is made of."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import polars as pl
import pytest
from made_up_pictures import made_up_examples, made_up_pictures

from eyechart.errors import EyechartError
from eyechart.features import Rows
from eyechart.models import Examples, Recipe, Run, fit, load_recipe, load_run, recipe_names


def name_of(each: Any) -> str:
    """The name in a parameter that may be marked."""
    return each if isinstance(each, str) else each.values[0]


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Small networks are faster without threads."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


COUNTED = ("random", "prior", "choice-prior", "nearest")
SMALL: dict[str, dict[str, Any]] = {
    "fusion": {"hidden": 64, "joined": 64, "state": 32},
    "mlp": {"hidden": 64},
    "spatial-memory": {"width": 32, "hidden": 64},
    "hiecoatt": {"width": 32, "last": 32},
    "mcb": {"size": 256, "word": 16, "state": 32, "hidden": 32},
    "bottom-up": {"width": 32, "word": 16},
    "gqa-baseline": {"width": 32, "word": 16, "cell": 8},
    "mac": {"width": 32, "word": 16, "steps": 2},
}
QUICK = (
    "random",
    "type-prior",
    "target-vs-decoy",
    "choice-position",
    "nearest-image",
    "deeper-lstm-q-norm-i",
    "mlp-iqa",
)
QUICK += ("bow-q-caption", "spatial-memory-choices", "hiecoatt-parallel", "hiecoatt-choices", "mcb", "bottom-up")
QUICK += ("gqa-cnn-lstm", "mac-programs", "mac-paper")
"""One of each kind; the others are tried in the long run."""
NAMES = [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.slow)
    for name in recipe_names()
    if not name.startswith("ablation")
]
NETWORKS = [each for each in NAMES if load_recipe(name_of(each)).model not in COUNTED]
LOOKING = [each for each in NETWORKS if load_recipe(name_of(each)).view in {"grid", "objects", "scene"}]
GRIDS = ("gqa-cnn", "gqa-cnn-lstm", "mac-spatial")


def small(name: str, **training: Any) -> Recipe:
    """A recipe with narrow layers, no chance in its layers, and a quick training."""
    recipe = load_recipe(name)
    if recipe.model in COUNTED:
        return recipe
    rate = 1e-2 if recipe.model in {"fusion", "mlp"} else 3e-3
    quick = {"optimiser": "adam", "rate": rate, "batch": 16, "precision": "fp32", "patience": None, "decay": 1.0}
    quick |= {
        "uniform": None,
        "average": None,
        "stall": 1.0,
        "accumulate": 1,
        "epochs": 60 if recipe.model in {"fusion", "mac", "hiecoatt", "gqa-baseline"} else 180,
    } | training
    settings = (
        recipe.settings | SMALL[recipe.model] | ({} if recipe.model in {"mcb", "bottom-up"} else {"dropout": 0.0})
    )
    return msgspec.structs.replace(
        recipe, settings=settings, training=msgspec.structs.replace(recipe.training, **quick)
    )


def examples_for(name: str, count: int = 32) -> Examples:
    """Questions with pictures that the model can take: a whole grid for a convolution, choices where needed."""
    recipe = load_recipe(name)
    grid = name in GRIDS
    shape = {"rows": 9 if grid else 1 if recipe.view == "vector" else 4, "ragged": not grid, "placed": not grid}
    examples = made_up_examples(count, **shape)
    wants = recipe.model in {"choice-prior", "mlp"} or recipe.settings.get("answers") == "choices"
    return examples if wants else replace(examples, choices=examples.choices.clear())


def fitted(name: str, folder: Path, **training: Any) -> Run:
    """A small model, trained."""
    run = fit(small(name, **training), examples_for(name), folder=folder / name)
    assert run is not None
    return run


def same(one: pl.DataFrame, other: pl.DataFrame) -> bool:
    """Equal answers, and scores equal up to the order of sums."""
    assert one["question_id"].to_list() == other["question_id"].to_list()
    close = np.allclose(one["confidence"].to_numpy(), other["confidence"].to_numpy(), atol=1e-5)
    return close and one["answer"].to_list() == other["answer"].to_list()


@pytest.mark.parametrize("name", NETWORKS)
def test_networks_learn_32_questions_by_heart(name: str, tmp_path: Path) -> None:
    """What can be told apart is told apart; what a blind model cannot see, it does not get right by chance."""
    recipe = load_recipe(name)
    run, examples = fitted(name, tmp_path), examples_for(name)
    predicted = run.predict(examples).join(examples.questions.select("question_id", truth="answer"), on="question_id")
    right = (predicted["answer"] == predicted["truth"]).mean()
    sees = bool(recipe.view) or recipe.settings.get("caption", False)
    reads = recipe.model != "mlp" or recipe.settings["question"]
    assert right == 1.0 if sees and reads else right > 0.3, right


@pytest.mark.parametrize("name", NAMES)
def test_models_are_saved_and_read_back(name: str, tmp_path: Path) -> None:
    """A run folder gives the same predictions, holds nothing but text and safetensors, and says what it is."""
    run, examples = fitted(name, tmp_path, epochs=2), examples_for(name)
    assert same(load_run(tmp_path / name).predict(examples), run.predict(examples))
    kinds = {path.suffix for path in (tmp_path / name).iterdir()}
    assert kinds <= {".json", ".jsonl", ".md", ".safetensors"}
    assert (tmp_path / name / "README.md").read_text().startswith("---\nlibrary_name: eyechart\n")


@pytest.mark.parametrize("name", NAMES)
def test_models_depend_on_the_seed_alone(name: str, tmp_path: Path) -> None:
    """Trained twice with one seed, they predict the same."""
    examples = examples_for(name)
    once, twice = (fitted(name, tmp_path / place, epochs=2).predict(examples) for place in ("once", "twice"))
    assert same(once, twice)


@pytest.mark.parametrize("name", NAMES)
def test_a_question_is_answered_alike_alone_and_among_others(name: str, tmp_path: Path) -> None:
    """Neither the batch nor its longest question changes an answer."""
    run, examples = fitted(name, tmp_path, epochs=2), examples_for(name)
    together = run.predict(examples)
    alone = [run.predict(examples.rows(pl.col("question_id") == each)) for each in ("0", "5")]
    assert same(pl.concat(alone), together.filter(pl.col("question_id").is_in(["0", "5"])))


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_choices_only_permutes_scores(name: str, tmp_path: Path) -> None:
    """The same answer with the choices turned around, and the scores turned around, too."""
    if name == "choice-position":
        pytest.skip("it looks at nothing but the order")
    run, examples = fitted(name, tmp_path, epochs=2), examples_for(name)
    examples = replace(examples, choices=made_up_examples().choices)
    turned = examples.choices.with_columns(position=5 - pl.col("position")).sort("question_id", "position")
    order = examples.questions.select("question_id")
    turned = order.join(turned, on="question_id", maintain_order="left_right").select(examples.choices.columns)
    one, other = run.predict(examples), run.predict(replace(examples, choices=turned))
    assert same(one, other)
    assert np.allclose(np.array(one["scores"].to_list()), np.array(other["scores"].list.reverse().to_list()), atol=1e-5)


@pytest.mark.parametrize("name", LOOKING)
def test_attention_sums_to_one_and_ignores_the_order_of_objects(name: str, tmp_path: Path) -> None:
    """Weights of a picture's own rows sum to 1; objects in another order give the same answer."""
    run, examples = fitted(name, tmp_path, epochs=2), examples_for(name)
    predicted = run.predict(examples)
    if name in GRIDS:
        weights = predicted["attention_grid"].to_list()
        assert weights[0] is None or np.allclose([np.sum(each) for each in weights], 1, atol=1e-5)
        return
    weights = [[box[4] for box in boxes] for boxes in predicted["attention_boxes"].to_list()]
    assert [len(each) for each in weights] == [1 + number % 4 for number in range(32)]
    assert np.allclose([sum(each) for each in weights], 1, atol=1e-5)
    assert same(run.predict(replace(examples, pictures=Turned())), predicted)


class Turned:
    """The made-up pictures with each one's rows in the opposite order."""

    def __init__(self) -> None:
        self.plain = made_up_pictures(32)
        self.width, self.most, self.source = self.plain.width, self.plain.most, self.plain.source

    def places(self, image_ids: pl.Series) -> np.ndarray:
        return self.plain.places(image_ids)

    def take(self, places: np.ndarray) -> Rows:
        seen = self.plain.take(places)
        turned = np.zeros_like(seen.rows)
        for number, count in enumerate(seen.counts):
            turned[number, :count] = seen.rows[number, :count][::-1]
        return Rows(turned, seen.counts)

    def counts(self, places: np.ndarray) -> np.ndarray:
        return self.plain.counts(places)

    def boxes(self, places: np.ndarray) -> np.ndarray | None:
        return self.plain.boxes(places)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_stopped_training_goes_on_exactly(name: str, tmp_path: Path) -> None:
    """Stopped in the middle of an epoch and taken up again, the losses and weights are those of one run."""
    recipe = small(name, epochs=3, batch=10, average=0.9, stall=0.5)
    whole = fit(recipe, examples_for(name), folder=tmp_path / "whole")
    assert fit(recipe, examples_for(name), folder=tmp_path / "parts", most_steps=6) is None
    resumed = fit(recipe, examples_for(name), folder=tmp_path / "parts")
    losses = [
        [line.get("loss", line.get("mean_loss")) for line in map(msgspec.json.decode, text.splitlines())]
        for text in ((tmp_path / part / "metrics.jsonl").read_bytes() for part in ("whole", "parts"))
    ]
    assert np.allclose(*losses, atol=1e-6)
    assert len(losses[0]) > 9
    assert whole is not None
    assert resumed is not None
    assert same(whole.predict(examples_for(name)), resumed.predict(examples_for(name)))


@pytest.mark.parametrize("name", NAMES)
def test_no_question_and_one_question(name: str, tmp_path: Path) -> None:
    """Nothing to learn from is a mistake that is told; one question is enough; nothing to answer gives no rows."""
    examples = examples_for(name)
    with pytest.raises(EyechartError, match="expected"):
        fit(small(name, epochs=1), examples.rows(pl.lit(value=False)), folder=tmp_path / "none")
    one = examples.rows(pl.col("question_id") == "1")
    run = fit(small(name, epochs=1), one, folder=tmp_path / "one")
    assert run is not None
    assert run.predict(one).height == 1
    if load_recipe(name).model not in {"choice-prior", "mlp"}:
        assert run.predict(examples.rows(pl.lit(value=False))).height == 0
