"""How weights move: the optimisers of the papers, their rates, running averages, and 16 or 32 bits."""

import copy
import time
from collections.abc import Callable, Iterable, Mapping

import torch
from torch import Tensor, nn

from eyechart.models.recipes import Training

__all__ = ["Average", "clip", "faster_precision", "make_optimiser", "optimiser_tensors", "restore_optimiser"]

_WARM, _TIMED = 1, 3


def make_optimiser(parameters: Iterable[nn.Parameter], training: Training) -> torch.optim.Optimizer:
    """The optimiser that a recipe names.

    >>> make_optimiser([nn.Parameter(torch.zeros(1))], Training(optimiser="adamax")).__class__.__name__
    'Adamax'
    """
    rate, decay = training.rate, training.weight_decay
    makers: dict[str, Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]] = {
        "adam": lambda given: torch.optim.Adam(given, rate, weight_decay=decay),
        "adamw": lambda given: torch.optim.AdamW(given, rate, weight_decay=decay),
        "adamax": lambda given: torch.optim.Adamax(given, rate, weight_decay=decay),
        "rmsprop": lambda given: torch.optim.RMSprop(given, rate, alpha=training.smoothing, weight_decay=decay),
        "sgd": lambda given: torch.optim.SGD(given, rate, momentum=training.momentum, weight_decay=decay),
    }
    return makers[training.optimiser](parameters)


def clip(parameters: Iterable[nn.Parameter], training: Training) -> None:
    """Keep gradients small, by their length or one by one."""
    if training.clip_norm is not None:
        nn.utils.clip_grad_norm_(parameters, training.clip_norm)
    if training.clip_value is not None:
        nn.utils.clip_grad_value_(parameters, training.clip_value)


class Average:
    """A running average of weights.

    >>> layer = nn.Linear(1, 1, bias=False)
    >>> average = Average(layer, 0.5)
    >>> with torch.no_grad():
    ...     _ = layer.weight.copy_(average.weights["weight"] + 2)
    >>> average.update(layer)
    >>> round((layer.weight - average.weights["weight"]).item(), 5)
    1.0
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay = decay
        self.weights = {name: weight.detach().clone() for name, weight in module.state_dict().items()}

    def update(self, module: nn.Module) -> None:
        """Move a little towards the weights; counts of steps and the like are copied."""
        for name, weight in module.state_dict().items():
            kept = self.weights[name]
            if kept.is_floating_point():
                kept.lerp_(weight.detach(), 1 - self.decay)
            else:
                kept.copy_(weight)


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, Tensor]:
    """What an optimiser remembers of each weight, by names that a file can hold."""
    return {
        f"{number}.{name}": torch.as_tensor(value)
        for number, kept in optimiser.state_dict()["state"].items()
        for name, value in kept.items()
        if value is not None
    }


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    """Give an optimiser its memory back."""
    state: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = tensor
    optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})


def faster_precision(module: nn.Module, loss: Callable[[nn.Module, str], Tensor]) -> str:
    """Measure which is faster here: without the instructions for it, 16 bits are slower than 32."""
    seconds = {}
    for precision in ("fp32", "bf16"):
        copied = copy.deepcopy(module)
        for number in range(_WARM + _TIMED):
            if number == _WARM:
                begun = time.perf_counter()
            torch.autograd.backward(loss(copied, precision))
        seconds[precision] = time.perf_counter() - begun
    return min(seconds, key=lambda precision: seconds[precision])
