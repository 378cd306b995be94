"""One plain training loop: every draw depends on seed and step alone, so a stopped run goes on as if it had not."""

import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from eyechart._lib.files import write_atomically
from eyechart._lib.keyed import Key, draw
from eyechart._lib.progress import Advance, Progress, silent
from eyechart.models.boards import open_board
from eyechart.models.inputs import Encoded
from eyechart.models.kinds import ask
from eyechart.models.optimising import (
    Average,
    clip,
    faster_precision,
    make_optimiser,
    optimiser_tensors,
    restore_optimiser,
)
from eyechart.models.recipes import Training
from eyechart.models.targets import Aim

__all__ = ["Learner", "device_of"]

Numbers = npt.NDArray[np.int64]
Score = Callable[[nn.Module], float]

_WEIGHTS, _NOTES, _METRICS = "training_state.safetensors", "training_state.json", "metrics.jsonl"
_SEEDS = 1 << 63
_SORTED = 32
"""How many batches are sorted by what their questions cost."""


def device_of() -> torch.device:
    """The GPU if there is one."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


@dataclass
class _Progress:
    """Where training is."""

    epoch: int = 0
    position: int = 0
    """Batches of this epoch that are done."""
    step: int = 0
    rate: float = 1.0
    """What stalls have left of the rate."""
    loss: float = 0.0
    """Sum over this epoch's batches."""
    least: float | None = None
    """The lowest loss of an epoch."""
    best: float | None = None
    """The best score on held-out questions."""
    waited: int = 0
    """Epochs since the best."""
    precision: str = "auto"
    finished: bool = False
    history: list[dict[str, float]] = field(default_factory=list[dict[str, float]])


class Learner:
    """A network in training: it can be stopped after any step, saved, and taken up again."""

    def __init__(
        self, module: nn.Module, encoded: Encoded, aim: Aim, training: Training, *, folder: Path, seed: int
    ) -> None:
        self.device = device_of()
        self.module, self.encoded, self.aim = module.to(self.device), encoded, aim
        self.training, self.folder, self.seed = training, folder, seed
        self.optimiser = make_optimiser(module.parameters(), training)
        self.average = Average(module, training.average) if training.average is not None else None
        self.best: dict[str, Tensor] | None = None
        self.at = _Progress(precision=training.precision)
        self._stop = False
        self._board: Callable[[Mapping[str, float]], None] | None = None

    @property
    def batches(self) -> int:
        """How many batches an epoch has."""
        return -(-len(self.aim.rows) // self.training.batch)

    def learn(self, score: Score | None, progress: Progress = silent, *, most_steps: int | None = None) -> bool:
        """Train until the last epoch, or until held-out questions get no better; whether it is finished.

        ``score`` tells how good the weights are on held-out questions. Control-C saves and stops.
        """
        if self.at.precision == "auto":
            self.at.precision = self._precision()
        if self.training.tensorboard:
            self._board = open_board(self.folder / "tensorboard", self.at.step)
        total = self.training.epochs * self.batches
        with progress("Training", total, "batches") as advance, self._interrupts():
            advance(self.at.epoch * self.batches + self.at.position)
            while not self.at.finished:
                whole = self._epoch(advance, most_steps)
                if whole:
                    self._end_epoch(score)
                self.save()
                if not whole:
                    return False
        return True

    def _epoch(self, advance: Advance, most_steps: int | None) -> bool:
        """The rest of an epoch; False if it was stopped after a step."""
        order = self._order()
        while self.at.position < self.batches:
            self._advance(order)
            advance(1)
            if self._stop or (most_steps is not None and self.at.step >= most_steps):
                return False
        return True

    def weights(self) -> dict[str, Tensor]:
        """The weights to answer with: the best on held-out questions, else the averaged, else the last."""
        return self.best or self._current()

    def _current(self) -> dict[str, Tensor]:
        return self.average.weights if self.average else self.module.state_dict()

    def _order(self) -> Numbers:
        """The questions of this epoch, in an order that only seed and epoch decide."""
        rows = self.aim.rows
        key, epoch = Key(self.seed, "order"), np.array([self.at.epoch], np.uint64)
        if self.training.together == "pairs":
            return rows[np.argsort(key.array(epoch, self.encoded.pairs[rows]), kind="stable")]
        drawn = rows[np.argsort(key.array(epoch, rows.astype(np.uint64)), kind="stable")]
        return self._alike(drawn) if self.training.together == "lengths" else drawn

    def _alike(self, drawn: Numbers) -> Numbers:
        """Batches of questions that cost alike, out of some drawn batches at a time, in a drawn order."""
        size = self.training.batch
        sorted_within = np.lexsort((self.encoded.lengths[drawn], np.arange(len(drawn)) // (size * _SORTED)))
        batches = np.arange(-(-len(drawn) // size), dtype=np.uint64)
        # The last batch is smaller, and stays the last.
        keys = Key(self.seed, "order of batches").array(np.array([self.at.epoch], np.uint64), batches[:-1])
        order = [*np.argsort(keys, kind="stable").tolist(), len(batches) - 1]
        alike = drawn[sorted_within]
        return np.concatenate([alike[number * size : (number + 1) * size] for number in order])

    def _advance(self, order: Numbers) -> None:
        begin = self.at.position * self.training.batch
        rows = order[begin : begin + self.training.batch]
        torch.manual_seed(draw(self.seed, "step", self.at.step) % _SEEDS)
        self.module.train()
        loss = self._loss(self.module, rows, self.at.precision)
        torch.autograd.backward(loss / self.training.accumulate)
        self.at.position += 1
        self.at.step += 1
        if self.at.step % self.training.accumulate == 0 or self.at.position == self.batches:
            self._move()
        self.at.loss += float(loss.detach())
        self._note({"step": self.at.step, "loss": float(loss.detach())})

    def _loss(self, module: nn.Module, rows: Numbers, precision: str) -> Tensor:
        half = precision == "bf16"
        batch = self.encoded.batch(rows, self.device, torch.bfloat16 if half else torch.float32)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=half):
            reply = ask(module, batch)
        return self.aim.loss(reply, batch, rows, self.at.epoch)

    def _move(self) -> None:
        clip(list(self.module.parameters()), self.training)
        rate = self.training.rate * self.at.rate * self.training.decay**self.at.step
        if self.training.warmup:
            rate *= min(1.0, self.at.step / self.training.warmup)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        if self.average:
            self.average.update(self.module)

    def _precision(self) -> str:
        rows = self._order()[: self.training.batch]
        self.module.train()
        return faster_precision(self.module, lambda copied, precision: self._loss(copied, rows, precision))

    def _end_epoch(self, score: Score | None) -> None:
        at, mean = self.at, self.at.loss / self.batches
        told = {"epoch": at.epoch + 1, "step": at.step, "mean_loss": mean}
        if at.least is not None and mean >= at.least:
            at.rate *= self.training.stall
        at.least = mean if at.least is None else min(at.least, mean)
        if score is not None:
            found = self._scored(score)
            told["held_out"] = found
            if at.best is None or found > at.best:
                at.best, at.waited = found, 0
                self.best = {name: weight.detach().clone() for name, weight in self._current().items()}
            else:
                at.waited += 1
        at.history.append(told)
        self._note(told)
        patience = self.training.patience
        at.epoch, at.position, at.loss = at.epoch + 1, 0, 0.0
        at.finished = at.epoch >= self.training.epochs or (patience is not None and at.waited >= patience > 0)

    def _scored(self, score: Score) -> float:
        """The score of the weights that would answer; training goes on with its own."""
        own = {name: weight.detach().clone() for name, weight in self.module.state_dict().items()}
        self.module.load_state_dict(self._current())
        self.module.eval()
        found = score(self.module)
        self.module.load_state_dict(own)
        return found

    def _note(self, told: dict[str, float]) -> None:
        with (self.folder / _METRICS).open("ab") as file:
            file.write(msgspec.json.encode(told) + b"\n")
        if self._board:
            self._board(told)

    def save(self) -> None:
        """Keep everything that going on needs."""
        kept = {f"module.{name}": weight for name, weight in self.module.state_dict().items()}
        kept |= {f"optimiser.{name}": tensor for name, tensor in optimiser_tensors(self.optimiser).items()}
        kept |= {f"average.{name}": weight for name, weight in (self.average.weights if self.average else {}).items()}
        kept |= {f"best.{name}": weight for name, weight in (self.best or {}).items()}
        if self.training.accumulate > 1:
            kept |= {f"gradient.{n}": w.grad for n, w in self.module.named_parameters() if w.grad is not None}
        partial = self.folder / f".{_WEIGHTS}.partial"
        # The notes say which weights they belong to, so that a kill between the two files is seen.
        save_file(
            {name: tensor.contiguous().clone() for name, tensor in kept.items()}, partial, {"step": str(self.at.step)}
        )
        partial.replace(self.folder / _WEIGHTS)
        write_atomically(self.folder / _NOTES, msgspec.json.encode(asdict(self.at)))

    def restore(self) -> bool:
        """Go on where the folder's run was stopped; False if there is nothing to go on with."""
        weights, notes = self.folder / _WEIGHTS, self.folder / _NOTES
        if not (weights.is_file() and notes.is_file()):
            (self.folder / _METRICS).unlink(missing_ok=True)
            return False
        self.at = msgspec.json.decode(notes.read_bytes(), type=_Progress)
        kept = load_file(weights, device=str(self.device))
        self.module.load_state_dict(_part(kept, "module."))
        restore_optimiser(self.optimiser, _part(kept, "optimiser."))
        if self.average:
            self.average.weights = _part(kept, "average.")
        self.best = _part(kept, "best.") or None
        gradients = _part(kept, "gradient.")
        for name, weight in self.module.named_parameters():
            weight.grad = gradients.get(name)
        self._forget_later_notes()
        return True

    def _forget_later_notes(self) -> None:
        """Steps after the last save will be done again."""
        path = self.folder / _METRICS
        lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
        kept = [line for line in lines if msgspec.json.decode(line)["step"] <= self.at.step]
        write_atomically(path, b"".join(kept))

    @contextmanager
    def _interrupts(self) -> Iterator[None]:
        """Control-C ends the step, not the program; only the main thread may say so."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._ask_to_stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _ask_to_stop(self, *_: object) -> None:
        self._stop = True


def _part(kept: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in kept.items() if name.startswith(prefix)}
