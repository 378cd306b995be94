"""The tables and figures of the papers as data: which numbers they have, of which models, and what was published.

One TOML file per study lies in `study_files`. An unknown key in it is an error, so that a misspelt number is not a
missing one.
"""

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated

import msgspec

from eyechart.analysis import COMPARISONS, DESCRIPTIONS, DIAGNOSES
from eyechart.errors import DataError, UnknownNameError
from eyechart.registry import did_you_mean

__all__ = ["PEOPLE", "Cell", "Curve", "Study", "parse_study", "study", "study_names"]

PEOPLE = "people"
"""The model that is the benchmark's own people."""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A number of a table: a metric, and the group of questions or the part that it is about."""

    label: str
    metric: str = ""
    by: str = "overall"
    group: str = "overall"

    def __post_init__(self) -> None:
        if self.by == "overall" and self.group != "overall":
            raise ValueError(f"found the group {self.group!r} of no column, expected `by` to name one")


class Curve(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Accuracy over a setting: predictions are called MODEL@SETTING-NUMBER."""

    setting: str
    label: str
    command: str
    """What trains a model with such a setting."""
    log: bool = False
    """Whether the setting grows by factors."""


class Study(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table or figure of a paper."""

    title: str
    paper: str
    place: str
    """Where it stands in the paper, such as table 2."""
    comparable: str
    """What of the published numbers can be compared with one's own, in a sentence or two."""
    tables: Annotated[list[str], msgspec.Meta(min_length=1)]
    """What the benchmark has to have."""
    models: dict[str, str] = {}
    """Names of predictions, or people, and what the paper calls them. A name may have a setting behind an @."""
    numbers: list[Cell] = []
    published: dict[str, dict[str, float]] = {}
    """Per model, or per dataset of the paper, the numbers by their label, as printed."""
    figures: list[str] = []
    """Descriptions of the benchmark that belong to it."""
    diagnoses: list[str] = []
    """Diagnoses of each model's predictions that belong to it."""
    curves: list[Curve] = []
    """Settings over which models are compared."""
    beside: bool = False
    """Whether it compares two benchmarks."""
    name: str = ""
    """The name of its file."""

    def __post_init__(self) -> None:
        known = {"figures": [*DESCRIPTIONS, *COMPARISONS], "diagnoses": list(DIAGNOSES)}
        for kind, names in known.items():
            for name in getattr(self, kind):
                if name not in names:
                    raise ValueError(f"found {name!r} among {kind}, {did_you_mean(name, names)}")
        labels = [cell.label for cell in self.numbers]
        for column, values in self.published.items():
            for label in values:
                if label not in labels:
                    raise ValueError(f"found {label!r} published of {column!r}, {did_you_mean(label, labels)}")


def study_names() -> list[str]:
    """The studies that can be rebuilt.

    >>> "vqa-table-1" in study_names()
    True
    """
    return sorted(path.name.removesuffix(".toml") for path in _folder().iterdir() if path.name.endswith(".toml"))


def study(name: str) -> Study:
    """One study.

    >>> study("gqa-table-1").published["mac-objects"]["accuracy"]
    54.06
    """
    if name not in study_names():
        raise UnknownNameError(f"no study is called {name!r}: {did_you_mean(name, study_names())}")
    return parse_study((_folder() / f"{name}.toml").read_bytes(), name)


def parse_study(content: bytes, name: str) -> Study:
    """Read the description of a study; what is not understood is an error.

    >>> parse_study(b'titel = "x"', "mine")
    Traceback (most recent call last):
    eyechart.errors.DataError: mine.toml: Object contains unknown field `titel`; correct the file
    """
    try:
        found = msgspec.toml.decode(content, type=Study)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise DataError(f"{name}.toml: {error}; correct the file") from error
    return msgspec.structs.replace(found, name=name)


def _folder() -> Traversable:
    return files("eyechart.pipeline").joinpath("study_files")
