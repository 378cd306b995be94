"""Slots: what stands in braces, read and checked against the variables in scope and the forms that the language has.

=================  ==========================================================================================
``{o}``            a thing, named so that nothing else fits; a value after "is"; a relation; a type; a number
``{the o}``        a determiner and the noun alone; also with values between them: ``{a v k}``
``{is o}``         a verb that agrees
``{it o}``         a pronoun
``{r s}``          a relation with the verb that agrees with s
``{o.noun}``       the noun alone; also ``.name`` ``.plural`` ``.adjective`` ``.comparative`` ``.digits``
``{o:object}``     in a case of the language; ``{o:r}`` in the case that the relation r governs
=================  ==========================================================================================
"""

import re
from dataclasses import dataclass

from eyechart.questions.bind.frames import Sort
from eyechart.questions.language.forms import Forms
from eyechart.questions.patterns.scope import Place, Scope
from eyechart.registry import did_you_mean

__all__ = ["FORMS_OF", "Slot", "read_slot"]

_WORDS = re.compile(r"(?P<before>(?:\w+ )*)(?P<variable>\w+)(?:\.(?P<feature>\w+))?(?::(?P<case>\w+))?")

FORMS_OF: dict[Sort, tuple[str, ...]] = {
    "thing": ("noun", "name"),
    "kind": ("noun", "name", "plural"),
    "value": ("adjective", "name", "comparative"),
    "type": (),
    "relation": ("name",),
    "position": ("name",),
    "number": ("digits",),
}
"""What may stand behind the dot."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot."""

    kind: str
    """reference, phrase, noun phrase, verb, pronoun or finite."""
    form: str
    """The determiner, verb, pronoun or relation; empty for the others."""
    values: tuple[str, ...]
    variable: str
    feature: str
    case: str
    """A case of the language, or a relation that governs one; empty for the usual one."""
    text: str


def read_slot(text: str, scope: Scope, forms: Forms, place: Place) -> Slot:
    """A slot from what stands in the braces."""
    match = _WORDS.fullmatch(text)
    if not match:
        raise place.fault(f"found the slot {{{text}}}", "write it like {o}, {the o}, {a v k}, {is o} or {o.noun}")
    variable, feature, case = match["variable"], match["feature"] or "", match["case"] or ""
    before = match["before"].split()
    sort = scope.sort(variable, place)
    if feature and feature not in FORMS_OF[sort]:
        known = ", ".join(FORMS_OF[sort]) or "no forms"
        raise place.fault(
            f"slot {{{text}}}: found .{feature}, a {sort} has {known}", did_you_mean(feature, FORMS_OF[sort])
        )
    if case and case not in forms.cases and scope.variables.get(case) != "relation":
        raise place.fault(f"slot {{{text}}}: found the case {case!r}", did_you_mean(case, forms.cases))
    if not before:
        kind = "reference" if sort == "thing" and not feature else "phrase"
        return Slot(kind, "", (), variable, feature, case, text)
    form, *values = before
    kind = _kind(form, text, scope, forms, place)
    if kind != "noun phrase" and values:
        raise place.fault(
            f"slot {{{text}}}: found {' '.join(values)!r} after {form!r}", "write only the variable after it"
        )
    for value in values:
        if scope.sort(value, place) != "value":
            raise place.fault(f"slot {{{text}}}: found {value!r} between determiner and noun", "write a value there")
    if sort not in {"thing", "kind"}:
        raise place.fault(f"slot {{{text}}}: found {form!r} before a {sort}", "write it before a thing or a kind")
    return Slot(kind, form, tuple(values), variable, feature, case, text)


def _kind(form: str, text: str, scope: Scope, forms: Forms, place: Place) -> str:
    if scope.variables.get(form) == "relation":
        return "finite"
    tables = {"noun phrase": forms.determiners, "verb": forms.verbs, "pronoun": forms.pronouns}
    for kind, table in tables.items():
        if form in table:
            return kind
    known = [*forms.determiners, *forms.verbs, *forms.pronouns]
    raise place.fault(
        f"slot {{{text}}}: found the form {form!r}, {forms.name} has {', '.join(known)}; in scope are {scope.listed}",
        did_you_mean(form, known),
    )
