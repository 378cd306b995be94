"""``eyechart complement``: for each question a similar picture where it has another answer."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.carrying import image_root
from eyechart.pipeline.complements_report import answers_figure, report_complements, tasks_of
from eyechart.pipeline.stages.complement import MakeComplements
from eyechart.pipeline.stages.neighbours import SCENES, FindNeighbours
from eyechart.store import Benchmark

__all__ = ["complement"]


def complement(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    how: Literal["graphs", "edits", "people"] = "graphs",
    features: str = SCENES,
    candidates: int = 24,
    any_split: Annotated[bool, Parameter(negative="")] = False,
    picks: Path | None = None,
    answers: Path | None = None,
    figure: Path | None = None,
    by: str = "question_type",
    seed: int = 0,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Balance a benchmark with complementary pairs: the same question, a similar picture, another answer.

    Parameters
    ----------
    benchmark
        A benchmark with questions about images.
    output
        The benchmark to make; with --how people and without --picks a file of tasks (.jsonl).
    how
        graphs: run each question's program on the scene graphs of the nearest images. edits: change abstract scenes as
        little as changes the answer. people: write tasks, then read their --picks.
    features
        A store of features of eyechart encode; scenes compares scene graphs.
    candidates
        How many of the nearest images are tried, or shown to people.
    any_split
        Take neighbours from other splits as well.
    picks
        What people picked (.csv or .jsonl): question_id, image_id or "not possible", reason, worker_id.
    answers
        Answers of people to the new questions (.csv or .jsonl): question_id, worker_id, answer.
    figure
        Write a figure of the answers per question type before and after (.svg).
    by
        The column whose groups are compared before and after.
    seed
        Another seed, another half of the balanced set.
    force
        Replace what is there.
    """
    original = Benchmark.open(benchmark)
    where, progress = Where(**asdict(execution)), speech.progress
    near = None
    if how != "edits":
        hidden = output.with_name(f".{output.name}.neighbours")
        find = FindNeighbours(str(benchmark), features, candidates, within_split=not any_split)
        own = "neighbours" in original and features == SCENES
        near = original if own else run(find, Output(hidden, replace=True), where=where, progress=progress)
    if how == "people" and picks is None:
        _write_tasks(original, near, output, candidates, force=force, speech=speech)
        return
    stage = MakeComplements(
        str(benchmark),
        "picks" if how == "people" else how,
        str(near.folder) if near else None,
        candidates,
        str(picks) if picks else None,
        str(answers) if answers else None,
        seed,
    )
    made = Output(output, replace=force, licence=original.manifest.licence, image_root=image_root(original))
    after = run(stage, made, where=where, progress=progress)
    _tell(report_complements(original, after, by), after, json=speech.json)
    if figure:
        figure.write_text(answers_figure(original, after, by), encoding="utf-8")


def _write_tasks(
    original: Benchmark, near: Benchmark | None, output: Path, candidates: int, *, force: bool, speech: Speech
) -> None:
    if output.exists() and not force:
        raise UsageError(f"{output}: found something there; choose another output, or replace it with --force")
    tasks = tasks_of(original, near or original, candidates)
    tasks.write_ndjson(output)
    if speech.json:
        print_json({"tasks": tasks.height, "file": str(output)})
    else:
        print(f"{tasks.height:,} tasks are in {output}.")


def _tell(report: dict[str, Any], after: Benchmark, *, json: bool) -> None:
    if json:
        print_json({"benchmark": str(after.folder), **report})
        return
    rows = [(name, value) for name, value in report["questions"].items()]
    print(columns(rows, head=("questions", "")))
    print(
        "\n" + columns([(count, reason) for reason, count in report["not possible"].items()], head=("not possible", ""))
    )
    bits = report["entropy"]
    print(
        f"\nThe answers of a {report['by']} have {bits['after']:.2f} bits of entropy, before {bits['before']:.2f}: "
        f"{100 * bits['change']:+.0f} %."
    )
    designs = [(scheme, parts.get("train", 0), parts.get("test", 0)) for scheme, parts in report["designs"].items()]
    print("\n" + columns(designs, head=("design", "train", "test")))
    print(f"\n{after.folder} is ready.")
