"""What questions say, understood once per wording.

The same words come back in picture after picture, and the same form with other words. A wording is a program with a
place for each id and a blank for each word, and its answer; what it tells and what it needs is read once (``claims``),
and every question with this wording has the same, with its own ids in the places and its own words in the blanks.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.ragged import Ints
from eyechart.questions.entailment.claims import SCENE, SOMETHING, Claim, Goal, claim_of
from eyechart.questions.entailment.lexicon import BLANK, Lexicon, blanks, filled
from eyechart.questions.entailment.predicates import Judgement, Logic, Predicate
from eyechart.questions.programs import Program
from eyechart.scenes import ontology

__all__ = ["FIRST_STEP", "IN_SCENE", "NOWHERE", "Codes", "Wordings", "column_of"]

_SLOT = "@"
NOWHERE, IN_SCENE, FIRST_STEP = 0, 1, 2
"""The columns of places: for no thing, for the picture, for the thing of step 0, after which come the other steps."""

Row = tuple[object, ...]

_SAID = {"template": pl.UInt32, "anchor_slot": pl.UInt8}
_KNOWN = {"wording": pl.UInt32, "fact": pl.UInt8, "about_slot": pl.UInt8, **_SAID}
_DENIED = {"wording": pl.UInt32, "denial": pl.UInt8, "denied_parts": pl.UInt8, "denied_part": pl.UInt8, **_SAID}
_GOAL = {"wording": pl.UInt32, "goal": pl.UInt8, "about_slot": pl.UInt8}
_GOALS = {**_GOAL, "given_parts": pl.UInt8, "truth": pl.Boolean, "goals": pl.UInt8, "any": pl.Boolean}
_PARTS = {**_GOAL, "given": pl.Boolean, "parts": pl.UInt8, "part": pl.UInt8, **_SAID}

_FILLED = Key(0, "filled")


def column_of(step: int, word: int) -> int:
    """The column of a word of a step; column 0 is for no word."""
    return 1 + 2 * step + word


class Codes:
    """Numbers for statements and their topics, and what one says about another, each found out once."""

    def __init__(self, words: ontology.Ontology) -> None:
        self.logic = Logic(words)
        self._predicates: list[Predicate] = []
        self._numbers: dict[Predicate, int] = {}
        self._topics: dict[str, int] = {}
        self._judged: dict[tuple[int, int], Judgement | None] = {}

    def of(self, said: Predicate) -> tuple[int, int]:
        """The numbers of a statement, whatever thing it is about, and of its topic."""
        bare = said._replace(anchor="")
        if bare not in self._numbers:
            self._numbers[bare] = len(self._predicates)
            self._predicates.append(bare)
        return self._numbers[bare], self._topics.setdefault(bare.topic, len(self._topics))

    def opposite(self, number: int) -> int:
        """The number of the opposite statement."""
        return self.of(self._predicates[number].opposite())[0]

    def implies(self, known: int, asked: int) -> Judgement | None:
        """How one statement makes another one true, if it does."""
        one, other = self._predicates[known], self._predicates[asked]
        if one.negated or other.negated:
            found = self.judge(known, asked)
            return found if found and found.holds else None
        return self.logic.implied(one, other)

    def judge(self, known: int, asked: int) -> Judgement | None:
        """What one statement says about another."""
        pair = known, asked
        if pair not in self._judged:
            self._judged[pair] = self.logic.judge(self._predicates[known], self._predicates[asked])
        return self._judged[pair]


class _Templates:
    """Statements with blanks, and the columns of the words that belong there."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
        self._numbers: dict[tuple[Predicate, tuple[int, ...]], int] = {}
        self._listed: list[tuple[Predicate, tuple[int, ...]]] = []
        self._said: dict[int, tuple[int, int]] = {}

    def of(self, said: Predicate) -> int:
        """The number of a statement with blanks."""
        named, bare = blanks(said._replace(anchor=""))
        columns = [BLANK.fullmatch(each) for each in named]
        key = bare, tuple(column_of(int(each[1]), "ab".index(each[2])) for each in columns if each)
        if key not in self._numbers:
            self._numbers[key] = len(self._listed)
            self._listed.append(key)
        return self._numbers[key]

    def said(self, template: Ints, row: Ints, words: Ints, names: Sequence[str]) -> tuple[Ints, Ints]:
        """The statements that templates make with the words of rows, and their topics."""
        most = max((len(columns) for _, columns in self._listed), default=0)
        padded = np.array([(*columns, *[0] * (most - len(columns))) for _, columns in self._listed], dtype=np.int64)
        keys = _FILLED.array(template.astype(np.uint64))
        for place in range(most):
            column = padded[template, place]
            there = np.flatnonzero(column)
            word = words[row[there], column[there]].astype(np.uint64)
            keys[there] = _FILLED.array(keys[there], word)
        different, first, number = np.unique(keys, return_index=True, return_inverse=True)
        found = np.array(
            [
                self._filled(key, template[place], words[row[place]], names)
                for key, place in zip(different.tolist(), first.tolist(), strict=True)
            ],
            dtype=np.int64,
        ).reshape(-1, 2)
        return found[number, 0], found[number, 1]

    def _filled(self, key: int, template: int, words: Ints, names: Sequence[str]) -> tuple[int, int]:
        if key not in self._said:
            bare, columns = self._listed[template]
            self._said[key] = self.codes.of(filled(bare, tuple(names[words[column]] for column in columns)))
        return self._said[key]


class Wordings:
    """What the wordings met so far tell and need, as tables.

    >>> wordings = Wordings(ontology.packaged_ontology())
    >>> wordings.add(7, Program.parse("select: □0a (@0)->query: color [0]"), "□1a=color")
    0
    >>> wordings.goals.select("about_slot", "truth").row(0)
    (2, True)
    """

    def __init__(self, words: ontology.Ontology) -> None:
        self.lexicon, self.codes = Lexicon(words), Codes(words)
        self.templates = _Templates(self.codes)
        self._numbers: dict[int, int] = {}
        self._rows = _Rows(self.templates)
        self._tables: dict[str, pl.DataFrame] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number(self, key: int) -> int | None:
        """The number of a wording by the key under which it was added."""
        return self._numbers.get(key)

    def add(self, key: int, program: Program, answer: str) -> int:
        """Understand a new wording: a program with blanks and places, and its answer."""
        number = self._numbers[key] = len(self._numbers)
        self._rows.add(number, claim_of(program, answer, self.lexicon))
        self._tables.clear()
        return number

    @property
    def known(self) -> pl.DataFrame:
        """What is told of things."""
        return self._table("known", self._rows.known, _KNOWN)

    @property
    def denied(self) -> pl.DataFrame:
        """Parts of descriptions that nothing fits."""
        return self._table("denied", self._rows.denied, _DENIED)

    @property
    def goals(self) -> pl.DataFrame:
        """What has to be found out."""
        return self._table("goals", self._rows.goals, _GOALS)

    @property
    def parts(self) -> pl.DataFrame:
        """What goals want, and by what they describe their things."""
        return self._table("parts", self._rows.parts, _PARTS)

    def _table(self, name: str, rows: list[Row], schema: Mapping[str, type[pl.DataType]]) -> pl.DataFrame:
        if name not in self._tables:
            self._tables[name] = pl.DataFrame(rows, dict(schema), orient="row")
        return self._tables[name]


class _Rows:
    """Rows of the four tables, as claims give them."""

    def __init__(self, templates: _Templates) -> None:
        self.templates = templates
        self.known: list[Row] = []
        self.denied: list[Row] = []
        self.goals: list[Row] = []
        self.parts: list[Row] = []

    def add(self, wording: int, claim: Claim | None) -> None:
        """What one wording tells and needs."""
        if claim is None:
            return
        for number, fact in enumerate(claim.facts):
            self.known += [(wording, number, _slot(fact.about), *self._said(each)) for each in fact.known]
        for number, description in enumerate(claim.denied):
            head = (wording, number, len(description))
            self.denied += [(*head, part, *self._said(each)) for part, each in enumerate(description)]
        for number, goal in enumerate(claim.goals):
            given = 0 if goal.given is None else len(goal.given)
            needs = (goal.truth, len(claim.goals), claim.needs == "any")
            self.goals.append((wording, number, _slot(goal.about), given, *needs))
            self._add_parts((wording, number, _slot(goal.about)), goal)

    def _add_parts(self, head: Row, goal: Goal) -> None:
        for given, said in ((False, goal.wanted), (True, goal.given or ())):
            self.parts += [(*head, given, len(said), part, *self._said(each)) for part, each in enumerate(said)]

    def _said(self, said: Predicate) -> Row:
        return self.templates.of(said), _slot(said.anchor)


def _slot(thing: str) -> int:
    """The column of a place such as @0, or of several things in one place."""
    if thing == SOMETHING:
        return NOWHERE
    if thing == SCENE:
        return IN_SCENE
    place = next(each for each in thing.split(",") if each.startswith(_SLOT))
    return int(place.removeprefix(_SLOT)) + FIRST_STEP
