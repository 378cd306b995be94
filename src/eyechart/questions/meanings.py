"""Which questions about a picture mean the same, over whole tables: a number per program, equal for equal meanings.

What ``Program.grounded`` says of one program, this says of a column of them: order of filters, of two sides and of two
options makes no difference, ids do. It is what finds near-duplicates among millions of questions.
"""

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.distinct import distinct

__all__ = ["meanings"]

Numbers = npt.NDArray[np.uint64]
Places = npt.NDArray[np.int64]

_STEP, _TAKEN, _FILTER = Key(0, "step"), Key(0, "taken"), Key(0, "filter")
_SYMMETRIC = ("and", "or", "common", "as many", "same ", "different ")
_OPERATION, _ARGUMENT = pl.col("operation"), pl.col("argument")
_NEGATED = r"^not\((.*)\)$"
_RELATIONS = r"^([^,]*),([^|]*)\|([^,]*),(.*)$"


def meanings(programs: pl.Series) -> pl.Series:
    """A number for the meaning of each program; null where there is none.

    >>> step = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
    >>> from eyechart.questions.programs import Program
    >>> same = ["select: cup (7)->choose color: red|blue [0]", "select: cup (7)->choose color: blue|red [0]"]
    >>> other = "select: cup (8)->choose color: red|blue [0]"
    >>> programs = pl.Series([Program.parse(each).rows for each in (*same, other)], dtype=pl.List(step))
    >>> meanings(programs).rank("dense").to_list() in ([1, 1, 2], [2, 2, 1])
    True
    """
    sizes = programs.list.len().fill_null(0).to_numpy().astype(np.int64)
    numbers = np.zeros(len(sizes), dtype=np.uint64)
    known = np.flatnonzero(sizes)
    if known.size:
        steps = programs.filter(pl.Series(sizes > 0)).explode().struct.unnest()
        numbers[known] = _of_steps(steps, sizes[known])
    return pl.DataFrame({"number": numbers, "known": sizes > 0}).select(
        pl.when("known").then("number").alias("meaning")
    )["meaning"]


def _of_steps(steps: pl.DataFrame, sizes: Places) -> Numbers:
    """The meanings of programs whose steps stand below each other, as many as each has."""
    starts = np.cumsum(sizes) - sizes
    said = _Said(steps)
    meant = np.zeros(len(steps), dtype=np.uint64)
    for place in range(int(sizes.max())):
        rows = starts[sizes > place]
        meant[rows + place] = _at_place(rows + place, rows, said, meant)
    found: Numbers = meant[starts + sizes - 1]
    return found


class _Said:
    """What each step says by itself, and what it takes from."""

    def __init__(self, steps: pl.DataFrame) -> None:
        first, number = distinct(steps.select("operation", "argument"))
        once = _in_one_way(steps.select("operation", "argument")[first])
        texts = (once["operation"].hash(1).to_numpy(), once["argument"].hash(2).to_numpy())
        self.own = _STEP.array(*texts)[number]
        self.filters, self.symmetric = (once[name].to_numpy()[number] for name in ("filters", "symmetric"))
        taken, turned = steps["dependencies"], once["turned"].to_numpy()[number]
        self.count = taken.list.len().to_numpy()
        one, other = (
            taken.list.get(place, null_on_oob=True).fill_null(0).to_numpy().astype(np.int64) for place in (0, 1)
        )
        self.first, self.second = np.where(turned, other, one), np.where(turned, one, other)


def _in_one_way(steps: pl.DataFrame) -> pl.DataFrame:
    """Steps with all that is said in two ways said in one; ``turned`` if the two that it takes have changed sides."""
    steps = steps.select("operation", _ARGUMENT.str.strip_chars_end(" "))
    none, some = _OPERATION.str.starts_with("none"), (_OPERATION == "at least") & (_ARGUMENT == "1")
    choice = _ARGUMENT.str.contains("|", literal=True)
    fewer = _OPERATION == "fewer"
    opposite = (
        pl.when(_ARGUMENT.str.contains(_NEGATED))
        .then(_ARGUMENT.str.extract(_NEGATED))
        .otherwise(pl.format("not({})", _ARGUMENT))
    )
    if steps.select(choice.any()).item():
        steps = steps.with_columns(argument=pl.when(choice).then(_sorted_options()).otherwise(_ARGUMENT))
    said = steps.select(
        operation=pl.when(none)
        .then(_OPERATION.str.replace("none", "all", literal=True))
        .when(some)
        .then(pl.lit("exist"))
        .when(fewer)
        .then(pl.lit("more"))
        .otherwise(_OPERATION),
        argument=pl.when(none).then(opposite).when(some).then(pl.lit("?")).otherwise(_ARGUMENT),
        turned=fewer,
    )
    compared = _OPERATION.str.starts_with("choose ") & (_ARGUMENT == "")
    return said.with_columns(
        filters=_OPERATION.str.starts_with("filter"),
        symmetric=pl.any_horizontal(*(_OPERATION.str.starts_with(each) for each in _SYMMETRIC), compared),
    )


def _sorted_options() -> pl.Expr:
    """Two options, or two relations within what else is said, in the order of the alphabet."""
    parts = _ARGUMENT.str.extract_groups(_RELATIONS)
    name, one, other, rest = (parts.struct.field(str(place)) for place in range(1, 5))
    smaller, larger = pl.min_horizontal(one, other), pl.max_horizontal(one, other)
    plain = _ARGUMENT.str.split("|").list.sort().list.join("|")
    return pl.when(name.is_null()).then(plain).otherwise(pl.format("{},{}|{},{}", name, smaller, larger, rest))


def _at_place(rows: Places, starts: Places, said: _Said, meant: Numbers) -> Numbers:
    """What some steps mean, by themselves and by what they take from."""
    own = said.own[rows]
    one, other = meant[starts + said.first[rows]], meant[starts + said.second[rows]]
    taken = np.where(said.count[rows] > 0, _TAKEN.array(one), np.uint64(0))
    # Filters add up, so that their order makes no difference; of two sides the first counts three times.
    sides = np.where(said.symmetric[rows], taken, taken * np.uint64(3)) + _TAKEN.array(other)
    taken = np.where(said.count[rows] > 1, sides, taken)
    return np.where(said.filters[rows], one + _FILTER.array(own), _STEP.array(own, taken))
