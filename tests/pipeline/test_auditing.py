"""The audit finds the bias that was planted, as large as it was planted, and no other."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
import torch

from eyechart.errors import DataError, UsageError
from eyechart.features import Made, StoreDraft
from eyechart.models import load_recipe
from eyechart.pipeline.answering import open_model, train
from eyechart.pipeline.auditing import Auditing, audit, audit_model, save_audit
from eyechart.pipeline.chatting import Chat
from eyechart.store import Benchmark

COLORS = ("red", "blue", "green", "yellow")
STRENGTH, COUNT = 0.7, 1200
QUICK = {"epochs": 25, "patience": 6, "rate": 3e-3}


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def planted(folder: Path, kind: str, *, choices: bool = False) -> Benchmark:
    """Questions about kinds of things in places; with the given strength the favourite color of what is biased."""
    draws = np.random.default_rng(5)
    things, places = draws.integers(0, 8, COUNT), draws.integers(0, 8, COUNT)
    favourite = {"question": things % 4, "image": places % 4, "answer": np.zeros(COUNT, int)}.get(
        kind, draws.integers(0, 4, COUNT)
    )
    other = (favourite + draws.integers(1, 4, COUNT)) % 4
    color = np.where(draws.random(COUNT) < (STRENGTH if kind != "none" else 0.25), favourite, other)
    ids = [str(n) for n in range(COUNT)]
    questions = pl.DataFrame(
        {
            "question_id": ids,
            "image_id": ids,
            "question": [f"What color is thing{thing}?" for thing in things],
            "question_type": ["what color"] * COUNT,
            "answer": [COLORS[each] for each in color],
        }
    )
    offered = questions.select("question_id", "answer", choice=pl.lit(list(COLORS))).explode("choice")
    offered = offered.with_columns(position=pl.int_range(pl.len(), dtype=pl.Int32).over("question_id"))
    with Benchmark.create(folder) as draft:
        draft.write("images", pl.DataFrame({"image_id": ids}))
        draft.write("questions", questions)
        if choices:
            target = pl.col("choice") == pl.col("answer")
            draft.write("choices", offered.select("question_id", "position", "choice", is_target=target))
    rows = np.eye(8)[places] + draws.normal(0, 0.05, (COUNT, 8))
    (folder / "features").mkdir()
    with StoreDraft(folder / "features" / "places", Made("planted", "1", "none", "vector", 8)) as store:
        store.add(0, ids, [row[None] for row in rows])
        store.finish(np.zeros((1, 8)))
    return Benchmark.open(folder)


@pytest.mark.parametrize(
    ("kind", "right"),
    [
        ("question", {"prior": 0.25, "Q": STRENGTH, "I": 0.25, "Q+I": STRENGTH}),
        pytest.param("image", {"prior": 0.25, "Q": 0.25, "I": STRENGTH, "Q+I": STRENGTH}, marks=pytest.mark.slow),
        pytest.param("answer", dict.fromkeys(("prior", "Q", "I", "Q+I"), STRENGTH), marks=pytest.mark.slow),
    ],
)
def test_the_planted_strength_is_found(tmp_path: Path, kind: str, right: dict[str, float]) -> None:
    """Within three points where something was planted; where nothing was, near chance."""
    found = audit(planted(tmp_path / "b", kind), Auditing(folds=2, changes=QUICK))
    by_name = {each.probe: each.value for each in found.found}
    near = {name: abs(by_name[name] - value) < (0.03 if value == STRENGTH else 0.06) for name, value in right.items()}
    assert near == dict.fromkeys(right, True), by_name


@pytest.mark.slow
def test_choices_are_audited_by_what_is_seen(tmp_path: Path) -> None:
    """A picture that tells the choice is found by I+A and not by Q+A; the broken principle is named."""
    found = audit(planted(tmp_path / "b", "image", choices=True), Auditing(folds=2))
    by_name = {each.probe: each for each in found.found}
    assert set(by_name) == {"position", "length", "words", "A", "I+A", "Q+A", "I+Q+A"}
    assert by_name["I+A"].value == pytest.approx(STRENGTH, abs=0.04)
    assert by_name["Q+A"].value == pytest.approx(0.25, abs=0.06)
    assert by_name["A"].chance == pytest.approx(0.25)
    judged = {each.principle: each.judged for each in found.verdicts}
    assert judged["IoU"] == "broken"
    assert judged["QoU"] == "holds"
    kept = save_audit(found, Benchmark.open(tmp_path / "b"), tmp_path / "scores").read("scores")
    assert kept["metric"].n_unique() == 8
    assert kept.height == 8 * COUNT


def test_a_trained_model_is_audited_by_what_is_kept_from_it(tmp_path: Path) -> None:
    """Who has learned the question's bias loses all without the question, and nothing without pictures."""
    benchmark = planted(tmp_path / "b", "question")
    recipe = load_recipe("bow-q-i", {"training.epochs": "10", "training.uniform": "null", "training.rate": "1e-3"})
    assert train(benchmark, recipe, tmp_path / "run") is not None
    model = open_model(str(tmp_path / "run"), benchmark, output=None, chat=Chat())
    found = audit_model(model, benchmark, Auditing())
    by_name = {each.probe: each.value for each in found.found}
    assert by_name["full"] == pytest.approx(STRENGTH, abs=0.04)
    assert by_name["shuffled-image"] > by_name["full"] - 0.1
    assert by_name["no-question"] < 0.4


def test_mistakes_are_told(tmp_path: Path) -> None:
    """Too few folds, too few questions."""
    benchmark = planted(tmp_path / "b", "none")
    with pytest.raises(UsageError, match="--folds is 1"):
        audit(benchmark, Auditing(folds=1))
    with Benchmark.create(tmp_path / "few") as draft:
        draft.write("questions", pl.DataFrame({"question_id": ["1"], "answer": ["yes"]}))
    with pytest.raises(DataError, match="at least one per fold"):
        audit(Benchmark.open(tmp_path / "few"), Auditing())
