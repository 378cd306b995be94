"""The contact sheets and sample scenes of the documentation show what the package draws."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from eyechart.errors import UsageError
from eyechart.scenes.render import contact_sheet

DOCS = Path(__file__).parents[3] / "docs"
MOST_BYTES = 1_500_000


@pytest.fixture(scope="module")
def draw() -> ModuleType:
    """The script that draws them."""
    spec = importlib.util.spec_from_file_location("draw", DOCS / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["objects-outdoors", "animals", "people", "poses", "faces", "places"])
def test_sheets_are_current(draw: ModuleType, name: str) -> None:
    """Each is drawn again and compared by its pixels."""
    assert not draw.differs(name, draw.PICTURES[name]())


@pytest.mark.slow
@pytest.mark.parametrize("name", ["objects-indoors", "scenes"])
def test_large_sheets_are_current(draw: ModuleType, name: str) -> None:
    """The same for those that take longer."""
    assert not draw.differs(name, draw.PICTURES[name]())


def test_another_picture_is_noticed(draw: ModuleType) -> None:
    """A sheet that shows something else differs."""
    assert draw.differs("faces", draw.PICTURES["places"]())


def test_pages_show_all_pictures(draw: ModuleType) -> None:
    """Every picture is on a page, there is no other, and a reader need not wait for them."""
    pages = "".join(page.read_text("utf-8") for page in DOCS.rglob("*.md"))
    assert [name for name in draw.PICTURES if f"pictures/{name}.png" not in pages] == []
    files = sorted(draw.FOLDER.glob("*.png"))
    assert [file.stem for file in files] == sorted(draw.PICTURES)
    assert sum(file.stat().st_size for file in files) < MOST_BYTES


def test_an_empty_sheet_is_refused() -> None:
    """There is nothing to show."""
    with pytest.raises(UsageError, match="found 0 clips in 8 columns"):
        contact_sheet([])
