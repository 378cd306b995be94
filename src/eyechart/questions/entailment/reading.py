"""From the programs of questions to numbers: the wording of each, the things in its places, the words in its blanks.

Work is done per different step of all programs, not per question: of a million steps some ten thousand are different,
and of these, once ids and words are taken out, a few hundred.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.distinct import distinct
from eyechart.questions.arrays.ragged import Ints, Keys
from eyechart.questions.entailment.opening import Opened, opened
from eyechart.questions.entailment.wordings import FIRST_STEP, IN_SCENE, Wordings, column_of
from eyechart.questions.operations import read_operation
from eyechart.questions.programs import Program, Step

__all__ = ["Read", "Reader"]

_IDS = r" \(([^()]*)\) ?$"
_ABSENT, _SLOT, _SEVERAL = "-", "@", ",+"
_CHAIN = Key(0, "wording")
_COMPARED = "choose "
_NO_IDS, _NONE_THERE, _ONE, _MORE = range(4)
_MARKERS = ("", f" ({_ABSENT})", f" ({_SLOT}%s)", f" ({_SLOT}%s{_SEVERAL})")
_THING_BITS = 32
_WHOLE_PICTURE = (1 << _THING_BITS) - 1


@dataclass(frozen=True)
class Read:
    """Questions in numbers, a row for each."""

    wording: Ints
    places: npt.NDArray[np.uint64]
    """The things of each question, unique over images: a column per place."""
    words: Ints
    """The words of each question: a column per blank."""


class _Form(NamedTuple):
    """A step without its words and ids."""

    operation: str
    argument: str
    marker: int
    answer: str


class Reader:
    """Reads questions, batch after batch; what it understood of one helps with the next.

    >>> from eyechart.questions.programs import Program
    >>> step = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
    >>> asked = [("select: cup (7)->query: color [0]", "red"), ("select: pan (3)->query: color [0]", "black")]
    >>> rows = [{"answer": answer, "program": Program.parse(text).rows} for text, answer in asked]
    >>> from eyechart.scenes import ontology
    >>> reader = Reader(Wordings(ontology.packaged_ontology()))
    >>> found = reader.read(pl.DataFrame(rows, schema_overrides={"program": pl.List(step)}), np.array([1, 1]))
    >>> found.wording.tolist(), [reader.names[word] for word in found.words[1] if word]
    ([0, 0], ['pan', 'black'])
    """

    def __init__(self, wordings: Wordings) -> None:
        self.wordings = wordings
        self.names: list[str] = [""]
        self._words: dict[str, int] = {"": 0}
        self._forms: list[_Form] = []
        self._form_numbers: dict[_Form, int] = {}
        self._opened: dict[tuple[str, str, str, bool, int], tuple[int, int, int]] = {}

    def read(self, questions: pl.DataFrame, image: Ints) -> Read:
        """The wordings, things and words of questions; ``image`` numbers their pictures from 1."""
        steps = _Steps(questions)
        first, number = distinct(steps.texts)
        once = _without_ids(steps.texts[first])
        forms = np.array([self._form(*row) for row in once.select(*_FORM_OF).iter_rows()], dtype=np.int64)
        form, one, other = forms.reshape(-1, 3)[number].T
        most = int(steps.place.max(initial=0)) + 1
        words = np.zeros((len(questions), column_of(most, 0)), dtype=np.int64)
        words[steps.row, column_of(0, 0) + 2 * steps.place] = one
        words[steps.row, column_of(0, 1) + 2 * steps.place] = other
        places = np.zeros((len(questions), FIRST_STEP + most), dtype=np.uint64)
        thing = once["thing"].to_numpy().astype(np.uint64)[number]
        pictures = image.astype(np.uint64) << np.uint64(_THING_BITS)
        places[:, IN_SCENE] = pictures | np.uint64(_WHOLE_PICTURE)
        places[steps.row, FIRST_STEP + steps.place] = np.where(thing > 0, pictures[steps.row] | thing, np.uint64(0))
        return Read(self._numbered(steps, form), places, words)

    def _form(self, operation: str, argument: str, answer: str, verbatim: bool, marker: int) -> tuple[int, int, int]:  # noqa: FBT001  # a row
        """The number of a step's form, and of its words."""
        key = operation, argument, answer, verbatim, marker
        if key not in self._opened:
            read = read_operation(operation, argument)
            found = Opened(read, answer) if verbatim else opened(self.wordings.lexicon, read, answer)
            form = _Form(found.operation.operation, found.operation.argument, marker, found.answer)
            one, other = (self._word(each) for each in (*found.words, "", "")[:2])
            if form not in self._form_numbers:
                self._form_numbers[form] = len(self._forms)
                self._forms.append(form)
            self._opened[key] = self._form_numbers[form], one, other
        return self._opened[key]

    def _word(self, word: str) -> int:
        if word not in self._words:
            self._words[word] = len(self.names)
            self.names.append(word)
        return self._words[word]

    def _numbered(self, steps: "_Steps", form: Ints) -> Ints:
        """The wording of each question."""
        keys = steps.chained(form)
        different, first, number = np.unique(keys, return_index=True, return_inverse=True)
        found: list[int] = []
        for key, row in zip(different.tolist(), first.tolist(), strict=True):
            known = self.wordings.number(key)
            found.append(self._understood(key, steps, row, form) if known is None else known)
        numbers: Ints = np.array(found, dtype=np.int64)[number]
        return numbers

    def _understood(self, key: int, steps: "_Steps", row: int, form: Ints) -> int:
        """A new wording, read from a question that has it."""
        forms = [self._forms[each] for each in form[steps.starts[row] : steps.starts[row] + steps.sizes[row]]]
        taken = steps.dependencies.slice(int(steps.starts[row]), len(forms)).to_list()
        made = []
        for place, (each, behind) in enumerate(zip(forms, taken, strict=True)):
            argument = each.argument.replace("□", f"□{place}") + _MARKERS[each.marker].replace("%s", str(place))
            made.append(Step(read_operation(each.operation, argument), tuple(behind)))
        answer = forms[-1].answer.replace("□", f"□{len(forms) - 1}")
        return self.wordings.add(key, Program(tuple(made)), answer)


_FORM_OF = ("operation", "argument", "answer", "verbatim", "marker")


class _Steps:
    """The steps of all programs below each other."""

    def __init__(self, questions: pl.DataFrame) -> None:
        programs = questions["program"]
        self.sizes = programs.list.len().to_numpy().astype(np.int64)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self.row = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.place = np.arange(len(self.row)) - self.starts[self.row]
        steps = programs.explode().struct.unnest()
        self.dependencies = steps["dependencies"]
        last = self.starts + self.sizes - 1
        # The one question that compares the names of two things with its answer is read as it stands.
        final = steps[last].select(
            verbatim=pl.col("operation").str.starts_with(_COMPARED)
            & (pl.col("argument").str.strip_chars_end(" ") == "")
        )
        ends = np.zeros(len(self.row), dtype=bool)
        ends[last] = True
        answers = questions["answer"].gather(self.row)
        self.texts = steps.select("operation", "argument").with_columns(
            answer=pl.when(pl.Series(ends)).then(answers).otherwise(pl.lit("")),
            verbatim=final["verbatim"].gather(self.row),
        )

    def chained(self, form: Ints) -> Keys:
        """A key for each program that says which forms follow each other and what they take."""
        taken = self.dependencies
        behind = taken.list.len().to_numpy().astype(np.uint64)
        for place in (0, 1):
            step = taken.list.get(place, null_on_oob=True).fill_null(-1).to_numpy().astype(np.int64) + 1
            behind = behind * np.uint64(256) + step.astype(np.uint64)
        keys = np.zeros(len(self.sizes), dtype=np.uint64)
        for place in range(int(self.sizes.max(initial=0))):
            rows = np.flatnonzero(self.sizes > place)
            at = self.starts[rows] + place
            keys[rows] = _CHAIN.array(keys[rows], form[at].astype(np.uint64), behind[at])
        return keys


def _without_ids(texts: pl.DataFrame) -> pl.DataFrame:
    """Steps with the ids taken out of their arguments: what they say of ids, and a number for the ids themselves."""
    ids = pl.col("ids")
    several = ids.str.contains(",", literal=True)
    return texts.with_columns(ids=pl.col("argument").str.extract(_IDS)).select(
        "operation",
        "answer",
        "verbatim",
        argument=pl.col("argument").str.replace(_IDS, "").str.strip_chars_end(" "),
        marker=pl.when(ids.is_null())
        .then(_NO_IDS)
        .when(ids == _ABSENT)
        .then(_NONE_THERE)
        .when(several)
        .then(_MORE)
        .otherwise(_ONE),
        thing=pl.when(ids.is_null() | (ids == _ABSENT))
        .then(0)
        .otherwise(pl.when(several).then(ids.str.split(",").list.sort().list.join(",")).otherwise(ids).rank("dense")),
    )
