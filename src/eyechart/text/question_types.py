"""The kind of a question by its first words, as the VQA datasets label it."""

from functools import cache
from importlib.resources import files

import polars as pl

__all__ = ["QUESTION_TYPES", "question_type"]

NONE_OF_THE_ABOVE = "none of the above"

QUESTION_TYPES: dict[str, str] = {"mscoco": "mscoco.txt", "abstract_v002": "abstract_v002.txt"}
"""The two published lists, for questions about photographs and about abstract scenes."""


def question_type(questions: pl.Expr, kind: str = "mscoco") -> pl.Expr:
    """The longest listed prefix of each question, in whole words (VQA v1, section 4); "none of the above" if none fits.

    >>> asked = pl.DataFrame({"q": ["What color is the cat?", "What colors are here?", "Whose is it?"]})
    >>> asked.select(question_type(pl.col("q")))["q"].to_list()
    ['what color is the', 'what', 'none of the above']
    """
    words = questions.str.to_lowercase().str.strip_chars().str.split(" ")
    by_length = _types_by_length(kind)
    candidates = [
        pl.when(prefix.is_in(types)).then(prefix)
        for length, types in sorted(by_length.items(), reverse=True)
        for prefix in [words.list.head(length).list.join(" ")]
    ]
    return pl.coalesce(*candidates, pl.when(questions.is_not_null()).then(pl.lit(NONE_OF_THE_ABOVE)))


@cache
def _types_by_length(kind: str) -> dict[int, list[str]]:
    text = files("eyechart.text").joinpath("question_type_lists", QUESTION_TYPES[kind]).read_text("utf-8")
    by_length: dict[int, list[str]] = {}
    for line in text.splitlines():
        by_length.setdefault(len(line.split()), []).append(line.strip())
    return by_length
