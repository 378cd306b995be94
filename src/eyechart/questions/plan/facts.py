"""Which facts of a shard a group asks about: rows of its binding that pass its guards, with what its finders find.

Groups share bindings, guards and decoys; each is worked out once for a shard, for whole frames, and looked up by all
groups that use it.
"""

import ast
from dataclasses import dataclass, field

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Flags
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.finding import FINDERS
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.patterns.model import Condition, Finding, Group
from eyechart.questions.plan.ledger import Ledger

__all__ = ["Facts"]


@dataclass
class Facts:
    """What is known of the pictures of a shard, as far as somebody asked."""

    shard: Shard
    _flags: dict[tuple[str, str], Flags] = field(default_factory=dict)
    _found: dict[tuple[str, str, tuple[str, ...]], Variable] = field(default_factory=dict)

    def of(self, group: Group, ledger: Ledger) -> Frame:
        """The facts of a group, with the variables that its finders add."""
        bind = group.entry.bind
        frame = self._frame(bind)
        ledger.facts(group.name, len(frame))
        plain = {*BINDINGS[bind].variables, *BINDINGS[bind].features}
        early = [each for each in group.conditions if _names(each.text) <= plain]
        late = [each for each in group.conditions if each not in early]
        fits = np.ones(len(frame), dtype=bool)
        for condition in early:
            passed = fits & self._passed(bind, condition)
            ledger.refused(group.name, condition.text, int(np.count_nonzero(fits & ~passed)))
            fits = passed
        rows = np.flatnonzero(fits)
        narrowed = self._searched(group, frame, rows, ledger)
        for condition in late:
            kept = np.flatnonzero(condition.test(self.shard, narrowed))
            ledger.refused(group.name, condition.text, len(narrowed) - len(kept))
            narrowed = narrowed.take(kept)
        return narrowed

    def _searched(self, group: Group, whole: Frame, rows: np.ndarray, ledger: Ledger) -> Frame:
        """The facts in some rows for which every finder finds something."""
        frame = whole.take(rows)
        for finding in group.found:
            if set(finding.arguments) <= set(BINDINGS[group.entry.bind].variables):
                variable = self._looked_for(group.entry.bind, finding).take(rows)
            else:
                variable = _find(self.shard, frame, finding)
            there = np.flatnonzero(variable.code != NONE)
            ledger.refused(group.name, f"{finding.variable} = {finding.finder}", len(frame) - len(there))
            frame, rows = frame.having(**{finding.variable: variable}).take(there), rows[there]
        return frame

    def _frame(self, bind: str) -> Frame:
        return self.shard.kept(bind, BINDINGS[bind].make)

    def _passed(self, bind: str, condition: Condition) -> Flags:
        key = bind, condition.text
        if key not in self._flags:
            self._flags[key] = condition.test(self.shard, self._frame(bind))
        return self._flags[key]

    def _looked_for(self, bind: str, finding: Finding) -> Variable:
        key = bind, finding.finder, finding.arguments
        if key not in self._found:
            self._found[key] = _find(self.shard, self._frame(bind), finding)
        return self._found[key]


def _find(shard: Shard, frame: Frame, finding: Finding) -> Variable:
    return FINDERS[finding.finder].find(shard, frame, *(frame[name] for name in finding.arguments))


def _names(text: str) -> set[str]:
    """The variables and features in a guard."""
    tree = ast.parse(text.strip(), mode="eval")
    called = {each.func for each in ast.walk(tree) if isinstance(each, ast.Call)}
    return {each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and each not in called}
