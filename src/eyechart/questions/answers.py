"""Which answers are of the right kind for a question, and which occur: GQA's lists of valid and plausible answers.

Valid are yes and no; the two options of a choice; else every answer to questions of the same global group. Plausible
are, of the answers to open questions, those that occur in the same local group: colours that apples have, what people
ride (Hudson and Manning 2019, section 4.4).
"""

from dataclasses import dataclass

import polars as pl

__all__ = ["AnswerLists", "occurring"]

_BINARY = ("yes", "no")
_LAST = pl.col("program").list.last().struct.field("argument")
_BESIDE_NAMES = r"^[^,|]*,|,[so_] ?(\(.*\))?$"
"""What a choice of relations says besides the relations: a name before them, a side and ids behind."""
_AROUND = r"^to the | of$"
"""Words that one leaves out where a relation is the answer: left for to the left of."""


@dataclass(frozen=True)
class AnswerLists:
    """Every answer that occurs in each group."""

    valid: pl.DataFrame
    plausible: pl.DataFrame

    @classmethod
    def of(cls, questions: pl.LazyFrame) -> "AnswerLists":
        """From all questions of a set."""
        known = questions.filter(pl.col("program").list.len() > 0, pl.col("answer").is_not_null())
        return cls(occurring(known, _kind()), occurring(known, pl.col("group_local")))

    def choices(self, questions: pl.DataFrame) -> pl.DataFrame:
        """Rows of the table ``choices``: valid answers first, plausible ones after them.

        >>> step = {"operation": "verify color", "argument": "red", "dependencies": []}
        >>> row = {"question_id": "1", "answer": "no", "program": [step], "structural": "verify"}
        >>> asked = pl.DataFrame([row | {"group_global": None, "group_local": "06-cup_red"}])
        >>> AnswerLists.of(asked.lazy()).choices(asked).select("choice", "origin").rows()
        [('yes', 'valid'), ('no', 'valid'), ('yes', 'plausible'), ('no', 'plausible')]
        """
        known = questions.filter(pl.col("program").list.len() > 0, pl.col("answer").is_not_null()).with_columns(
            closed=_options(), valid=_kind(), plausible="group_local"
        )
        rows = pl.concat([self._listed(known, origin) for origin in ("valid", "plausible")])
        placed = known.select("question_id").join(rows, on="question_id", maintain_order="left_right")
        return placed.select(
            "question_id",
            position=(pl.int_range(pl.len()).over("question_id")).cast(pl.Int32),
            choice="choice",
            is_target=pl.col("choice") == pl.col("answer"),
            origin="origin",
        )

    def _listed(self, known: pl.DataFrame, origin: str) -> pl.DataFrame:
        """The valid or the plausible answers of each question, a row each."""
        occurring_ = self.valid if origin == "valid" else self.plausible
        found = known.join(occurring_, left_on=origin, right_on="group", how="left", maintain_order="left")
        listed = found.select("question_id", "answer", choice=pl.coalesce("closed", "answers"), origin=pl.lit(origin))
        return listed.explode("choice").drop_nulls("choice")


def occurring(questions: pl.LazyFrame, group: pl.Expr) -> pl.DataFrame:
    """The answers of each group in the order of the alphabet."""
    answered = questions.select("answer", group=group).drop_nulls()
    return answered.group_by("group").agg(answers=pl.col("answer").unique().sort()).collect()


def _kind() -> pl.Expr:
    """The global group; where there is none, what is asked for."""
    return pl.coalesce("group_global", pl.format("{} {}", pl.col("structural"), _LAST))


def _options() -> pl.Expr:
    """The answers that a closed question leaves; null for an open one."""
    relations = pl.col("program").list.last().struct.field("operation") == "choose rel"
    named = pl.when(relations).then(_LAST.str.replace_all(_BESIDE_NAMES, "")).otherwise(_LAST).str.strip_chars()
    options = named.str.split("|")
    options = pl.when(relations).then(options.list.eval(pl.element().str.replace_all(_AROUND, ""))).otherwise(options)
    chosen = pl.when(pl.col("structural") == "choose", options.list.contains(pl.col("answer"))).then(options)
    both = pl.lit(pl.Series([list(_BINARY)]))
    return pl.when(pl.col("answer").is_in(_BINARY)).then(both).otherwise(chosen)
