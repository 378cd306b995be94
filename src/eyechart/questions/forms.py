"""Which form a program has: a row of ``forms.toml``, which says how such questions are sorted and grouped.

A form has templates of labels, whose slots the program fills (``labels``). Who makes questions by the million knows the
form of each pattern and fills the same templates over whole columns.
"""

import string
from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import cast

import msgspec
import polars as pl

from eyechart.errors import DataError
from eyechart.questions.operations import (
    All,
    AllBut,
    And,
    AsMany,
    AtLeast,
    AtMost,
    Choose,
    ChooseCompared,
    ChooseRelation,
    Common,
    Count,
    Different,
    DifferentPair,
    Exactly,
    Exist,
    Fewer,
    Filter,
    More,
    NoneOf,
    Only,
    Operation,
    Or,
    Query,
    Relate,
    Same,
    SamePair,
    Scene,
    Select,
    Verify,
    VerifyRelation,
)
from eyechart.questions.programs import Program
from eyechart.questions.references import Reference, reference
from eyechart.registry import did_you_mean

__all__ = ["FORMS", "SLOTS", "Form", "form_of"]

SLOTS = (
    *("object", "category", "anchor", "target", "type", "value", "values", "pair"),
    *("relation", "side", "number", "plural", "kind"),
)
"""What templates may ask for."""

POSITIONS = ("hposition", "vposition")
ACTIVITIES = ("activity", "sportActivity", "pose")
_DEGREES = ("size", "age", "height", "length", "width", "weight", "depth", "thickness", "cleanliness", "fatness")
"""Types that one can ask for with "how": how tall, how clean."""
_NUMBERS = ("more", "fewer")
_ASKED_BY_A_WORD = (None, "person", "place")
"""What who, what and where ask for; everything else is asked for as what kind of it."""


class Form(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How questions of one form are sorted and grouped.

    >>> FORMS["queryAttr"].local
    '10q-{object}_{type}'
    >>> cups = pl.DataFrame({"name": ["cup", "pan"]})
    >>> form = FORMS["queryAttr"]
    >>> cups.select(form.fill(form.local, {"object": pl.col("name"), "type": pl.lit("color")})).to_series().to_list()
    ['10q-cup_color', '10q-pan_color']
    """

    structural: str
    semantic: str
    local: str
    detailed: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    global_: str = msgspec.field(default="", name="global")
    """Empty for no group."""

    def published(self, answer: str | None) -> tuple[str, ...]:
        """Templates of the published detailed types for an answer, the usual one first.

        >>> FORMS["exist"].published("no")
        ('existC',)
        """
        return self.detailed or (self.no if answer == "no" else self.yes)

    def fill(self, template: str, slots: Mapping[str, pl.Expr]) -> pl.Expr:
        """A label over columns: one of the form's templates with an expression for each of its slots."""
        parts = [
            part
            for text, slot, *_ in string.Formatter().parse(template)
            for part in (pl.lit(text), *((slots[slot],) if slot else ()))
        ]
        return pl.concat_str(parts)


@cache
def _forms() -> Mapping[str, Form]:
    file = files("eyechart.questions").joinpath("forms.toml")
    forms = msgspec.toml.decode(file.read_bytes(), type=dict[str, Form])
    for name, form in forms.items():
        every = "".join((form.local, form.global_, *form.detailed, *form.yes, *form.no))
        slots = (slot for _, slot, *_ in string.Formatter().parse(every))
        if unknown := next((slot for slot in slots if slot not in (None, *SLOTS)), None):
            raise DataError(f"{file}, [{name}]: found the slot {unknown!r}; {did_you_mean(unknown, SLOTS)}")
    return forms


FORMS = _forms()
"""Every form by its name."""


def form_of(program: Program) -> str:
    """The name of the form that a program has.

    >>> form_of(Program.parse("select: cup (7)->query: color [0]"))
    'queryAttr'
    >>> form_of(Program.parse("select: table (3)->relate: cup,on,s (-) [0]->exist: ? [1]"))
    'existRel'
    """
    found = _BY_OPERATION.get(type(program.last))
    if found is None:
        raise DataError(
            f"{program}: found {program.last.operation!r} as the last step, expected one that gives an answer; "
            "complete the program"
        )
    return found if isinstance(found, str) else found(program)


def _asked(program: Program) -> Reference:
    """What the last step is about."""
    return reference(program, program.steps[-1].dependencies[0])


def _query(program: Program) -> str:
    asked, type_ = _asked(program), cast(Query, program.last).type
    if isinstance(asked.head, Scene):
        return "queryWeather" if type_ == "weather" else "queryGlobal"
    if type_ == "name":
        return _query_name(asked)
    special = dict.fromkeys(POSITIONS, "queryPosition") | dict.fromkeys(ACTIVITIES, "queryActivity")
    special |= dict.fromkeys(_DEGREES, "queryDegree")
    special |= {"material": "queryMaterial", "company": "queryCompany", "state": "queryState"}
    return special.get(type_, "queryAttr")


def _query_name(asked: Reference) -> str:
    if isinstance(asked.head, Relate):
        return _query_relation(asked.head)
    if not asked.filters:
        return "queryObject"
    doing = len(asked.filters) == 1 and asked.filters[0].type in ACTIVITIES
    return "queryObjectDoing" if doing and asked.name == "person" else "queryObjectThat"


def _query_relation(head: Relate) -> str:
    related = head.related
    if related.side == "_":
        return "queryRelSameMaterial" if related.relation == "same material" else "queryRelSame"
    side = "Subject" if related.side == "s" else "Object"
    return f"queryRel{side}" if related.name in _ASKED_BY_A_WORD else f"queryRel{side}Category"


def _verify(program: Program) -> str:
    if isinstance(_asked(program).head, Scene):
        return "verifyGlobal"
    special = dict.fromkeys(POSITIONS, "verifyPosition")
    special |= {"material": "verifyMaterial", "company": "verifyCompany", "type": "verifyType"}
    return special.get(cast(Verify, program.last).type, "verifyAttr")


def _choose(program: Program) -> str:
    asked, type_ = _asked(program), cast(Choose, program.last).type
    if isinstance(asked.head, Scene):
        return "chooseGlobal"
    if type_ == "name":
        return _choose_name(asked)
    special = dict.fromkeys(POSITIONS, "choosePosition") | dict.fromkeys(ACTIVITIES, "chooseActivity")
    special |= {"material": "chooseMaterial", "company": "chooseCompany", "state": "chooseState", "type": "chooseType"}
    return special.get(type_, "chooseAttr")


def _choose_name(asked: Reference) -> str:
    match asked.head:
        case Relate(related=related):
            return "chooseSubjectRel" if related.side == "s" else "chooseObjectRel"
        case Select(things=things) if things.name == "this":
            return "chooseObjectThis"
        case _:
            return "chooseObjectThat" if asked.filters else "chooseObject"


def _exist(program: Program) -> str:
    asked = _asked(program)
    if isinstance(asked.head, Relate):
        return "existRelElsewhere" if asked.ids else "existRel"
    if not asked.filters:
        return "exist"
    last = asked.filters[-1]
    return ("existMaterial" if last.type == "material" else "existAttr") + ("Not" if last.value.negated else "")


def _or(program: Program) -> str:
    filtered = any(isinstance(step.operation, Filter) for step in program.steps)
    return "logicOrAttr" if filtered else "logicOr"


def _and(program: Program) -> str:
    one, other = (program.steps[each] for each in program.steps[-1].dependencies)
    if not isinstance(one.operation, Verify):
        return "logicAnd"
    if one.dependencies == other.dependencies:
        return "verifyAttrs"
    return "logicAndMaterial" if one.operation.type == "material" else "logicAndAttr"


def _verify_relation(program: Program) -> str:
    return "verifyRelAbsent" if cast(VerifyRelation, program.last).related.ids == () else "verifyRel"


def _same(program: Program) -> str:
    return _all("Same", cast(Same, program.last).type)


def _different(program: Program) -> str:
    return _all("Diff", cast(Different, program.last).type)


def _all(agreement: str, type_: str) -> str:
    return f"all{agreement}" + {"gender": "Gender", "type": "Animals"}.get(type_, "")


def _two_same(program: Program) -> str:
    return "twoSameMaterial" if cast(SamePair, program.last).type == "material" else "twoSame"


def _compare(program: Program) -> str:
    return "chooseNumber" if cast(ChooseCompared, program.last).comparative in _NUMBERS else "compare"


_BY_OPERATION: Mapping[type[Operation], str | Callable[[Program], str]] = {
    Query: _query,
    Verify: _verify,
    Choose: _choose,
    Exist: _exist,
    Or: _or,
    And: _and,
    VerifyRelation: _verify_relation,
    ChooseRelation: "chooseRel",
    ChooseCompared: _compare,
    Common: "common",
    SamePair: _two_same,
    DifferentPair: "twoDiff",
    Same: _same,
    Different: _different,
    Count: "count",
    AtLeast: "threshold",
    AtMost: "threshold",
    Exactly: "threshold",
    All: "quantifier",
    NoneOf: "quantifier",
    AllBut: "quantifier",
    Only: "only",
    More: "compareNumbers",
    Fewer: "compareNumbers",
    AsMany: "compareNumbers",
}
