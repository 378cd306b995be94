"""Print the reference pages from the code: tables, formats, commands, patterns.

``--check`` tells whether they are current.
"""

import contextlib
import io
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from cyclopts import App

from eyechart.cli.main import VERBS, app
from eyechart.collection import TaskType, tasks
from eyechart.formats import FORMATS
from eyechart.pipeline.trying import Trial
from eyechart.questions.bind.binding import BINDINGS
from eyechart.questions.bind.finding import FINDERS
from eyechart.questions.patterns.features import FEATURES
from eyechart.questions.patterns.model import Group
from eyechart.tables import TABLES, Table

PAGES = Path(__file__).parent / "reference"
NOTE = "<!-- Printed by docs/build.py; edit the code instead. -->"


def tables_page() -> str:
    """Every table with its columns."""
    lines = ["# The tables of a benchmark", "", NOTE, ""]
    lines += ["Ids are strings. A column may hold null unless it is marked required. Keys are **bold**.", ""]
    lines += [f"- [{name}](#{name}): {table.about}" for name, table in TABLES.items()]
    return "\n".join([*lines, *(line for table in TABLES.values() for line in table_section(table))]) + "\n"


def table_section(table: Table) -> Iterator[str]:
    """One table."""
    yield from ("", f"## {table.name}", "", table.about, "", "| column | type | what it holds |", "| --- | --- | --- |")
    for column in table.columns:
        name = f"**{column.name}**" if column.name in table.key else column.name
        values = f" One of {', '.join(column.values)}." if column.values else ""
        required = " Required." if column.required else ""
        yield f"| {name} | {column.dtype} | {column.about}{values}{required} |"
    for reference in table.references:
        yield f"\n{', '.join(reference.columns)} → {reference.table} ({', '.join(reference.targets)})"


def formats_page() -> str:
    """Every format with its files."""
    lines = ["# Foreign formats", "", NOTE, ""]
    lines += ["`eyechart import FORMAT FILES… -o B` reads them, `eyechart export FORMAT B -o DIR` writes them."]
    lines += ["A file's name tells its role; if it does not, write `ROLE=PATH`."]
    for name in FORMATS:
        found = FORMATS.load(name)
        lines += ["", f"## {name}", "", f"{found.title}.", "", "| role | file | what it holds |", "| --- | --- | --- |"]
        lines += [f"| {role} | {layout.container.suffix} | {layout.about} |" for role, layout in found.layouts.items()]
        lines += ["", found.notes] if found.notes else []
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """The help of every verb, as the terminal shows it."""
    lines = ["# Commands", "", NOTE, ""]
    for verb in ["", *VERBS]:
        lines += [f"## eyechart {verb}".rstrip(), "", "```text", help_of(app, verb).strip("\n"), "```", ""]
    return "\n".join(lines)


def tasks_page() -> str:
    """Every kind of task: what is shown, in which words, what is filled in, and the keys of a file."""
    lines = ["# Tasks for people", "", NOTE, "", "[How to collect](../how-to/collect.md). A file has these keys:", ""]
    lines += [f"- `{field.name}`" for field in msgspec.structs.fields(TaskType)]
    return "\n".join([*lines, *(line for kind in tasks().values() for line in task_section(kind))]) + "\n"


def task_section(kind: TaskType) -> Iterator[str]:
    """One kind of task."""
    yield from ("", f"## {kind.name}", "", kind.about, "")
    yield f"Shown: {', '.join(kind.shows)}." + (f" Never: {', '.join(kind.withholds)}." if kind.withholds else "")
    if kind.may_withhold:
        yield f"A study may withhold {', '.join(kind.may_withhold)}."
    yield f"Wanted: {kind.k} of each item, {kind.units} in an assignment; held for {kind.lease_seconds:,} seconds."
    yield f"Becomes: {', '.join(kind.makes)}."
    yield from ("", "| field | kind | what it says |", "| --- | --- | --- |")
    yield from (f"| {field.name} | {field.kind} | {field.label} |" for field in kind.fields)
    for name, wording in kind.wordings.items():
        yield from ("", f"**{name}** ({wording.hash[:12]}): {wording.title}", "")
        yield from (f"> {paragraph}" for paragraph in wording.instructions)
    if kind.test is not None:
        yield from ("", f"The test has {len(kind.test.questions)} questions; {kind.test.pass_mark:.0%} must be right.")


def patterns_page() -> str:
    """Every group of questions with examples from the toy world, and what patterns can be made of."""
    trial = Trial()
    lines = ["# Patterns", "", NOTE, ""]
    own = [pattern for group in trial.groups for pattern in group.asked.patterns if not pattern.borrowed]
    forms = sum(len(pattern.surfaces) for pattern in own)
    lines += [f"{len(trial.groups)} groups with {len(own):,} English patterns in {forms:,} surface forms."]
    lines += ["The examples are about the toy world. [How to write your own](../how-to/patterns.md)."]
    lines += ["", "## Bindings: what a question can be about", "", "| name | a fact | variables | features |"]
    lines += ["| --- | --- | --- | --- |"]
    for name, binding in sorted(BINDINGS.items()):
        variables = ", ".join(f"{variable} ({sort})" for variable, sort in binding.variables.items())
        features = "; ".join(f"`{feature}`: {about}" for feature, about in binding.features.items())
        lines.append(f"| {name} | {binding.about} | {variables} | {features} |")
    lines += ["", "## Finders: further variables", "", "| finder | gives |", "| --- | --- |"]
    lines += [
        f"| {name}({', '.join(finder.takes)}) | {finder.gives}: {finder.about} |"
        for name, finder in sorted(FINDERS.items())
    ]
    lines += ["", "## Features: what guards may ask", "", "| of a | feature | true where |", "| --- | --- | --- |"]
    lines += [
        f"| {sort} | {name} | {each.about} |" for sort, features in FEATURES.items() for name, each in features.items()
    ]
    lines += ["", "## Groups"]
    return "\n".join([*lines, *(line for group in trial.groups for line in pattern_section(trial, group))]) + "\n"


def pattern_section(trial: Trial, group: Group) -> Iterator[str]:
    """One group."""
    entry = group.entry
    forms = sum(len(pattern.surfaces) for pattern in group.asked.patterns)
    yield from ("", f"### {group.name}", "", f"{entry.about[:1].upper()}{entry.about[1:]}.", "")
    facts = f"About {entry.bind}; answer {entry.answer}; {len(group.asked.patterns)} patterns, {forms} surface forms."
    yield f"`{' → '.join(entry.program)}` {facts}"
    yield ""
    examples = list(trial.samples(group.name, 2))
    for each in examples[:: max(1, len(examples) // 3)][:3]:
        yield f"- {each.question} {each.full_answer}"


def help_of(command: App, verb: str) -> str:
    """What ``--help`` prints, 100 columns wide."""
    from rich.console import Console

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        console = Console(file=printed, width=100, color_system=None)
        command.help_print([verb] if verb else [], console=console)
    return "\n".join(line.rstrip() for line in printed.getvalue().splitlines())


def main() -> int:
    """Write the pages, or compare them with what is there."""
    pages = {
        "tables.md": tables_page(),
        "formats.md": formats_page(),
        "commands.md": commands_page(),
        "patterns.md": patterns_page(),
        "tasks.md": tasks_page(),
    }
    stale = [name for name, text in pages.items() if not is_current(PAGES / name, text)]
    if "--check" in sys.argv:
        sys.stderr.write("".join(f"docs/reference/{name} is not current; run make docs\n" for name in stale))
        return 1 if stale else 0
    for name in stale:
        (PAGES / name).write_text(pages[name], encoding="utf-8")
    return 0


def is_current(path: Path, text: str) -> bool:
    """Whether a page is as the code would print it."""
    return path.is_file() and path.read_text("utf-8") == text


if __name__ == "__main__":
    sys.exit(main())
