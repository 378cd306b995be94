"""From bindings to words: every slot becomes a column of phrase numbers, each with the thing that it names.

A cell is one number: the phrase in the lower 32 bits, above them the thing plus one. What a sentence mentions, and with
which words, is read off its cells.
"""

from dataclasses import dataclass, replace

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Ints, Ragged, side_by_side
from eyechart.questions.language.forms import DEFINITE
from eyechart.questions.patterns.slots import Slot
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.bind.references import PRONOUN, THAT, THE, THIS, References

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

    def __init__(self, shard: Shard) -> None:
        self.shard, self.forms, self.codes, self.world = shard, shard.forms, shard.codes, shard.world

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
        """Where the language has words for the slot; only determiners and nouns in the plural may be silent."""
        variable = frame[slot.variable]
        if slot.kind == "pronoun":
            return self.forms.pronouns[slot.form][self.class_of(variable)] != 0
        if slot.kind == "phrase":
            return self._phrase(variable, slot.feature, self._case(slot, frame)) != 0
        return np.ones(len(frame), dtype=bool)

    def alone(self, variable: Variable) -> Ragged:
        """A variable as an answer."""
        if variable.sort == "thing":
            head = self._head(replace(variable, reference=None), np.zeros(len(variable.code), dtype=np.int64))
            return Ragged.column(_tagged(head.noun, head.thing))
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
            return self.forms.name_of[variable.code]
        if feature == "plural":
            return self.forms.noun[variable.code, 1, case]
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
        adjectives, onset, clauses = [], head.onset, []
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
        return self.reference(variable.reference, case)

    def reference(self, numbers: Ints, case: Ints) -> Ragged:
        """The words of references."""
        found = self.shard.references.take(numbers)
        world, forms = self.world, self.forms
        several = world.several[found.thing]
        head = _Head(
            forms.noun[found.kind, several, case],
            forms.class_of[found.kind, several],
            forms.noun_onset[found.kind, several],
            found.thing,
        )
        plain = [np.where(found.negated, NONE, found.first), found.second]
        parts: list[Ints | Ragged] = []
        for style, determiner in _STYLES.items():
            rows = found.style == style
            parts = self._where(parts, rows, self._described(determiner, self._in_order(plain), head, case))
        spoken = _tagged(forms.pronouns["it"][head.class_], head.thing)
        parts = self._where(parts, found.style == PRONOUN, [np.zeros_like(spoken)] * 3 + [spoken])
        parts.append(np.where(found.negated, forms.clause[found.first, 1, head.class_], 0))
        placed = found.position != NONE
        parts.append(np.where(placed, forms.position_clause[found.position, found.variant], 0))
        linked = np.flatnonzero(found.relation != NONE)
        if len(linked):
            parts += self._link(found, head, linked)
        return side_by_side(parts)

    def _where(self, parts: list[Ints | Ragged], rows: Flags, others: list[Ints]) -> list[Ints | Ragged]:
        """Columns that come from one list of parts or another."""
        if not parts:
            return list(others)
        padded = [*others, *([np.zeros_like(others[0])] * (len(parts) - len(others)))]
        return [np.where(rows, new, old) for old, new in zip(parts, padded, strict=True)]  # type: ignore[arg-type]  # plain columns

    def _in_order(self, values: list[Ints]) -> list[Ints]:
        """Two adjectives as people order them: size before colour before material."""
        one, other = values
        rank = self.forms.adjective_rank[self.codes.type_of]
        swapped = (one != NONE) & (other != NONE) & (rank[one] > rank[other])
        return [np.where(swapped, other, one), np.where(swapped, one, other)]

    def _link(self, found: References, head: _Head, linked: Ints) -> list[Ints | Ragged]:
        """What stands before the other thing, that thing, what stands after it."""
        links, part = self.forms.links, found.take(linked)
        variant = (part.relation, part.direction, part.variant)
        other = self.shard.references.take(part.anchor)
        other_class = self.forms.class_of[other.kind, self.world.several[other.thing]]
        inner = self.reference(part.anchor, links.case[variant])
        before, after = (np.zeros(len(found), dtype=np.int64) for _ in range(2))
        before[linked] = links.before[(*variant, head.class_[linked])]
        after[linked] = links.after[(*variant, other_class)]
        places = np.full(len(found), NONE, dtype=np.int64)
        places[linked] = np.arange(len(linked))
        return [before, inner.take(places), after]
