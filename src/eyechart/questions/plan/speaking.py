"""From bindings to words: every slot becomes a column of phrase numbers, each with the thing that it names.

A cell is one number: the phrase in the lower 32 bits, above them the thing plus one. What a sentence mentions, and with
which words, is read off its cells.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Ints, Ragged, side_by_side, stacked
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.bind.references import PRONOUN, THAT, THE, THIS, References
from eyechart.questions.language.forms import DEFINITE
from eyechart.questions.patterns.slots import Slot
from eyechart.questions.plan.references import Used, only

__all__ = ["PHRASE", "THING_SHIFT", "Speaker"]

THING_SHIFT = 32
PHRASE = (1 << THING_SHIFT) - 1
_STYLES = {THE: "the", THIS: "this", THAT: "that"}


def _tagged(phrase: Ints, thing: Ints) -> Ints:
    """Cells of phrases that name things; no phrase, no cell."""
    return np.where(phrase == 0, 0, phrase | (thing + 1) << THING_SHIFT)


@dataclass(frozen=True)
class _Head:
    """A noun in its number, with what it agrees in."""

    noun: Ints
    class_: Ints
    onset: Ints
    thing: Ints


class Speaker:
    """Turns slots into cells for the rows of a frame."""

    def __init__(self, shard: Shard, used: Used) -> None:
        self.shard, self.forms, self.codes, self.world = shard, shard.forms, shard.codes, shard.world
        self.used = used

    # ------------------------------------------------------------------ slots

    def cells(self, slot: Slot, frame: Frame) -> Ragged:
        """The cells of a slot in every row."""
        variable = frame[slot.variable]
        case = self._case(slot, frame)
        match slot.kind:
            case "reference":
                return self.named(variable, case)
            case "noun phrase":
                return side_by_side(self._noun_phrase(slot.form, [frame[v].code for v in slot.values], variable, case))
            case "verb":
                return Ragged.column(self.forms.verbs[slot.form][self.class_of(variable)])
            case "pronoun":
                head = self._head(variable, case)
                return Ragged.column(_tagged(self.forms.pronouns[slot.form][head.class_], head.thing))
            case "finite":
                return Ragged.column(self.forms.finite[frame[slot.form].code, self.class_of(variable)])
        return Ragged.column(self._phrase(variable, slot.feature, case))

    def available(self, slot: Slot, frame: Frame) -> Flags:
        """Where the language has words for the slot; only determiners may be silent."""
        variable = frame[slot.variable]
        if slot.kind == "pronoun":
            spoken: Flags = self.forms.pronouns[slot.form][self.class_of(variable)] != 0
            return spoken
        if slot.kind == "noun phrase":
            named: Flags = self._head(variable, self._case(slot, frame)).noun != 0
            return named
        if slot.kind == "phrase":
            said: Flags = self._phrase(variable, slot.feature, self._case(slot, frame)) != 0
            return said
        return np.ones(len(frame), dtype=bool)

    def alone(self, variable: Variable) -> Ragged:
        """A variable as an answer."""
        if variable.sort == "thing":
            head = self._head(replace(variable, reference=None), np.zeros(len(variable.code), dtype=np.int64))
            kind = self.world.thing_kind[variable.code]
            return Ragged.column(
                _tagged(np.where(self.codes.is_phrased[kind], self.forms.name_of[kind], head.noun), head.thing)
            )
        features = {"value": "name", "relation": "name", "position": "name", "number": "digits", "kind": "noun"}
        zero = np.zeros(len(variable.code), dtype=np.int64)
        return Ragged.column(self._phrase(variable, features.get(variable.sort, ""), zero))

    def _case(self, slot: Slot, frame: Frame) -> Ints:
        if not slot.case:
            return np.zeros(len(frame), dtype=np.int64)
        if slot.case in self.forms.cases:
            return np.full(len(frame), self.forms.cases.index(slot.case))
        return self.forms.relation_case[frame[slot.case].code]

    # ------------------------------------------------------------------ words and noun phrases

    def _phrase(self, variable: Variable, feature: str, case: Ints) -> Ints:
        code = variable.code
        if variable.sort in {"thing", "kind"}:
            return self._noun(variable, feature, case)
        tables: dict[tuple[str, str], Ints] = {
            ("value", ""): self.forms.predicate,
            ("value", "name"): self.forms.value_name,
            ("value", "comparative"): self.forms.comparative,
            ("value", "adjective"): self.forms.adjective[:, DEFINITE, 0, 0],
            ("type", ""): self.forms.type_noun,
            ("relation", ""): self.forms.relation,
            ("relation", "name"): self.forms.relation_name,
            ("position", ""): self.forms.position,
            ("position", "name"): self.forms.position_name,
            ("number", ""): self.forms.number,
            ("number", "digits"): self.forms.digits,
        }
        table = tables[variable.sort, feature]
        return table[np.minimum(code, len(table) - 1)]

    def _noun(self, variable: Variable, feature: str, case: Ints) -> Ints:
        if variable.sort == "kind" and feature in {"", "name"}:
            named: Ints = self.forms.name_of[variable.code]
            return named
        if feature == "plural":
            plural: Ints = self.forms.noun[variable.code, 1, case]
            return plural
        head = self._head(variable, case)
        return _tagged(head.noun, head.thing)

    def _head(self, variable: Variable, case: Ints) -> _Head:
        kind, several, thing = self._kind(variable)
        return _Head(
            self.forms.noun[kind, several, case],
            self.forms.class_of[kind, several],
            self.forms.noun_onset[kind, several],
            thing,
        )

    def _kind(self, variable: Variable) -> tuple[Ints, Ints, Ints]:
        """What a variable is called, whether it is several, which thing it is."""
        if variable.sort == "kind":
            several, thing = variable.several, variable.thing
            zero = np.zeros(len(variable.code), dtype=np.int64)
            return variable.code, zero if several is None else several, zero + NONE if thing is None else thing
        kind = self.world.thing_kind[variable.code]
        if variable.reference is not None and len(self.shard.references):
            kind = np.where(variable.reference == NONE, kind, self.shard.references.kind[variable.reference])
        return kind, self.world.several[variable.code], variable.code

    def class_of(self, variable: Variable) -> Ints:
        """What verbs agree with."""
        kind, several, _ = self._kind(variable)
        return self.forms.class_of[kind, several]

    def _noun_phrase(self, determiner: str, values: list[Ints], variable: Variable, case: Ints) -> list[Ints]:
        head = self._head(variable, case)
        return self._described(determiner, values, head, case)

    def _described(self, determiner: str, values: list[Ints], head: _Head, case: Ints) -> list[Ints]:
        """Determiner, adjectives, noun, and clauses for values that stand behind it."""
        forms = self.forms
        declension = forms.declension[determiner]
        adjectives: list[Ints] = []
        clauses: list[Ints] = []
        onset = head.onset
        for value in reversed(values):
            there = value != NONE
            adjective = np.where(there, forms.adjective[value, declension, case, head.class_], 0)
            onset = np.where(adjective != 0, forms.adjective_onset[value], onset)
            adjectives.insert(0, _tagged(adjective, head.thing))
            clauses.append(np.where(there & (adjective == 0), forms.clause[value, 0, head.class_], 0))
        first = forms.determined(determiner, case, head.class_, onset)
        return [first, *adjectives, _tagged(head.noun, head.thing), *clauses]

    # ------------------------------------------------------------------ references

    def named(self, variable: Variable, case: Ints) -> Ragged:
        """Things by their references."""
        if variable.reference is None:
            raise AssertionError("a thing was to be named for which no reference was drawn")
        places = self.used.place[variable.reference]
        return _by_case(case, lambda each, rows: self._references[each].take(places[rows]))

    @cached_property
    def _references(self) -> list[Ragged]:
        """In every case the words of all references that are used, level by level."""
        cases = range(len(self.forms.cases))
        parts: list[list[Ragged]] = [[] for _ in cases]
        for places in self.used.levels():
            below = [stacked(each) for each in parts]
            for case in cases:
                parts[case].append(self._worded(self.used.found.take(places), case, below))
        return [stacked(each) for each in parts]

    def _worded(self, found: References, case: int, below: list[Ragged]) -> Ragged:
        """The words of references, when those of the references that they contain are known in every case."""
        forms, cases = self.forms, np.full(len(found), case)
        several = self.world.several[found.thing]
        head = _Head(
            forms.noun[found.kind, several, cases],
            forms.class_of[found.kind, several],
            forms.noun_onset[found.kind, several],
            found.thing,
        )
        plain = self._in_order([np.where(found.negated, NONE, found.first), found.second])
        parts: list[Ints | Ragged] = []
        for style, determiner in _STYLES.items():
            described: list[Ints | Ragged] = [*self._described(determiner, plain, head, cases)]
            parts = _where(found.style == style, described, parts) if parts else described
        spoken = _tagged(forms.pronouns["them" if case else "it"][head.class_], head.thing)
        parts = _where(found.style == PRONOUN, [spoken], parts)
        parts.append(np.where(found.negated, forms.clause[found.first, 1, head.class_], 0))
        parts.append(np.where(found.position != NONE, forms.position_clause[found.position, found.variant], 0))
        linked = np.flatnonzero(found.relation != NONE)
        if len(linked):
            parts += [only(len(found), linked, part) for part in self._link(found.take(linked), head, linked, below)]
        return side_by_side(parts)

    def _in_order(self, values: list[Ints]) -> list[Ints]:
        """Two adjectives as people order them: size before colour before material."""
        one, other = values
        rank = self.forms.adjective_rank[self.codes.type_of]
        swapped = (one != NONE) & (other != NONE) & (rank[one] > rank[other])
        return [np.where(swapped, other, one), np.where(swapped, one, other)]

    def _link(self, found: References, head: _Head, linked: Ints, below: list[Ragged]) -> list[Ragged]:
        """What stands before the other thing, that thing, what stands after it."""
        links, other = self.forms.links, self.used.found.take(found.anchor)
        variant = (found.relation, found.direction, found.variant)
        other_class = self.forms.class_of[other.kind, self.world.several[other.thing]]
        inner = _by_case(links.case[variant], lambda each, rows: below[each].take(found.anchor[rows]))
        before, after = links.before[(*variant, head.class_[linked])], links.after[(*variant, other_class)]
        return [Ragged.column(before), inner, Ragged.column(after)]


def _where(rows: Flags, ours: Sequence[Ints | Ragged], theirs: Sequence[Ints | Ragged]) -> list[Ints | Ragged]:
    """In some rows the columns of one list, in the others those of another; both are plain columns."""
    height = len(rows)
    longest = max(len(ours), len(theirs))
    padded = [[*each, *([np.zeros(height, dtype=np.int64)] * (longest - len(each)))] for each in (ours, theirs)]
    return [np.where(rows, one, other) for one, other in zip(*padded, strict=True)]


def _by_case(case: Ints, words: Callable[[int, Ints], Ragged]) -> Ragged:
    """Rows that come from one source per case."""
    cases = np.unique(case)
    if len(cases) == 1:
        return words(int(cases[0]), np.arange(len(case)))
    rows = [np.flatnonzero(case == each) for each in cases]
    parts = stacked([words(int(each), of) for each, of in zip(cases, rows, strict=True)])
    place = np.empty(len(case), dtype=np.int64)
    place[np.concatenate([np.zeros(0, dtype=np.int64), *rows])] = np.arange(len(case))
    return parts.take(place)
