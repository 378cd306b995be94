"""What a question and its answer say about a picture, and what would answer it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from eyechart.questions.arguments import Related
from eyechart.questions.entailment.lexicon import Lexicon
from eyechart.questions.entailment.predicates import Predicate
from eyechart.questions.operations import (
    All,
    And,
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
    Filter,
    NoneOf,
    Operation,
    Or,
    Query,
    Relate,
    Same,
    SamePair,
    Scene,
    Verify,
    VerifyRelation,
)
from eyechart.questions.programs import Program
from eyechart.questions.references import ANYTHING, PRONOUNS, reference

__all__ = ["SCENE", "SOMETHING", "Claim", "Fact", "Goal", "claim_of"]

_OF_ANY = (Exist, All, NoneOf, Count, AtLeast, AtMost, Exactly)
"""Operations on however many things there are; all others suppose that there are just those that they mean."""

SOMETHING = ""
"""Stands for a thing that exists but that no id tells."""
SCENE = "scene"
"""Stands for the picture as a whole."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one thing."""

    about: str
    """Its id; SOMETHING for one of which only the existence is known."""
    known: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Goal:
    """What has to be known for an answer."""

    about: str
    """The thing; SOMETHING where any will do."""
    wanted: tuple[Predicate, ...]
    """All of this has to be true; or, for a no, not all of it."""
    given: tuple[Predicate, ...] | None
    """The description that only this thing fits, as the question supposes; None where it cannot be put so."""
    truth: bool
    """Whether the wanted has to be true or false."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A question with its answer."""

    facts: tuple[Fact, ...]
    denied: tuple[tuple[Predicate, ...], ...]
    """Descriptions that nothing in the picture fits."""
    goals: tuple[Goal, ...]
    needs: Literal["all", "any"] = "all"
    """Whether the answer needs all goals or one."""


def claim_of(program: Program, answer: str, words: Lexicon) -> Claim | None:
    """What a question and its answer say; None where the rules have nothing to say about such questions.

    >>> from eyechart.scenes import ontology
    >>> words = Lexicon(ontology.packaged_ontology())
    >>> claim = claim_of(Program.parse("select: apple (7)->query: color [0]"), "red", words)
    >>> claim.facts[-1]
    Fact(about='7', known=(Predicate(kind='value', name='red', type='color', anchor='', negated=False),))
    """
    return _Reader(program, words).claim(answer)


class _Reader:
    """Reads one program."""

    def __init__(self, program: Program, words: Lexicon) -> None:
        self.program, self.words = program, words

    def claim(self, answer: str) -> Claim | None:
        """What the last step and its answer say, and what its references suppose."""
        stated = self.stated(len(self.program.steps) - 1, answer)
        return stated and replace(stated, facts=(*self.supposed(), *stated.facts))

    def stated(self, place: int, answer: str) -> Claim | None:
        """What one step and its answer say."""
        step = self.program.steps[place]
        read = _READERS.get(type(step.operation))
        return read(self, step.operation, answer, *step.dependencies) if read else None

    def supposed(self) -> Iterator[Fact]:
        """What the references say of their things: that the cup is a cup, is red, and stands on the table."""
        open_ends = {step.dependencies[0] for step in self.program.steps if isinstance(step.operation, _OF_ANY)}
        for step in self.program.steps:
            for taken in step.dependencies:
                is_end = not isinstance(step.operation, Filter) and step.operation.takes and taken not in open_ends
                if is_end and (thing := self.thing(taken)):
                    yield from _facts(thing, self.parts(taken)[0])

    # ------------------------------------------------------------------ references

    def thing(self, place: int) -> str | None:
        """The id of the one thing that a step gives, where the program says so."""
        if isinstance(self.program.steps[place].operation, Scene):
            return SCENE
        ids = self.program.referents[place]
        return ids[0] if ids and len(ids) == 1 else None

    def parts(self, place: int) -> tuple[tuple[Predicate, ...], bool]:
        """What a reference says, and whether that is all that it says."""
        found = reference(self.program, place)
        said = [self.words.said(each.type, each.value.name, negated=each.value.negated) for each in found.filters]
        complete = len(found.filters) == len(found.narrowing) and found.name not in PRONOUNS and found.name != "scene"
        if found.name not in {*PRONOUNS, ANYTHING, "scene"}:
            said.insert(0, Predicate("is", self.words.noun(found.name)))
        if isinstance(found.head, Relate) and found.anchor is not None:
            anchor = self.thing(found.anchor)
            complete = complete and anchor is not None
            said += [self.relation(found.head.related, found.head.related.side, anchor)] if anchor else []
        return tuple(said), complete

    def description(self, place: int) -> tuple[Predicate, ...] | None:
        """What only the one thing fits; None where a reference points, or says what cannot be put so."""
        said, complete = self.parts(place)
        return said if complete else None

    # ------------------------------------------------------------------ what is said

    def stated_value(self, type_: str, value: str, place: int) -> Predicate:
        """That what a step gives, a thing or the picture, has a value."""
        if self.thing(place) == SCENE:
            return Predicate("has", self.words.value(value, type_)[0], type_)
        return self.words.said(type_, value)

    def relation(self, related: Related, side: str, anchor: str) -> Predicate:
        """That something is in a relation."""
        if related.relation.startswith("same "):
            return Predicate("agrees", "", related.relation.removeprefix("same "), anchor)
        return Predicate("stands", self.words.relation(related.relation), side, anchor)

    def told(self, place: int, said: Predicate, *, truth: bool) -> Claim | None:
        """That it is true, or not, of the thing that a step gives."""
        thing = self.thing(place)
        if thing is None:
            return None
        given = None if thing == SCENE else self.description(place)
        denies = not truth and given is not None and not said.negated
        return Claim(
            facts=_facts(thing, (said if truth else said.opposite(),)),
            denied=((*given, said),) if denies and given is not None else (),
            goals=(Goal(thing, (said,), given, truth),),
        )

    def existence(self, said: tuple[Predicate, ...], *, truth: bool) -> Claim:
        """That there is something of which all this is true, or not."""
        return Claim(
            facts=(Fact(SOMETHING, said),) if truth else (),
            denied=() if truth else (said,),
            goals=(Goal(SOMETHING, said, (), truth),),
        )


def _facts(thing: str, said: tuple[Predicate, ...]) -> tuple[Fact, ...]:
    """Facts about a thing, and about those it is in a relation to."""
    turned = {"s": "o", "o": "s"}
    others = [
        Fact(each.anchor, (each._replace(type=turned.get(each.type, each.type), anchor=thing),))
        for each in said
        if each.anchor
    ]
    return (Fact(thing, said), *others)


def _query(reader: _Reader, operation: Query, answer: str, place: int) -> Claim | None:
    if operation.type == "name":
        return reader.told(place, Predicate("named", reader.words.noun(answer)), truth=True)
    said = reader.stated_value(operation.type, answer, place)
    is_of_type = said.type == operation.type
    return reader.told(place, said._replace(kind="value"), truth=True) if is_of_type else None


def _verify(reader: _Reader, operation: Verify, answer: str, place: int) -> Claim | None:
    return reader.told(place, reader.stated_value(operation.type, operation.value, place), truth=answer == "yes")


def _choose(reader: _Reader, operation: Choose, answer: str, place: int) -> Claim | None:
    if operation.type == "name" and reader.words.alike(operation.options):
        return None  # an apple slice is an apple: both may be right
    both = [reader.stated_value(operation.type, each, place) for each in operation.options]
    return _chosen(reader, place, both, answer)


def _chosen(reader: _Reader, place: int, both: list[Predicate], answer: str) -> Claim | None:
    """One of two holds: the one is true, and the other, if it is known to be false, tells which."""
    place_of_right = reader.words.right(both, answer)
    if place_of_right is None:
        return None
    right, wrong = both[place_of_right], both[1 - place_of_right]
    told, excluded = reader.told(place, right, truth=True), reader.told(place, wrong, truth=False)
    return told and excluded and replace(told, goals=(*told.goals, *excluded.goals), needs="any")


def _verify_relation(reader: _Reader, operation: VerifyRelation, answer: str, place: int) -> Claim | None:
    related, thing = operation.related, reader.thing(place)
    if thing is None or related.name is None:
        return None
    ids = related.ids or ()
    if len(ids) == 1:
        named = Fact(ids[0], (Predicate("is", reader.words.noun(related.name)),))
        told = reader.told(place, reader.relation(related, _turned(related.side), ids[0]), truth=answer == "yes")
        return told and replace(told, facts=(named, *told.facts))
    said = (Predicate("is", reader.words.noun(related.name)), reader.relation(related, related.side, thing))
    return reader.existence(said, truth=answer == "yes")


def _choose_relation(reader: _Reader, operation: ChooseRelation, answer: str, place: int) -> Claim | None:
    related = operation.related
    ids = related.ids or ()
    if len(ids) != 1 or ids[0] == reader.thing(place):
        return None
    both = [
        reader.relation(replace(related, relation=each), _turned(related.side), ids[0]) for each in operation.options
    ]
    return _chosen(reader, place, both, answer)


def _turned(side: str) -> str:
    """What the thing is in a relation, of which the program says what the named other is."""
    return {"s": "o", "o": "s"}.get(side, side)


def _exist(reader: _Reader, _operation: Exist, answer: str, place: int) -> Claim | None:
    said, complete = reader.parts(place)
    return reader.existence(said, truth=answer == "yes") if complete else None


def _and(reader: _Reader, _operation: And, answer: str, one: int, other: int) -> Claim | None:
    return _joined(reader, answer, (one, other), told_by="yes")


def _or(reader: _Reader, _operation: Or, answer: str, one: int, other: int) -> Claim | None:
    return _joined(reader, answer, (one, other), told_by="no")


def _joined(reader: _Reader, answer: str, places: tuple[int, int], told_by: str) -> Claim | None:
    """Both parts are told by a yes to "and" and by a no to "or"; else one of them is, but not which."""
    first, second = (reader.stated(each, answer) for each in places)
    if first is None or second is None:
        return None
    goals = (*first.goals, *second.goals)
    if answer != told_by:
        return Claim(facts=(), denied=(), goals=goals, needs="any")
    return Claim((*first.facts, *second.facts), (*first.denied, *second.denied), goals)


def _same_pair(reader: _Reader, operation: SamePair | DifferentPair, answer: str, one: int, other: int) -> Claim | None:
    anchor = reader.thing(other)
    truth = (answer == "yes") == isinstance(operation, SamePair)
    return reader.told(one, Predicate("agrees", "", operation.type, anchor), truth=truth) if anchor else None


def _common(reader: _Reader, _operation: Common, answer: str, one: int, other: int) -> Claim | None:
    anchor = reader.thing(other)
    return reader.told(one, Predicate("agrees", "", answer, anchor), truth=True) if anchor else None


def _same(reader: _Reader, operation: Same | Different, answer: str, place: int) -> Claim | None:
    ids = reader.program.referents[place]
    if not ids:
        return None
    truth = (answer == "yes") == isinstance(operation, Same)
    said = Predicate("uniform", "", operation.type)
    things = ",".join(sorted(ids))
    told = (said if truth else said.opposite(),)
    return Claim(facts=(Fact(things, told),), denied=(), goals=(Goal(things, (said,), None, truth),))


def _compare(reader: _Reader, operation: ChooseCompared, answer: str, one: int, other: int) -> Claim | None:
    code = reader.words.noun(answer)
    names = [reader.words.noun(reference(reader.program, each).name) for each in (one, other)]
    # The answer may be more exact than the question: of the dog and the woman the puppy is younger.
    meant = [name == code or (code not in names and reader.words.words.is_a(code, name)) for name in names]
    if sum(meant) != 1 or operation.comparative in {"more", "fewer"}:
        return None
    winner, loser = (one, other) if meant[0] else (other, one)
    anchor = reader.thing(loser)
    comparative = operation.comparative.removeprefix("less ")
    relation = reader.words.relation(f"{comparative} than")
    side = "s" if comparative == operation.comparative else "o"
    return reader.told(winner, Predicate("exceeds", relation, side, anchor), truth=True) if anchor else None


def _all(reader: _Reader, operation: All | NoneOf, answer: str, place: int) -> Claim | None:
    said, complete = reader.parts(place)
    if not complete:
        return None
    value = reader.words.said(operation.type, operation.value.name, negated=operation.value.negated)
    right = value if isinstance(operation, All) else value.opposite()
    exception = reader.existence((*said, right.opposite()), truth=answer == "no")
    if answer == "no":
        return exception
    return replace(exception, facts=(Fact(SOMETHING, (*said, right)),))


def _count(reader: _Reader, _operation: Count, answer: str, place: int) -> Claim | None:
    return _counted(reader, place, int(answer), int(answer), truth=True)


def _at_least(reader: _Reader, operation: AtLeast, answer: str, place: int) -> Claim | None:
    return _counted(reader, place, operation.number, None, truth=answer == "yes")


def _at_most(reader: _Reader, operation: AtMost, answer: str, place: int) -> Claim | None:
    return _counted(reader, place, 0, operation.number, truth=answer == "yes")


def _exactly(reader: _Reader, operation: Exactly, answer: str, place: int) -> Claim | None:
    return _counted(reader, place, operation.number, operation.number, truth=answer == "yes")


def _counted(reader: _Reader, place: int, least: int, most: int | None, *, truth: bool) -> Claim | None:
    """That there are so many of a kind, from ``least`` to ``most``; or that there are not."""
    said, complete = reader.parts(place)
    if not complete:
        return None
    bounds = [(number, truth == is_low) for number, is_low in ((least, True), (most and most + 1, False)) if number]
    if most == 0:
        bounds.append((1, not truth))
    told = bounds if truth or len(bounds) == 1 else []
    some = [Fact(SOMETHING, said) for _, reached in told if reached]
    numbers = tuple(_number(said, number, reached=reached) for number, reached in told)
    return Claim(
        facts=(Fact(SCENE, numbers), *some[:1]),
        denied=tuple(said for number, reached in told if number == 1 and not reached),
        goals=tuple(_number_goal(said, number, reached=reached) for number, reached in bounds),
        needs="all" if truth else "any",
    )


def _number(said: tuple[Predicate, ...], number: int, *, reached: bool) -> Predicate:
    """That of what fits a description there are so many or more, which is said of the picture."""
    anchor = next((each.anchor for each in said if each.anchor), "")
    description = " & ".join(sorted(" ".join(map(str, each._replace(anchor=""))) for each in said))
    return Predicate("number", str(number), description, anchor, negated=not reached)


def _number_goal(said: tuple[Predicate, ...], number: int, *, reached: bool) -> Goal:
    if number == 1:
        return Goal(SOMETHING, said, (), reached)
    return Goal(SCENE, (_number(said, number, reached=True),), None, reached)


_READERS: Mapping[type[Operation], Callable[..., Claim | None]] = {
    Query: _query,
    Verify: _verify,
    VerifyRelation: _verify_relation,
    Choose: _choose,
    ChooseRelation: _choose_relation,
    ChooseCompared: _compare,
    Exist: _exist,
    And: _and,
    Or: _or,
    SamePair: _same_pair,
    DifferentPair: _same_pair,
    Common: _common,
    Same: _same,
    Different: _same,
    All: _all,
    NoneOf: _all,
    Count: _count,
    AtLeast: _at_least,
    AtMost: _at_most,
    Exactly: _exactly,
}
