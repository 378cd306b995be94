"""The house rules that a linter does not know, each with the reason in its name."""

import ast
import importlib
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "eyechart"
WRITTEN_BY_TOOLS = PACKAGE / "database" / "migrations" / "versions"  # steps of a schema, which never change again
FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != WRITTEN_BY_TOOLS)
DOORS = [path for path in FILES if path.name == "__init__.py" and path.parent != PACKAGE]
MOST_LINES, MOST_FUNCTION_LINES, MOST_NESTING, MOST_POSITIONAL = 600, 80, 3, 6

Function = ast.FunctionDef | ast.AsyncFunctionDef
NESTING = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match, ast.AsyncFor, ast.AsyncWith)


def relative(path: Path) -> str:
    """A file's name for messages."""
    return path.relative_to(ROOT).as_posix()


def functions(path: Path) -> Iterator[Function]:
    """Every function of a file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, Function):
            yield node


def depth(node: ast.AST) -> int:
    """How deep blocks stand in each other; an elif does not count as deeper than its if."""
    deepest = 0
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function | ast.Lambda):
            continue
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, depth(child) + (isinstance(child, NESTING) and not is_elif))
    return deepest


@pytest.mark.parametrize("path", FILES, ids=relative)
def test_files_are_readable(path: Path) -> None:
    """A file opens with a sentence, and files, functions and nesting stay within what one can read."""
    text = path.read_text("utf-8")
    assert ast.get_docstring(ast.parse(text)), "the file does not say why it exists"
    assert len(text.splitlines()) <= MOST_LINES
    for function in functions(path):
        place = f"{relative(path)}:{function.lineno} {function.name}"
        assert (function.end_lineno or 0) - function.lineno < MOST_FUNCTION_LINES, place
        assert depth(function) <= MOST_NESTING, place
        positional = [*function.args.posonlyargs, *function.args.args]
        assert len(positional) <= MOST_POSITIONAL + (positional[:1] != [] and positional[0].arg == "self"), place


def imported_names(path: Path) -> set[str]:
    """The names that a door imports from its own room or defines."""
    names: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(door_module(path)):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in names if not name.startswith("_")}


def door_module(path: Path) -> str:
    """The room that a door belongs to."""
    return ".".join(["eyechart", *path.parent.relative_to(PACKAGE).parts])


@pytest.mark.parametrize("path", DOORS, ids=relative)
def test_doors_are_complete(path: Path) -> None:
    """A door lists what it imports, all of it, in order."""
    module = importlib.import_module(door_module(path))
    listed = getattr(module, "__all__", [])
    assert set(listed) == imported_names(path)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("path", DOORS, ids=relative)
def test_public_names_have_examples(path: Path) -> None:
    """What a door offers is documented by an example that runs; errors, constants and protocols by a sentence."""
    module = importlib.import_module(door_module(path))
    for name in getattr(module, "__all__", []):
        thing = getattr(module, name)
        if inspect.isfunction(thing) or (inspect.isclass(thing) and not getattr(thing, "_is_protocol", False)):
            assert thing.__doc__, name
        if inspect.isfunction(thing):
            assert ">>>" in (thing.__doc__ or ""), f"{door_module(path)}.{name} has no example"


def test_rooms_are_entered_by_their_doors() -> None:
    """From outside, a room's names are imported from the room, not from its files; data classes of stages excepted."""
    rooms = {path.parent.name for path in DOORS if path.parent.parent == PACKAGE}
    strays = []
    for path in FILES:
        own = path.relative_to(PACKAGE).parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("eyechart."):
                _, room, *inside = (node.module or "").split(".")
                entered = room in rooms - {"_lib", "pipeline", "cli"} and inside and room != own
                strays += [f"{relative(path)}: {node.module}"] if entered else []
    assert strays == []


@pytest.mark.parametrize(
    ("kind", "folder", "skipped"),
    [
        ("eyechart.formats:FORMATS", "formats", set()),
        ("eyechart.pipeline:STAGES", "pipeline/stages", {"__init__"}),
        ("eyechart.pipeline:EXECUTORS", "pipeline/executors", {"__init__", "contract"}),
    ],
)
def test_registries_are_complete(kind: str, folder: str, skipped: set[str]) -> None:
    """Every name in a registry loads, and every file that defines a thing of the kind is in it."""
    module, _, name = kind.partition(":")
    registry = getattr(importlib.import_module(module), name)
    loaded = {each: registry.load(each) for each in registry}
    assert all(loaded.values())
    homes = {place.partition(":")[0].rpartition(".")[2] for place in registry.places.values()}
    defining = set()
    for path in sorted((PACKAGE / folder).glob("*.py")):
        text = path.read_text("utf-8")
        defines = "= Format(" in text if folder == "formats" else path.stem not in skipped
        defining |= {path.stem} if defines else set()
    assert homes == defining


def test_metrics_are_called_what_they_are_called() -> None:
    """A metric's name is the one by which people ask for it."""
    from eyechart.metrics import METRICS

    assert [name for name in METRICS if METRICS.load(name).name != name] == []


@pytest.mark.parametrize("room", ["eyechart.metrics", "eyechart.formats", "eyechart.store", "eyechart.cli.main"])
def test_importing_a_room_loads_no_heavy_package(room: str) -> None:
    """Numbers need no neural network, no cluster, no web framework and no plotting."""
    heavy = ["torch", "ray", "fastapi", "starlette", "sqlalchemy", "altair", "vl_convert", "onnxruntime", "datasets"]
    program = f"import sys, {room}; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_help_loads_next_to_nothing() -> None:
    """The help of the command line needs no tables, or it would not be instant."""
    program = "import sys, eyechart.cli.main; print([n for n in ('polars', 'numpy', 'PIL') if n in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_no_room_is_called_utils() -> None:
    """Nothing has a name that could hold anything."""
    forbidden = {"utils", "util", "common", "core", "base", "helpers", "misc", "manager"}
    assert [relative(path) for path in FILES if {path.stem, path.parent.name} & forbidden] == []
