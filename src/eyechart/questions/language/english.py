"""English: what its grammar file leaves to rules, and the words of the ontology, which is written in English."""

from functools import cache
from importlib.resources import files

import msgspec
import numpy as np

from eyechart.questions.arrays.codes import MASS, NONE, PLURAL, Codes
from eyechart.questions.arrays.ragged import Flags, Ints
from eyechart.questions.language.forms import INCOMING, OUTGOING, Forms, Links
from eyechart.questions.language.grammar import Grammar, read_grammar
from eyechart.questions.language.phrases import Phrases
from eyechart.scenes import ontology

__all__ = ["english"]

_VARIANTS, _ABBREVIATION = 3, 3
_SHORT = {"to the left of": "left", "to the right of": "right", "in front of": "in front"}


def english(codes: Codes) -> Forms:
    """The tables of English for an ontology.

    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> codes = Codes(packaged_ontology())
    >>> forms = english(codes)
    >>> forms.phrases.texts_of(forms.noun[codes.kinds.code["dog"], 1, :1])
    [' dogs']
    """
    phrases, grammar = Phrases(lower_answers=True), _grammar()
    classes = _classes(codes, grammar)
    values = list(codes.ontology.attributes.values())
    relations = list(codes.ontology.relations.values())
    kinds = [_Kind(codes, name) for name in codes.kinds.names]
    words = [phrases.words([kind.one for kind in kinds]), phrases.words([kind.plural for kind in kinds])]
    written = _Written(codes)
    predicate = phrases.words([written.capital(value, value.predicate) for value in values])
    adjectives = phrases.words([written.adjective(value) for value in values])
    whole = (len(values), 2, len(grammar.cases), len(grammar.classes))
    finite, relation = _finite(codes, phrases, grammar)
    positions = list(grammar.positions.values())
    return Forms(
        name="english",
        phrases=phrases,
        cases=tuple(grammar.cases),
        yes=phrases.word(grammar.answers["yes"]),
        no=phrases.word(grammar.answers["no"]),
        class_of=classes,
        determiners={n: grammar.table(phrases, f"determiners.{n}", e) for n, e in grammar.determiners.items()},
        declension={n: int(grammar.declension.get(n) == "indefinite") for n in grammar.determiners},
        verbs={n: grammar.by_class(phrases, f"verbs.{n}", e) for n, e in grammar.verbs.items()},
        pronouns={n: grammar.by_class(phrases, f"pronouns.{n}", e) for n, e in grammar.pronouns.items()},
        noun=np.repeat(np.stack(words, axis=1)[:, :, None], len(grammar.cases), axis=2),
        name_of=phrases.words([kind.name for kind in kinds]),
        noun_onset=np.array([[_onset(kind.one), _onset(kind.plural)] for kind in kinds]),
        adjective=np.broadcast_to(adjectives[:, None, None, None], whole),
        adjective_onset=np.array([_onset(value.adjective) for value in values]),
        adjective_rank=grammar.ranks(codes.types.names),
        predicate=predicate,
        value_name=phrases.words([written.capital(value, value.name) for value in values]),
        clause=_clauses(codes, phrases, grammar),
        comparative=phrases.words([value.comparative for value in values]),
        relation=relation,
        finite=finite,
        relation_name=phrases.words([_SHORT.get(each.name, each.phrase or each.name) for each in relations]),
        relation_case=np.full(len(relations), grammar.cases.index("object")),
        links=_links(codes, phrases, grammar),
        type_noun=phrases.words([_type_noun(codes, name) for name in codes.types.names]),
        position=phrases.words([str(each["phrase"]) for each in positions]),
        position_name=phrases.words([str(each["name"]) for each in positions]),
        position_clause=np.stack([phrases.words(each["clauses"]) for each in positions]),
        number=phrases.words(grammar.numbers),
        digits=phrases.words([str(number) for number in range(100)]),
    )


@cache
def _grammar() -> Grammar:
    return read_grammar(files("eyechart.questions.language").joinpath("english", "grammar.toml"))


@cache
def _lists() -> dict[str, list[str]]:
    text = files("eyechart.questions.language").joinpath("english", "words.toml").read_bytes()
    return msgspec.toml.decode(text, type=dict[str, list[str]])


class _Written:
    """How values are written."""

    def __init__(self, codes: Codes) -> None:
        lists = _lists()
        self.codes, self.behind, self.names = codes, set(lists["behind"]), set(lists["names"])

    def adjective(self, value: ontology.Attribute) -> str:
        """Before a noun; nothing where it only follows."""
        there = value.before and value.name not in self.behind
        return self.capital(value, value.adjective) if there else ""

    def capital(self, value: ontology.Attribute, text: str) -> str:
        """Names with capital letters, those of three letters as abbreviations."""
        if value.type not in self.names or value.name == "foreign":
            return text
        words = text.split(" ")
        return " ".join(each.upper() if len(each) <= _ABBREVIATION else each[:1].upper() + each[1:] for each in words)


class _Kind:
    """The words of a kind: a thing of it, several of them, the kind itself."""

    def __init__(self, codes: Codes, name: str) -> None:
        noun, category = codes.ontology.nouns.get(name), codes.ontology.categories.get(name)
        word = category or noun
        if word is None:
            raise KeyError(name)
        phrase = _phrase(codes, name)
        self.name = name
        self.one = phrase or name
        counted = word.number == "count"
        self.plural = word.plural if counted else phrase.replace("piece of", "pieces of") or self.one


def _phrase(codes: Codes, name: str) -> str:
    """How one says one thing of a category that has no plural; nothing for food, of which one says some food."""
    category = codes.ontology.categories.get(name)
    if category is None or (category.number == "mass" and {name, *codes.ontology.ancestors(name)} & {"food"}):
        return ""
    return category.phrase.replace("kind of", "piece of")


def _type_noun(codes: Codes, name: str) -> str:
    type_ = codes.ontology.types.get(name)
    return type_.noun if type_ else {"hposition": "side", "vposition": "part"}.get(name, name)


def _onset(phrase: str) -> int:
    return int(bool(phrase) and ontology.indefinite_article(phrase) == "an")


def _classes(codes: Codes, grammar: Grammar) -> Ints:
    number = {name: place for place, name in enumerate(grammar.classes)}
    one = np.where(codes.is_person, number["person"], number["thing"])
    one = np.choose(codes.gender, [one, number["woman"], number["man"]])
    several = np.where(codes.is_person, number["people"], number["things"])
    phrased = np.array([bool(_phrase(codes, name)) for name in codes.kinds.names])
    mass = (codes.number == MASS) & ~phrased
    plural = (codes.number == PLURAL) & ~phrased
    one = np.where(mass, number["stuff"], np.where(plural, several, one))
    return np.stack([one, np.where(mass, number["stuff"], several)], axis=1)


def _per_class(grammar: Grammar, entry: object) -> list[str]:
    place = {"case": grammar.cases[0], "onset": grammar.onsets[0]}
    return [grammar.spelled(entry, "words", class_=class_, **place) for class_ in grammar.classes]


def _clauses(codes: Codes, phrases: Phrases, grammar: Grammar) -> Ints:
    relative, is_ = _per_class(grammar, grammar.words["relative"]), _per_class(grammar, grammar.verbs["is"])
    rows = [
        [
            [phrases.word(f"{who} {verb} {no}{value.predicate}") for who, verb in zip(relative, is_, strict=True)]
            for no in ("", "not ")
        ]
        for value in codes.ontology.attributes.values()
    ]
    return np.array(rows, dtype=np.int64).reshape(len(codes.values), 2, len(grammar.classes))


def _finite(codes: Codes, phrases: Phrases, grammar: Grammar) -> tuple[Ints, Ints]:
    """Relations with the verb that agrees, and without it."""
    is_ = _per_class(grammar, grammar.verbs["is"])
    singular = [class_ in grammar.groups["singular"] for class_ in grammar.classes]
    finite = np.zeros((len(codes.relations), len(is_)), dtype=np.int64)
    plain = np.zeros(len(codes.relations), dtype=np.int64)
    for place, each in enumerate(codes.ontology.relations.values()):
        phrase = each.phrase or each.name
        plain[place] = phrases.word(phrase)
        for class_, verb in enumerate(is_):
            said = f"{verb} {phrase}" if each.copula else (each.third if singular[class_] else phrase)
            finite[place, class_] = phrases.word(said)
    return finite, plain


def _links(codes: Codes, phrases: Phrases, grammar: Grammar) -> Links:
    """The cup on the table, the cup that is on the table; the cup the man is holding, the cup held by the man."""
    relative, is_ = _per_class(grammar, grammar.words["relative"]), _per_class(grammar, grammar.verbs["is"])
    shape = (len(codes.relations), 2, _VARIANTS)
    before, after = (np.zeros((*shape, len(grammar.classes)), dtype=np.int64) for _ in range(2))
    exists: Flags = np.zeros(shape, dtype=bool)
    finite, plain = _finite(codes, phrases, grammar)
    that = phrases.words(["that" for _ in relative])
    for place, each in enumerate(codes.ontology.relations.values()):
        phrase = each.phrase or each.name
        clauses = [f"{who} {verb} {phrase}" for who, verb in zip(relative, is_, strict=True)]
        texts = phrases.texts_of(finite[place])
        if not each.copula:
            clauses = [f"{who}{text}" for who, text in zip(relative, texts, strict=True)]
        before[place, OUTGOING, 0], exists[place, OUTGOING, 0] = plain[place], each.copula
        # One is with a hat only right behind the noun: not "the man who is with the hat".
        before[place, OUTGOING, 1] = phrases.words(clauses)
        exists[place, OUTGOING, 1] = each.name not in _lists()["close"]
        active = each.kind == "verb" and each.voice != "passive"
        after[place, INCOMING, 0], exists[place, INCOMING, 0] = finite[place], active
        before[place, INCOMING, 1], after[place, INCOMING, 1], exists[place, INCOMING, 1] = that, finite[place], active
        inverse = codes.inverse[place]
        if inverse != NONE and codes.has_copula[inverse]:
            before[place, INCOMING, 2], exists[place, INCOMING, 2] = plain[inverse], True
    return Links(before, after, np.full(shape, grammar.cases.index("object")), exists)
