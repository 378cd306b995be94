"""``eyechart audit``: what can be answered without looking."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from eyechart.cli.chat_options import ChatOptions, conversation_lines
from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline.answering import open_model
from eyechart.pipeline.auditing import Audit, Auditing, audit_model, save_audit
from eyechart.pipeline.auditing import audit as audited
from eyechart.store import Benchmark

__all__ = ["audit"]


def audit(
    benchmark: Path,
    /,
    *,
    run: Annotated[str | None, Parameter(alias="--model")] = None,
    folds: int = 5,
    epochs: int | None = None,
    split: Annotated[list[str] | None, Parameter(negative="")] = None,
    open_ended: Annotated[bool, Parameter(negative="")] = False,
    features: str | None = None,
    chat: ChatOptions = ChatOptions(),  # frozen
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    speech: Speech = Speech(),  # frozen
) -> int:
    """Find out what part of a benchmark can be answered without the picture, the question, or both.

    Small models that see only a part are trained on most of the questions and answer the others, fold by fold. With
    choices: choices (A), picture and choices (I+A), question and choices (Q+A), everything (I+Q+A), and how often each
    choice was right (words), the place and the length of the choices. Open questions: the most frequent answer, that of
    the question's type, the question (Q), the picture (I), both (Q+I).

    Parameters
    ----------
    benchmark
        A benchmark with answers and a store of vectors (`eyechart encode`).
    run
        Ask this model instead, with something kept from it at a time: the folder of a trained one, or
        inspect:PROVIDER/NAME for any chat model that Inspect knows.
    folds
        How many; questions about one picture are in one.
    epochs
        How often each small model sees what it learns from, at most; 60, or 100 with choices, if not said.
    split
        Only this split; several times for several.
    open_ended
        Audit the questions without their choices.
    features
        A store of features, by its name in the benchmark or its folder; needed where several fit.
    output
        Keep every question's scores as a table in this folder.
    seed
        Another seed, other folds.
    force
        Replace scores that are there.
    """
    opened = Benchmark.open(benchmark)
    changes = {} if epochs is None else {"epochs": epochs}
    choices = False if open_ended else None
    how = Auditing(folds, split or (), features, choices=choices, changes=changes, seed=seed)
    model = open_model(run, opened, output=output, chat=chat.chat) if run else None
    found = audit_model(model, opened, how, speech.progress) if model else audited(opened, how, speech.progress)
    if output is not None:
        save_audit(found, opened, output, force=force)
    if speech.json:
        print_json(
            {"shortcuts": found.found, "verdicts": found.verdicts, "scores": None if output is None else str(output)}
            | ({"conversations": found.talks} if found.talks else {})
        )
    else:
        _print(found)
        for condition, talk in found.talks.items():
            print(f"\n{condition}: {' '.join(conversation_lines(talk))}")
        if output is not None:
            print(f"\nEvery question's scores are in {output}.")
    return 1 if any(talk.failed for talk in found.talks.values()) else 0


def _print(found: Audit) -> None:
    rows = [
        (
            each.probe,
            f"{100 * each.value:.2f}",
            "" if each.low is None or each.high is None else f"{100 * each.low:.2f} to {100 * each.high:.2f}",
            f"{each.above_chance:+.2f}",
            "" if each.to_full is None else f"{0.0 - each.to_full:+.2f}",
        )
        for each in found.found
    ]
    chance = 100 * found.found[0].chance
    print(columns(rows, head=("what is seen", "right %", "95 %", f"to chance ({chance:.2f})", "to everything")))
    for verdict in found.verdicts:
        print(f"\n{verdict.sentence}")
