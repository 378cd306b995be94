"""``eyechart patterns``: how questions are worded, tried before they are asked by the million."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from eyechart.cli.printing import columns, print_json
from eyechart.errors import UsageError
from eyechart.pipeline.trying import Trial, first_pictures
from eyechart.questions import Group
from eyechart.store import Benchmark

__all__ = ["patterns"]

Json = Annotated[bool, Parameter(negative="")]
Folders = Annotated[list[Path] | None, Parameter(negative="")]

patterns = App(name="patterns", help="List, check and try the patterns that questions are made from.")


@patterns.command(name="list")
def patterns_list(
    *, language: str = "english", patterns: Folders = None, about: Json = False, json: Json = False
) -> None:
    """List all groups of questions with their patterns and surface forms, counted before slots are filled.

    Parameters
    ----------
    language
        english, german, or another language that the patterns have words for.
    patterns
        A folder with further patterns; may be repeated.
    about
        Say of each group what it asks, instead of its numbers.
    json
        Print one JSON object for machines.
    """
    groups = Trial(language, patterns or ()).groups
    rows = [_counted(group) for group in groups]
    total = {key: sum(int(row[key]) for row in rows) for key in ("patterns", "natural", "surfaces", "with_twins")}
    if json:
        print_json(
            {"groups": [{"about": group.entry.about, **row} for group, row in zip(groups, rows, strict=True)], **total}
        )
        return
    if about:
        print(columns([(group.name, group.entry.about) for group in groups], head=("group", "asks")))
        return
    head = ("group", "answer", "patterns", "natural", "surface forms")
    print(columns([tuple(row.values())[:5] for row in rows], head=head))
    print(
        f"\n{len(groups)} groups, {total['patterns']:,} patterns ({total['natural']:,} as people ask), "
        f"{total['surfaces']:,} surface forms; {total['with_twins']:,} with those that twins share."
    )


def _counted(group: Group) -> dict[str, str | int]:
    own = [pattern for pattern in group.asked.patterns if not pattern.borrowed]
    return {
        "group": group.name,
        "answer": group.entry.answer,
        "patterns": len(own),
        "natural": sum(pattern.natural for pattern in own),
        "surfaces": sum(len(pattern.surfaces) for pattern in own),
        "with_twins": sum(len(pattern.surfaces) for pattern in group.asked.patterns),
    }


@patterns.command(name="lint")
def patterns_lint(*, language: str = "english", patterns: Folders = None, samples: int = 10, json: Json = False) -> int:
    """Check patterns on a toy world: all can be said, read well and are answered as promised; else the exit code is 1.

    Parameters
    ----------
    language
        english, german, or another language that the patterns have words for.
    patterns
        A folder with further patterns, which are then the only ones checked; may be repeated.
    samples
        So many questions are shown of the groups that were checked.
    json
        Print one JSON object for machines.
    """
    trial = Trial(language, patterns or ())
    found = list(trial.complaints())
    checked = [group.name for group in trial.groups if not trial.own or group.name in trial.own]
    step = max(1, len(checked) // max(samples, 1))
    shown = [next(trial.samples(name, 1), None) for name in checked[::step][:samples]]
    if json:
        print_json({"complaints": [asdict(each) for each in found], "checked": checked})
        return 1 if found else 0
    for each in found:
        print(each)
    print(("\n" if found else "") + "\n".join(f"{each.question}  {each.full_answer}" for each in shown if each))
    print(f"\nFound {len(found) or 'nothing'}{' complaints' if found else ''} in {len(checked)} groups.")
    return 1 if found else 0


@patterns.command(name="try")
def patterns_try(
    pattern: str,
    benchmark: Path | None = None,
    /,
    *,
    language: str = "english",
    patterns: Folders = None,
    count: Annotated[int, Parameter(alias="-n")] = 20,
    pictures: int = 200,
    seed: int = 0,
    json: Json = False,
) -> int:
    """Ask with one pattern, in all its surface forms.

    Parameters
    ----------
    pattern
        A group, such as verifyAttr, or one of its patterns, such as verifyAttr/3.
    benchmark
        A benchmark with scene graphs; the toy world if not said.
    language
        english, german, or another language that the patterns have words for.
    patterns
        A folder with further patterns; may be repeated.
    count
        The most questions that are shown.
    pictures
        So many pictures of the benchmark are asked about.
    seed
        Another seed, other references and decoys.
    json
        Print one JSON object for machines.
    """
    if count < 1 or pictures < 1:
        raise UsageError(f"--count is {count}, --pictures {pictures}, expected 1 or more; choose how many to show")
    tables = None if benchmark is None else first_pictures(Benchmark.open(benchmark), pictures)
    trial = Trial(language, patterns or (), tables, seed)
    said = list(trial.samples(pattern, count))
    shown = said[:: max(1, len(said) // count)][:count]
    if json:
        print_json([asdict(each) for each in shown])
    elif shown:
        print(columns([(each.pattern, each.question, each.answer, each.full_answer) for each in shown]))
    else:
        print(f"No fact of these pictures fits {pattern}.")
    return 0 if shown else 1
