"""What must hold of layers and rules without any data, each beside its literal twin."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
import torch

from eyechart.models import Examples, choose, examples_of, fit, load_recipe, under_condition
from eyechart.models.blocks import CompactBilinear, masked_softmax, signed_root
from eyechart.models.hiecoatt import Parallel
from eyechart.models.mac import GqaCell, MacSettings, PaperCell
from eyechart.models.targets import soft_scores


def literal_soft_score(given: int) -> float:
    """The mean over all nine of ten people of min(how many say it / 3, 1)."""
    people = [1] * given + [0] * (10 - given)
    return float(np.mean([min(sum(nine) / 3, 1) for nine in combinations(people, 9)]))


def test_soft_scores_are_the_mean_over_nine_people() -> None:
    """0, .3, .6, .9, 1: the closed form and the literal one agree for every count."""
    closed = soft_scores(torch.arange(11).float())
    assert closed.tolist() == pytest.approx([literal_soft_score(given) for given in range(11)], abs=1e-6)


def test_equation_2_by_hand() -> None:
    """Three questions with two decoys each: cat is right once and offered twice in vain: 1 / (1 + 2 / 2)."""
    offered = [("1", "cat", True), ("1", "dog", False), ("1", "cow", False)]
    offered += [("2", "dog", True), ("2", "cat", False), ("2", "cow", False)]
    offered += [("3", "pig", True), ("3", "cat", False), ("3", "dog", False)]
    rows = pl.DataFrame(offered, schema=["question_id", "choice", "is_target"], orient="row")
    rows = rows.with_columns(position=pl.int_range(pl.len(), dtype=pl.Int32).over("question_id"))
    asked = pl.LazyFrame({"question_id": ["1", "2", "3"], "answer": ["cat", "dog", "pig"]})
    train = examples_of({"questions": asked, "choices": rows.lazy()})
    new = [("4", "cat", True), ("4", "cow", False), ("4", "hen", False)]
    asked = pl.LazyFrame({"question_id": ["4"], "answer": ["cat"]})
    later = pl.DataFrame(new, schema=["question_id", "choice", "is_target"], orient="row").with_columns(
        position=pl.int_range(pl.len(), dtype=pl.Int32)
    )
    scores = predictions_of("target-vs-decoy", train, examples_of({"questions": asked, "choices": later.lazy()}))
    assert scores["scores"].to_list() == [[0.5, 0.0, 0.5]]


def predictions_of(name: str, train: Examples, asked: Examples) -> pl.DataFrame:
    """Fit a counting model and let it answer."""
    import tempfile
    from pathlib import Path

    run = fit(load_recipe(name), train, folder=Path(tempfile.mkdtemp()))
    assert run is not None
    return run.predict(asked)


def test_sketches_multiply_like_products() -> None:
    """The expected product of two sketches is the product of the inner products; and it is the circular convolution."""
    torch.manual_seed(0)
    x, y, u, v = torch.randn(4, 6)
    found = []
    for seed in range(600):
        torch.manual_seed(seed)
        layer = CompactBilinear(6, 6, 64)
        found.append(float((layer(x[None], y[None]) * layer(u[None], v[None])).sum()))
    error = np.std(found) / len(found) ** 0.5
    assert abs(np.mean(found) - float((x @ u) * (y @ v))) < 4 * error
    one, other = (
        layer.sketch(x[None], layer.h_one, layer.s_one)[0],
        layer.sketch(y[None], layer.h_other, layer.s_other)[0],
    )
    literal = [sum(float(one[i] * other[(place - i) % 64]) for i in range(64)) for place in range(64)]
    assert layer(x[None], y[None])[0].tolist() == pytest.approx(literal, abs=1e-4)


def test_the_signed_root_has_a_slope_at_nothing() -> None:
    """Its gradient at 0 is a number."""
    value = torch.zeros(3, requires_grad=True)
    signed_root(value).sum().backward()
    assert value.grad is not None
    assert torch.isfinite(value.grad).all()


def test_what_is_masked_has_no_share() -> None:
    """Exactly none, and none at all for a picture without rows."""
    shares = masked_softmax(torch.randn(2, 4), torch.tensor([[True, True, False, False], [False] * 4]))
    assert shares[0, 2:].tolist() == [0, 0]
    assert shares[0].sum().item() == pytest.approx(1)
    assert shares[1].tolist() == [0, 0, 0, 0]


def test_parallel_attention_without_affinity_is_two_attentions() -> None:
    """With no affinity the words have no say in where is looked."""
    torch.manual_seed(0)
    level = Parallel(8, 0.0)
    torch.nn.init.zeros_(level.affinity.weight)
    words, rows = torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 5, dtype=torch.bool)
    picture = torch.randn(2, 5, 8)
    one, other = (level(torch.randn(2, 3, 8), words, picture, rows)[2] for _ in range(2))
    assert torch.allclose(one, other)


@pytest.mark.parametrize("cell", [GqaCell, PaperCell])
def test_one_step_over_one_row_reads_that_row(cell: type) -> None:
    """All of the attention lies on the only row there is."""
    torch.manual_seed(0)
    reason = cell(MacSettings(width=8, steps=1, gate=True, self_attention=True)).eval()
    said = torch.ones(2, 3, dtype=torch.bool)
    _, weights = reason(torch.randn(2, 8), torch.randn(2, 3, 8), said, torch.randn(2, 1, 8), torch.ones(2, 1).bool())
    assert weights.tolist() == [[1.0], [1.0]]


def test_equal_scores_know_no_place() -> None:
    """Over many questions an undecided model takes every place equally often, and always the same for one question."""
    offered = pl.DataFrame(
        {"question_id": [str(n) for n in range(2000) for _ in range(4)], "position": [0, 1, 2, 3] * 2000}
    ).with_columns(choice=pl.format("choice {}", "position"), score=pl.lit(0.0))
    picked = choose(offered)["answer"].value_counts()["count"]
    assert picked.min() > 430


def test_shuffled_pictures_are_never_ones_own() -> None:
    """Every picture's questions see one other picture, and all pictures are seen."""
    asked = pl.LazyFrame({"question_id": [str(n) for n in range(50)], "image_id": [str(n // 2) for n in range(50)]})
    before = examples_of({"questions": asked})
    after = under_condition(before, "shuffled-image", seed=3).questions["image_id"]
    assert (after != before.questions["image_id"]).all()
    assert after.n_unique() == 25
    assert after[0] == after[1]


def test_nearest_readings_differ() -> None:
    """The most frequent answer of the nearest questions, and that of the most similar picture among them."""
    from made_up_pictures import made_up_pictures

    asked = {"question_id": ["1", "2", "3"], "image_id": ["0", "1", "2"], "question": ["What color is it?"] * 3}
    tables = {"questions": pl.LazyFrame(asked | {"answer": ["red", "red", "blue"]})}
    train = examples_of(tables, pictures=made_up_pictures(4))
    new = {"question_id": ["9"], "image_id": ["2"], "question": ["What color is it?"]}
    test = examples_of({"questions": pl.LazyFrame(new)}, pictures=made_up_pictures(4))
    assert predictions_of("nearest", train, test)["answer"].to_list() == ["red"]
    assert predictions_of("nearest-image", train, test)["answer"].to_list() == ["blue"]
