"""Questions on demand: any surface form of any pattern, said of the facts of a few pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import polars as pl

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Ints, Ragged, joined
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.patterns.model import Group, Pattern, Sentence
from eyechart.questions.plan.facts import Facts
from eyechart.questions.plan.ledger import Ledger
from eyechart.questions.plan.naming import name_things
from eyechart.questions.plan.references import Used
from eyechart.questions.plan.speaking import PHRASE, Speaker
from eyechart.questions.plan.wording import Sentences

__all__ = ["Sample", "Samples"]


@dataclass(frozen=True, slots=True)
class Sample:
    """A question in one surface form of a pattern."""

    group: str
    pattern: str
    surface: int
    question: str
    answer: str
    full_answer: str


class Samples:
    """All that some patterns can say of some pictures.

    >>> from eyechart.questions.asking import engine
    >>> from eyechart.questions.toy import toy_tables
    >>> english, tables = engine(), toy_tables()
    >>> shard = english.shard(tables, english.count(tables), seed=0)
    >>> said = Samples(shard, [each for each in english.composer.groups if each.name == "locationChoose"])
    >>> sorted(each.question for each in said.of("locationChoose"))[0]
    'Are we indoors or outdoors?'
    """

    def __init__(self, shard: Shard, groups: Sequence[Group]) -> None:
        self.shard, self.groups = shard, {group.name: group for group in groups}
        facts, self.ledger = Facts(shard), Ledger()
        self.frames: Mapping[str, Frame] = {
            group.name: name_things(shard, group, facts.of(group, self.ledger), self.ledger) for group in groups
        }

    @cached_property
    def _speaker(self) -> Speaker:
        drawn = [
            variable.reference
            for frame in self.frames.values()
            for variable in frame.variables.values()
            if variable.reference is not None
        ]
        numbers = np.unique(np.concatenate([*drawn, np.zeros(0, dtype=np.int64)]))
        return Speaker(self.shard, Used.of(self.shard.references, numbers[numbers != NONE]))

    @cached_property
    def _texts(self) -> pl.Series:
        return self.shard.forms.phrases.texts()

    def rows(self, group: str, pattern: Pattern) -> Ints:
        """The facts of a group that a pattern fits."""
        frame = self.frames[group]
        fits = np.ones(len(frame), dtype=bool)
        for condition in pattern.conditions:
            fits &= condition.test(self.shard, frame)
        for slot in pattern.slots:
            fits &= self._speaker.available(slot, frame)
        return np.flatnonzero(fits)

    def of(self, group: str, most: int = 1, *, borrowed: bool = False) -> Iterator[Sample]:
        """Every surface form of a group, said of up to so many different facts."""
        asked = self.groups[group].asked
        start = 0
        for pattern in asked.patterns:
            end = start + len(pattern.surfaces)
            if borrowed or not pattern.borrowed:
                rows = self.rows(group, pattern)
                for surface in range(start, end):
                    chosen = self._various(group, pattern, np.roll(rows, -surface))[:most]
                    yield from self._said(group, pattern, surface - start, surface, chosen)
            start = end

    def _various(self, group: str, pattern: Pattern, rows: Ints) -> Ints:
        """Facts in an order in which each class of words comes up early: one and several, things, stuff and people."""
        spoken = (slot.variable for slot in pattern.slots)
        nouns = [name for name in spoken if self.groups[group].scope.variables[name] in {"thing", "kind"}]
        if not nouns or not len(rows):
            return rows
        classes = self._speaker.class_of(self.frames[group].take(rows)[nouns[0]])
        by_class = np.argsort(classes, kind="stable")
        firsts = np.searchsorted(classes[by_class], classes[by_class])
        turn = np.empty(len(rows), dtype=np.int64)
        turn[by_class] = np.arange(len(rows)) - firsts
        return rows[np.argsort(turn, kind="stable")]

    def _said(self, group: str, pattern: Pattern, number: int, surface: int, rows: Ints) -> Iterator[Sample]:
        frame, entry = self.frames[group].take(rows), self.groups[group].entry
        questions = self._spoken(Sentences(self.groups[group].asked), frame, np.full(len(frame), surface))
        forms = self.shard.forms
        if entry.answer in {"yes", "no"}:
            truth = forms.yes if entry.answer == "yes" else forms.no
            answers = self._alone(Ragged.column(np.full(len(frame), truth)))
        else:
            answers = self._alone(self._speaker.alone(frame[entry.answer]))
        full = self.full_answers(group, rows)
        for question, answer, said in zip(questions, answers, full, strict=True):
            yield Sample(group, pattern.name, number, question, answer, said)

    def full_answers(self, group: str, rows: Ints) -> list[str]:
        """The first full answer that fits each fact; empty where none does."""
        frame, sentence = self.frames[group].take(rows), self.groups[group].said
        chosen = np.full(len(rows), NONE, dtype=np.int64)
        start = 0
        for pattern in sentence.patterns:
            fits = np.isin(rows, self.rows(group, pattern)) & (chosen == NONE)
            chosen[fits] = start
            start += len(pattern.surfaces)
        spoken = self._spoken(Sentences(sentence), frame, np.maximum(chosen, 0))
        return ["" if one == NONE else text for one, text in zip(chosen, spoken, strict=True)]

    def every_answer(self, group: str, most: int = 1) -> Iterator[Sample]:
        """Every surface form of the full answers of a group."""
        sentence: Sentence = self.groups[group].said
        surface = 0
        for pattern in sentence.patterns:
            rows = self.rows(group, pattern)
            for number in range(len(pattern.surfaces)):
                chosen = self._various(group, pattern, np.roll(rows, -surface))[:most]
                frame = self.frames[group].take(chosen)
                for text in self._spoken(Sentences(sentence), frame, np.full(len(frame), surface)):
                    yield Sample(group, pattern.name, number, "", "", text)
                surface += 1

    def _spoken(self, sentences: Sentences, frame: Frame, surface: Ints) -> list[str]:
        if not len(frame):
            return []
        rows = sentences.cells(self._speaker, frame, surface)
        cells = rows.values & PHRASE
        there = cells != 0
        lengths = np.bincount(rows.rows[there], minlength=len(rows))
        spoken = Ragged.of(lengths, cells[there].copy())
        begins = spoken.offsets[:-1][lengths > 0]
        spoken.values[begins] = self.shard.forms.phrases.first(spoken.values[begins])
        return joined(self._texts, spoken).to_list()

    def _alone(self, cells: Ragged) -> list[str]:
        numbers = self.shard.forms.phrases.alone(cells.values & PHRASE)
        return joined(self._texts, Ragged(np.asarray(numbers), cells.offsets)).to_list()
