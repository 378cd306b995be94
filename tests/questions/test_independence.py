"""The executor that proves questions shares no code with what makes them."""

import ast
from pathlib import Path

import eyechart.questions

ROOM = Path(eyechart.questions.__file__).parent
MAKERS = {"arrays", "asking", "bind", "language", "meanings", "patterns", "plan", "samples"}


def imported(module: Path, seen: set[Path]) -> set[Path]:
    """The files of the room that a module imports, and that these import."""
    if module in seen:
        return seen
    seen.add(module)
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("eyechart.questions."):
            place = ROOM.joinpath(*str(node.module).split(".")[2:])
            imported(place / "__init__.py" if place.is_dir() else place.with_suffix(".py"), seen)
    return seen


def test_the_executor_shares_nothing_with_the_planner() -> None:
    """Neither the arrays, nor the bindings, nor the words: a mistake there cannot hide itself."""
    files = {each.relative_to(ROOM) for each in imported(ROOM / "interpret.py", set())}
    assert Path("facts.py") in files
    assert not {each.parts[0].removesuffix(".py") for each in files} & MAKERS
