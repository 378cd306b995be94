"""German, with four traits that English lacks: cases, endings of adjectives, contractions, verbs before their subject.

A preposition is a case here: the determiner of a noun phrase in the case "in" brings its preposition with it, so that
"in dem Topf" is "im Topf" from the beginning and nothing has to be mended afterwards.
"""

import csv
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import product

import msgspec
import numpy as np

from eyechart.errors import DataError
from eyechart.questions.arrays.codes import PLURAL, Codes
from eyechart.questions.arrays.ragged import Ints
from eyechart.questions.language.forms import OUTGOING, Forms, Links
from eyechart.questions.language.grammar import Grammar, read_grammar
from eyechart.questions.language.phrases import Phrases

__all__ = ["german"]

_CLASSES = {"m": "masculine", "f": "feminine", "n": "neuter", "p": "plural"}
_TYPES = {"color": "Farbe", "shape": "Form", "size": "Größe", "material": "Material"}
_FIRST_CASES = 3


class _Endings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Endings of adjectives and words that merge, from endings.toml."""

    definite: dict[str, list[str]]
    indefinite: dict[str, list[str]]
    contractions: dict[str, str]


class _Noun(msgspec.Struct, frozen=True):
    """A line of nouns.csv: mw is masculine with weak endings, mm, fm and nm are words without a plural."""

    name: str
    german: str
    gender: str
    plural: str

    @property
    def is_mass(self) -> bool:
        """Whether there is some of it, not one."""
        return self.gender in {"mm", "fm", "nm"}

    @property
    def class_(self) -> str:
        """What agrees with one of them."""
        return _CLASSES[self.gender[0]] + (" mass" if self.is_mass else "")

    def one(self, case: str) -> str:
        """The singular."""
        return self.plural if self.gender == "mw" and case != "nominative" else self.german

    def many(self, case: str) -> str:
        """The plural; in the dative it ends in n where it can."""
        said = self.plural or self.german
        dative = case not in {"nominative", "accusative"}
        return f"{said}n" if dative and said.endswith(("e", "el", "er")) and not self.is_mass else said


class _Value(msgspec.Struct, frozen=True):
    """A line of values.csv."""

    name: str
    predicate: str
    stem: str
    comparative: str
    answer: str


class _Relation(msgspec.Struct, frozen=True):
    """A line of relations.csv: the case, or the preposition, that it governs, and its verb."""

    name: str
    case: str
    singular: str
    plural: str
    answer: str


def _folder() -> Traversable:
    return files("eyechart.questions.language").joinpath("german")


def _lines(name: str) -> list[dict[str, str]]:
    text = _folder().joinpath(name).read_text("utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def _grammar() -> Grammar:
    return read_grammar(_folder().joinpath("grammar.toml"))


@cache
def _endings() -> _Endings:
    return msgspec.toml.decode(_folder().joinpath("endings.toml").read_bytes(), type=_Endings)


def german(codes: Codes) -> Forms:
    """The tables of German for an ontology; what it has no word for is not spoken of.

    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> codes = Codes(packaged_ontology())
    >>> forms = german(codes)
    >>> dog, case, one = codes.kinds.code["dog"], forms.cases.index("links von"), 0
    >>> class_ = forms.class_of[dog, one]
    >>> "".join(forms.phrases.texts_of([forms.determiners["the"][case, class_, 0], forms.noun[dog, one, case]]))
    ' links vom Hund'
    """
    phrases, grammar = Phrases(), _grammar()
    relations = {each["name"]: msgspec.convert(each, _Relation) for each in _lines("relations.csv")}
    cases = tuple(dict.fromkeys([*grammar.cases, *(each.case for each in relations.values())]))
    nouns = {each["name"]: msgspec.convert(each, _Noun) for each in _lines("nouns.csv")}
    values = {each["name"]: msgspec.convert(each, _Value) for each in _lines("values.csv")}
    noun, class_of = _nouns(codes, phrases, grammar, nouns, cases)
    finite, governed = _relations(codes, phrases, grammar, relations, cases)
    said = [values.get(name) for name in codes.values.names]
    positions = list(grammar.positions.values())
    zeros = np.zeros(len(codes.values), dtype=np.int64)
    return Forms(
        name="german",
        phrases=phrases,
        cases=cases,
        yes=phrases.word(grammar.answers["yes"]),
        no=phrases.word(grammar.answers["no"]),
        class_of=class_of,
        determiners={name: _determiners(phrases, grammar, name, cases) for name in grammar.determiners},
        declension={name: int(grammar.declension.get(name) == "indefinite") for name in grammar.determiners},
        verbs={name: grammar.by_class(phrases, f"verbs.{name}", entry) for name, entry in grammar.verbs.items()},
        pronouns={n: grammar.by_class(phrases, f"pronouns.{n}", entry) for n, entry in grammar.pronouns.items()},
        noun=noun,
        name_of=noun[:, 0, 0],
        noun_onset=np.zeros((len(codes.kinds), 2), dtype=np.int64),
        adjective=_adjectives(phrases, grammar, said, cases),
        adjective_onset=zeros,
        adjective_rank=grammar.ranks(codes.types.names),
        predicate=phrases.words([each.predicate if each else "" for each in said]),
        value_name=phrases.words([each.answer if each else "" for each in said]),
        clause=np.zeros((len(codes.values), 2, len(grammar.classes)), dtype=np.int64),
        comparative=phrases.words([each.comparative if each else "" for each in said]),
        relation=phrases.words([relations[n].answer if n in relations else "" for n in codes.relations.names]),
        finite=finite,
        relation_name=phrases.words([relations[n].answer if n in relations else "" for n in codes.relations.names]),
        relation_case=governed,
        links=_links(codes, grammar, governed),
        type_noun=phrases.words([_TYPES.get(name, "") for name in codes.types.names]),
        position=phrases.words([str(each["phrase"]) for each in positions]),
        position_name=phrases.words([str(each["name"]) for each in positions]),
        position_clause=np.stack([phrases.words(each["clauses"]) for each in positions]),
        number=phrases.words(grammar.numbers),
        digits=phrases.words([str(number) for number in range(100)]),
    )


def _nouns(
    codes: Codes, phrases: Phrases, grammar: Grammar, nouns: dict[str, _Noun], cases: tuple[str, ...]
) -> tuple[Ints, Ints]:
    """Nouns by number and case, and what agrees with them; pants are one pair of them in German, not several."""
    noun = np.zeros((len(codes.kinds), 2, len(cases)), dtype=np.int64)
    class_of = np.zeros((len(codes.kinds), 2), dtype=np.int64)
    number = {name: place for place, name in enumerate(grammar.classes)}
    for name, each in nouns.items():
        if name not in codes.kinds.code:
            continue
        kind = codes.kinds.code[name]
        single = codes.number[kind] == PLURAL or not each.plural or each.gender == "p"
        class_of[kind] = number[each.class_], number[each.class_ if single else "plural"]
        for place, case in enumerate(cases):
            one = each.one(case)
            noun[kind, :, place] = phrases.word(one), phrases.word(one if single else each.many(case))
    return noun, class_of


def _determiners(phrases: Phrases, grammar: Grammar, name: str, cases: tuple[str, ...]) -> Ints:
    """A determiner in every case; in the case of a preposition with it."""
    shape = (len(cases), len(grammar.classes), len(grammar.onsets))
    entry, contracted = grammar.determiners[name], _endings().contractions
    forms = []
    for case, class_, onset in product(cases, grammar.classes, grammar.onsets):
        plain = case in grammar.cases
        form = grammar.spelled(
            entry, f"determiners.{name}", case=case if plain else "dative", class_=class_, onset=onset
        )
        whole = form if plain else f"{case} {form}".rstrip()
        forms.append(phrases.word(contracted.get(whole, whole)))
    return np.array(forms, dtype=np.int64).reshape(shape)


def _adjectives(phrases: Phrases, grammar: Grammar, values: list[_Value | None], cases: tuple[str, ...]) -> Ints:
    endings = _endings()
    found = np.zeros((len(values), 2, len(cases), len(grammar.classes)), dtype=np.int64)
    for place, value in enumerate(values):
        if value is None or not value.stem:
            continue
        for declension, table in enumerate((endings.definite, endings.indefinite)):
            for number, case in enumerate(cases):
                own = table[case if case in table else "dative"]
                found[place, declension, number] = phrases.words([value.stem + ending for ending in own])
    return found


def _relations(
    codes: Codes, phrases: Phrases, grammar: Grammar, relations: dict[str, _Relation], cases: tuple[str, ...]
) -> tuple[Ints, Ints]:
    """The verb of each relation by class, and the case that it governs."""
    finite = np.zeros((len(codes.relations), len(grammar.classes)), dtype=np.int64)
    governed = np.zeros(len(codes.relations), dtype=np.int64)
    singular = [class_ in grammar.groups["singular"] for class_ in grammar.classes]
    for name, each in relations.items():
        if name not in codes.relations.code:
            raise DataError(f"relations.csv: found {name!r}, which the ontology does not have; correct the name")
        code = codes.relations.code[name]
        finite[code] = phrases.words([each.singular if one else each.plural for one in singular])
        governed[code] = cases.index(each.case)
    return finite, governed


def _links(codes: Codes, grammar: Grammar, governed: Ints) -> Links:
    """What describes a noun: prepositions only, for a relative clause would need a second comma where it ends."""
    shape = (len(codes.relations), 2, 1)
    nothing = np.zeros((*shape, len(grammar.classes)), dtype=np.int64)
    exists = np.zeros(shape, dtype=bool)
    exists[:, OUTGOING, 0] = (governed >= _FIRST_CASES) & ~codes.is_verb
    return Links(nothing, nothing, np.broadcast_to(governed[:, None, None], shape), exists)
