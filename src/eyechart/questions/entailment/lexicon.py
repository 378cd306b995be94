"""Words as the rules of entailment know them: the ontology's names, and blanks that stand for any such name.

A blank keeps the place of a word, so that what a question says can be understood once for all questions that differ in
their words only. It says what matters about the word: of a value its type.
"""

import re

from eyechart.questions.codes import noun_code, relation_code, value_code
from eyechart.questions.entailment.predicates import POSITIONS, Predicate
from eyechart.scenes import ontology

__all__ = ["BLANK", "Lexicon", "blanks", "filled", "is_blank"]

BLANK = re.compile(r"□(\d*)([ab])")
"""The number of a step, and which of its words."""
_TYPED = "="
_JOIN = " & "


def is_blank(word: str) -> bool:
    """Whether it stands for a word."""
    return word.startswith("□")


class Lexicon:
    """What the words of programs are called in the ontology; blanks are called as they are.

    >>> lexicon = Lexicon(ontology.packaged_ontology())
    >>> lexicon.noun("apples"), lexicon.value("big", "size"), lexicon.value("□2a=color", "color")
    ('apple', ('large', 'size'), ('□2a', 'color'))
    """

    def __init__(self, words: ontology.Ontology) -> None:
        self.words = words

    def noun(self, name: str) -> str:
        """A thing or category."""
        return name if is_blank(name) else noun_code(self.words, name)

    def relation(self, relation: str) -> str:
        """A relation."""
        return relation if is_blank(relation) else relation_code(self.words, relation)

    def value(self, value: str, type_: str) -> tuple[str, str]:
        """A value, and its own type, which a program may not name."""
        if is_blank(value):
            blank, _, own_type = value.partition(_TYPED)
            return blank, own_type
        code = value_code(self.words, value, type_)
        known = self.words.attributes.get(code)
        return code, known.type if known and type_ not in POSITIONS else type_

    def said(self, type_: str, value: str, *, negated: bool = False) -> Predicate:
        """That something has a value, or is a thing of some kind."""
        if type_ == "name":
            return Predicate("is", self.noun(value), negated=negated)
        return Predicate("has", *self.value(value, type_), negated=negated)

    def right(self, both: list[Predicate], answer: str) -> int | None:
        """Which of two that were offered the answer names; None if that cannot be told."""
        called = {self.noun(answer), answer.partition(_TYPED)[0]}
        hits = [each.name in {*called, self.value(answer, each.type)[0]} for each in both]
        if not any(hits):
            hits = [answer in each.name.split() for each in both]
        return hits.index(True) if sum(hits) == 1 else None

    def alike(self, options: tuple[str, str]) -> bool:
        """Whether of two names both may be right: an apple slice is an apple. Blanks never are."""
        one, other = map(self.noun, options)
        return not is_blank(one) and self.words.alike(one, other)


def blanks(said: Predicate) -> tuple[tuple[str, ...], Predicate]:
    """The blanks of a statement, and the statement with numbers in their places.

    >>> blanks(Predicate("has", "□2a", "color"))[0], blanks(Predicate("has", "□2a", "color"))[1].name
    (('□2a',), '□0')
    """
    found = tuple(dict.fromkeys(each[0] for each in BLANK.finditer(f"{said.name} {said.type}")))
    if not found:
        return found, said
    place = {blank: f"□{number}" for number, blank in enumerate(found)}
    name, type_ = (BLANK.sub(lambda match: place[match[0]], text) for text in (said.name, said.type))
    return found, said._replace(name=name, type=type_)


def filled(said: Predicate, words: tuple[str, ...]) -> Predicate:
    """A statement with words in the places of its numbered blanks.

    >>> filled(Predicate("has", "□0", "color"), ("red",)).name
    'red'
    """
    if not words:
        return said
    name, type_ = (re.sub(r"□(\d+)", lambda match: words[int(match[1])], text) for text in (said.name, said.type))
    # What is counted is written in the order of the alphabet.
    return said._replace(name=name, type=_JOIN.join(sorted(type_.split(_JOIN))) if said.kind == "number" else type_)
