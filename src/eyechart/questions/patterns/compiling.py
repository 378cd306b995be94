"""From pattern files to compiled groups: every name is looked up, every guard read, every surface form written out.

A folder has ``groups/*.toml``, which know no language, and a folder per language with the words. Files of users are
read after the packaged ones; a group with a name that is there already replaces it, wordings are added to it.
"""

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from eyechart._lib.keyed import draw
from eyechart.errors import DataError
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.finding import FINDERS
from eyechart.questions.bind.frames import Sort
from eyechart.questions.forms import FORMS
from eyechart.questions.language.forms import Forms
from eyechart.questions.operations import OPERATIONS
from eyechart.questions.patterns.guards import guard
from eyechart.questions.patterns.model import (
    Condition,
    Element,
    Finding,
    Group,
    GroupEntry,
    Hole,
    Label,
    Naming,
    Pattern,
    Sentence,
    Sorted,
    StepPlan,
    TextEntry,
    WordingEntry,
)
from eyechart.questions.patterns.scope import Place, Scope
from eyechart.questions.patterns.slots import Slot, read_slot
from eyechart.questions.patterns.surface import SurfaceError, surfaces
from eyechart.registry import did_you_mean

__all__ = ["FIRST", "FOLLOWING", "MOST_PARTS", "compile_groups", "groups_of", "packaged_patterns"]

FIRST, FOLLOWING, MOST_PARTS = -1, -2, 64
"""A step that takes nothing, one that takes the result of the part before it, and the base of codes for two parts."""

_STEP = re.compile(
    r"(?P<operation>[^:{\[]+?)(?: \{(?P<type>\w+)\})?(?:: (?P<argument>.*?))?(?: \[(?P<taken>\d+(?:, \d+)?)\])?"
)
_NAMING = re.compile(r"\{(?P<variable>\w+)(?: as (?P<kind>\w+))?\}")
_CALL = re.compile(r"(?P<finder>\w+)\((?P<arguments>[\w, ]*)\)")
_SLOT = re.compile(r"\{([^{}]*)\}")
_HOLES = ("name", "id", "ids", "plural", "category", "own")
_PAIRS = ("values", "pair")
"""Slots of labels that hold two words in the order of the alphabet."""

T = TypeVar("T")


@dataclass(frozen=True)
class _File:
    """A pattern file: its entries, and its text, in which the lines of messages are looked up."""

    name: str
    text: str

    def place(self, entry: str, snippet: str = "") -> Place:
        """Where an entry stands, or something within it."""
        head = re.search(rf"^\[+\"?{re.escape(entry)}\"?[\].]", self.text, re.MULTILINE)
        start = head.start() if head else 0
        found = self.text.find(snippet.replace('"', '\\"'), start) if snippet else start
        return Place(self.name, self.text.count("\n", 0, max(found, start)) + 1, entry)


def packaged_patterns() -> Traversable:
    """The folder of the patterns that come with Eyechart.

    >>> packaged_patterns().joinpath("groups").is_dir()
    True
    """
    return files("eyechart.questions.patterns")


def compile_groups(forms: Forms, folders: Iterable[Traversable | Path]) -> tuple[Group, ...]:
    """All groups for which the language has words, in the order of their names.

    >>> from eyechart.questions.arrays.codes import Codes
    >>> from eyechart.questions.language import german
    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> found = compile_groups(german(Codes(packaged_ontology())), [packaged_patterns()])
    >>> [group.name for group in found if group.entry.answer == "n"]
    ['count', 'countNone']
    """
    entries: dict[str, tuple[_File, GroupEntry]] = {}
    wordings: Wordings = {}
    for folder in folders:
        entries |= {name: (file, entry) for file, name, entry in _read(folder.joinpath("groups"), GroupEntry)}
        for file, name, wording in _read(folder.joinpath(forms.name), WordingEntry):
            wordings.setdefault(name, []).append((file, wording))
    for name, [(file, _), *_rest] in wordings.items():
        if name not in entries:
            raise file.place(name).fault(
                f"found words for the group {name!r}, which no file defines", did_you_mean(name, entries)
            )
    for name, (file, entry) in entries.items():
        if entry.twin is not None and entry.twin not in entries:
            raise file.place(name, entry.twin).fault(
                f"no group is called {entry.twin!r}", did_you_mean(entry.twin, entries)
            )
    return tuple(_Compiler(forms, name, *entries[name]).group(wordings) for name in sorted(entries) if name in wordings)


def groups_of(folder: Traversable | Path, language: str) -> tuple[str, ...]:
    """The groups that a folder defines or gives words to.

    >>> "exist" in groups_of(packaged_patterns(), "english")
    True
    """
    defined = [name for _, name, _ in _read(folder.joinpath("groups"), GroupEntry)]
    return tuple(dict.fromkeys([*defined, *(name for _, name, _ in _read(folder.joinpath(language), WordingEntry))]))


def _read(folder: Traversable | Path, entry: type[T]) -> Iterator[tuple[_File, str, T]]:
    if not folder.is_dir():
        return
    for file in sorted((each for each in folder.iterdir() if each.name.endswith(".toml")), key=lambda each: each.name):
        text = file.read_text("utf-8")
        known = _File(str(file), text)
        for name, raw in _decoded(known).items():
            try:
                yield known, name, msgspec.convert(raw, entry)
            except msgspec.ValidationError as error:
                raise known.place(name).fault(
                    str(error), "correct the key that the path behind the dollar sign names"
                ) from error


def _decoded(file: _File) -> dict[str, Any]:  # entries are checked one by one, for the sake of messages
    try:
        return msgspec.toml.decode(file.text, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise DataError(f"{file.name}: found what is not TOML: {error}; correct it") from error


Wordings = dict[str, list[tuple[_File, WordingEntry]]]
"""The words for each group, from one or more files."""


class _Compiler:
    """Compiles one group."""

    def __init__(self, forms: Forms, name: str, file: _File, entry: GroupEntry) -> None:
        self.forms, self.name, self.file, self.entry = forms, name, file, entry
        self.here = file.place(name)
        binding = self._looked_up(BINDINGS, entry.bind, "binding")
        variables: dict[str, Sort] = dict(binding.variables)
        self.found = tuple(self._finding(variable, call, variables) for variable, call in entry.find.items())
        self.scope = Scope(variables, tuple(binding.features))

    def group(self, wordings: Wordings) -> Group:
        """The compiled group."""
        entry, form = self.entry, self._looked_up(FORMS, self.entry.form, "form")
        published = form.published(entry.answer)
        if entry.detailed and entry.detailed not in published:
            raise self.file.place(self.name, entry.detailed).fault(
                f"the form {entry.form} has no detailed type {entry.detailed!r} for this answer",
                did_you_mean(entry.detailed, published),
            )
        return Group(
            name=self.name,
            entry=entry,
            scope=self.scope,
            found=self.found,
            conditions=tuple(
                Condition(each, guard(each, self.scope, self.file.place(self.name, each))) for each in entry.when
            ),
            program=tuple(self._part(each) for each in entry.program),
            local=self._label(form.local),
            overall=self._label(form.global_),
            detailed=self._label(entry.detailed or published[0]),
            structural=form.structural,
            semantic=form.semantic,
            asked=self._asked(wordings),
            said=self._sentence(
                [_Text(file, _entry(s)) for file, each in wordings[self.name] for s in each.say], "say"
            ),
        )

    def _looked_up(self, known: Mapping[str, T], name: str, what: str) -> T:
        if name not in known:
            raise self.file.place(self.name, name).fault(f"no {what} is called {name!r}", did_you_mean(name, known))
        return known[name]

    # ------------------------------------------------------------------ variables and programs

    def _finding(self, variable: str, call: str, variables: dict[str, Sort]) -> Finding:
        place = self.file.place(self.name, call)
        match = _CALL.fullmatch(call)
        if not match:
            raise place.fault(
                f"find.{variable}: found {call!r}", "write a finder and variables, like contrary_value(o, v)"
            )
        if match["finder"] not in FINDERS:
            raise place.fault(f"no finder is called {match['finder']!r}", did_you_mean(match["finder"], FINDERS))
        finder = FINDERS[match["finder"]]
        arguments = tuple(each.strip() for each in match["arguments"].split(",") if each.strip())
        sorts = tuple(Scope(variables, ()).sort(each, place) for each in arguments)
        # A finder for any sort takes the same sort everywhere and gives it back.
        same = sorts[0] if sorts else "thing"
        if sorts != tuple(same if each == "any" else each for each in finder.takes):
            raise place.fault(
                f"find.{variable}: found {call} with {', '.join(sorts) or 'nothing'}",
                f"it takes {', '.join(finder.takes)}",
            )
        variables[variable] = same if finder.gives == "any" else finder.gives
        return Finding(variable, match["finder"], arguments)

    def _part(self, text: str) -> Naming | StepPlan:
        place = self.file.place(self.name, text)
        if match := _NAMING.fullmatch(text):
            self._sorted(match["variable"], "thing", place)
            if match["kind"]:
                self._sorted(match["kind"], "kind", place)
            return Naming(match["variable"], match["kind"] or "")
        match = _STEP.fullmatch(text)
        if not match or not _is_operation(match["operation"]):
            found = match["operation"] if match else text
            raise place.fault(f"step {text!r}: no operation is called {found!r}", did_you_mean(found, OPERATIONS))
        if match["type"]:
            self._typed(match["operation"], match["type"], place)
        return StepPlan(
            match["operation"],
            match["type"] or "",
            self._holes(match["argument"] or "", place),
            self._taken(match, place),
        )

    def _typed(self, operation: str, variable: str, place: Place) -> None:
        """Operations have a type; choosing between two things has a value that is compared."""
        if operation != "choose" or self.scope.sort(variable, place) != "value":
            self._sorted(variable, "type", place)

    def _taken(self, match: re.Match[str], place: Place) -> int:
        if match["operation"] == "select":
            return FIRST
        if not match["taken"]:
            return FOLLOWING
        one, _, other = match["taken"].partition(", ")
        last = len(self.entry.program) - 1
        if max(int(one), int(other or 0)) >= last:
            raise place.fault(
                f"step {match[0]!r}: found a part number beyond {last - 1}", "count the entries of program from 0"
            )
        return int(one) * MOST_PARTS + (int(other) if other else MOST_PARTS - 1)

    def _sorted(self, variable: str, sort: Sort, place: Place) -> None:
        if self.scope.sort(variable, place) != sort:
            raise place.fault(
                f"found {variable!r}, which is a {self.scope.variables[variable]}", f"write a {sort} there"
            )

    def _holes(self, text: str, place: Place) -> tuple[str | Hole, ...]:
        parts: list[str | Hole] = []
        for literal, name, *_ in string.Formatter().parse(text):
            if literal:
                parts.append(literal)
            if name is not None:
                variable, _, what = name.partition(".")
                self.scope.sort(variable, place)
                if what and what not in _HOLES:
                    raise place.fault(f"hole {{{name}}}: found .{what}", did_you_mean(what, _HOLES))
                parts.append(Hole(variable, what or "name"))  # type: ignore[arg-type]  # one of _HOLES
        return tuple(parts)

    # ------------------------------------------------------------------ labels

    def _label(self, template: str) -> Label:
        parts: list[str | Hole | Sorted] = []
        for literal, slot, *_ in string.Formatter().parse(template):
            parts += [literal] if literal else []
            if slot is None:
                continue
            if slot not in self.entry.labels:
                stated = ", ".join(self.entry.labels) or "none"
                raise self.here.fault(
                    f"the form {self.entry.form} has the label slot {slot!r}, found {stated}",
                    "say under labels what it stands for",
                )
            stated = self.entry.labels[slot]
            parts += [self._pair(slot, stated)] if slot in _PAIRS else self._stated(stated)
        return tuple(parts)

    def _pair(self, slot: str, text: str) -> Sorted:
        words = text.split(" ")
        if len(words) != 2:  # noqa: PLR2004  # it is a pair
            raise self.here.fault(f"the label {slot!r}: found {text!r}", "write two variables with a blank between")
        one, other = (self._stated(each)[0] for each in words)
        return Sorted(one, other)

    def _stated(self, text: str) -> tuple[str | Hole, ...]:
        """A variable of a label; or, in quotes, words with holes."""
        return self._holes(text.strip("'") if text.startswith("'") else f"{{{text}}}", self.here)

    # ------------------------------------------------------------------ sentences

    def _asked(self, wordings: Wordings) -> Sentence:
        """All ways to ask, the group's own and those of the group that is asked with the same words."""
        texts: list[_Text] = []
        for file, wording in wordings[self.name]:
            texts += _texts(file, wording, borrowed=False)
            if wording.like and wording.like not in wordings:
                raise file.place(self.name, wording.like).fault(
                    f"found no words for the group {wording.like!r}", did_you_mean(wording.like, wordings)
                )
            for other, words in wordings.get(wording.like, []):
                texts += _texts(other, words, borrowed=True)
        return self._sentence(texts, "ask")

    def _sentence(self, texts: list["_Text"], which: str) -> Sentence:
        if not texts:
            raise self.here.fault(f"found no text under {which}", "write at least one")
        name = {"ask": f"{self.name}/", "say": f"{self.name}/say "}[which]
        return Sentence(tuple(self._pattern(each, f"{name}{number}") for number, each in enumerate(texts, 1)))

    def _pattern(self, text: "_Text", name: str) -> Pattern:
        entry = text.entry
        place = text.file.place(self.name, entry.text)
        try:
            written = surfaces(entry.text)
        except SurfaceError as error:
            raise place.fault(f"text {entry.text!r}: {error}", "correct the brackets") from error
        forms = tuple(self._elements(each.text, place) for each in written)
        slots = dict.fromkeys(element for form in forms for element in form if isinstance(element, Slot))
        conditions = (Condition(entry.when, guard(entry.when, self.scope, place)),) if entry.when else ()
        return Pattern(
            name=name,
            text=entry.text,
            key=draw(0, "pattern", self.name, entry.text, entry.when),
            weight=entry.weight,
            conditions=conditions,
            surfaces=forms,
            weights=tuple(each.weight for each in written),
            slots=tuple(slots),
            natural=text.natural,
            borrowed=text.borrowed,
        )

    def _elements(self, text: str, place: Place) -> tuple[Element, ...]:
        """Phrases and slots; a phrase keeps the blank before it, a slot brings its own."""
        found: list[Element] = []
        end = 0
        for match in _SLOT.finditer(text):
            literal = text[end : match.start()]
            if match.start() and not literal.endswith(" "):
                raise place.fault(
                    f"text {text!r}: found no blank before {match[0]}", "write a slot as a word of its own"
                )
            found += [self.forms.phrases.exactly(literal.rstrip(" "))] if literal.strip() else []
            found.append(read_slot(match[1], self.scope, self.forms, place))
            end = match.end()
        rest = text[end:]
        if not found:
            rest = f" {rest}"
        found += [self.forms.phrases.exactly(rest)] if rest else []
        if isinstance(found[0], int) and end:
            first = text[: text.index("{")].rstrip(" ")
            found[0] = self.forms.phrases.exactly(f" {first}")
        return tuple(found)


def _is_operation(text: str) -> bool:
    """Whether a step begins with an operation; what follows may be an attribute type or a comparative."""
    words = text.split(" ")
    return any(" ".join(words[:taken]) in OPERATIONS for taken in range(1, len(words) + 1))


@dataclass(frozen=True)
class _Text:
    """A text and where it comes from."""

    file: _File
    entry: TextEntry
    natural: bool = False
    borrowed: bool = False


def _entry(stated: str | TextEntry) -> TextEntry:
    return TextEntry(stated) if isinstance(stated, str) else stated


def _texts(file: _File, wording: WordingEntry, *, borrowed: bool) -> list[_Text]:
    """The asking texts of an entry."""
    regular = [_Text(file, _entry(each), borrowed=borrowed) for each in wording.ask]
    return regular + [_Text(file, _entry(each), natural=True, borrowed=borrowed) for each in wording.natural]
