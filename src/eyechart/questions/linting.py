"""Patterns under test: what the compiler cannot see without pictures, found on a toy world.

Every surface form has to be sayable of some fact and to read well; every fact needs a full answer; both answers of a
group of yes and no have to come up; programs have to give the answers that the groups promise; and no question may name
its answer or name a thing by words that fit several.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from eyechart.errors import DataError
from eyechart.questions import verify
from eyechart.questions.forms import FORMS, form_of
from eyechart.questions.language.proofreading import PROOFREADERS, faults
from eyechart.questions.patterns.model import Group, Pattern
from eyechart.questions.programs import Program
from eyechart.questions.samples import Sample, Samples
from eyechart.scenes import ontology

__all__ = ["Complaint", "lint"]

_SPOKEN_BY_PROGRAMS = "english"
_MOST_FACTS = 5
"""So many facts are said in each surface form."""


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something wrong with a group or one of its patterns."""

    group: str
    pattern: str
    reason: str

    def __str__(self) -> str:
        return f"{self.pattern or self.group}: {self.reason}"


def lint(
    samples: Samples,
    asked: pl.DataFrame,
    tables: Mapping[str, pl.DataFrame],
    words: ontology.Ontology,
    only: Sequence[str] = (),
) -> Iterator[Complaint]:
    """Everything wrong with some groups, or with all; ``asked`` holds their questions about the toy world.

    >>> from eyechart.questions.asking import engine
    >>> from eyechart.questions.toy import toy_tables
    >>> english, tables = engine(), toy_tables()
    >>> shard = english.shard(tables, english.count(tables), seed=0)
    >>> samples = Samples(shard, [each for each in english.composer.groups if each.name == "locationChoose"])
    >>> asked = english.ask(tables, english.count(tables)).questions.clear()
    >>> list(lint(samples, asked, tables, english.codes.ontology))
    []
    """
    groups = [group for name, group in samples.groups.items() if not only or name in only]
    for group in groups:
        yield from _unsaid(samples, group)
        yield from _disclosing(group)
        yield from _twins(samples, group)
        yield from _reading(samples, group)
    answered = asked.with_columns(pl.col("answer").replace(_truths(samples)))
    spoken = samples.shard.forms.name == _SPOKEN_BY_PROGRAMS
    yield from _proofs(answered, tables, words, {group.name: group for group in groups}, spoken=spoken)


def _truths(samples: Samples) -> Mapping[str, str]:
    """Yes and no of a language, as programs say them."""
    forms = samples.shard.forms
    return dict(
        zip(
            (text.strip() for text in forms.phrases.texts_of(np.array([forms.yes, forms.no]))),
            ("yes", "no"),
            strict=True,
        )
    )


def _unsaid(samples: Samples, group: Group) -> Iterator[Complaint]:
    """Facts without sentences, and sentences without facts."""
    facts = samples.frames[group.name]
    if not len(facts):
        refused = samples.ledger.rows.filter(pl.col("group") == group.name).drop("group").rows()
        reasons = ", ".join(f"{reason} {count}" for reason, count in refused) or "there are none"
        yield Complaint(group.name, "", f"found no fact of the toy world to ask about ({reasons})")
        return
    for pattern in (*group.asked.patterns, *group.said.patterns):
        if not pattern.borrowed and not len(samples.rows(group.name, pattern)):
            yield Complaint(group.name, pattern.name, f"no fact fits {pattern.text!r}")
    told = {int(row) for pattern in group.said.patterns for row in samples.rows(group.name, pattern)}
    if missing := len(facts) - len(told):
        yield Complaint(group.name, "", f"{missing} of {len(facts)} facts have no full answer")


def _disclosing(group: Group) -> Iterator[Complaint]:
    """Open questions that say their answer, and names that fit several things."""
    named = set(group.named)
    for pattern in group.asked.patterns:
        for slot in pattern.slots:
            if group.structural == "query" and slot.variable == group.entry.answer and slot.kind == "phrase":
                yield Complaint(group.name, pattern.name, f"{{{slot.text}}} says the answer")
            definite = slot.kind == "noun phrase" and slot.form in {"the", "this", "that"}
            is_thing = group.scope.variables[slot.variable] == "thing"
            if definite and is_thing and slot.variable not in named and not _is_sole(group, pattern, slot.variable):
                yield Complaint(
                    group.name,
                    pattern.name,
                    f"{{{slot.text}}} may fit several things; add the guard {slot.variable}.sole",
                )


def _is_sole(group: Group, pattern: Pattern, variable: str) -> bool:
    guards = [condition.text for condition in (*group.conditions, *pattern.conditions)]
    return any(f"{variable}.sole" in each for each in guards)


def _twins(samples: Samples, group: Group) -> Iterator[Complaint]:
    answer, twin = group.entry.answer, group.entry.twin
    if answer not in {"yes", "no"}:
        return
    if twin is None:
        yield Complaint(group.name, "", f"every answer is {answer}; name the group with the other one as its twin")
    elif twin in samples.groups and samples.groups[twin].entry.answer == answer:
        yield Complaint(group.name, "", f"its twin {twin} is answered {answer} too")


def _reading(samples: Samples, group: Group) -> Iterator[Complaint]:
    """What a proofreader finds in every surface form."""
    proofread = PROOFREADERS.get(samples.shard.forms.name, lambda _: iter(()))
    for sample in samples.of(group.name, _MOST_FACTS):
        yield from _marked(sample, sample.question, proofread, question=True)
    for sample in samples.every_answer(group.name, _MOST_FACTS):
        yield from _marked(sample, sample.full_answer, proofread, question=False)


def _marked(
    sample: Sample, text: str, proofread: Callable[[str], Iterator[str]], *, question: bool
) -> Iterator[Complaint]:
    for reason in (*faults(text, question=question), *proofread(text)):
        yield Complaint(sample.group, sample.pattern, f"{text!r} has {reason}")


def _proofs(
    asked: pl.DataFrame,
    tables: Mapping[str, pl.DataFrame],
    words: ontology.Ontology,
    groups: Mapping[str, Group],
    *,
    spoken: bool,
) -> Iterator[Complaint]:
    """What the naive executor says about the programs; open answers are compared in the language of programs only."""
    seen: set[str] = set()
    own = asked.filter(pl.col("pattern").str.extract(r"^([^/]+)/").is_in(list(groups)))
    patterns = dict(own.select("question_id", "pattern").iter_rows())
    for fault in verify.faults(own, tables, words):
        pattern = patterns[fault.question_id]
        if not spoken and fault.answer not in {"yes", "no"} and fault.reason.startswith("the answer is"):
            continue
        if pattern not in seen:
            seen.add(pattern)
            name = pattern.partition("/")[0]
            yield Complaint(
                name, pattern, f"{fault.question!r} is answered {fault.answer}, but {fault.reason}: {fault.program}"
            )
    for steps, pattern in own.unique("pattern", maintain_order=True).select("program", "pattern").iter_rows():
        name = pattern.partition("/")[0]
        yield from _formed(groups[name], pattern, steps)


def _formed(group: Group, pattern: str, steps: list[dict[str, object]]) -> Iterator[Complaint]:
    try:
        found = form_of(Program.read(steps))
    except DataError as error:
        yield Complaint(group.name, pattern, str(error))
        return
    if found != group.entry.form:
        yield Complaint(group.name, pattern, f"its program has the form {found}, the group says {group.entry.form}")
    if FORMS[found].structural == "query" and group.entry.answer in {"yes", "no"}:
        yield Complaint(group.name, pattern, f"its program asks an open question, the answer is {group.entry.answer}")
