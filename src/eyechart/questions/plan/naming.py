"""References for the things that a question names, so that none gives the answer away or mentions a thing again."""

from collections.abc import Sequence

import numpy as np

from eyechart.questions.arrays.codes import NONE
from eyechart.questions.arrays.ragged import Ints
from eyechart.questions.bind.drawing import Wanted, chosen
from eyechart.questions.bind.frames import Frame, Shard, Variable
from eyechart.questions.bind.references import DEPTH, HORIZONTAL_POSITIONS
from eyechart.questions.patterns.model import Group, Naming
from eyechart.questions.plan.ledger import Ledger

__all__ = ["name_things"]


def name_things(shard: Shard, group: Group, frame: Frame, ledger: Ledger) -> Frame:
    """The facts whose things can be named, with a reference drawn for each of them."""
    spoken: list[Ints] = []
    for place, naming in enumerate(group.named.values()):
        spoken = [column[: len(frame)] for column in spoken]
        wanted = _wanted(
            shard, group, frame, naming, spoken, pronouns=place == 0 and _is_subject(group, naming.variable)
        )
        drawn = chosen(shard.world, shard.references, wanted)
        there = np.flatnonzero(drawn != NONE)
        ledger.refused(group.name, f"no reference for {naming.variable}", len(frame) - len(there))
        known = frame[naming.variable]
        named = Variable("thing", known.code, known.several, known.thing, drawn, known.members)
        frame = frame.having(**{naming.variable: named}).take(there)
        spoken = [column[there] for column in spoken]
        touched = shard.references.touched[drawn[there]]
        spoken += [touched[:, depth] for depth in range(DEPTH)]
    return frame


def _wanted(
    shard: Shard, group: Group, frame: Frame, naming: Naming, spoken: Sequence[Ints], *, pronouns: bool
) -> Wanted:
    own = frame[naming.variable].code
    avoided, unlike = list(spoken), []
    for name, variable in frame.variables.items():
        if name == naming.variable:
            continue
        if variable.sort == "thing":
            avoided.append(variable.code)
            unlike.append(shard.world.thing_kind[variable.code])
        if variable.sort == "kind" and name != naming.kind:
            unlike.append(variable.code)
    return Wanted(
        thing=own,
        key=shard.keyed(f"reference {group.name} {naming.variable}", frame.key),
        kind=frame[naming.kind].code if naming.kind else np.full(len(frame), NONE),
        avoided=_columns(avoided, len(frame)),
        unlike=_columns(unlike, len(frame)),
        hidden=_columns(_hidden(shard, frame), len(frame)),
        linked=_columns(_linked(shard, frame), len(frame)),
        pronouns=pronouns,
    )


def _hidden(shard: Shard, frame: Frame) -> list[Ints]:
    """The attribute types of which a reference says nothing, because the question is about them."""
    codes, axes = shard.codes, shard.codes.types.code
    found = []
    for variable in frame.variables.values():
        match variable.sort:
            case "type":
                found.append(variable.code)
            case "value":
                found.append(codes.type_of[variable.code])
            case "position":
                horizontal = variable.code < HORIZONTAL_POSITIONS
                found.append(np.where(horizontal, axes["hposition"], axes["vposition"]))
    return found


def _linked(shard: Shard, frame: Frame) -> list[Ints]:
    """The relations of a question, and what they are the other way round."""
    asked = [variable.code for variable in frame.variables.values() if variable.sort == "relation"]
    return [*asked, *(shard.codes.inverse[code] for code in asked)]


def _columns(columns: Sequence[Ints], height: int) -> Ints:
    """Columns side by side, each once."""
    distinct: list[Ints] = []
    for column in columns:
        if not any(np.array_equal(column, other) for other in distinct):
            distinct.append(column)
    return np.stack(distinct, axis=1) if distinct else np.zeros((height, 0), dtype=np.int64)


def _is_subject(group: Group, variable: str) -> bool:
    """Whether every sentence that names a thing has a verb that agrees with it: only of subjects one says she."""
    for pattern in (*group.asked.patterns, *group.said.patterns):
        named = any(slot.kind == "reference" and slot.variable == variable for slot in pattern.slots)
        agreeing = any(slot.kind in {"verb", "finite"} and slot.variable == variable for slot in pattern.slots)
        if named and not agreeing:
            return False
    return True
