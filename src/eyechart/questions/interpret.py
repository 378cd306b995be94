"""A program, executed on one scene graph: slow, literal, and independent of whatever made the question.

Each step gives what is known and what is not: which things are surely meant, which ones may be, and whether there may
be more that nobody annotated. Who asks for *the* red cup supposes that there is one; a reference therefore stands for
the only thing that is surely meant. But "no", "none" and numbers need that nothing else may be: an inventory that is
complete, and a contradiction for every thing that is there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Literal

from eyechart.questions.arguments import Related, Value
from eyechart.questions.facts import Facts
from eyechart.questions.graph import SceneGraph, Thing
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
    Order,
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
from eyechart.questions.references import ANYTHING, PRONOUNS, reference
from eyechart.questions.truth import Truth, all_of, any_of, negation
from eyechart.scenes import ontology

__all__ = ["Found", "Proof", "Unanswerable", "Witness", "interpret"]

_COMPARED = ("color", "material", "shape")
"""The types in which one says that two things agree."""


class Unanswerable(Exception):  # noqa: N818  # it is an outcome of the graph, not a mistake in the program
    """The graph does not say what a step needs to know; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Found:
    """The things that a step gives."""

    sure: tuple[str, ...]
    maybe: tuple[str, ...] = ()
    """Things that nothing in the graph rules out."""
    open: bool = False
    """Whether there may be such things that nobody annotated."""

    @property
    def most(self) -> float:
        """How many there are at most."""
        return float("inf") if self.open else len(self.sure) + len(self.maybe)

    @property
    def is_certain(self) -> bool:
        """Whether these and no others are meant."""
        return not self.maybe and not self.open


Kind = Literal["unique", "has", "lacks", "related", "unrelated", "present", "absent"]


@dataclass(frozen=True, slots=True)
class Witness:
    """Something in the graph that decides: the reason for a reference, a yes or a no."""

    kind: Kind
    about: tuple[str, ...]
    """unique: the thing. has, lacks: thing, value asked for, value annotated. related, unrelated: thing, relation, name
    of the other. present: the things. absent: the name."""


Result = Found | str | int | bool | None
"""What a step gives; None where the graph does not tell."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a program gives on a graph, and why."""

    trace: tuple[Result, ...]
    """What each step gave."""
    witnesses: tuple[Witness, ...]
    missing: str = ""
    """What the graph does not say, where there is no answer."""
    doubts: tuple[int, ...] = field(default=())
    """Steps by whose words other things may be meant too."""

    @property
    def answer(self) -> str | None:
        """The answer as a word: yes, no, a name, a value, a number; None where the graph does not tell."""
        match self.trace[-1]:
            case bool(truth):
                return "yes" if truth else "no"
            case str(word):
                return word
            case int(number):
                return str(number)
            case _:
                return None


def interpret(program: Program, graph: SceneGraph, words: ontology.Ontology | None = None) -> Proof:
    """Execute a program.

    >>> apples = {"1": Thing("1", "apple", ("red",)), "2": Thing("2", "apple", ("green",))}
    >>> graph = SceneGraph(apples, frozenset({("1", "to the left of", "2")}))
    >>> proof = interpret(Program.parse("select: apple->filter color: green [0]->verify color: red [1]"), graph)
    >>> proof.answer, proof.witnesses[-1].about
    ('no', ('2', 'red', 'green'))
    >>> interpret(Program.parse("select: bicycle->exist: ? [0]"), graph).missing
    'whether there is a bicycle: no inventory says that every bicycle is annotated'
    """
    return _Run(Facts(graph, words or ontology.packaged_ontology()), program).proof()


class _Run:
    """One execution: what the steps gave so far, and why."""

    def __init__(self, facts: Facts, program: Program) -> None:
        self.facts, self.program = facts, program
        self.things = facts.graph.things
        self.trace: list[Result] = []
        self.witnesses: list[Witness] = []
        self.doubts: dict[int, None] = {}

    def proof(self) -> Proof:
        missing = ""
        for step in self.program.steps:
            try:
                result = _DO[type(step.operation)](self, step.operation, *step.dependencies)
            except Unanswerable as reason:
                result, missing = None, str(reason)
            self.trace.append(result)
        return Proof(
            trace=tuple(self.trace),
            witnesses=tuple(dict.fromkeys(self.witnesses)),
            missing=(missing or "what its parts depend on") if self.trace[-1] is None else "",
            doubts=tuple(self.doubts),
        )

    # ------------------------------------------------------------------ what earlier steps gave

    def found(self, place: int) -> Found:
        """The things of an earlier step; the program's types promise that there are some to speak of."""
        found = self.trace[place]
        if not isinstance(found, Found):
            raise Unanswerable(f"what step {place} gives")
        return found

    def is_scene(self, place: int) -> bool:
        """Whether a step is the picture as a whole."""
        return isinstance(self.program.steps[place].operation, Scene)

    def one(self, place: int) -> Thing:
        """The one thing that a reference stands for."""
        found = self.found(place)
        if len(found.sure) != 1:
            raise Unanswerable(f"which thing step {place} means: {len(found.sure)} are surely meant, expected one")
        if found.maybe:
            self.doubts[place] = None
        self.because("unique", found.sure[0])
        return self.things[found.sure[0]]

    def meant(self, place: int) -> Found:
        """The things of an earlier step; if only one is surely meant, no other is."""
        found = self.found(place)
        return Found((self.one(place).id,)) if len(found.sure) == 1 else found

    def certain(self, place: int) -> tuple[Thing, ...]:
        """All the things of an earlier step, where it is known that there are no others."""
        found = self.found(place)
        if not found.is_certain:
            raise Unanswerable(f"what else there is in step {place}: {self.uncertainty(place)}")
        return tuple(self.things[each] for each in found.sure)

    def uncertainty(self, place: int) -> str:
        """Why there may be more."""
        found, name = self.found(place), reference(self.program, place).name
        if found.maybe:
            return f"nothing rules out {', '.join(found.maybe)}"
        return f"no inventory says that every {name} is annotated"

    def because(self, kind: Kind, *about: str) -> None:
        """Note a reason."""
        self.witnesses.append(Witness(kind, about))


def _kept(found: Found, truth_of: Callable[[str], Truth], *, open_: bool) -> Found:
    """Those of which something is true, and those of which it may be."""
    truths = {each: truth_of(each) for each in (*found.sure, *found.maybe)}
    return Found(
        sure=tuple(each for each in found.sure if truths[each]),
        maybe=tuple(each for each, truth in truths.items() if truth is None or (truth and each in found.maybe)),
        open=open_,
    )


# ---------------------------------------------------------------------- things


def _scene(_run: _Run, _operation: Scene) -> Result:
    return Found(())


def _select(run: _Run, operation: Select) -> Result:
    name, ids = operation.things.name, operation.things.ids
    if name in PRONOUNS and ids:
        # Who says this or she points at it.
        return Found(tuple(each for each in ids if each in run.things))
    everything = Found(tuple(run.things))
    return _kept(
        everything,
        lambda each: run.facts.named(run.things[each], name),
        open_=not run.facts.is_complete(name),
    )


def _filter(run: _Run, operation: Filter, place: int) -> Result:
    found = run.found(place)
    return _kept(found, lambda each: _has(run, each, operation.type, operation.value), open_=found.open)


def _has(run: _Run, thing: str, type_: str, value: Value) -> Truth:
    truth = run.facts.has(run.things[thing], type_, value.name)
    return negation(truth) if value.negated else truth


def _relate(run: _Run, operation: Relate, place: int) -> Result:
    name = operation.related.name or ANYTHING
    anchors = run.meant(place)
    everything = Found(tuple(run.things))
    return _kept(
        everything,
        lambda each: all_of([run.facts.named(run.things[each], name), _related(run, each, operation.related, anchors)]),
        open_=not run.facts.is_complete(name) or anchors.open,
    )


def _related(run: _Run, thing: str, related: Related, anchors: Found) -> Truth:
    """Whether a thing is in a relation to one of several; nothing counts as related to itself."""
    sure = any_of(_stand(run, thing, related, each) for each in anchors.sure if each != thing)
    maybe = any_of(_stand(run, thing, related, each) for each in anchors.maybe if each != thing)
    return any_of([sure, None if maybe else maybe])


def _stand(run: _Run, thing: str, related: Related, anchor: str) -> Truth:
    one, other = run.things[thing], run.things[anchor]
    if related.side == "o":
        return run.facts.stand(other, related.relation, one)
    return run.facts.stand(one, related.relation, other)


def _order(run: _Run, operation: Order, place: int) -> Result:
    things = run.certain(place)
    centres = sorted((_distance(each, operation.side), each.id) for each in things)
    if len({distance for distance, _ in centres}) < len(centres):
        raise Unanswerable(f"the order from the {operation.side}: two things are equally far")
    chosen = centres[operation.place - 1 : operation.place]
    return Found(tuple(id_ for _, id_ in chosen))


def _distance(thing: Thing, side: str) -> float:
    """How far the centre of a thing is from a side of the picture, up to a constant."""
    if thing.box is None:
        raise Unanswerable(f"where {thing.id} is: it has no box")
    left, top, width, height = thing.box
    along = left + width / 2 if side in {"left", "right"} else top + height / 2
    return along if side in {"left", "top"} else -along


# ---------------------------------------------------------------------- one thing or the scene


def _query(run: _Run, operation: Query, place: int) -> Result:
    if run.is_scene(place):
        return _stated(run.facts.scene_value(operation.type), f"the {operation.type} of the picture")
    thing = run.one(place)
    return _stated(run.facts.value(thing, operation.type), f"the {operation.type} of {thing.id}")


def _stated(value: str | None, what: str) -> str:
    if value is None:
        raise Unanswerable(what)
    return value


def _verify(run: _Run, operation: Verify, place: int) -> Result:
    if run.is_scene(place):
        return run.facts.scene_has(operation.type, operation.value)
    thing = run.one(place)
    truth = run.facts.has(thing, operation.type, operation.value)
    if truth is None:
        raise Unanswerable(f"whether {thing.id} is {operation.value}")
    _explain(run, thing, operation.type, operation.value)
    return truth


def _explain(run: _Run, thing: Thing, type_: str, value: str) -> None:
    """Note the annotated value by which a thing has another, or has it not."""
    if proof := run.facts.proof(thing, type_, value):
        run.because("has", thing.id, value, proof)
    elif disproof := run.facts.disproof(thing, type_, value):
        run.because("lacks", thing.id, value, disproof)


def _choose(run: _Run, operation: Choose, place: int) -> Result:
    if run.is_scene(place):
        return _only_true({each: run.facts.scene_has(operation.type, each) for each in operation.options})
    thing = run.one(place)
    chosen = _only_true({each: run.facts.has(thing, operation.type, each) for each in operation.options})
    for each in operation.options:
        _explain(run, thing, operation.type, each)
    return chosen


def _only_true(truths: Mapping[str, Truth]) -> str:
    true = [each for each, truth in truths.items() if truth]
    if len(true) != 1:
        raise Unanswerable(f"which of {' and '.join(truths)} holds: {len(true)} surely do, expected one")
    return true[0]


def _verify_relation(run: _Run, operation: VerifyRelation, place: int) -> Result:
    return _stands_to(run, run.one(place), operation.related)


def _choose_relation(run: _Run, operation: ChooseRelation, place: int) -> Result:
    thing = run.one(place)
    related = operation.related
    return _only_true({each: _stands_to(run, thing, replace(related, relation=each)) for each in operation.options})


def _stands_to(run: _Run, thing: Thing, related: Related) -> Truth:
    """Whether a thing is in a relation to what has a name: to those that the program means, or to any."""
    name = related.name or ANYTHING
    ids = related.ids or ()
    meant = [each for each in run.things.values() if (each.id in ids if ids else each.id != thing.id)]
    truths = {each.id: all_of([run.facts.named(each, name), _stand(run, each.id, related, thing.id)]) for each in meant}
    truth = any_of(truths.values())
    if truth is None or (truth is False and not ids and not run.facts.is_complete(name)):
        raise Unanswerable(f"whether {thing.id} and a {name} are {related.relation} each other")
    run.because("related" if truth else "unrelated", thing.id, related.relation, name)
    return truth


# ---------------------------------------------------------------------- truths


def _exist(run: _Run, _operation: Exist, place: int) -> Result:
    found, name = run.found(place), reference(run.program, place).name
    if found.sure:
        run.because("present", *found.sure)
        return True
    if not found.is_certain:
        raise Unanswerable(f"whether there is a {name}: {run.uncertainty(place)}")
    run.because("absent", name)
    return False


def _and(run: _Run, _operation: And, one: int, other: int) -> Result:
    return all_of([_truth(run, one), _truth(run, other)])


def _or(run: _Run, _operation: Or, one: int, other: int) -> Result:
    return any_of([_truth(run, one), _truth(run, other)])


def _truth(run: _Run, place: int) -> Truth:
    found = run.trace[place]
    return found if isinstance(found, bool) else None


# ---------------------------------------------------------------------- comparing


def _same(run: _Run, operation: Same | Different, place: int) -> Truth:
    found = run.found(place)
    if len(found.sure) < 2:  # noqa: PLR2004  # one thing has nothing to agree with
        raise Unanswerable(f"whether things agree: {len(found.sure)} are surely there, expected two or more")
    pairs = combinations([run.things[each] for each in found.sure], 2)
    truth = all_of(run.facts.agree(one, other, operation.type) for one, other in pairs)
    return None if truth and not found.is_certain else truth


def _same_pair(run: _Run, operation: SamePair | DifferentPair, one: int, other: int) -> Truth:
    return run.facts.agree(run.one(one), run.one(other), operation.type)


def _common(run: _Run, _operation: Common, one: int, other: int) -> Result:
    things = run.one(one), run.one(other)
    return _only_true({type_: run.facts.agree(*things, type_) for type_ in _COMPARED})


def _compare(run: _Run, operation: ChooseCompared, one: int, other: int) -> Result:
    if operation.comparative in {"more", "fewer"}:
        larger = _larger(run, one, other)
        if larger is None:
            raise Unanswerable("of which there are more")
        return reference(run.program, one if larger == (operation.comparative == "more") else other).name
    things = run.one(one), run.one(other)
    exceeds = run.facts.exceeds(things[0], operation.comparative, things[1])
    if exceeds is None:
        raise Unanswerable(f"which of {things[0].id} and {things[1].id} is {operation.comparative}")
    return things[0 if exceeds else 1].name


# ---------------------------------------------------------------------- numbers


def _count(run: _Run, _operation: Count, place: int) -> Result:
    return len(run.certain(place))


def _at_least(found: Found, number: int) -> Truth:
    if len(found.sure) >= number:
        return True
    return False if found.most < number else None


def _exactly(found: Found, number: int) -> Truth:
    return all_of([_at_least(found, number), negation(_at_least(found, number + 1))])


def _lacking(run: _Run, place: int, type_: str, value: Value) -> Found:
    """Those of some things that lack a value; one thing must be there for the question to make sense."""
    found = run.found(place)
    if not found.sure:
        raise Unanswerable(f"of which things step {place} speaks: none is surely there")
    return _kept(found, lambda each: negation(_has(run, each, type_, value)), open_=found.open)


def _all(run: _Run, operation: All, place: int) -> Result:
    return _exactly(_lacking(run, place, operation.type, operation.value), 0)


def _none_of(run: _Run, operation: NoneOf, place: int) -> Result:
    absent = replace(operation.value, negated=not operation.value.negated)
    return _exactly(_lacking(run, place, operation.type, absent), 0)


def _all_but(run: _Run, operation: AllBut, place: int) -> Result:
    return _exactly(_lacking(run, place, operation.type, operation.value), operation.number)


def _only(run: _Run, _operation: Only, one: int, other: int) -> Result:
    these, those = run.found(one), run.found(other)
    known = {each: each in these.sure or (None if each in these.maybe else False) for each in those.sure}
    if not known:
        raise Unanswerable(f"of which things step {other} speaks: none is surely there")
    truth = all_of(known.values())
    return truth if truth is False or those.is_certain else None


def _larger(run: _Run, one: int, other: int) -> Truth:
    """Whether there are more of the first things; false if there are more of the others."""
    these, those = run.found(one), run.found(other)
    return True if _more(these, those) else negation(_more(those, these) or None)


def _more(these: Found, those: Found) -> Truth:
    if len(these.sure) > those.most:
        return True
    return False if these.most <= len(those.sure) else None


def _as_many(these: Found, those: Found) -> Truth:
    return all_of([negation(_more(these, those)), negation(_more(those, these))])


_DO: Mapping[type[Operation], Callable[..., Result]] = {
    Scene: _scene,
    Select: _select,
    Filter: _filter,
    Relate: _relate,
    Order: _order,
    Query: _query,
    Verify: _verify,
    VerifyRelation: _verify_relation,
    Choose: _choose,
    ChooseRelation: _choose_relation,
    ChooseCompared: _compare,
    Exist: _exist,
    And: _and,
    Or: _or,
    Same: _same,
    Different: lambda run, operation, place: negation(_same(run, operation, place)),
    SamePair: _same_pair,
    DifferentPair: lambda run, operation, one, other: negation(_same_pair(run, operation, one, other)),
    Common: _common,
    Count: _count,
    AtLeast: lambda run, operation, place: _at_least(run.found(place), operation.number),
    AtMost: lambda run, operation, place: negation(_at_least(run.found(place), operation.number + 1)),
    Exactly: lambda run, operation, place: _exactly(run.found(place), operation.number),
    All: _all,
    NoneOf: _none_of,
    AllBut: _all_but,
    Only: _only,
    More: lambda run, _operation, one, other: _more(run.found(one), run.found(other)),
    Fewer: lambda run, _operation, one, other: _more(run.found(other), run.found(one)),
    AsMany: lambda run, _operation, one, other: _as_many(run.found(one), run.found(other)),
}
"""How each operation is done. A test holds this list to all that programs can contain."""
