"""GQA's questions: text, program, types, balancing groups, entailed questions and grounded words."""

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Annotated

import msgspec
import numpy as np
import polars as pl
from msgspec import UNSET, UnsetType

from eyechart.formats.files import Json
from eyechart.formats.layout import Batch, Encoded, Frames
from eyechart.formats.values import Id, known, lists, present

__all__ = [
    "ExactQuestion",
    "Question",
    "all_kept",
    "decode_questions",
    "encode_questions",
    "image_rows",
    "is_exact",
    "semantic_str",
]

Place = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
"""The place of a step in its program."""

WHERE = {"question": "question", "answer": "answer", "full_answer": "fullAnswer"}
"""Where words are grounded: our name and the file's."""


class Step(msgspec.Struct, gc=False):
    """One step of a program."""

    operation: str
    argument: str = ""
    dependencies: list[Place] = []


class Groups(msgspec.Struct, gc=False):
    """The groups within which answers are balanced."""

    whole: str | None = msgspec.field(name="global", default=None)
    local: str | None = None


class Types(msgspec.Struct, gc=False):
    """The three types of a question."""

    structural: str | None = None
    semantic: str | None = None
    detailed: str | None = None


class Annotations(msgspec.Struct, gc=False, rename="camel"):
    """Objects by the words that name them."""

    question: dict[str, Id] = {}
    answer: dict[str, Id] = {}
    full_answer: dict[str, Id] = {}


class Question(msgspec.Struct, gc=False, rename="camel"):
    """What a question must have, and what it may have; test questions have neither answer nor program."""

    question: str
    image_id: Id
    is_balanced: bool | None = None
    answer: str | None = None
    full_answer: str | None = None
    semantic: list[Step] | None = None
    entailed: list[Id] | None = None
    equivalent: list[Id] | None = None
    groups: Groups | None = None
    types: Types | None = None
    annotations: Annotations | None = None


class ExactStep(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """A step as documented."""

    operation: str
    argument: str
    dependencies: list[Place]


class ExactGroups(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """Both groups, each a name or null."""

    whole: str | None = msgspec.field(name="global")
    local: str | None


class ExactTypes(msgspec.Struct, gc=False, forbid_unknown_fields=True):
    """All three types."""

    structural: str
    semantic: str
    detailed: str


class ExactAnnotations(msgspec.Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    """Groundings in all three texts."""

    question: dict[str, str]
    answer: dict[str, str]
    full_answer: dict[str, str]


class ExactQuestion(msgspec.Struct, gc=False, forbid_unknown_fields=True, rename="camel"):
    """A question as documented, nothing else in it."""

    question: str
    image_id: str
    is_balanced: bool | UnsetType = UNSET
    answer: str | UnsetType = UNSET
    full_answer: str | UnsetType = UNSET
    semantic: list[ExactStep] | UnsetType = UNSET
    semantic_str: str | UnsetType = UNSET
    entailed: list[str] | UnsetType = UNSET
    equivalent: list[str] | UnsetType = UNSET
    groups: ExactGroups | UnsetType = UNSET
    types: ExactTypes | UnsetType = UNSET
    annotations: ExactAnnotations | UnsetType = UNSET


def is_exact(records: list[ExactQuestion]) -> bool:
    """A program comes with its text and all that belongs to it; without one, nothing of that is there."""
    return all(
        record.semantic_str == _text(record.semantic) and UNSET not in _companions(record)
        if record.semantic is not UNSET
        else record.semantic_str is UNSET and _companions(record) == (UNSET,) * 4
        for record in records
    )


def _companions(record: ExactQuestion) -> tuple[Json, Json, Json, Json]:
    return record.entailed, record.equivalent, record.groups, record.annotations


def semantic_str(program: Iterable[Json]) -> str:
    """A program in one line, as ``semanticStr`` has it; trailing blanks of arguments are part of it.

    >>> semantic_str([
    ...     {"operation": "select", "argument": "cup (7)", "dependencies": []},
    ...     {"operation": "exist", "argument": "?", "dependencies": [0]},
    ... ])
    'select: cup (7)->exist: ? [0]'
    """
    return "->".join([_line(step["operation"], step["argument"], step["dependencies"]) for step in program])


def _line(operation: str, argument: str, dependencies: list[int]) -> str:
    """One step; a list of numbers prints as the format has it."""
    return f"{operation}: {argument} {dependencies}" if dependencies else f"{operation}: {argument}"


def _text(program: Sequence[ExactStep]) -> str:
    return "->".join([_line(step.operation, step.argument, step.dependencies) for step in program])


def decode_questions(batch: Batch) -> Frames:
    """Questions, what follows from them, and which words name which objects."""
    records: list[Question] = batch["questions"]
    groups = [found or _NO_GROUPS for found in _members(records, "groups")]
    types = [found or _NO_TYPES for found in _members(records, "types")]
    questions = pl.DataFrame(
        {
            "question_id": batch.keys,
            "image_id": [str(record.image_id) for record in records],
            "question": [record.question for record in records],
            "answer": _members(records, "answer"),
            "full_answer": _members(records, "full_answer"),
            "program": _programs(_members(records, "semantic")),
            "group_global": [found.whole for found in groups],
            "group_local": [found.local for found in groups],
            "structural": [found.structural for found in types],
            "semantic": [found.semantic for found in types],
            "detailed": [found.detailed for found in types],
            "balanced": _members(records, "is_balanced"),
        },
        schema_overrides=dict.fromkeys(_TEXTS, pl.String) | {"balanced": pl.Boolean},
    ).with_columns(split=pl.lit(batch.split, dtype=pl.String))
    return {
        "images": image_rows(questions["image_id"].unique(maintain_order=True), batch.split),
        "questions": questions,
        "entailments": _entailments(batch.keys, _members(records, "entailed"), _members(records, "equivalent")),
        "mentions": _mentions(batch.keys, [found or _NO_WORDS for found in _members(records, "annotations")]),
    }


def _members(records: list[Question], name: str) -> list[Json]:
    """A member of every record, None where it is not there."""
    return [None if value is UNSET else value for value in map(attrgetter(name), records)]


_RULES = ["entailed", "equivalent"]
_NO_GROUPS, _NO_TYPES, _NO_WORDS = Groups(), Types(), Annotations()
_TEXTS = (
    "question_id",
    "image_id",
    "question",
    "answer",
    "full_answer",
    "group_global",
    "group_local",
    "structural",
    "semantic",
    "detailed",
)


def image_rows(image_ids: pl.Series, split: str | None) -> pl.DataFrame:
    """Pictures by id; each lies in a file of that name."""
    rows = pl.DataFrame({"image_id": image_ids}, schema={"image_id": pl.String})
    return rows.with_columns(
        split=pl.lit(split, dtype=pl.String), file=pl.format("{}.jpg", "image_id"), source=pl.lit("gqa")
    )


def _programs(programs: list[list[Step] | None]) -> pl.Series:
    """Programs as a column: all steps in a row, then cut; a row-wise build would be ten times slower."""
    steps = [step for program in programs for step in program or ()]
    places = pl.Series([place for step in steps for place in step.dependencies], dtype=pl.Int32)
    columns = pl.DataFrame(
        {
            "operation": [step.operation for step in steps],
            "argument": [step.argument for step in steps],
            "dependencies": lists(places, [len(step.dependencies) for step in steps]),
        },
        schema_overrides={"operation": pl.String, "argument": pl.String},
    )
    return lists(columns.to_struct("program"), [None if program is None else len(program) for program in programs])


def _entailments(keys: list[str], entailed: list[list[Id] | None], equivalent: list[list[Id] | None]) -> pl.DataFrame:
    """One row per question that follows, each once."""
    listed = [_once(ids) for pair in zip(entailed, equivalent, strict=True) for ids in pair]
    return _spread(
        {"question_id": keys, "rule": _RULES},
        [len(ids) for ids in listed],
        entailed_id=[str(found) for ids in listed for found in ids],
    )


def _once(ids: list[Id] | None) -> list[Id]:
    if ids is None:
        return []
    return ids if len(set(ids)) == len(ids) else list({str(found): found for found in ids}.values())


def _mentions(keys: list[str], annotations: list[Annotations]) -> pl.DataFrame:
    """One row per grounded piece of text."""
    grounded = [words for found in annotations for words in (found.question, found.answer, found.full_answer)]
    return _spread(
        {"question_id": keys, "where": list(WHERE)},
        [len(words) for words in grounded],
        object_id=[str(found) for words in grounded for found in words.values()],
        words=[place for words in grounded for place in words],
    )


def _spread(groups: dict[str, list[str]], lengths: list[int], **columns: list[str]) -> pl.DataFrame:
    """Rows out of lists that come question by question, and in each question kind by kind."""
    (first, keys), (second, kinds) = groups.items()
    group = np.repeat(np.arange(len(lengths)), lengths)
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return frame.with_columns(
        pl.Series(first, keys, dtype=pl.String).gather(group // len(kinds)),
        pl.Series(second, kinds, dtype=pl.String).gather(group % len(kinds)),
    )


def all_kept(records: list[ExactQuestion], frames: Frames) -> bool:
    """No question lists one that follows from it twice."""
    listed = [ids for record in records for ids in (record.entailed, record.equivalent) if ids is not UNSET]
    return sum(map(len, listed)) == frames["entailments"].height


def encode_questions(frames: Frames) -> Encoded:
    """Questions as the questions file has them; with a program comes all that GQA says about it."""
    rows = frames["questions"].drop_nulls("question")
    followers, mentions = _followers_by_question(frames), _mentions_by_question(frames)
    records = {}
    for row in rows.select(*_TEXTS, "balanced", "program").iter_rows(named=True):
        key, program = row["question_id"], row["program"]
        record = known(
            question=row["question"],
            imageId=row["image_id"],
            isBalanced=row["balanced"],
            answer=row["answer"],
            fullAnswer=row["full_answer"],
        )
        if program is not None:
            record |= followers.get(key, {"entailed": [], "equivalent": []})
            record |= {"semantic": program, "semanticStr": semantic_str(program)}
            record["groups"] = {"global": row["group_global"], "local": row["group_local"]}
            record["annotations"] = mentions.get(key) or {name: {} for name in WHERE.values()}
        if types := known(structural=row["structural"], semantic=row["semantic"], detailed=row["detailed"]):
            record["types"] = types
        records[key] = record
    return Encoded(list(records), list(records.values()))


def _followers_by_question(frames: Frames) -> dict[str, dict[str, list[str]]]:
    """Every rule but equivalence is an entailment to GQA; what two rules yield is listed once."""
    found: dict[str, dict[str, list[str]]] = {}
    rows = present(frames, "entailments").select("question_id", "entailed_id", "rule")
    for key, follower, rule in rows.iter_rows():
        followers = found.setdefault(key, {"entailed": [], "equivalent": []})
        if rule in followers:
            followers[rule].append(follower)
        elif follower not in followers["entailed"]:
            followers["entailed"].append(follower)
    return found


def _mentions_by_question(frames: Frames) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    rows = present(frames, "mentions").select("question_id", "object_id", "where", "words")
    for key, grounded, where, words in rows.iter_rows():
        found.setdefault(key, {name: {} for name in WHERE.values()})[WHERE[where]][words] = grounded
    return found
