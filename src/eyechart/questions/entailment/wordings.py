"""What questions say, understood once per wording.

The same words come back in picture after picture; only the ids differ. A wording is a program with a place for each id
and its answer; what it tells and what it needs is read once (``claims``), and every question with this wording has the
same, with its own ids in the places.
"""

from collections.abc import Iterable

import polars as pl

from eyechart.questions.entailment.claims import SCENE, SOMETHING, Claim, Goal, claim_of
from eyechart.questions.entailment.predicates import Judgement, Logic, Predicate
from eyechart.questions.programs import Program
from eyechart.scenes import ontology

__all__ = ["FIRST_STEP", "IN_SCENE", "NOWHERE", "Codes", "Wordings", "worded"]

_IDS = r" \(([^()]*)\) ?$"
_ABSENT = "-"
_SLOT = "@"
_SEVERAL = "+"
NOWHERE, IN_SCENE, FIRST_STEP = 0, 1, 2
"""The columns of places: for no thing, for the picture, for the thing of step 0, after which come the other steps."""

Row = tuple[object, ...]

_SAID = {"predicate": pl.UInt32, "topic": pl.UInt32, "anchor_slot": pl.UInt8}
_KNOWN = {"wording": pl.UInt32, "fact": pl.UInt8, "about_slot": pl.UInt8, **_SAID}
_DENIED = {"wording": pl.UInt32, "denial": pl.UInt8, "denied_parts": pl.UInt8, "denied_part": pl.UInt8, **_SAID}
_GOAL = {"wording": pl.UInt32, "goal": pl.UInt8, "about_slot": pl.UInt8}
_GOALS = {**_GOAL, "given_parts": pl.UInt8, "truth": pl.Boolean, "goals": pl.UInt8, "any": pl.Boolean}
_PARTS = {**_GOAL, "given": pl.Boolean, "parts": pl.UInt8, "part": pl.UInt8, **_SAID}


def worded(questions: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The wording of each question, and the ids in its places.

    >>> step = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
    >>> program = Program.parse("select: apple (7)->query: color [0]").rows
    >>> row = {"row": 0, "image_id": "1", "answer": "red", "program": program}
    >>> texts, things = worded(pl.DataFrame([row], schema_overrides={"program": pl.List(step)}))
    >>> texts.row(0), things.row(0)
    ((0, 'select: apple (@0)->query: color [0]'), (0, 0, '7'))
    """
    steps = (
        questions.select("row", "program", place=pl.int_ranges(pl.col("program").list.len()))
        .explode("program", "place")
        .unnest("program")
        .with_columns(ids=pl.col("argument").str.extract(_IDS))
    )
    ids, place = pl.col("ids"), pl.col("place").cast(pl.String)
    marker = (
        pl.when(ids.is_null())
        .then(pl.lit(""))
        .when(ids == _ABSENT)
        .then(pl.lit(" (-)"))
        .when(ids.str.contains(",", literal=True))
        .then(pl.format(f" ({_SLOT}{{}},{_SEVERAL})", place))
        .otherwise(pl.format(f" ({_SLOT}{{}})", place))
    )
    taken = pl.col("dependencies")
    behind = pl.when(taken.list.len() > 0).then(pl.format(" [{}]", taken.cast(pl.List(pl.String)).list.join(", ")))
    bare = pl.col("argument").str.replace(_IDS, "").str.strip_chars_end(" ")
    texts = (
        steps.select("row", text=pl.concat_str("operation", pl.lit(": "), bare, marker, behind.fill_null("")))
        .group_by("row", maintain_order=True)
        .agg(pl.col("text").str.join("->"))
    )
    things = steps.filter(ids.is_not_null() & (ids != _ABSENT)).select(
        "row", "place", ids=pl.when(ids.str.contains(",", literal=True)).then(_sorted(ids)).otherwise(ids)
    )
    return texts, things


def _sorted(ids: pl.Expr) -> pl.Expr:
    return ids.str.split(",").list.sort().list.join(",")


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


class Wordings:
    """What the wordings met so far tell and need, as tables.

    >>> wordings = Wordings(ontology.packaged_ontology())
    >>> wordings.read([("select: apple (@0)->query: color [0]", "red")]).to_list()
    [0]
    >>> wordings.goals.select("about_slot", "truth").row(0)
    (2, True)
    """

    def __init__(self, words: ontology.Ontology) -> None:
        self.words, self.codes = words, Codes(words)
        self._numbers: dict[tuple[str, str], int] = {}
        self.known = pl.DataFrame(schema=_KNOWN)
        self.denied = pl.DataFrame(schema=_DENIED)
        self.goals = pl.DataFrame(schema=_GOALS)
        self.parts = pl.DataFrame(schema=_PARTS)

    def read(self, texts: Iterable[tuple[str, str]]) -> pl.Series:
        """The numbers of wordings and their answers; those that are new are understood and added to the tables."""
        numbers: list[int] = []
        rows = _Rows(self.codes)
        for each in texts:
            if each not in self._numbers:
                self._numbers[each] = len(self._numbers)
                rows.add(self._numbers[each], claim_of(Program.parse(each[0]), each[1], self.words))
            numbers.append(self._numbers[each])
        self.known = pl.concat([self.known, pl.DataFrame(rows.known, _KNOWN, orient="row")])
        self.denied = pl.concat([self.denied, pl.DataFrame(rows.denied, _DENIED, orient="row")])
        self.goals = pl.concat([self.goals, pl.DataFrame(rows.goals, _GOALS, orient="row")])
        self.parts = pl.concat([self.parts, pl.DataFrame(rows.parts, _PARTS, orient="row")])
        return pl.Series("wording", numbers, dtype=pl.UInt32)


class _Rows:
    """Rows of the four tables, as claims give them."""

    def __init__(self, codes: Codes) -> None:
        self.codes = codes
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
        return (*self.codes.of(said), _slot(said.anchor))


def _slot(thing: str) -> int:
    """The column of a place such as @0, or of several things in one place."""
    if thing == SOMETHING:
        return NOWHERE
    if thing == SCENE:
        return IN_SCENE
    place = next(each for each in thing.split(",") if each.startswith(_SLOT))
    return int(place.removeprefix(_SLOT)) + FIRST_STEP
