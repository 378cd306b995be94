"""A program as a drawing: a box for each step with what it gives, an arrow from each step to those that take it.

Steps stand in the column of their depth, so that two branches of a program stand beside each other until they meet.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from eyechart.pipeline.browsing import StepShown

__all__ = ["Chain", "chain"]

_WIDTH, _HEIGHT, _ACROSS, _DOWN = 190, 58, 44, 22
_LETTER = 7.2
"""About the width of a letter, to see what fits."""


@dataclass(frozen=True, slots=True)
class Box:
    """A step, where it stands."""

    step: StepShown
    x: int
    y: int
    lines: tuple[str, str]
    """What the step does and what it gives, as much of it as fits."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A drawing of a program."""

    boxes: Sequence[Box]
    arrows: Sequence[str]
    """Paths."""
    width: int
    height: int


def chain(steps: Sequence[StepShown]) -> Chain:
    """Where everything of a program's drawing is.

    >>> drawn = chain([StepShown(0, "select", "cup", (), "cup"), StepShown(1, "query", "color", (0,), "red")])
    >>> [(box.x, box.y) for box in drawn.boxes], drawn.arrows
    ([(0, 0), (234, 0)], ['M190 29H234'])
    """
    depths: list[int] = []
    for step in steps:
        depths.append(1 + max((depths[taken] for taken in step.takes if taken < len(depths)), default=-1))
    rows = _rows(steps, depths)
    boxes = [
        Box(step, depth * (_WIDTH + _ACROSS), row * (_HEIGHT + _DOWN), _lines(step))
        for step, depth, row in zip(steps, depths, rows, strict=True)
    ]
    arrows = [_arrow(boxes[taken], box) for box in boxes for taken in box.step.takes if taken < len(boxes)]
    width = max((box.x for box in boxes), default=0) + _WIDTH
    height = max((box.y for box in boxes), default=0) + _HEIGHT
    return Chain(boxes, arrows, width, height)


def _rows(steps: Sequence[StepShown], depths: Sequence[int]) -> list[int]:
    """A step stands in the row of the first step that it takes; what begins anew, below what is there."""
    rows: list[int] = []
    taken: set[tuple[int, int]] = set()
    for place, step in enumerate(steps):
        row = rows[step.takes[0]] if step.takes and step.takes[0] < place else max(rows, default=-1) + 1
        while (depths[place], row) in taken:
            row += 1
        taken.add((depths[place], row))
        rows.append(row)
    return rows


def _arrow(giver: Box, taker: Box) -> str:
    x0, y0, x1, y1 = giver.x + _WIDTH, giver.y + _HEIGHT // 2, taker.x, taker.y + _HEIGHT // 2
    if y0 == y1:
        return f"M{x0} {y0}H{x1}"
    middle = x1 - _ACROSS // 2
    return f"M{x0} {y0}H{middle}V{y1}H{x1}"


def _lines(step: StepShown) -> tuple[str, str]:
    argument = step.argument.split(" (")[0].strip()
    does = step.operation if argument in {"", "?"} else f"{step.operation}: {argument}"
    return _fitting(does), _fitting(step.result or "not known")


def _fitting(text: str) -> str:
    most = int((_WIDTH - 20) / _LETTER)
    return text if len(text) <= most else f"{text[: most - 1]}…"
