"""A result file, as participants hand it in: a list of question ids and answers, read at once, problems told by line.

The member names of VQA (question_id, answer), GQA (questionId, prediction) and VizWiz (image, answer) are known.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import msgspec
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import DataError

__all__ = ["Problem", "ResultsError", "fitting", "read_results"]

_MOST_TOLD = 50
_LONGEST_SHOWN = 60
_LONGEST_ANSWER = 1000
_MOST_RECORDS, _MOST_VALUES, _SPARE = 3, 12, 1000
_EXPECTED = 'a list of records such as {"question_id": 42, "answer": "yes"}'


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a file."""

    said: str
    line: int | None = None
    record: int | None = None
    """Counted from 1."""
    question_id: str | None = None


class ResultsError(DataError):
    """A result file that cannot be scored, with everything that is wrong in it (the first of each kind)."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.said for problem in problems[:3]))
        self.problems = list(problems)


_Id = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)] | str


class _Given(msgspec.Struct, gc=False):
    question_id: _Id | msgspec.UnsetType = msgspec.UNSET
    questionId: _Id | msgspec.UnsetType = msgspec.UNSET  # noqa: N815  # GQA's spelling
    image: str | msgspec.UnsetType = msgspec.UNSET
    answer: str | msgspec.UnsetType = msgspec.UNSET
    prediction: str | msgspec.UnsetType = msgspec.UNSET
    confidence: float | None = None


def read_results(path: Path, *, questions: int) -> pl.DataFrame:
    """The answers of a result file: question_id, answer, confidence.

    ``questions`` is how many there are to answer: a file with many times as many values is not taken apart, since it
    could be made to fill the memory.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "results.json"
    >>> _ = path.write_text('[{"question_id": 7, "answer": "yes"}]')
    >>> read_results(path, questions=1).rows()
    [('7', 'yes', None)]
    """
    content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if (found := content.count(b"{")) > _SPARE + _MOST_RECORDS * questions:
        raise ResultsError([Problem(f"found {found:,} records for {questions:,} questions, expected one for each")])
    with uncollected():
        try:
            given = msgspec.json.decode(content, type=list[_Given])
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
            raise ResultsError(list(islice(_problems(content, error, questions), _MOST_TOLD))) from error
        unset = msgspec.UNSET
        ids = [r.question_id if r.question_id is not unset else _first(r.questionId, r.image) for r in given]
        answers = [r.answer if r.answer is not unset else _first(r.prediction) for r in given]
        if None in ids or None in answers:
            raise ResultsError(list(islice(_incomplete(content, ids, answers), _MOST_TOLD)))
        results = pl.DataFrame(
            {
                "question_id": pl.Series([str(each) for each in ids], dtype=pl.String),
                "answer": pl.Series(answers, dtype=pl.String),
                "confidence": pl.Series([record.confidence for record in given], dtype=pl.Float64),
            }
        )
    if not results.height:
        raise ResultsError([Problem(f"found an empty list, expected {_EXPECTED}")])
    _refuse_long(results)
    _refuse_repeated(content, results)
    return results


def fitting(results: pl.DataFrame, expected: pl.DataFrame, known: pl.DataFrame, choices: pl.DataFrame | None) -> None:
    """Refuse results that miss expected questions, answer unknown ones, or pick what is no choice; naming ids.

    >>> asked = pl.DataFrame({"question_id": ["1", "2"]})
    >>> fitting(pl.DataFrame({"question_id": ["1"], "answer": ["cat"]}), asked, asked, None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    eyechart.challenge.results.ResultsError: found no answer to 1 of 2 questions (2), expected one to each...
    """
    problems = []
    unknown = results.join(known, on="question_id", how="anti", maintain_order="left")["question_id"]
    if unknown.len():
        problems += _summed(unknown, "found answers to {n} questions that this track does not have", "only its own")
    missing = expected.join(results, on="question_id", how="anti", maintain_order="left")["question_id"]
    if missing.len():
        problems += _summed(missing, f"found no answer to {{n}} of {expected.height:,} questions", "one to each")
    if choices is not None:
        asked = results.join(expected, on="question_id", how="semi", maintain_order="left")
        offered = choices.select("question_id", answer="choice")
        strays = asked.join(offered, on=["question_id", "answer"], how="anti", maintain_order="left")
        if strays.height:
            problems += _summed(
                strays["question_id"], "found answers to {n} questions that are none of their choices", "picks"
            )
    if problems:
        raise ResultsError(problems)


def _summed(ids: pl.Series, found: str, expected: str) -> list[Problem]:
    from eyechart.metrics import named_ids

    listed = named_ids(ids)
    total = Problem(f"{found.format(n=f'{ids.len():,}')} ({listed}), expected {expected}")
    return [total, *(Problem(f"question {_short(each)}", question_id=_short(each)) for each in ids.head(_MOST_TOLD))]


def _first(*values: Any) -> Any:  # the members that a record may name
    return next((value for value in values if value is not msgspec.UNSET), None)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _problems(content: bytes, error: Exception, questions: int) -> Iterator[Problem]:
    """What is wrong, record by record; or with the whole."""
    if content.count(b",") > _SPARE + _MOST_VALUES * questions:
        yield Problem(f"found a file that cannot be read ({_plain(error)}), expected {_EXPECTED}")
        return
    try:
        raws = msgspec.json.decode(content, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as broken:
        yield _broken(content, broken)
        return
    found = False
    for place, (raw, line) in enumerate(_with_lines(content, raws), 1):
        if problem := _problem_of(raw, place, line):
            found = True
            yield problem
    if not found:
        yield Problem(f"found a file that cannot be read ({_plain(error)}), expected {_EXPECTED}")


def _broken(content: bytes, error: Exception) -> Problem:
    if isinstance(error, RecursionError):
        return Problem(f"found values nested too deeply, expected {_EXPECTED}")
    if isinstance(error, msgspec.ValidationError):
        return Problem(f"found {_kind(content)}, expected {_EXPECTED}", line=1)
    text = str(error)
    at = int(digits) if (digits := text.rpartition("(byte ")[2].rstrip(")")).isdigit() else len(content)
    line, column = content.count(b"\n", 0, at) + 1, at - (content.rfind(b"\n", 0, at) + 1) + 1
    said = f"found broken JSON in line {line:,}, column {column:,} ({_plain(error)}), expected {_EXPECTED}"
    return Problem(said, line=line)


def _kind(content: bytes) -> str:
    kinds = {b"{": "one object", b'"': "a text", b"t": "a single value", b"n": "a single value"}
    return kinds.get(content.lstrip()[:1], "a single value")


def _plain(error: Exception) -> str:
    """What the parser says, in the words of our messages."""
    text = str(error).partition(" (byte")[0].partition(" - at")[0]
    if wrong := _TYPES.fullmatch(text):
        return f"found {_named(wrong['found'])}, expected {_named(wrong['expected'])}"
    return text[:1].lower() + text[1:200]


_TYPES = re.compile(r"Expected `(?P<expected>[^`]*)`, got `(?P<found>[^`]*)`")
_NAMES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "null",
    "object": "a record",
    "array": "a list",
}


def _named(types: str) -> str:
    """The types of a message in words.

    >>> _named("int | str")
    'a whole number or a text'
    """
    return " or ".join(_NAMES.get(each.strip(), each.strip()) for each in types.split("|"))


def _with_lines(content: bytes, raws: Sequence[msgspec.Raw]) -> Iterator[tuple[bytes, int]]:
    """Every record with the line in which it begins: they lie one after the other, so each is found behind the last."""
    at, line = 0, 1
    for raw in raws:
        record = bytes(raw)
        begins = content.find(record, at)
        line += content.count(b"\n", at, begins)
        yield record, line
        line += record.count(b"\n")
        at = begins + len(record)


def _problem_of(raw: bytes, place: int, line: int) -> Problem | None:
    try:
        msgspec.json.decode(raw, type=_Given)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
        key = _id_of(raw)
        about = f" (question {key})" if key else ""
        what = _plain(error)
        member = str(error).rpartition("`$.")[2].rstrip("`") if "`$." in str(error) else ""
        said = f"record {place:,}{about}, line {line:,}: {f'{member}: ' if member else ''}{what}"
        return Problem(said, line=line, record=place, question_id=key)
    return None


def _id_of(raw: bytes) -> str | None:
    try:
        record = msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
        found = next((record[name] for name in ("question_id", "questionId", "image") if name in record), None)
        return None if found is None else _short(str(msgspec.json.decode(found, type=_Id)))
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError):
        return None


def _incomplete(content: bytes, ids: Sequence[Any], answers: Sequence[Any]) -> Iterator[Problem]:
    raws = msgspec.json.decode(content, type=list[msgspec.Raw])
    for place, ((_, line), key, answer) in enumerate(zip(_with_lines(content, raws), ids, answers, strict=True), 1):
        if key is None:
            yield Problem(
                f"record {place:,}, line {line:,}: found no question_id, expected one", line=line, record=place
            )
        elif answer is None:
            told = _short(str(key))
            said = f"record {place:,} (question {told}), line {line:,}: found no answer, expected one"
            yield Problem(said, line=line, record=place, question_id=told)


def _refuse_long(results: pl.DataFrame) -> None:
    long = results.with_row_index("place", offset=1).filter(pl.col("answer").str.len_bytes() > _LONGEST_ANSWER)
    if long.height:
        told = (
            Problem(
                f"record {place:,} (question {_short(key)}): found an answer of {len(answer):,} characters, expected "
                f"at most {_LONGEST_ANSWER:,}",
                record=place,
                question_id=_short(key),
            )
            for place, key, answer in long.select("place", "question_id", "answer").iter_rows()
        )
        raise ResultsError(list(islice(told, _MOST_TOLD)))


def _refuse_repeated(content: bytes, results: pl.DataFrame) -> None:
    twice = results.with_row_index("place").filter(pl.col("question_id").is_duplicated())
    if not twice.height:
        return
    lines = [line for _, line in _with_lines(content, msgspec.json.decode(content, type=list[msgspec.Raw]))]
    again = twice.group_by("question_id", maintain_order=True).agg("place")
    total = Problem(f"found {again.height:,} questions that are answered more than once, expected one answer to each")
    told = [
        Problem(
            f"question {_short(key)}: answered in the records {', '.join(f'{p + 1:,}' for p in places[:5])} "
            f"(lines {', '.join(f'{lines[p]:,}' for p in places[:5])})",
            line=lines[places[1]],
            record=places[1] + 1,
            question_id=_short(key),
        )
        for key, places in again.head(_MOST_TOLD).rows()
    ]
    raise ResultsError([total, *told])
