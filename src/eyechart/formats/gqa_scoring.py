"""GQA's files for scoring: only the members that metrics need, as rows of the tables that import would make.

Import keeps everything and gives it back; a score needs a tenth of it. Unbalanced questions only matter as entailed
ones, so of them the answer is read and nothing else.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from itertools import chain
from math import isqrt
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import numpy as np
import polars as pl

from eyechart._lib.garbage import uncollected
from eyechart.errors import DataError, FormatError
from eyechart.formats.files import Json, JsonMapping, RecordFile, decoded, mapped
from eyechart.formats.layout import Frames
from eyechart.formats.values import Id, lists

__all__ = [
    "GqaChoices",
    "read_gqa_attentions",
    "read_gqa_boxes",
    "read_gqa_choices",
    "read_gqa_predictions",
    "read_gqa_questions",
]

T = TypeVar("T")

_BATCH = 10_000
_BOX = 5
"""Numbers of a region: x0, y0, x1, y1, weight."""

_flat = chain.from_iterable


class GqaChoices(NamedTuple):
    """Choices of some questions."""

    question_ids: list[str]
    valid: list[list[str]]
    plausible: list[list[str]]


class _Answered(msgspec.Struct, gc=False, rename="camel"):
    """All that counts of an unbalanced question."""

    is_balanced: bool
    answer: str


class _Step(msgspec.Struct, gc=False):
    operation: str
    argument: str = ""


class _Words(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    question: dict[str, Id] = {}
    full_answer: dict[str, Id] = {}


class _Groups(msgspec.Struct, frozen=True, gc=False):
    whole: str | None = msgspec.field(name="global", default=None)


class _Types(msgspec.Struct, frozen=True, gc=False):
    structural: str | None = None
    semantic: str | None = None
    detailed: str | None = None


class _Question(msgspec.Struct, gc=False, rename="camel"):
    question: str
    image_id: Id
    answer: str
    types: _Types = _Types()
    semantic: list[_Step] = []
    entailed: list[Id] = []
    groups: _Groups = _Groups()
    annotations: _Words = _Words()


class _QuestionWithEquals(_Question, gc=False, rename="camel"):
    equivalent: list[Id] = []


class _Prediction(msgspec.Struct, gc=False, rename="camel"):
    question_id: Id
    prediction: str


class _Choices(msgspec.Struct, gc=False):
    valid: list[str]
    plausible: list[str]


class _Box(msgspec.Struct, gc=False):
    x: float
    y: float
    w: float
    h: float


class _Picture(msgspec.Struct, gc=False):
    width: float
    height: float
    objects: dict[str, _Box]


class _Attention(msgspec.Struct, gc=False, rename="camel"):
    question_id: Id
    attention: msgspec.Raw


def read_gqa_questions(paths: Sequence[Path], *, equivalent: bool = False) -> Frames:
    """The tables questions, entailments and mentions; of unbalanced questions only id, answer and that they are so.

    Entailments include equivalent questions only if asked for.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "questions.json"
    >>> _ = path.write_text('{"07": {"isBalanced": false, "answer": "red"}}')
    >>> read_gqa_questions([path])["questions"].select("question_id", "answer", "balanced").row(0)
    ('07', 'red', False)
    """
    kind = _QuestionWithEquals if equivalent else _Question
    with uncollected():
        batches = [_tables(file, indices, kind) for file, indices in _batches(paths)]
    frames = {name: pl.concat([each[name] for each in batches], rechunk=True) for name in batches[0]}
    _refuse_shared(frames["questions"]["question_id"], paths)
    return frames


def read_gqa_predictions(paths: Sequence[Path]) -> pl.DataFrame:
    """Question ids and answers, repeated ones too.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "predictions.json"
    >>> _ = path.write_text('[{"questionId": "07", "prediction": "red"}]')
    >>> read_gqa_predictions([path]).rows()
    [('07', 'red')]
    """
    with uncollected():
        rows = [row for path in paths for row in _whole(path, _Prediction)]
    return pl.DataFrame(
        {"question_id": [str(row.question_id) for row in rows], "answer": [row.prediction for row in rows]},
        schema={"question_id": pl.String, "answer": pl.String},
    )


def read_gqa_choices(paths: Sequence[Path], question_ids: pl.Series) -> Iterator[GqaChoices]:
    """The choices of these questions, some thousand at a time.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "choices.json"
    >>> _ = path.write_text('{"07": {"valid": ["red", "blue"], "plausible": ["red"]}}')
    >>> [batch.valid for batch in read_gqa_choices([path], pl.Series(["07"]))]
    [[['red', 'blue']]]
    """
    wanted, seen = set(question_ids), []
    for file, indices in _batches(paths):
        used = [index for index in indices if file.keys[index] in wanted]
        keys = [file.keys[index] for index in used]
        with uncollected():
            records = _decoded(file, used, _Choices)
        seen += keys
        yield GqaChoices(keys, [each.valid for each in records], [each.plausible for each in records])
    _refuse_shared(pl.Series(seen, dtype=pl.String), paths)


def read_gqa_boxes(paths: Sequence[Path]) -> Frames:
    """The tables images (sizes) and objects (boxes).

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "sceneGraphs.json"
    >>> _ = path.write_text('{"1": {"width": 9, "height": 6, "objects": {"3": {"x": 1, "y": 2, "w": 3, "h": 4}}}}')
    >>> read_gqa_boxes([path])["objects"].rows()
    [('1', '3', 1.0, 2.0, 3.0, 4.0)]
    """
    keys: list[str] = []
    pictures: list[_Picture] = []
    with uncollected():
        for file, indices in _batches(paths):
            keys += [file.keys[index] for index in indices]
            pictures += _decoded(file, indices, _Picture)
    _refuse_shared(pl.Series(keys, dtype=pl.String), paths)
    boxes = [box for picture in pictures for box in picture.objects.values()]
    images = pl.DataFrame(
        {
            "image_id": pl.Series(keys, dtype=pl.String),
            "width": pl.Series([picture.width for picture in pictures], dtype=pl.Float64),
            "height": pl.Series([picture.height for picture in pictures], dtype=pl.Float64),
        }
    )
    objects = _listed(images["image_id"], [list(picture.objects) for picture in pictures], "object_id")
    sides = [pl.Series(side, [getattr(box, side) for box in boxes], dtype=pl.Float64) for side in "xywh"]
    return {"images": images, "objects": objects.with_columns(sides)}


def read_gqa_attentions(paths: Sequence[Path]) -> pl.DataFrame:
    """Question ids with attention_grid, a square of weights, or attention_boxes, regions with weights.

    The first map of a file says which of the two all of them are; five rows of five are a grid unless each row has the
    corners of a box.

    >>> import tempfile; path = Path(tempfile.mkdtemp()) / "attentions.json"
    >>> _ = path.write_text('[{"questionId": "07", "attention": [[0.5, 0.1], [0.4, 0.0]]}]')
    >>> read_gqa_attentions([path])["attention_grid"].to_list()
    [[[0.5, 0.1], [0.4, 0.0]]]
    """
    with uncollected():
        frames = [_looked(path) for path in paths]
    return pl.concat(frames, how="diagonal") if frames else pl.DataFrame()


def _batches(paths: Sequence[Path]) -> Iterator[tuple[RecordFile, range]]:
    """The records of files by id, some at a time."""
    for path in paths:
        with uncollected():
            file = JsonMapping().open(path)
        for start in range(0, max(len(file.keys), 1), _BATCH):
            yield file, range(start, min(start + _BATCH, len(file.keys)))


def _whole(path: Path, kind: type[T]) -> list[T]:
    """All records of a list, read in one go; only if something does not fit, they are looked at one by one."""
    buffer = mapped(path)
    try:
        return msgspec.json.decode(buffer, type=list[kind])  # type: ignore[valid-type]  # a type made at run time
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError):
        raws = decoded(path, buffer, list[msgspec.Raw])
        return RecordFile(path, [str(place) for place in range(len(raws))], raws).decode(kind, range(len(raws)))


def _decoded(file: RecordFile, indices: Sequence[int], kind: type[T]) -> list[T]:
    """Records without copies of their text; what does not fit is decoded again for the sentence about it."""
    decode = msgspec.json.Decoder(kind).decode
    return _each(file, indices, lambda: [decode(file.raws[index]) for index in indices], kind)


def _each(file: RecordFile, indices: Sequence[int], decode: Callable[[], T], kind: object) -> T:
    try:
        return decode()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError, OverflowError) as error:
        file.decode(kind, indices)  # type: ignore[arg-type]  # a type made at run time
        raise file.placed(error, indices) from error


def _tables(file: RecordFile, indices: range, kind: type[_Question]) -> Frames:
    answers = _decoded(file, indices, _Answered)
    counts = list(zip(indices, answers, strict=True))
    wanted = [index for index, each in counts if each.is_balanced]
    others = [(index, each.answer) for index, each in counts if not each.is_balanced]
    records = _decoded(file, wanted, kind)
    keys = pl.Series("question_id", [file.keys[index] for index in wanted], dtype=pl.String)
    rest = {
        "question_id": pl.Series([file.keys[index] for index, _ in others], dtype=pl.String),
        "answer": pl.Series([answer for _, answer in others], dtype=pl.String),
    }
    unbalanced = pl.DataFrame(rest).with_columns(balanced=pl.lit(value=False))
    return {
        "questions": pl.concat([_details(keys, records), unbalanced], how="diagonal"),
        "entailments": _followers(keys, records),
        "mentions": _mentions(keys, records),
    }


def _details(keys: pl.Series, records: list[_Question]) -> pl.DataFrame:
    types, groups = [each.types for each in records], [each.groups for each in records]
    columns: dict[str, list[str | None]] = {
        "image_id": [str(each.image_id) for each in records],
        "question": [each.question for each in records],
        "answer": [each.answer for each in records],
        "group_global": [each.whole for each in groups],
        "structural": [each.structural for each in types],
        "semantic": [each.semantic for each in types],
        "detailed": [each.detailed for each in types],
    }
    steps = [step for each in records for step in each.semantic]
    program = {
        "operation": pl.Series([step.operation for step in steps], dtype=pl.String),
        "argument": pl.Series([step.argument for step in steps], dtype=pl.String),
    }
    cut = lists(pl.DataFrame(program).to_struct("program"), [len(each.semantic) for each in records])
    made = {name: pl.Series(values, dtype=pl.String) for name, values in columns.items()}
    balanced = pl.repeat(value=True, n=len(records), eager=True)
    return pl.DataFrame({"question_id": keys, **made, "balanced": balanced, "program": cut})


def _followers(keys: pl.Series, records: list[_Question]) -> pl.DataFrame:
    rules = {"entailed": [each.entailed for each in records]}
    if records and isinstance(records[0], _QuestionWithEquals):
        rules["equivalent"] = [each.equivalent for each in records if isinstance(each, _QuestionWithEquals)]
    parts = [_listed(keys, found, "entailed_id").with_columns(rule=pl.lit(rule)) for rule, found in rules.items()]
    return pl.concat(parts)


def _mentions(keys: pl.Series, records: list[_Question]) -> pl.DataFrame:
    words = [each.annotations for each in records]
    texts = {"question": [each.question for each in words], "full_answer": [each.full_answer for each in words]}
    parts = [
        _listed(keys, found, "object_id", _flat(map(dict.values, found))).with_columns(where=pl.lit(where))
        for where, found in texts.items()
    ]
    return pl.concat(parts)


def _listed(keys: pl.Series, found: Sequence[Sized], name: str, values: Iterable[Id] | None = None) -> pl.DataFrame:
    """A row per element of each key's list, or of what else it has as many of."""
    lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    owners = np.repeat(np.arange(len(found), dtype=np.uint32), lengths)
    elements = list(_flat(found) if values is None else values)  # type: ignore[arg-type]  # then they are lists
    try:
        column = pl.Series(name, elements, dtype=pl.String)
    except TypeError:  # some ids are numbers
        column = pl.Series(name, list(map(str, elements)), dtype=pl.String)
    return pl.DataFrame([keys.gather(owners), column])


def _refuse_shared(keys: pl.Series, paths: Sequence[Path]) -> None:
    """An id twice can only come from two files: each file is read with its ids checked."""
    twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True) if len(paths) > 1 else keys.clear()
    if twice.len():
        names = ", ".join(map(str, paths))
        raise DataError(
            f"{names}: found {twice.len():,} ids in more than one file ({', '.join(twice.head(3))}), expected each "
            "once; leave one of the files out"
        )


def _looked(path: Path) -> pl.DataFrame:
    records = _whole(path, _Attention)
    keys = pl.Series("question_id", [str(record.question_id) for record in records], dtype=pl.String)
    if not records:
        return keys.to_frame()
    raws = [record.attention for record in records]
    file = RecordFile(path, [str(record.question_id) for record in records], raws)
    side, flat = _side(file, raws[0])
    if side is None:
        return pl.DataFrame({"question_id": keys, "attention_boxes": _regions(file, raws)})
    return pl.DataFrame({"question_id": keys, "attention_grid": _grids(file, raws, side, flat=flat)})


def _side(file: RecordFile, raw: msgspec.Raw) -> tuple[int | None, bool]:
    """How many rows and columns a map has, or None for regions; and whether its weights lie in a row."""
    found = _each(file, [0], lambda: msgspec.json.decode(raw, type=_ANY_MAP), _ANY_MAP)
    rows = [row for row in found if isinstance(row, list)]
    side = isqrt(len(found))
    if not rows and side and side * side == len(found):
        return side, True
    five = all(len(row) == _BOX for row in rows)
    if five and (len(rows) != _BOX or all(row[0] < row[2] and row[1] < row[3] for row in rows)):
        if len(rows) == len(found):
            return None, False
    elif len(rows) == len(found) and all(len(row) == len(rows) for row in rows):
        return len(rows), False
    raise FormatError(
        f"{file.name(0)}: found attention that is neither a square grid of weights nor regions, expected rows of "
        "weights, or x0, y0, x1, y1, weight of each region; correct the file"
    )


_ANY_MAP = list[float | list[float]]


def _tuples(kinds: tuple[object, ...]) -> type[tuple[Json, ...]]:
    """A tuple of these, as a type that is made at run time."""
    made: type[tuple[Json, ...]] = tuple.__class_getitem__(kinds)  # type: ignore[assignment]  # an alias serves as one
    return made


def _grids(file: RecordFile, raws: list[msgspec.Raw], side: int, *, flat: bool) -> pl.Series:
    """All maps in one array: decoded one by one straight into it, so that no list of all numbers exists."""
    shape = _tuples((float,) * side**2) if flat else _tuples((_tuples((float,) * side),) * side)
    decode = msgspec.json.Decoder(shape).decode

    def numbers() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        maps: Iterator[Sequence[float]] = map(decode, raws) if flat else _flat(map(decode, raws))
        return np.fromiter(_flat(maps), dtype=np.float64, count=len(raws) * side**2)

    found = _each(file, range(len(raws)), numbers, shape)
    return pl.Series("attention_grid", found.reshape(-1, side, side))


def _regions(file: RecordFile, raws: list[msgspec.Raw]) -> pl.Series:
    shape = list[tuple[float, float, float, float, float]]
    decode = msgspec.json.Decoder(shape).decode
    found = _each(file, range(len(raws)), lambda: [decode(raw) for raw in raws], shape)
    boxes = np.fromiter(_flat(_flat(found)), dtype=np.float64).reshape(-1, _BOX)
    return lists(pl.Series("attention_boxes", boxes, dtype=pl.Array(pl.Float64, _BOX)), [len(each) for each in found])
