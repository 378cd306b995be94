"""Which questions of a picture follow from which, over whole tables at once: joins within pictures.

On one side stands what questions tell: facts about things, and descriptions that nothing fits. On the other side stands
what questions need: goals that have to be true or false. A goal is settled in five ways:

stated      a fact about its thing says so, by the rules
existence   one thing is known of which all is true that any thing might have
sole        something is known that fits the description of the goal's thing, which is the only one that fits
absence     all of a description that nothing fits would be true of it
exception   the only thing that fits its description is known not to
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from operator import or_

import numpy as np
import polars as pl

from eyechart.questions.entailment.predicates import EXCLUDING, FOLLOWING, Judgement
from eyechart.questions.entailment.reading import Read, Reader
from eyechart.questions.entailment.wordings import NOWHERE, Wordings
from eyechart.questions.meanings import meanings
from eyechart.scenes import ontology

__all__ = ["Entailer"]

_WAYS = ("existence", "sole", "absence", "exception")
RULES = (*FOLLOWING, *EXCLUDING, *_WAYS)
"""All rules by name; a set of them is a whole number with a bit for each."""
_BITS = {name: 1 << place for place, name in enumerate(RULES)}
_MASK = pl.UInt32
_NAMES = {"rules": _MASK, "rule": pl.String}
_MOST_ROWS = 1 << 18
"""Questions that are joined together, which bounds the memory."""

_UNNAMED, _MOST_FACTS = 1 << 63, 1 << 8
"""Numbers for things of which only the existence is known, behind all others."""

_AT = ["image", "topic", "anchor"]
"""Where a statement may meet another one."""
_GOAL_OF = ["row", "settled", "goal"]


class Entailer:
    """Finds entailments, batch after batch; what it understood of one helps with the next.

    >>> from eyechart.questions.programs import Program
    >>> step = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
    >>> def row(id_, program, answer):
    ...     return {"question_id": id_, "image_id": "1", "answer": answer, "program": Program.parse(program).rows}
    >>> rows = [
    ...     row("a", "select: apple (7)->query: color [0]", "red"),
    ...     row("b", "select: apple (7)->verify color: green [0]", "no"),
    ... ]
    >>> questions = pl.DataFrame(rows, schema_overrides={"program": pl.List(step)})
    >>> Entailer(ontology.packaged_ontology()).entail(questions).rows()
    [('a', 'a', 'equivalent'), ('a', 'b', 'exclusive'), ('b', 'b', 'equivalent')]
    """

    def __init__(self, words: ontology.Ontology) -> None:
        self.wordings = Wordings(words)
        self.reader = Reader(self.wordings)

    def entail(self, questions: pl.DataFrame) -> pl.DataFrame:
        """The entailments table of questions with programs and answers; each image must be there as a whole."""
        usable = questions.filter(pl.col("program").list.len() > 0, pl.col("answer").is_not_null())
        found = [
            self._batch(batch) for batch in _batches(usable.select("question_id", "image_id", "answer", "program"))
        ]
        empty = pl.DataFrame(schema={"question_id": pl.String, "entailed_id": pl.String, "rule": pl.String})
        return pl.concat([empty, *found]).sort("question_id", "entailed_id", "rule")

    def _batch(self, questions: pl.DataFrame) -> pl.DataFrame:
        """The entailments of some images."""
        pictures = self._pictures(questions)
        settled = _answered(pictures, pl.concat(pictures.settled()))
        same = pictures.equivalent()
        others = same.filter(pl.col("row") != pl.col("settled")).select("row", "settled", rules=pl.lit(0, _MASK))
        follows = pl.concat([settled, others]).group_by("row", "settled").agg(pl.col("rules").min())
        masks = follows["rules"].unique()
        names = pl.DataFrame({"rules": masks, "rule": [_named(each) for each in masks]}, schema_overrides=_NAMES)
        rows = [
            same.select("row", "settled", rule=pl.lit("equivalent")),
            follows.join(names, on="rules", how="left").select("row", "settled", "rule"),
        ]
        found, ids = pl.concat(rows), questions["question_id"]
        return found.select(question_id=ids.gather(found["row"]), entailed_id=ids.gather(found["settled"]), rule="rule")

    def _pictures(self, questions: pl.DataFrame) -> "_Pictures":
        """What every question tells and needs, with its own things and words."""
        image = questions["image_id"].rank("dense").to_numpy().astype(np.int64)
        read = self.reader.read(questions, image)
        rows = questions.with_row_index("row").select(
            "row",
            "answer",
            meanings(questions["program"]),
            image=pl.Series(image, dtype=pl.UInt32),
            wording=pl.Series(read.wording, dtype=pl.UInt32),
        )
        return _Pictures(rows, read, self.reader.names, self.wordings)


def _batches(questions: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Whole images, some at a time."""
    sizes = questions.group_by("image_id", maintain_order=True).agg(size=pl.len())
    numbered = sizes.select("image_id", batch=pl.col("size").cum_sum() // _MOST_ROWS)
    parted = questions.join(numbered, on="image_id", maintain_order="left")
    yield from parted.partition_by("batch", include_key=False, maintain_order=True)


def _named(rules: int) -> str:
    """The names of a set of rules."""
    return "+".join(name for name, bit in _BITS.items() if rules & bit) or "stated"


def _answered(pictures: "_Pictures", verdicts: pl.DataFrame) -> pl.DataFrame:
    """Which questions are answered, as their answers say, by what was found out about their goals."""
    right = verdicts.join(pictures.goals, left_on=["settled", "goal"], right_on=["row", "goal"]).filter(
        pl.col("verdict") == pl.col("truth")
    )
    goal = right.group_by("row", "settled", "goal", "goals", "any").agg(pl.col("rules").min())
    answers = goal.group_by("row", "settled", "goals", "any").agg(
        found=pl.len(), every=pl.col("rules").bitwise_or(), least=pl.col("rules").min()
    )
    return answers.filter(pl.col("any") | (pl.col("found") == pl.col("goals"))).select(
        "row", "settled", rules=pl.when("any").then("least").otherwise("every")
    )


class _Pictures:
    """What the questions of some pictures tell and need."""

    def __init__(self, rows: pl.DataFrame, read: Read, names: Sequence[str], wordings: Wordings) -> None:
        self.rows, self.read, self.names, self.codes = rows, read, names, wordings.codes
        self.wordings = wordings
        self.known = self.placed(wordings.known).with_columns(
            witness=pl.when(pl.col("about") > 0)
            .then(pl.col("about"))
            .otherwise(pl.lit(_UNNAMED, pl.UInt64) + pl.col("row").cast(pl.UInt64) * _MOST_FACTS + pl.col("fact"))
        )
        self.denied = self.placed(wordings.denied)
        self.goals = rows.select("row", "wording").join(wordings.goals, on="wording")
        self.parts = self.placed(wordings.parts).rename({"row": "settled", "predicate": "asked"})
        self.wanted = self.parts.filter(~pl.col("given"))
        self.given = self.parts.filter("given")

    def placed(self, table: pl.DataFrame) -> pl.DataFrame:
        """A table of wordings for every question, with its things in the places and its words in the blanks."""
        joined = self.rows.select("row", "image", "wording").join(table, on="wording")
        row, template = (joined[name].to_numpy().astype(np.int64) for name in ("row", "template"))
        slots = [name for name in ("about", "anchor") if f"{name}_slot" in table.columns]
        things = [pl.Series(name, self.read.places[row, joined[f"{name}_slot"].to_numpy()]) for name in slots]
        said = self.wordings.templates.said(template, row, self.read.words, self.names)
        codes = [
            pl.Series(name, each, dtype=pl.UInt32) for name, each in zip(("predicate", "topic"), said, strict=True)
        ]
        return joined.with_columns(*things, *codes).drop("template", *(f"{name}_slot" for name in slots))

    def judged(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Pairs of what one question tells and another asks, where the one says something about the other."""
        return self._said(pairs, self.codes.judge).filter(pl.col("row") != pl.col("settled"))

    def implied(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Pairs of what one question tells and another asks, where the one makes the other true."""
        return self._said(pairs, self.codes.implies).filter(pl.col("row") != pl.col("settled"))

    def matches(self, told: pl.DataFrame, asked: pl.DataFrame) -> pl.DataFrame:
        """Pairs of what is told and what is asked of the same image, where the one makes the other true.

        Most statements are made by many questions about an image, so that they are first compared as such.
        """
        once = told.select(*_AT, "predicate").unique().join(asked.select(*_AT, "asked").unique(), on=_AT)
        hits = self._said(once, self.codes.implies)
        both = asked.join(hits, on=[*_AT, "asked"]).join(told, on=[*_AT, "predicate"])
        return both.filter(pl.col("row") != pl.col("settled"))

    def _said(self, pairs: pl.DataFrame, judge: Callable[[int, int], Judgement | None]) -> pl.DataFrame:
        """Those pairs of statements of which the one says something about the other."""
        distinct = pairs.select("predicate", "asked").unique()
        found = [judge(*pair) for pair in distinct.iter_rows()]
        said = distinct.with_columns(
            holds=pl.Series([each and each.holds for each in found], dtype=pl.Boolean),
            rules=pl.Series([each and _mask(each.rules) for each in found], dtype=_MASK),
        ).drop_nulls("holds")
        return pairs.join(said, on=["predicate", "asked"])

    def settled(self) -> Iterator[pl.DataFrame]:
        """Goals that are found true or false, in each way."""
        for way in (self.stated, self.existence, self.sole, self.absence, self.exception):
            verdicts = way()
            bit = _BITS.get(way.__name__, 0)
            yield verdicts.select(*_GOAL_OF, "verdict", rules=(pl.col("rules") | bit).cast(_MASK))

    def stated(self) -> pl.DataFrame:
        """Goals about a thing of which something is known."""
        asked = self.wanted.filter(pl.col("about") > 0)
        told = self.known.filter(pl.col("about") > 0).select("row", "about", "topic", "anchor", "predicate")
        return self.judged(asked.join(told, on=["about", "topic", "anchor"])).with_columns(verdict="holds")

    def existence(self) -> pl.DataFrame:
        """Goals about any thing, and one of which all is known."""
        asked = self.wanted.filter(pl.col("about") == NOWHERE)
        told = self.known.select("row", "witness", *_AT, "predicate")
        hits = self.matches(told, asked)
        return _complete(hits, ["row", "witness", "settled", "goal"], "part", "parts").with_columns(verdict=True)

    def sole(self) -> pl.DataFrame:
        """Goals about the only thing of a description, and some thing that fits it."""
        described = self.goals.filter(pl.col("given_parts") > 0).select(settled="row", goal="goal")
        asked = self.wanted.filter(pl.col("about") > 0).join(described, on=["settled", "goal"])
        told = self.known.select("row", "about", "witness", *_AT, "predicate")
        some = told.filter(pl.col("about") == NOWHERE).drop("about")
        hits = self.matches(some, asked)
        fitting = hits.select("row", "witness", "settled", "goal", wanted="rules").unique()
        fits = fitting.join(self.given, on=["settled", "goal"]).join(
            some.drop("image"), on=["row", "witness", "topic", "anchor"]
        )
        found = _complete(self.implied(fits), ["row", "witness", "settled", "goal", "wanted"], "part", "parts")
        return found.with_columns(rules=pl.col("rules") | pl.col("wanted"), verdict=True)

    def absence(self) -> pl.DataFrame:
        """Goals whose truth, or untruth, would make something of a kind that there is not."""
        one = pl.col("about") > 0
        opposites = {code: self.codes.opposite(code) for code in self.wanted.filter(one)["asked"].unique()}
        as_wanted = pl.concat([self.wanted, self.given]).with_columns(verdict=False)
        turned = self.wanted.filter(one).with_columns(pl.col("asked").replace(opposites))
        if_not = pl.concat([turned, self.given]).with_columns(verdict=True)
        # What the goal says implies what is denied: here the goal is the premise.
        told = pl.concat([as_wanted, if_not]).select("settled", "goal", "verdict", *_AT, predicate="asked")
        asked = self.denied.rename({"predicate": "asked"})
        hits = self.matches(told, asked)
        keys = ["row", "denial", "settled", "goal", "verdict"]
        return _complete(hits, keys, "denied_part", "denied_parts")

    def exception(self) -> pl.DataFrame:
        """Goals about any thing of a description, where of the only one that fits it is known that it is not so."""
        asked = self.wanted.filter(pl.col("about") == NOWHERE).drop("about")
        described = self.given.select("about", *_AT, "part", "parts", "asked", row="settled", own_goal="goal")
        said = asked.select("settled", "goal", *_AT, predicate="asked")
        keys = ["row", "about", "own_goal", "settled", "goal"]
        fitting = _complete(self.matches(said, described), keys, "part", "parts")
        fitting = fitting.select("row", "about", "settled", "goal", described="rules").unique()
        told = self.known.filter(pl.col("about") > 0).select("row", "about", "topic", "anchor", "predicate")
        both = fitting.join(asked.drop("row", strict=False), on=["settled", "goal"]).join(
            told, on=["row", "about", "topic", "anchor"]
        )
        found = self.judged(both).filter(~pl.col("holds"))
        return found.with_columns(rules=pl.col("rules") | pl.col("described"), verdict=False)

    def equivalent(self) -> pl.DataFrame:
        """Questions that mean the same of the same things and have the same answer, each with itself too."""
        pairs = self.rows.join(self.rows, on=["image", "meaning", "answer"], suffix="_other")
        return pairs.select("row", settled="row_other")


def _mask(rules: tuple[str, ...]) -> int:
    return reduce(or_, (_BITS[each] for each in rules), 0)


def _complete(hits: pl.DataFrame, keys: list[str], part: str, parts: str) -> pl.DataFrame:
    """Where every part was hit, with all the rules by which they were."""
    found = hits.group_by(*keys, parts).agg(found=pl.col(part).n_unique(), rules=pl.col("rules").bitwise_or())
    return found.filter(pl.col("found") == pl.col(parts))
