"""Claim: a VQA v2 test file (447,793 answers) is on the board within 10 s of its upload; 20 queued within 90 s.

The real thing over HTTP: ``eyechart serve`` with its own worker, and one more, as a host with two cores would run it.
``bench_challenge.py [ANSWERS] [QUEUED]`` for other sizes. Prints wall times, CPU times and the memory of each process.
"""

import os
import shutil
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

from challenge_files import TEST, benchmark_of, result_file
from side_by_side import scratch

from eyechart.challenge import Method, describe, finding, hosting, teams
from eyechart.cli.challenge_client import Server
from eyechart.database import Database
from eyechart.web import accounts

DESCRIPTION = """
slug = "vqa"
title = "VQA"

[[tracks]]
slug = "open-ended"
title = "Open-ended"
benchmark = "{benchmark}"
metrics = ["vqa"]
groups = ["answer_type", "question_type"]

[tracks.splits]
test-dev = {{ split = "test-dev" }}
test-standard = {{ split = "test-standard" }}
test-challenge = {{ split = "test-challenge" }}
test-reserve = {{ split = "test-reserve", guards = "test-standard" }}

[[phases]]
slug = "dev"
title = "Development"
shows = {{ test-dev = "team" }}

[[phases]]
slug = "test"
title = "Test"
keeps = "all"
shows = {{ test-dev = "team", test-standard = "public", test-challenge = "released", test-reserve = "never" }}
"""


def main() -> None:
    """Upload one file, then many at once."""
    questions, queued = (int(argument) for argument in [*sys.argv[1:], TEST, 20][:2]) if sys.argv[1:] else (TEST, 20)
    benchmark = benchmark_of(questions)
    files = [result_file(benchmark, number, questions) for number in range(3)]
    folder = scratch("challenge")
    token = _challenge(folder, benchmark)
    port = 20_000 + os.getpid() % 20_000
    started = [
        _start("serve", "--data", str(folder), "--port", str(port)),
        _start("challenge", "worker", "--data", str(folder)),
    ]
    try:
        server = Server(f"http://127.0.0.1:{port}", token)
        _wait_for(server)
        print(f"{questions:,} answers, {files[0].stat().st_size / 1e6:.1f} MB")
        print(f"  first upload to board, questions not yet opened: {_one(server, files[0], 'first'):6.2f} s")
        for number in (1, 2):
            print(
                f"  upload to board, questions open:                 {_one(server, files[number], f'm{number}'):6.2f} s"
            )
        begun = time.perf_counter()
        for number in range(queued):
            server.submit(("vqa", "open-ended", "test"), files[number % 3], Method(f"queued {number}", public=True))
        sent = time.perf_counter() - begun
        while len(_board(server)) < 3 + queued:
            time.sleep(0.1)
        print(f"  {queued} queued: sent in {sent:.2f} s, all on the board in {time.perf_counter() - begun:.2f} s")
        for each in started:
            print(f"  {_used(each.pid)}")
    finally:
        for each in started:
            each.terminate()
            each.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _one(server: Server, file: Path, name: str) -> float:
    begun = time.perf_counter()
    server.submit(("vqa", "open-ended", "test"), file, Method(name, public=True))
    while name not in _board(server):
        time.sleep(0.05)
    return time.perf_counter() - begun


def _board(server: Server) -> set[str]:
    told = server.call("/api/challenges/vqa/open-ended/test/board")
    return {entry["method"] for entry in told["entries"]}


def _challenge(folder: Path, benchmark: Path) -> str:
    folder.mkdir(parents=True)
    database = Database(folder / "work.db")
    text = DESCRIPTION.format(benchmark=benchmark.resolve())
    with database.writing() as rows:
        challenge_id = hosting.create(rows, describe(text, "vqa.toml"), text, folder)
        account = accounts.create_account(rows, "ada", "participant")
        teams.found_team(rows, challenge_id, account.account_id, "Engines")
        token = accounts.create_token(rows, account, "bench", accounts.SCOPES, timedelta(days=1))
        assert finding.find_challenge(rows, "vqa")  # noqa: S101 - it is there
    database.close()
    return token


def _start(*arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-m", "eyechart.cli.main", *arguments], stdout=subprocess.DEVNULL)


def _wait_for(server: Server) -> None:
    from eyechart.errors import DownloadError

    for _ in range(600):
        try:
            server.call("/api/challenges")
        except DownloadError:
            time.sleep(0.1)
        else:
            return


def _used(pid: int) -> str:
    """CPU time and peak memory of a process and those that it started."""
    every = [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    told = []
    for path in every:
        try:
            fields = (path / "stat").read_text().rpartition(") ")[2].split()
            peak = int((path / "status").read_text().split("VmHWM:")[1].split()[0]) / 1024
        except (OSError, IndexError):
            continue
        if int(path.name) == pid or int(fields[1]) == pid:
            cpu = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            name = (path / "cmdline").read_text().replace("\0", " ").partition("eyechart.cli.main ")[2][:40]
            told.append(f"{name}: {cpu:.1f} s CPU, {peak:.0f} MB peak")
    return "; ".join(told)


if __name__ == "__main__":
    main()
