"""What may stand in a pattern: the variables that are in scope, and where messages say it stands."""

from collections.abc import Mapping
from dataclasses import dataclass

from eyechart.errors import DataError
from eyechart.questions.bind.frames import Sort
from eyechart.registry import did_you_mean

__all__ = ["Place", "Scope"]


@dataclass(frozen=True)
class Place:
    """Where something is written, for messages."""

    file: str
    line: int
    entry: str

    def fault(self, found: str, advice: str) -> DataError:
        """The error that tells what is wrong there."""
        return DataError(f"{self.file}, line {self.line}, {self.entry}: {found}; {advice}")


@dataclass(frozen=True)
class Scope:
    """The variables of a group, with their sorts."""

    variables: Mapping[str, Sort]
    features: tuple[str, ...]

    def sort(self, name: str, place: Place) -> Sort:
        """The sort of a variable."""
        if name not in self.variables:
            raise place.fault(
                f"found the variable {name!r}, in scope are {self.listed}", did_you_mean(name, self.variables)
            )
        return self.variables[name]

    @property
    def listed(self) -> str:
        """The variables for messages."""
        return ", ".join(f"{name} ({sort})" for name, sort in self.variables.items())
