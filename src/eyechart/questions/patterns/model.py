"""Patterns as they are written down, and as they are once compiled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec

from eyechart.questions.patterns.guards import Guard
from eyechart.questions.patterns.scope import Scope
from eyechart.questions.patterns.slots import Slot

__all__ = [
    "Condition",
    "Element",
    "Finding",
    "Group",
    "GroupEntry",
    "Hole",
    "Label",
    "Naming",
    "Pattern",
    "Sentence",
    "Sorted",
    "StepPlan",
    "TextEntry",
    "WordingEntry",
]

Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
Weight = Annotated[float, msgspec.Meta(gt=0)]


class GroupEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of questions, as in a file of groups: what they are about, without a word of any language."""

    about: str
    bind: str
    """What a fact is: a name of the bindings."""
    form: str
    """The form of the program, from which types and groups of balancing follow."""
    program: list[str]
    """Steps as ``operation: argument``, with holes in braces; ``{o}`` alone for the steps that find a thing."""
    answer: str
    """yes, no, or a variable."""
    detailed: str = ""
    """Which of the form's published detailed types; empty for its first one."""
    labels: dict[str, str] = {}
    """What the slots of the form's labels stand for."""
    find: dict[str, str] = {}
    """Further variables: decoys, opposites, categories."""
    when: list[str] = []
    """Guards; every fact has to pass all of them."""
    share: Share = 1.0
    """How many of the facts are asked about."""
    twin: str | None = None
    """The group with the other answer."""
    entails: list[str] = []
    """Groups whose questions about the same fact follow from these."""


class TextEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that is not for every fact, or more or less likely than others."""

    text: str
    when: str = ""
    weight: Weight = 1.0


class WordingEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a language asks and answers the questions of a group."""

    ask: list[str | TextEntry] = []
    natural: list[str | TextEntry] = []
    """Questions as people ask them about pictures: shorter, less regular."""
    say: list[str | TextEntry] = []
    """The full answers."""
    like: str = ""
    """Another group whose questions are asked with the same words, because the answer makes the difference."""


@dataclass(frozen=True)
class Condition:
    """A guard with its text, for the ledger."""

    text: str
    test: Guard


Element = int | Slot
"""A piece of a sentence: the number of a phrase, or a slot."""


@dataclass(frozen=True)
class Pattern:
    """One way to ask or to answer, with its surface forms."""

    name: str
    text: str
    key: int
    """What draws about it are keyed by."""
    weight: float
    conditions: tuple[Condition, ...]
    surfaces: tuple[tuple[Element, ...], ...]
    weights: tuple[float, ...]
    """Of the surface forms."""
    slots: tuple[Slot, ...]
    natural: bool = False
    """Whether people ask so."""
    borrowed: bool = False
    """Whether the text is another group's."""


@dataclass(frozen=True)
class Sentence:
    """All ways to say one sentence."""

    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class Hole:
    """A place in an argument for a word: of a variable, or of what belongs to it."""

    variable: str
    what: Literal["name", "id", "ids", "plural", "category", "own"]
    """category: the nearest category above its noun that people say; own: of a kind with one thing, what that is."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """Two words of a label in the order of the alphabet, joined by an underscore."""

    one: "str | Hole"
    other: "str | Hole"


Label = tuple[str | Hole | Sorted, ...]
"""A label with holes."""


@dataclass(frozen=True)
class Naming:
    """The part of a program that finds a thing."""

    variable: str
    kind: str
    """The variable whose kind it has to be called; empty for any."""


@dataclass(frozen=True)
class StepPlan:
    """A step with holes."""

    operation: str
    type: str
    """The variable whose attribute type the operation has; empty for none. For a value it is its comparative: older."""
    argument: tuple[str | Hole, ...]
    taken: int
    """As in a list of steps: FIRST, FOLLOWING, or a code of parts."""


@dataclass(frozen=True)
class Finding:
    """A variable that a finder looks for."""

    variable: str
    finder: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Group:
    """A group, compiled for one language."""

    name: str
    entry: GroupEntry
    scope: Scope
    found: tuple[Finding, ...]
    conditions: tuple[Condition, ...]
    program: tuple[Naming | StepPlan, ...]
    local: Label
    """The label of the local group."""
    overall: Label
    """The label of the global group; empty for none."""
    detailed: Label
    """The published detailed type."""
    structural: str
    semantic: str
    asked: Sentence
    said: Sentence

    @property
    def named(self) -> Mapping[str, Naming]:
        """The things that need references, in the order of the program."""
        return {part.variable: part for part in self.program if isinstance(part, Naming)}
