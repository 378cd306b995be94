"""Documentation as a reader follows it: files are written, commands typed, Python run, from top to end of a page.

A block that is not run says why in the line before it, in italics, such as *Needs the network.*; readers see it, too.
"""

import itertools
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from eyechart.cli.main import main

_FENCE = re.compile(r"^```(?P<language>\w*)(?: file=(?P<name>\S+))?\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_REASON = re.compile(r"^\*((?:Needs|Takes|Runs|Asks) [^*\n]+\.)\*$", re.MULTILINE)
_SMALLER = {"-n": 12, "--per-image": 8, "--epochs": 1, "--scenes": 12}
"""What is large in the text is small in a test."""


@dataclass(frozen=True)
class Block:
    """A piece of code of a page."""

    language: str
    name: str
    """The file that it is, if it is one."""
    body: str
    line: int
    reason: str
    """Why it is not run, if it is not."""

    @property
    def runs(self) -> bool:
        """Whether it does something when a page is followed."""
        return not self.reason and (bool(self.name) or self.language in {"console", "python"})


def blocks(text: str) -> Iterator[Block]:
    """The pieces of code of a page, from top to bottom."""
    for found in _FENCE.finditer(text):
        before = text[: found.start()].rstrip("\n").rpartition("\n")[2]
        reason = _REASON.fullmatch(before)
        line = text.count("\n", 0, found.start()) + 1
        yield Block(found["language"], found["name"] or "", found["body"], line, reason[1] if reason else "")


def walk(text: str, folder: Path) -> None:
    """Do everything that a page says, in a folder that is the working directory."""
    known: dict[str, Any] = {}
    for block in blocks(text):
        place = f"line {block.line}"
        if block.name:
            (folder / block.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.name).write_text(block.body, "utf-8")
        elif block.reason:
            continue
        elif block.language == "console":
            follow(block.body, place)
        elif block.language == "python":
            exec(compile(block.body, place, "exec"), known)  # noqa: S102  # our own documentation


def follow(transcript: str, place: str = "") -> None:
    """Type the commands of a transcript; what it shows must be printed, where … stands for anything."""
    whole = transcript.replace("\\\n", " ")
    for part in re.split(r"^\$ ", whole, flags=re.MULTILINE)[1:]:
        typed, _, shown = part.partition("\n")
        command = shlex.split(typed, comments=True)
        assert command[0] == "eyechart", f"{place}: {typed}: only eyechart is typed here; say why it is not run"
        code, printed = run(command[1:])
        expected = [line.rstrip() for line in shown.splitlines() if line.strip()]
        fails = any(line.startswith("eyechart: ") for line in expected)
        assert (code == 0) != fails or "found" in shown, f"{place}: {typed}: exit code {code}\n{printed}"
        missing = [line for line in expected if not _is_printed(line, printed)]
        assert missing == [], f"{place}: {typed}\n{printed}"


def _is_printed(line: str, printed: str) -> bool:
    pattern = ".*".join(re.escape(part) for part in line.split("…"))
    return any(re.fullmatch(pattern, each.rstrip()) for each in printed.splitlines())


def run(arguments: list[str]) -> tuple[int, str]:
    """One command, on less than it says; what it is to write is not there yet."""
    small = _smaller(arguments)
    for flag, value in itertools.pairwise(small):
        if flag in {"-o", "--output"} and small[1:].count(value) == 1:
            _remove(Path(value))
    told = StringIO()
    try:
        with redirect_stdout(told):
            main(small)
    except SystemExit as left:
        return int(left.code or 0), told.getvalue()
    return 0, told.getvalue()


def _smaller(arguments: list[str]) -> list[str]:
    less = list(arguments)
    for place, (flag, value) in enumerate(itertools.pairwise(arguments)):
        if flag in _SMALLER and value.isdecimal():
            less[place + 1] = str(min(int(value), _SMALLER[flag]))
        if value.startswith("training.epochs="):
            less[place + 1] = "training.epochs=1"
    if arguments[:1] == ["train"] and "-o" in arguments and not any("training.epochs" in each for each in less):
        less += ["--set", "training.epochs=1"]
    return less


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    elif path.exists():
        path.unlink()


def copied(given: Path, folder: Path) -> None:
    """Everything that pages take for granted, linked, so that each page has its own."""
    shutil.copytree(given, folder, copy_function=os.link, dirs_exist_ok=True)
