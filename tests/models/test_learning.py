"""The loop: stopping, taking up again, averages, early stops, precision."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from pathlib import Path

import msgspec
import polars as pl
import pytest
import torch
from made_up_pictures import COLORS, made_up_examples
from safetensors.torch import load_file

from eyechart._lib.progress import Advance
from eyechart.errors import FormatError, UsageError
from eyechart.models import Examples, Recipe, Training, WordList, fit, load_run
from eyechart.models.inputs import Encoded, Vocabularies
from eyechart.models.kinds import Inputs
from eyechart.models.learning import Learner
from eyechart.models.targets import aim_of
from eyechart.models.vocabulary import Answers, Words

RECIPE = Recipe(
    "fusion",
    settings={"question": "bow", "picture": "none", "hidden": 16},
    training=Training(batch=8, epochs=4, precision="fp32", patience=None),
)


def examples() -> Examples:
    """Thirty-two open questions."""
    made = made_up_examples()
    return replace(made, choices=made.choices.clear())


def trained_with(**changes: object) -> Recipe:
    return msgspec.structs.replace(RECIPE, training=msgspec.structs.replace(RECIPE.training, **changes))


def epochs(folder: Path) -> list[dict[str, float]]:
    lines = map(msgspec.json.decode, (folder / "metrics.jsonl").read_bytes().splitlines())
    return [line for line in lines if "epoch" in line]


@contextmanager
def interrupting(label: str, total: float, unit: str) -> Iterator[Advance]:  # the shape of a Progress  # noqa: ARG001  # the shape of a Progress
    """Control-C after the third batch."""
    done = 0.0

    def advance(amount: float) -> None:
        nonlocal done
        done += amount
        if amount and done == 3:
            os.kill(os.getpid(), signal.SIGINT)

    yield advance


def test_control_c_saves_and_the_same_call_goes_on(tmp_path: Path) -> None:
    """After the step in which it was typed; the finished run is the one that was never stopped."""
    assert fit(RECIPE, examples(), folder=tmp_path / "a", progress=interrupting) is None
    assert 3 <= msgspec.json.decode((tmp_path / "a" / "training_state.json").read_bytes())["step"] <= 4
    with pytest.raises(UsageError, match="run the same command again"):
        load_run(tmp_path / "a")
    assert fit(RECIPE, examples(), folder=tmp_path / "a") is not None
    assert fit(RECIPE, examples(), folder=tmp_path / "b") is not None
    one, other = (load_file(tmp_path / name / "model.safetensors") for name in "ab")
    assert all(torch.allclose(one[name], other[name], atol=1e-6) for name in one)


def test_the_best_weights_answer_and_patience_ends(tmp_path: Path) -> None:
    """Training stops after so many epochs without a better score, with the weights of the best epoch."""
    recipe = trained_with(epochs=50, patience=2, rate=0.02)
    run = fit(recipe, examples(), examples(), folder=tmp_path / "a")
    assert run is not None
    held_out = [each["held_out"] for each in epochs(tmp_path / "a")]
    best = held_out.index(max(held_out))
    assert len(held_out) == best + 3
    assert run.config.results["held out"] == max(held_out)


def test_stalls_lower_the_rate(tmp_path: Path) -> None:
    """After an epoch that was no better than the best, the rate is multiplied."""
    fit(trained_with(rate=5.0, stall=0.5, epochs=6), examples(), folder=tmp_path / "a")
    losses = [each["mean_loss"] for each in epochs(tmp_path / "a")]
    stalls = sum(loss >= min(losses[:place]) for place, loss in enumerate(losses) if place)
    left = msgspec.json.decode((tmp_path / "a" / "training_state.json").read_bytes())["rate"]
    assert stalls
    assert left == 0.5**stalls


@pytest.mark.parametrize("optimiser", ["adam", "adamw", "adamax", "rmsprop", "sgd"])
def test_every_optimiser_learns(tmp_path: Path, optimiser: str) -> None:
    """The loss falls, with clipped gradients, two batches a step, a warm-up and averaged weights."""
    rate = 0.3 if optimiser == "sgd" else 0.01
    changes = {"clip_norm": 1.0, "clip_value": 0.5, "accumulate": 2, "warmup": 4, "average": 0.9, "epochs": 12}
    fit(trained_with(optimiser=optimiser, rate=rate, **changes), examples(), folder=tmp_path / "a")
    losses = [each["mean_loss"] for each in epochs(tmp_path / "a")]
    assert losses[-1] < 0.8 * losses[0]


@pytest.mark.parametrize("target", ["hard", "sampled", "soft", "sigmoid"])
def test_every_target_is_learned(tmp_path: Path, target: str) -> None:
    """Whatever the loss, what the words tell is learned: far more than the quarter that chance gives."""
    run = fit(trained_with(target=target, epochs=40, rate=0.02), examples(), folder=tmp_path / "a")
    assert run is not None
    predicted, asked = run.predict(examples()), examples().questions
    assert (predicted["answer"] == asked["answer"]).mean() > 0.4


def test_precision_is_measured_once(tmp_path: Path) -> None:
    """Auto becomes what was faster, and stays it."""
    fit(trained_with(precision="auto", epochs=1), examples(), folder=tmp_path / "a")
    chosen = msgspec.json.decode((tmp_path / "a" / "training_state.json").read_bytes())["precision"]
    assert chosen in {"fp32", "bf16"}


def test_only_sure_answers_are_learned(tmp_path: Path) -> None:
    """Questions with fewer confident answers than wanted are left out; with none left, that is told."""
    recipe = msgspec.structs.replace(RECIPE, answers=msgspec.structs.replace(RECIPE.answers, sure=11))
    with pytest.raises(ValueError, match="fewer sure answers"):
        fit(recipe, examples(), folder=tmp_path / "a")


def test_words_begin_with_their_vectors(tmp_path: Path) -> None:
    """Before the first step, words lie to each other as in the file; another width is told."""
    path = tmp_path / "tiny.vec"
    path.write_text("what 1 0\ncolor 0 1\nred 1 1\n")
    recipe = Recipe(
        "gqa-baseline",
        settings={"picture": "none", "width": 8, "word": 2},
        words=WordList(vectors=str(path)),
        training=Training(batch=8, epochs=1, rate=1e-9, precision="fp32", patience=None),
    )
    run = fit(recipe, examples(), folder=tmp_path / "a")
    assert run is not None
    table = load_file(tmp_path / "a" / "model.safetensors")["words.table.weight"]
    known = msgspec.json.decode((tmp_path / "a" / "vocab.json").read_bytes())["words"]
    what, color, red = (table[1 + known.index(word)] for word in ("what", "color", "red"))
    assert torch.allclose(what + color, red, atol=1e-5)
    assert torch.dot(what, color).abs() < 1e-5 < torch.dot(what, what)
    wide = msgspec.structs.replace(recipe, settings=recipe.settings | {"word": 3})
    with pytest.raises(FormatError, match=r"settings\.word"):
        fit(wide, examples(), folder=tmp_path / "b")


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of TensorBoard's own imports
def test_tensorboard_shows_what_is_noted(tmp_path: Path) -> None:
    """Every step's loss is an event, once, though the training was stopped and taken up again."""
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    recipe = trained_with(tensorboard=True, epochs=2)
    assert fit(recipe, examples(), folder=tmp_path / "a", most_steps=3) is None
    assert fit(recipe, examples(), examples(), folder=tmp_path / "a") is not None
    board = EventAccumulator(str(tmp_path / "a" / "tensorboard"))
    board.Reload()
    lines = map(msgspec.json.decode, (tmp_path / "a" / "metrics.jsonl").read_bytes().splitlines())
    noted = {line["step"]: line["loss"] for line in lines if "loss" in line}
    shown = {event.step: event.value for event in board.Scalars("loss")}
    assert shown == pytest.approx(noted)
    assert {"mean_loss", "held_out"} <= set(board.Tags()["scalars"])


def ordered(tmp_path: Path, asked: Examples, together: str) -> list[list[int]]:
    """The rows of each batch of the first two epochs."""
    recipe = trained_with(together=together, batch=6)
    known = Vocabularies(words=Words(["what"]))
    encoded = Encoded(asked, Inputs(question="words"), recipe.words, known)
    aim = aim_of(Encoded(asked, Inputs(), recipe.words, known), Answers([*COLORS, "yes", "no"]), recipe.training, 0)
    learner = Learner(torch.nn.Linear(1, 1), encoded, aim, recipe.training, folder=tmp_path, seed=0)
    batches = []
    for epoch in range(2):
        learner.at.epoch = epoch
        order = learner._order().tolist()  # noqa: SLF001  # the order has no other door
        assert sorted(order) == list(range(len(asked)))
        batches += [order[begin : begin + 6] for begin in range(0, len(order), 6)]
    return batches


def test_pairs_share_a_batch(tmp_path: Path) -> None:
    """Both members of a complementary pair follow each other, in another order every epoch."""
    made = examples()
    pairs = made.questions.with_columns(
        pair=pl.Series([n // 2 if n < 20 else None for n in range(32)], dtype=pl.UInt32)
    )
    batches = ordered(tmp_path, replace(made, questions=pairs), "pairs")
    for epoch in (batches[:6], batches[6:]):
        place = {row: number for number, row in enumerate(chain.from_iterable(epoch))}
        assert all(abs(place[n] - place[n + 1]) == 1 for n in range(0, 20, 2))
    assert batches[:6] != batches[6:]


def test_questions_that_cost_alike_share_a_batch(tmp_path: Path) -> None:
    """A batch's questions are about as long as each other; which comes first is drawn."""
    made = examples()
    asked = made.questions.with_columns(question=pl.Series([" ".join(["what"] * (1 + n * 5 % 32)) for n in range(32)]))
    batches = ordered(tmp_path, replace(made, questions=asked), "lengths")
    spread = [max(n * 5 % 32 for n in batch) - min(n * 5 % 32 for n in batch) for batch in batches]
    assert max(spread) <= 7
    assert batches[:6] != batches[6:]
