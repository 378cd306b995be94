"""``eyechart balance``: answers evened out within groups of questions."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.stages.balance import ONCE, BalanceAnswers
from eyechart.remedies import MIXED, PUBLISHED_MIX, Balance, Level, Smoothing, entropies
from eyechart.store import Benchmark

__all__ = ["balance"]

_GENERATED = ("group_global", "group_local")
_MOST_ANSWERS, _WIDEST = 10, 30


def balance(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    by: Annotated[list[str] | None, Parameter(negative="")] = None,
    smoothing: Annotated[Smoothing, Parameter(name="*")] = Smoothing(),
    lone: int = 1,
    mix: Annotated[dict[str, float] | None, Parameter(negative="")] = None,
    unmixed: Annotated[bool, Parameter(negative="")] = False,
    repeated: bool = False,
    split: Annotated[dict[str, float] | None, Parameter(negative="")] = None,
    keep_all: Annotated[bool, Parameter(negative="")] = False,
    show: int = 3,
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Choose questions so that the answers of each group are more even, and yes as frequent as no.

    Parameters
    ----------
    benchmark
        A benchmark whose questions have answers.
    output
        The benchmark to make.
    by
        A column that groups questions, such as question_type; may be repeated, and each is smoothed in turn. Generated
        questions have group_global and group_local, which is what is taken if nothing is said.
    lone
        How many questions a group keeps in which all answers are the same.
    mix
        Shares of the structural types, as in --mix.query 0.6 --mix.verify 0.4. If nothing is said, generated questions
        keep all that are open, and of the other types at most as many as GQA has for each open one.
    unmixed
        Leave the shares of the types as they come.
    repeated
        Keep questions that are asked twice about the same image, in the same words or in other ones.
    split
        New splits by image, as in --split.train 0.7 --split.val 0.3.
    keep_all
        Keep all questions, and mark the chosen ones in the column balanced.
    show
        How many of the largest groups are shown, before and after.
    seed
        Another seed, another choice.
    force
        Replace a benchmark that is there.
    """
    if mix and unmixed:
        raise UsageError("found --mix and --unmixed, expected one of them; leave the other out")
    groups = by or list(_GENERATED)
    how = Balance(
        levels=tuple(Level((group,), smoothing) for group in groups),
        even_by=(groups[-1],),
        lone=lone,
        mix=mix or ({} if by or unmixed else PUBLISHED_MIX),
        measure=None if mix or by or unmixed else "query",
        once={} if repeated else ONCE,
        seed=seed,
    )
    before = Benchmark.open(benchmark)
    stage = BalanceAnswers(str(benchmark), how, split or {}, keep_all)
    made = Output(output, replace=force, licence=before.manifest.licence, image_root=image_root(before))
    after = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    _tell(after, stage, show=show, json=speech.json)


def _tell(after: Benchmark, stage: BalanceAnswers, *, show: int, json: bool) -> None:
    groups = stage.how.groups
    asked, kept = stage.questions, stage.questions.filter(stage.rules.is_null())
    sets = (
        {"before": asked, "evened": _evened(stage), "after": kept}
        if stage.how.mix
        else {"before": asked, "after": kept}
    )
    bits = {
        name: {when: entropies(rows, None if name == "all" else name) for when, rows in sets.items()}
        for name in ["all", *groups]
    }
    dropped = dict(stage.rules.drop_nulls().value_counts(sort=True, name="n").iter_rows())
    shown = [_Shown(name, group, asked, kept) for name in groups for group in _largest(kept, name, show)]
    if json:
        sizes = {when: rows.height for when, rows in sets.items()}
        found = {"benchmark": str(after.folder), "questions": sizes, "entropy": bits, "dropped": dropped}
        print_json(found | {"groups": [each.record for each in shown]})
        return
    print(_bits(bits))
    print("\n" + columns([*dropped.items(), ("kept", kept.height)], head=("dropped by", "questions")))
    for each in shown:
        print("\n" + each.text)
    print(f"\n{after.folder} is ready.")


def _evened(stage: BalanceAnswers) -> pl.DataFrame:
    """The questions with their answers evened out, before the mix of types."""
    return stage.questions.filter(stage.rules.is_null() | stage.rules.is_in(MIXED))


def _bits(bits: dict[str, dict[str, float]]) -> str:
    """Entropies, each with its change."""
    heads = {"before": "bits before", "evened": "evened out", "after": "balanced"}
    head, rows = ["answers of"], []
    for when in next(iter(bits.values())):
        head += [heads[when]] if when == "before" else [heads[when], "change"]
    for name, found in bits.items():
        old = found["before"]
        cells = [f"{old:.2f}"]
        for new in list(found.values())[1:]:
            cells += [f"{new:.2f}", f"{100 * (new / old - 1):+.0f} %" if old else ""]
        rows += [(name, *cells)] if old else []
    return columns(rows, head=head)


class _Shown:
    """The most frequent answers of one group, before and after."""

    def __init__(self, name: str, group: str, asked: pl.DataFrame, kept: pl.DataFrame) -> None:
        self.name, self.group = name, group
        both = [rows.filter(pl.col(name) == group) for rows in (asked, kept)]
        self.bits = [entropies(rows) for rows in both]
        self.old, self.new = (dict(rows["answer"].value_counts(name="n").iter_rows()) for rows in both)
        self.most = sorted(self.old, key=lambda answer: (-self.old[answer], str(answer)))[:_MOST_ANSWERS]

    @property
    def record(self) -> dict[str, object]:
        """For machines."""
        counts = {answer: [self.old[answer], self.new.get(answer, 0)] for answer in self.most}
        return {"column": self.name, "group": self.group, "entropy": self.bits, "answers": counts}

    @property
    def text(self) -> str:
        """Bars."""
        rows = [
            (answer, *_bar(self.old[answer], self.old), *_bar(self.new.get(answer, 0), self.new))
            for answer in self.most
        ]
        old, new = self.bits
        head = ("answer", "before", "", "after", "")
        return f"{self.name} {self.group}: {old:.2f} bits, then {new:.2f}\n{columns(rows, head=head)}"


def _largest(questions: pl.DataFrame, name: str, most: int) -> list[str]:
    counted = questions.group_by(name).agg(n=pl.len(), answers=pl.col("answer").n_unique()).drop_nulls()
    several = counted.filter(pl.col("answers") > 1).sort("n", name, descending=[True, False])
    return several[name].head(most).to_list()


def _bar(count: int, counts: dict[str, int]) -> tuple[str, int]:
    return "█" * round(_WIDEST * count / max(counts.values())), count
