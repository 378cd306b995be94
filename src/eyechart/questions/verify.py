"""Generated questions against the naive executor: it knows nothing of whatever made them, and has to agree with all.

A question is faulty if its program, executed on the graph, gives another answer or none; if a reference does not stand
for the one thing that the program says; if a step relates a thing to itself; or if its labels are not what follows from
the program.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from eyechart.questions.codes import noun_code, relation_code, value_code
from eyechart.questions.graph import SceneGraph
from eyechart.questions.interpret import Found, Proof, interpret
from eyechart.questions.operations import ChooseRelation, Exist, Query, Relate, Scene, Verify, VerifyRelation
from eyechart.questions.programs import Program
from eyechart.scenes import ontology

__all__ = ["Fault", "faults"]

_PARTS = ("objects", "attributes", "relations", "inventories")


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a question."""

    question_id: str
    image_id: str
    question: str
    answer: str
    program: str
    reason: str


def faults(
    questions: pl.DataFrame, tables: Mapping[str, pl.DataFrame], words: ontology.Ontology | None = None
) -> Iterator[Fault]:
    """Everything that is wrong with generated questions about some pictures.

    >>> from eyechart.questions.asking import engine
    >>> from eyechart.questions.toy import toy_tables
    >>> tables = toy_tables()
    >>> asked = engine().ask(tables, engine().count(tables)).questions.head(20)
    >>> list(faults(asked, tables))
    []
    >>> wrong = asked.filter(pl.col("answer") == "yes").head(1).with_columns(answer=pl.lit("no"))
    >>> [fault.reason for fault in faults(wrong, tables)]
    ['the answer is yes']
    """
    known = words or ontology.packaged_ontology()
    by_image = {name: _by_image(tables[name]) for name in ("images", *_PARTS) if name in tables}
    rows = questions.select("question_id", "image_id", "question", "answer", "program", "pattern")
    for (image,), asked in rows.partition_by("image_id", as_dict=True, maintain_order=True).items():
        own = {name: parts.get(image, tables[name].clear()) for name, parts in by_image.items()}
        graph = SceneGraph.from_tables(str(image), own)
        for row in asked.iter_rows(named=True):
            yield from _faults(row, graph, known)


def _by_image(table: pl.DataFrame) -> dict[Any, pl.DataFrame]:
    parts = table.partition_by("image_id", as_dict=True, maintain_order=True)
    return {key[0]: part for key, part in parts.items()}


def _faults(row: Mapping[str, Any], graph: SceneGraph, words: ontology.Ontology) -> Iterator[Fault]:
    program = Program.read(row["program"])
    proof = interpret(program, graph, words)
    found = [_answer(program, proof, row["answer"], words), *_steps(program, proof)]
    for reason in filter(None, found):
        yield Fault(row["question_id"], row["image_id"], row["question"], row["answer"], str(program), reason)


def _answer(program: Program, proof: Proof, answer: str, words: ontology.Ontology) -> str | None:
    """Whether the answer is another one; what is printed may be another word for the same."""
    if proof.answer is None:
        return f"no answer: {proof.missing}"
    if answer == proof.answer or _same(program, answer, proof.answer, words):
        return None
    return f"the answer is {proof.answer}"


def _same(program: Program, printed: str, executed: str, words: ontology.Ontology) -> bool:
    """Whether two words mean the same as answers of a program."""
    if isinstance(program.last, ChooseRelation):
        # One says left for to the left of.
        meant = [each for each in program.last.options if each == printed or printed in each.split(" of")[0]]
        return meant == [executed] or relation_code(words, printed) == relation_code(words, executed)
    if isinstance(program.last, Query) and program.last.type != "name":
        return value_code(words, printed, program.last.type) == value_code(words, executed, program.last.type)
    type_ = getattr(program.last, "type", "")
    if executed in words.nouns and words.nouns[executed].plural == printed:
        return True
    values = value_code(words, printed, type_) == value_code(words, executed, type_)
    return values or noun_code(words, printed) == noun_code(words, executed)


def _steps(program: Program, proof: Proof) -> Iterator[str]:
    """References that do not stand for the one thing that the program says, and things related to themselves."""
    for place, step in enumerate(program.steps):
        result, meant = proof.trace[place], program.referents[place]
        for taken in step.dependencies:
            if isinstance(step.operation, Query | Verify | VerifyRelation | ChooseRelation | Relate):
                yield from _ambiguous(program, proof, taken)
        if isinstance(step.operation, Relate | VerifyRelation | ChooseRelation):
            own = step.operation.related.ids or ()
            if set(own) & set(program.referents[step.dependencies[0]] or ()):
                yield f"step {place} relates a thing to itself"
        ends = place == len(program.steps) - 1 or isinstance(program.steps[place + 1].operation, Exist)
        if isinstance(result, Found) and meant and not ends and not set(meant) <= {*result.sure}:
            yield f"step {place} does not give {', '.join(meant)}"


def _ambiguous(program: Program, proof: Proof, place: int) -> Iterator[str]:
    found, meant = proof.trace[place], program.referents[place]
    if isinstance(program.steps[place].operation, Scene) or not isinstance(found, Found):
        return
    if len(found.sure) != 1:
        yield f"step {place} stands for {len(found.sure)} things"
    elif meant and found.sure != meant:
        yield f"step {place} stands for {found.sure[0]}, the program says {', '.join(meant)}"
