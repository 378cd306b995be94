"""The numbers of a training on TensorBoard, for those who want to watch: the same as in metrics.jsonl."""

from collections.abc import Callable, Mapping
from pathlib import Path

from eyechart.errors import MissingDependencyError

__all__ = ["open_board"]

_PLACES = frozenset({"step", "epoch"})


def open_board(folder: Path, step: int) -> Callable[[Mapping[str, float]], None]:
    """Write what is told at each step into a folder of events; steps after this one will be told again."""
    try:
        from torch.utils.tensorboard import SummaryWriter
    except ImportError as error:
        raise MissingDependencyError(
            "training.tensorboard: found no package tensorboard, expected it; "
            "install it with pip install 'eyechart[tensorboard]'"
        ) from error
    writer = SummaryWriter(str(folder), purge_step=step + 1)

    def tell(told: Mapping[str, float]) -> None:
        for name in told.keys() - _PLACES:
            writer.add_scalar(name, told[name], int(told["step"]))
        writer.flush()

    return tell
