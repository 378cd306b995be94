"""``eyechart demo``: the tour, each step as the command that one would type.

A world in which everything is known is made, asked about, repaired and audited; a model that sees and one that is blind
answer; a page tells it all. Every step keeps what it made, so a tour that was stopped goes on, and a second one only
tells again.
"""

import io
import shlex
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from eyechart.errors import UsageError

__all__ = ["demo"]

Json = Any  # what a command prints with --json

_OPENING = """
  E       Eyechart: eye exams for machines that claim to see.
 F P      A small world is drawn; its questions are proved from its scene graphs,
T O Z     repaired, audited, and answered by one model that looks and one that guesses.
"""


@dataclass(frozen=True)
class _Size:
    """How large a tour is."""

    scenes: int
    per_image: int
    folds: int
    epochs: int


_WHOLE = _Size(scenes=500, per_image=40, folds=2, epochs=12)
_TINY = _Size(scenes=60, per_image=20, folds=2, epochs=2)


def demo(
    folder: Path = Path("demo"),
    /,
    *,
    tiny: Annotated[bool, Parameter(negative="")] = False,
    quiet: Annotated[bool, Parameter(negative="", alias="-q")] = False,
) -> None:
    """Take the tour: make a world, ask, balance, make decoys, audit before and after, answer, grade, report.

    Parameters
    ----------
    folder
        Where everything goes. What is there already is not made again.
    tiny
        A tour of less than a minute, too small to tell anything.
    quiet
        Say nothing on standard error.
    """
    size = _TINY if tiny else _WHOLE
    tour = _Tour(folder / ("tiny" if tiny else "tour"), ["--quiet"] if quiet else [])
    print(_OPENING)
    _make(tour, size)
    numbers = _audit(tour, size)
    grades = _answer(tour, size)
    page = folder / "report.html"
    audits = [f"--audit={name}={tour.at('audits', name)}" for name in ("as asked", "balanced")]
    names = ["--name", "seeing", "--name", "blind"]
    tour.step("report", tour.at("balanced"), *_predictions(tour), *names, *audits, "--subset", "-o", str(page))
    _tell(numbers, grades, page)


@dataclass(frozen=True)
class _Tour:
    """The folder of a tour, and how much its steps say."""

    folder: Path
    said: list[str]

    def at(self, *parts: str) -> str:
        """A place in the folder."""
        return str(self.folder.joinpath(*parts))

    def there(self, *parts: str) -> bool:
        """Whether a step has made this already."""
        return self.folder.joinpath(*parts).exists()

    def step(self, *arguments: str) -> None:
        """Show a command, then do it as if it had been typed."""
        print(f"$ eyechart {shlex.join(arguments)}\n", flush=True)
        self._do([*arguments, *self.said])
        print()

    def ask(self, *arguments: str) -> Json:
        """Do a command for its numbers."""
        print(f"$ eyechart {shlex.join(arguments)}\n", flush=True)
        with redirect_stdout(io.StringIO()) as printed:
            self._do([*arguments, "--json", *self.said])
        return msgspec.json.decode(printed.getvalue())

    @staticmethod
    def _do(arguments: Sequence[str]) -> None:
        from eyechart.cli.main import app

        if app(list(arguments), exit_on_error=False, result_action="return_value"):
            raise UsageError(f"{arguments[0]}: found an error in the tour, expected none; install Eyechart again")


def _make(tour: _Tour, size: _Size) -> None:
    """A world with natural habits, its questions, the balanced ones, and choices with two kinds of decoys."""
    tour.step("scenes", "generate", "-n", str(size.scenes), "--pictures", "-o", tour.at("world"))
    tour.step("ask", tour.at("world"), "--per-image", str(size.per_image), "-o", tour.at("asked"))
    splits = ["--split.train", "0.7", "--split.test", "0.3"]
    tour.step("balance", tour.at("asked"), "--unmixed", *splits, "-o", tour.at("balanced"))
    tour.step("decoys", tour.at("balanced"), "--variants", "random,iou+qou", "-o", tour.at("choices"))
    tour.step("check", tour.at("balanced"))
    if not tour.there("asked", "features"):
        tour.step("encode", tour.at("asked"), "--name", "pictures")


def _audit(tour: _Tour, size: _Size) -> Json:
    """What a blind model can do, before and after each remedy."""
    found = {}
    for name, benchmark in {
        "as asked": tour.at("asked"),
        "balanced": tour.at("balanced"),
        "random decoys": tour.at("choices", "random"),
        "IoU + QoU decoys": tour.at("choices", "iou+qou"),
    }.items():
        kept = tour.folder / "audits" / f"{name}.json"
        if not kept.exists():
            features = ["--features", tour.at("asked", "features", "pictures")]
            where = tour.at("audits", name)
            numbers = tour.ask(
                "audit",
                benchmark,
                "--folds",
                str(size.folds),
                "--epochs",
                str(size.epochs),
                *features,
                "--force",
                "-o",
                where,
            )
            kept.write_bytes(msgspec.json.encode(numbers))
        found[name] = msgspec.json.decode(kept.read_bytes())
    return found


_MODELS = {"seeing": "bow-q-i", "blind": "bow-q"}


def _predictions(tour: _Tour) -> list[str]:
    return [tour.at("predictions", name) for name in _MODELS]


def _answer(tour: _Tour, size: _Size) -> Json:
    """Train both models on the balanced questions, and grade what they answer to those they never saw."""
    grades = {}
    for name, recipe in _MODELS.items():
        run, predictions = tour.at("runs", name), tour.at("predictions", name)
        features = ["--features", tour.at("asked", "features", "pictures")] if name == "seeing" else []
        if not tour.there("predictions", name):
            epochs = f"training.epochs={size.epochs}"
            tour.step("train", recipe, tour.at("balanced"), *features, "--set", epochs, "-o", run)
            tour.step("predict", run, tour.at("balanced"), *features, "--split", "test", "-o", predictions)
        grades[name] = tour.ask("grade", tour.at("balanced"), predictions, "--subset", "--metric", "accuracy")
    return grades


def _tell(audits: Json, grades: Json, page: Path) -> None:
    """The numbers that matter."""

    def probe(audit: str, name: str) -> str:
        found = next(each for each in audits[audit]["shortcuts"] if each["probe"] == name)
        return _with_interval(found)

    overall = {
        name: next(each for each in found["numbers"] if each["by"] == "overall") for name, found in grades.items()
    }
    lines = [
        ("blind to the picture, as asked", probe("as asked", "Q")),
        ("the same, balanced", probe("balanced", "Q")),
        ("blind, among random decoys", probe("random decoys", "Q+A")),
        ("the same, among IoU + QoU decoys", probe("IoU + QoU decoys", "Q+A")),
        ("new questions: seeing model", _with_interval(overall["seeing"])),
        ("new questions: blind model", _with_interval(overall["blind"])),
    ]
    print("What it comes to, with 95 % intervals clustered by image:\n")
    for label, value in lines:
        print(f"  {label:<36}{value}")
    print("\nA blind model knows less after each remedy. The other sees each picture as one vector, and a tour has few")
    print("pictures to learn from; the recipe mac-perfect-sight reads scene graphs instead (encode --view scene).")
    print(f"\nThe report is {page}; open it in a browser.")
    print("Your own:  eyechart formats, eyechart import, eyechart --help")


def _with_interval(number: Json) -> str:
    value, low, high = (number[name] for name in ("value", "low", "high"))
    interval = "" if low is None else f"   {100 * low:.1f} to {100 * high:.1f}"
    return f"{100 * value:5.1f} %{interval}"
