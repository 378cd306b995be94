"""Types and groups of questions, derived from their programs: how GQA sorts questions, and what balancing goes by."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from eyechart.questions.arguments import Related, Things, Value
from eyechart.questions.forms import FORMS, form_of
from eyechart.questions.groups import group_of
from eyechart.questions.operations import (
    All,
    AllBut,
    And,
    AtLeast,
    AtMost,
    Choose,
    ChooseRelation,
    Exactly,
    NoneOf,
    Or,
    Query,
    Relate,
    Select,
    Verify,
    VerifyRelation,
)
from eyechart.questions.programs import Program
from eyechart.questions.references import PRONOUNS, reference
from eyechart.scenes import ontology

__all__ = ["Labels", "labels"]


@dataclass(frozen=True, slots=True)
class Labels:
    """How a question is sorted and grouped."""

    form: str
    structural: str
    semantic: str
    detailed: tuple[str, ...]
    """The published detailed types that this program and answer can have, the usual one first."""
    group_global: str | None
    group_local: str


def labels(
    program: Program,
    answer: str,
    *,
    names: Mapping[str, str] | None = None,
    words: ontology.Ontology | None = None,
) -> Labels:
    """Types and groups from a program and its answer.

    ``names`` gives the names of things by id, for a program that says she or person where the group says woman.

    >>> found = labels(Program.parse("select: apple (7)->query: color [0]"), "red")
    >>> found.structural, found.semantic, found.detailed, found.group_global, found.group_local
    ('query', 'attr', ('directOf', 'directWhich'), 'color', '10q-apple_color')
    """
    name = form_of(program)
    form = FORMS[name]
    slots = _Slots(program, answer, names or {}, words or ontology.packaged_ontology())
    return Labels(
        form=name,
        structural=form.structural,
        semantic=form.semantic,
        detailed=tuple(slots.fill(each) for each in form.published(answer)),
        group_global=slots.fill(form.global_) or None,
        group_local=slots.fill(form.local),
    )


class _Slots:
    """What the slots of the templates stand for, each looked up when a template asks for it."""

    def __init__(self, program: Program, answer: str, names: Mapping[str, str], words: ontology.Ontology) -> None:
        self.program, self.answer, self.names, self.words = program, answer, names, words
        self.last = program.last
        steps = program.steps
        places = steps[-1].dependencies
        if isinstance(self.last, And | Or):
            places = tuple(steps[each].dependencies[0] for each in places)
        self.asked = tuple(reference(program, each) for each in places)

    def __getitem__(self, slot: str) -> str:
        return _SLOTS[slot](self)

    def fill(self, template: str) -> str:
        """A template with this program's words."""
        return template.format_map(self)

    def named(self, name: str, ids: tuple[str, ...] | None) -> str:
        """What things are called: by their ids where their names are known, else by the program."""
        known = self.names.get(ids[0]) if ids and len(ids) == 1 else None
        return known or PRONOUNS.get(name, name)

    def objects(self) -> list[str]:
        """The names of what the last step is about."""
        return [self.named(each.name, each.ids) for each in self.asked]


def _anchor(slots: _Slots) -> str:
    asked = slots.asked[0]
    if asked.anchor is None or isinstance(slots.last, VerifyRelation | ChooseRelation):
        return slots.objects()[0]
    other = reference(slots.program, asked.anchor)
    return slots.named(other.name, other.ids)


def _target(slots: _Slots) -> str:
    if isinstance(slots.last, VerifyRelation | ChooseRelation):
        related = slots.last.related
        return slots.named(related.name or "", related.ids)
    return slots.asked[0].name


def _type(slots: _Slots) -> str:
    match slots.last:
        case Choose(type="", options=(option, _)):
            known = slots.words.attribute(option)
            return known.type if known else ""
        case Query(type=type_) | Verify(type=type_) | Choose(type=type_):
            return type_
        case _:
            return ""


def _value(slots: _Slots) -> str:
    match slots.last:
        case Verify(value=value):
            return value
        case All(value=value) | NoneOf(value=value) | AllBut(value=value):
            return _negated(value)
        case _:
            return _negated(slots.asked[0].filters[-1].value)


def _negated(value: Value) -> str:
    return f"n#{value.name}" if value.negated else value.name


def _values(slots: _Slots) -> str:
    match slots.last:
        case Choose(options=both):
            return "_".join(sorted(both))
        case _:
            verified = (slots.program.steps[each].operation.argument for each in slots.program.steps[-1].dependencies)
            return "_".join(sorted(verified))


def _related(slots: _Slots) -> Related:
    # Only forms whose head is a relation have these slots.
    return cast(Relate, slots.asked[0].head).related


def _number(slots: _Slots) -> str:
    match slots.last:
        case AtLeast(number=number) | AtMost(number=number) | Exactly(number=number):
            return str(number)
        case _:
            return ""


def _plural(slots: _Slots) -> str:
    noun = slots.words.noun(slots.asked[0].name)
    return noun.plural if noun else slots.asked[0].name


def _kind(slots: _Slots) -> str:
    """The category of the answer; where the ontology does not know it, the category that is asked for."""
    if known := group_of(slots.words, slots.answer):
        return known
    match slots.asked[0].head:
        case Relate(related=Related(name=str(name))) | Select(things=Things(name=name)):
            return group_of(slots.words, name)
    return ""


_SLOTS: Mapping[str, Callable[[_Slots], str]] = {
    "object": lambda slots: slots.objects()[0],
    "category": lambda slots: slots.asked[0].name,
    "anchor": _anchor,
    "target": _target,
    "type": _type,
    "value": _value,
    "values": _values,
    "pair": lambda slots: "_".join(sorted(slots.objects())),
    "relation": lambda slots: _related(slots).relation,
    "side": lambda slots: _related(slots).side,
    "number": _number,
    "plural": _plural,
    "kind": _kind,
}
