"""``eyechart demo``: the flow on a small sample, each step as the command that one would type."""

import shlex
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.errors import UsageError

__all__ = ["demo"]

_OPENING = """
  E       Eyechart: eye exams for machines that claim to see.
 F P      Twenty-four questions about eight pictures, ten people's answers to each,
T O Z     and two models: one looked at the pictures, one guessed from the questions.
"""

_CLOSING = """
The benchmark is the folder {folder}: Parquet tables, a manifest, a dataset card.
Try your own:  eyechart formats      what can be imported
               eyechart import jsonl my_questions.jsonl -o my-benchmark
"""


def demo(folder: Path = Path("demo"), /, *, quiet: Annotated[bool, Parameter(negative="", alias="-q")] = False) -> None:
    """Walk through the flow on a small sample: import, check, grade.

    Parameters
    ----------
    folder
        Where to put the sample benchmark.
    quiet
        Say nothing on standard error.
    """
    sample = files("eyechart.cli").joinpath("sample")
    benchmark = folder / "sample"
    said = ["--quiet"] if quiet else []
    print(_OPENING)
    _step("import", "vqa", str(sample), "-o", str(benchmark), "--force", *said)
    _step("check", str(benchmark), *said)
    models = [folder / f"{name}.json" for name in ("guessing", "looking")]
    for model in models:
        model.write_bytes(sample.joinpath("predictions", model.name).read_bytes())
        _step("grade", str(benchmark), str(model), *said)
    _step("compare", str(benchmark), *map(str, models), *said)
    print(_CLOSING.format(folder=benchmark))


def _step(*arguments: str) -> None:
    """Show a command, then do it as if it had been typed."""
    from eyechart.cli.main import app

    shown = [Path(each).name if Path(each).is_absolute() else each for each in arguments]
    print(f"$ eyechart {shlex.join(shown)}\n", flush=True)
    if app(list(arguments), exit_on_error=False, result_action="return_value"):
        raise UsageError(f"{arguments[0]}: found an error in the sample, expected none; install Eyechart again")
    print()
