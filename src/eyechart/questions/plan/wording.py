"""Which words a fact gets, and its sentences: one pattern and one of its surface forms, by keyed draws.

Every pattern has a draw of its own for each fact, so a further pattern takes over only the facts that it wins and
leaves all others as they were. All sentences of a group are put together at once, whatever their surface forms.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Keys, Ragged, spread
from eyechart.questions.bind.drawing import uniform
from eyechart.questions.bind.frames import Frame
from eyechart.questions.patterns.model import Pattern, Sentence
from eyechart.questions.patterns.slots import Slot
from eyechart.questions.plan.speaking import Speaker

__all__ = ["Sentences", "Wording", "choose_words"]


@dataclass(frozen=True)
class Wording:
    """Which pattern says each row, and which of all surface forms of the sentence."""

    pattern: Ints
    """NONE where no pattern fits."""
    surface: Ints

    def take(self, rows: Ints) -> "Wording":
        """Some rows."""
        return Wording(self.pattern[rows], self.surface[rows])


@dataclass(frozen=True, eq=False)
class Sentences:
    """A sentence with all its surface forms as arrays."""

    sentence: Sentence

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """Every slot once."""
        return tuple(dict.fromkeys(slot for pattern in self.sentence.patterns for slot in pattern.slots))

    @cached_property
    def forms(self) -> Ragged:
        """The elements of all surface forms: phrases by their numbers, slots below zero."""
        place = {slot: -1 - number for number, slot in enumerate(self.slots)}
        rows = [
            [element if isinstance(element, int) else place[element] for element in form]
            for pattern in self.sentence.patterns
            for form in pattern.surfaces
        ]
        return Ragged.of([len(row) for row in rows], np.array([each for row in rows for each in row], dtype=np.int64))

    @cached_property
    def starts(self) -> Ints:
        """Where the surface forms of each pattern begin."""
        return np.cumsum([0, *(len(pattern.surfaces) for pattern in self.sentence.patterns)])

    @cached_property
    def heaped(self) -> Floats:
        """The weights of all surface forms, heaped up; those of one pattern make one."""
        shares = [np.array(pattern.weights) / sum(pattern.weights) for pattern in self.sentence.patterns]
        return np.concatenate([[0.0], np.cumsum(np.concatenate(shares))])

    def drawn(self, pattern: Ints, keys: Keys) -> Ints:
        """A surface form of each row's pattern."""
        wanted = pattern + uniform(keys)
        found = np.searchsorted(self.heaped, wanted, side="right") - 1
        return np.clip(found, self.starts[pattern], self.starts[pattern + 1] - 1)

    def cells(self, speaker: Speaker, frame: Frame, surface: Ints) -> Ragged:
        """The sentences of all rows."""
        elements = self.forms.take(surface)
        height = len(elements.values)
        lengths, begins = np.ones(height, dtype=np.int64), np.arange(height)
        sources, base = [elements.values], height
        for number, slot in enumerate(self.slots):
            places = np.flatnonzero(elements.values == -1 - number)
            if not len(places):
                continue
            rows, back = np.unique(elements.rows[places], return_inverse=True)
            spoken = speaker.cells(slot, frame.take(rows))
            lengths[places], begins[places] = spoken.lengths[back], spoken.offsets[:-1][back] + base
            sources.append(spoken.values)
            base += len(spoken.values)
        flat = np.concatenate(sources)[spread(begins, lengths)]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        return Ragged(flat, ends[elements.offsets])


def choose_words(sentences: Sentences, speaker: Speaker, frame: Frame, purpose: str) -> Wording:
    """One pattern that fits for each row, likely by its weight, and one of its surface forms."""
    said = {slot: speaker.available(slot, frame) for slot in sentences.slots}
    best = np.full(len(frame), np.inf)
    chosen = np.full(len(frame), NONE, dtype=np.int64)
    key = Key(speaker.shard.seed, purpose)
    for number, pattern in enumerate(sentences.sentence.patterns):
        fits = _fits(pattern, speaker, frame, said)
        draws = key.array(frame.key, np.full(1, pattern.key, dtype=np.uint64))
        times = np.where(fits, -np.log1p(-uniform(draws)) / pattern.weight, np.inf)
        earlier = times < best
        best[earlier], chosen[earlier] = times[earlier], number
    keys = np.array([pattern.key for pattern in sentences.sentence.patterns], dtype=np.uint64)
    draws = Key(speaker.shard.seed, f"{purpose}: surface").array(frame.key, keys[np.maximum(chosen, 0)])
    return Wording(chosen, sentences.drawn(np.maximum(chosen, 0), draws))


def _fits(pattern: Pattern, speaker: Speaker, frame: Frame, said: dict[Slot, Flags]) -> Flags:
    fits = np.ones(len(frame), dtype=bool)
    for condition in pattern.conditions:
        fits &= condition.test(speaker.shard, frame)
    for slot in pattern.slots:
        fits &= said[slot]
    return fits
