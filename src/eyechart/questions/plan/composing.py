"""From pictures to questions: facts of every group, references, words, programs, and at the end rows of tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.questions.arrays.codes import NONE, Codes
from eyechart.questions.arrays.ragged import Ints, Keys, Ragged
from eyechart.questions.bind.drawing import uniform
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.language.forms import Forms
from eyechart.questions.patterns.model import Group
from eyechart.questions.plan.facts import Facts
from eyechart.questions.plan.ledger import Ledger
from eyechart.questions.plan.naming import name_things
from eyechart.questions.plan.references import Used
from eyechart.questions.plan.rows import Asked, Part, Rows
from eyechart.questions.plan.speaking import Speaker
from eyechart.questions.plan.steps import Steps, Words
from eyechart.questions.plan.wording import Sentences, choose_words

__all__ = ["Composer", "Limits"]


@dataclass(frozen=True)
class Limits:
    """How many of all possible questions are asked."""

    rate: float = 1.0
    """A share of the facts of every group, on top of what the group says itself."""
    per_image: int | None = None
    """The most questions about one picture."""


@dataclass(frozen=True, eq=False)
class Composer:
    """Makes questions about shard after shard with the same groups and words."""

    codes: Codes
    forms: Forms
    groups: tuple[Group, ...]
    limits: Limits = Limits()
    _sentences: dict[int, Sentences] = field(default_factory=dict)

    def ask(self, shard: Shard) -> Asked:
        """All questions about the pictures of a shard."""
        ledger = Ledger()
        named = {group.name: frame for group, frame in self._named(shard, ledger)}
        used = Used.of(shard.references, _references(named.values()))
        speaker, steps = Speaker(shard, used), Steps(shard, self._words, used)
        parts = [
            self._part(group, named[group.name], speaker, steps, ledger) for group in self.groups if group.name in named
        ]
        return Rows(shard, steps, self._phrase_keys, [part for part in parts if len(part)]).asked(ledger)

    def candidates(self, shard: Shard) -> pl.DataFrame:
        """How many facts each group can ask about, and in how many wordings, before anything is drawn or written.

        For a group the wordings are the sum over its patterns of the facts that the pattern is for, times its surface
        forms; references multiply them further.
        """
        facts, rows = Facts(shard), []
        for group in self.groups:
            frame = facts.of(group, Ledger())
            wordings = 0
            for pattern in group.asked.patterns:
                fits = np.ones(len(frame), dtype=bool)
                for condition in pattern.conditions:
                    fits &= condition.test(shard, frame)
                wordings += int(fits.sum()) * len(pattern.surfaces)
            rows.append((group.name, len(frame), wordings))
        return pl.DataFrame(rows, schema={"group": pl.String, "facts": pl.Int64, "wordings": pl.Int64}, orient="row")

    # ------------------------------------------------------------------ facts

    def _named(self, shard: Shard, ledger: Ledger) -> Sequence[tuple[Group, Frame]]:
        """The facts that are asked about, with references for their things."""
        facts = Facts(shard)
        shares = [self._shared(shard, group, facts.of(group, ledger), ledger) for group in self.groups]
        if self.limits.per_image is not None:
            shares = self._most(shard, shares, ledger)
        return [
            (group, name_things(shard, group, frame, ledger))
            for group, frame in zip(self.groups, shares, strict=True)
            if len(frame)
        ]

    def _shared(self, shard: Shard, group: Group, frame: Frame, ledger: Ledger) -> Frame:
        """A group's share of its facts."""
        share = group.entry.share * self.limits.rate
        if share >= 1:
            return frame
        kept = np.flatnonzero(uniform(Key(shard.seed, f"share {group.name}").array(frame.key)) < share)
        ledger.refused(group.name, "share", len(frame) - len(kept))
        return frame.take(kept)

    def _most(self, shard: Shard, frames: list[Frame], ledger: Ledger) -> list[Frame]:
        """At most so many facts of every picture, over all groups."""
        draws = [
            uniform(Key(shard.seed, f"place {group.name}").array(frame.key)) / group.entry.share
            for group, frame in zip(self.groups, frames, strict=True)
        ]
        image = np.concatenate([frame.image for frame in frames])
        order = np.lexsort((np.concatenate(draws), image))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order)) - np.searchsorted(image[order], image[order])
        few = np.split(rank < (self.limits.per_image or 0), np.cumsum([len(frame) for frame in frames])[:-1])
        for group, kept in zip(self.groups, few, strict=True):
            ledger.refused(group.name, "enough about the picture", int(len(kept) - kept.sum()))
        return [frame.take(np.flatnonzero(kept)) for frame, kept in zip(frames, few, strict=True)]

    # ------------------------------------------------------------------ words

    def _part(self, group: Group, frame: Frame, speaker: Speaker, steps: Steps, ledger: Ledger) -> Part:
        asked = choose_words(self._sentence(group, asked=True), speaker, frame, "asked")
        said = choose_words(self._sentence(group, asked=False), speaker, frame, "said")
        fits = np.flatnonzero((asked.pattern != NONE) & (said.pattern != NONE))
        ledger.refused(group.name, "no words", len(frame) - len(fits))
        frame, asked, said = frame.take(fits), asked.take(fits), said.take(fits)
        return Part(
            group,
            frame,
            asked,
            self._sentence(group, asked=True).cells(speaker, frame, asked.surface),
            self._sentence(group, asked=False).cells(speaker, frame, said.surface),
            _answers(group, frame, speaker),
            steps.programs(group, frame),
            [steps.label(label, frame) for label in (group.local, group.overall, group.detailed)],
            self._sentence(group, asked=True).starts,
        )

    def _sentence(self, group: Group, *, asked: bool) -> Sentences:
        sentence = group.asked if asked else group.said
        return self._sentences.setdefault(id(sentence), Sentences(sentence))

    @cached_property
    def _words(self) -> Words:
        return Words(self.codes, self.groups)

    @cached_property
    def _phrase_keys(self) -> Keys:
        """What the ids of questions are made from: a number for each phrase that depends on its text alone."""
        texts = self.forms.phrases.texts().to_frame("text")
        keys: Keys = texts.select(key_of(pl.col("text"))).to_series().to_numpy()
        return keys


def _answers(group: Group, frame: Frame, speaker: Speaker) -> Ragged:
    if group.entry.answer in {"yes", "no"}:
        phrase = speaker.forms.yes if group.entry.answer == "yes" else speaker.forms.no
        return Ragged.column(np.full(len(frame), phrase))
    return speaker.alone(frame[group.entry.answer])


def _references(frames: Iterable[Frame]) -> Ints:
    found = [
        variable.reference
        for frame in frames
        for variable in frame.variables.values()
        if variable.reference is not None
    ]
    return np.concatenate([np.zeros(0, dtype=np.int64), *found])
