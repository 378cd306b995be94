"""Steps with blanks for their words: "filter color: red" and "filter color: blue" are one step with another word."""

from dataclasses import replace
from typing import NamedTuple

from eyechart.questions.arguments import Related, Things, Value
from eyechart.questions.entailment.lexicon import Lexicon
from eyechart.questions.entailment.predicates import Predicate
from eyechart.questions.operations import (
    All,
    Choose,
    ChooseRelation,
    Filter,
    NoneOf,
    Operation,
    Query,
    Relate,
    Select,
    Verify,
    VerifyRelation,
)
from eyechart.questions.references import ANYTHING, PRONOUNS

__all__ = ["Opened", "opened"]

_FIRST, _SECOND = "□a", "□b"
_VERBATIM = {*PRONOUNS, ANYTHING, "scene"}
"""Names that say something else than what a thing is."""


class Opened(NamedTuple):
    """A step whose words are taken out."""

    operation: Operation
    answer: str
    words: tuple[str, ...] = ()
    """In the ontology's names."""


def opened(lexicon: Lexicon, operation: Operation, answer: str) -> Opened:
    """A step with blanks; and with the answer, if it is the last step, which may be one of the words.

    >>> from eyechart.scenes import ontology
    >>> lexicon = Lexicon(ontology.packaged_ontology())
    >>> opened(lexicon, Choose("size", ("big", "small")), "big")
    Opened(operation=Choose(type='size', options=('□a=size', '□b=size')), answer='□a=size', words=('large', 'small'))
    """
    found = Opened(operation, answer)
    match operation:
        case Select(Things(name)) if name not in _VERBATIM:
            taken: Operation = replace(operation, things=replace(operation.things, name=_FIRST))
            found = Opened(taken, answer, (lexicon.noun(name),))
        case Relate(related) | VerifyRelation(related):
            blank, words = _related(lexicon, related)
            found = Opened(replace(operation, related=blank), answer, words)
        case Filter(type_, value) | All(type_, value) | NoneOf(type_, value):
            blank_value, word = _value(lexicon, type_, value.name, _FIRST)
            found = Opened(replace(operation, value=Value(blank_value, value.negated)), answer, (word,))
        case Verify(type_, verified):
            blank_value, word = _value(lexicon, type_, verified, _FIRST)
            found = Opened(replace(operation, value=blank_value), answer, (word,))
        case Query(type_):
            blank_value, word = _value(lexicon, type_, answer, _FIRST)
            found = Opened(operation, blank_value, (word,))
        case Choose():
            found = _choice(lexicon, operation, answer)
        case ChooseRelation():
            found = _choice_of_relations(lexicon, operation, answer)
    return found


def _value(lexicon: Lexicon, type_: str, value: str, blank: str) -> tuple[str, str]:
    """A blank for a value, or for the name of a thing, and the word for it."""
    if type_ == "name":
        return blank, lexicon.noun(value)
    code, own_type = lexicon.value(value, type_)
    return f"{blank}={own_type}", code


def _related(lexicon: Lexicon, related: Related) -> tuple[Related, tuple[str, ...]]:
    name, relation = related.name, related.relation
    words = ["", ""]
    if name is not None and name not in _VERBATIM:
        name, words[0] = _FIRST, lexicon.noun(name)
    if not relation.startswith("same "):
        relation, words[1] = _SECOND, lexicon.relation(relation)
    return replace(related, name=name, relation=relation), tuple(words)


def _choice(lexicon: Lexicon, operation: Choose, answer: str) -> Opened:
    """The answer is one of the blanks; where that cannot be told nothing is taken out."""
    type_, options = operation.type, operation.options
    both = [lexicon.said(type_, each) for each in options]
    right = lexicon.right(both, answer)
    if right is None or (type_ == "name" and lexicon.alike(options)):
        return Opened(operation, answer)
    one, other = (_value(lexicon, type_, each, blank) for each, blank in zip(options, (_FIRST, _SECOND), strict=True))
    taken = replace(operation, options=(one[0], other[0]))
    return Opened(taken, (one, other)[right][0], (one[1], other[1]))


def _choice_of_relations(lexicon: Lexicon, operation: ChooseRelation, answer: str) -> Opened:
    words = tuple(map(lexicon.relation, operation.options))
    right = lexicon.right([Predicate("stands", each, operation.related.side) for each in words], answer)
    if right is None:
        return Opened(operation, answer)
    # What the other thing is called makes no difference here.
    related = replace(operation.related, name=ANYTHING, relation=f"{_FIRST}|{_SECOND}")
    return Opened(replace(operation, related=related), (_FIRST, _SECOND)[right], words)
