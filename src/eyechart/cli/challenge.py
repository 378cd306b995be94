"""``eyechart challenge``: make one, hand results in, score them, see where they stand, release what was hidden."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from eyechart.cli.options import Speech
from eyechart.cli.printing import columns, print_json
from eyechart.cli.site import Site, needed
from eyechart.errors import UnknownNameError, UsageError

__all__ = ["challenge"]

challenge = App(name="challenge", help="Run a challenge: take results, score them, rank them, keep what is hidden.")


@challenge.command(name="create")
def create_challenge(
    description: Path,
    /,
    *,
    host: Annotated[tuple[str, ...], Parameter(negative="")] = (),
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Make a challenge from its description; docs/how-to/challenge.md says how to write one.

    Parameters
    ----------
    description
        The description, a TOML file; the benchmarks it names are seen from its folder.
    host
        The login of somebody who may run the challenge on its pages; several times for several.
    """
    from eyechart.challenge import describe, finding, hosting

    text = _text_of(description)
    described = describe(text, str(description))
    with _opened(site) as here, here.database.writing() as rows:
        challenge_id = hosting.create(rows, described, text, description.resolve().parent)
        for login in host:
            hosting.add_host(rows, challenge_id, finding.account_called(rows, login))
        tracks = finding.phases_of(rows, challenge_id)
        made = [
            (track["slug"], phase["slug"], split.slug, split.questions, split.visibility)
            for track, phases in tracks
            for phase in phases
            for split in finding.splits_of(rows, phase["phase_id"])
        ]
    if speech.json:
        print_json({"challenge": described.slug, "tracks": [track["slug"] for track, _ in tracks]})
        return
    print(columns(made, head=("track", "phase", "split", "questions", "shown to")))
    print(f"\n{described.title} is ready as {described.slug!r}.")


@challenge.command(name="submit")
def submit_results(
    phase: str,
    results: Path,
    /,
    *,
    method: str,
    team: str | None = None,
    kind: str = "entry",
    about: str = "",
    link: str = "",
    members: str = "",
    external_data: str = "",
    public: Annotated[bool, Parameter(negative="")] = False,
    server: str | None = None,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Hand in a result file: at a server as yourself, or as a host straight into the database.

    Parameters
    ----------
    phase
        CHALLENGE/TRACK/PHASE.
    results
        The result file: a JSON list of question_id and answer, plain, in gzip or alone in a zip.
    method
        What the method is called on boards.
    team
        For a host: the team in whose name.
    kind
        entry; or, for hosts, baseline.
    about
        What the method does.
    link
        Where to read about it.
    members
        Who made it.
    external_data
        Data that was used beyond the benchmark's own.
    public
        Let it stand on the board.
    server
        The address of a server; the token is read from EYECHART_TOKEN.
    """
    from eyechart.challenge import Method, finding, submitting

    said = Method(method, about, link, members, external_data, public or kind != "entry")
    if server is not None:
        _print_state(_remote(server).submit(_three(phase), results, said), json=speech.json)
        return
    if kind not in {"entry", "baseline"}:
        raise UsageError(f"--kind {kind}: found no such kind, expected entry or baseline; choose one")
    with _opened(site) as here:
        with here.database.reading() as rows:
            found = here.phase(rows, phase)
            challenge_id = finding.find_challenge(rows, _three(phase)[0])["challenge_id"]
            team_id = None if team is None else finding.team_called(rows, challenge_id, team)
        number = submitting.submit(
            here.database,
            here.files,
            found["phase_id"],
            results,
            said,
            name=results.name,
            account_id=None,
            team_id=team_id,
            kind=kind,
        )
    if speech.json:
        print_json({"submission": number, "state": "queued"})
    else:
        print(f"Submission {number} waits to be scored; a worker scores it (eyechart challenge worker).")


@challenge.command(name="status")
def show_status(
    challenge: str,  # the word that users know
    submission: int | None = None,
    /,
    *,
    server: str | None = None,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Tell what was handed in, how far it is, and what came out; everything for a host, one's own at a server.

    Parameters
    ----------
    challenge
        Its name.
    submission
        The number of one submission; all if not said.
    server
        The address of a server; the token is read from EYECHART_TOKEN.
    """
    from eyechart.challenge import finding, hosting, viewing

    if server is not None:
        _print_submissions(_remote(server).submissions(challenge, submission), json=speech.json)
        return
    with _opened(site) as here, here.database.reading() as rows:
        challenge_id = finding.find_challenge(rows, challenge)["challenge_id"]
        found = hosting.submissions_of(rows, challenge_id)
        chosen = [row for row in found if submission in {None, row["submission_id"]}]
        if submission is not None and not chosen:
            raise UnknownNameError(f"{challenge}: found no submission {submission}, expected one of this challenge")
        scores = viewing.scores_of(rows, [row["submission_id"] for row in chosen], "host", by=("overall", "part"))
        flagged = {gap.submission_id for gap in viewing.gaps(rows, challenge_id) if gap.raised and not gap.settled}
    _print_submissions([_told(row, scores.get(row["submission_id"], []), flagged) for row in chosen], json=speech.json)


@challenge.command(name="board")
def show_board(
    phase: str,
    /,
    *,
    by: str = "",
    sort: str = "",
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Print a board, as the public sees it.

    Parameters
    ----------
    phase
        CHALLENGE/TRACK/PHASE.
    by
        The column of questions by which numbers are told apart; the track's first if not said.
    sort
        A column to sort by: its name as --json says it.
    """
    from eyechart.challenge import boards

    with _opened(site) as here, here.database.reading() as rows:
        shown = boards.board(rows, here.phase(rows, phase), here.track(rows, phase), by=by, sort=sort)
    if speech.json:
        print_json({"columns": [column.key for column in shown.columns], "entries": shown.entries})
        return
    head = ("rank", "team", "method", *(column.key for column in shown.columns))
    cells = [[_cell(entry.value(column)) for column in shown.columns] for entry in shown.entries]
    lines = [
        (entry.rank or "", entry.team or entry.kind, entry.method, *numbers)
        for entry, numbers in zip(shown.entries, cells, strict=True)
    ]
    print(columns(lines, head=head) if lines else "Nothing public has been scored yet.")


@challenge.command(name="release")
def release_scores(
    phase: str,
    /,
    *,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Show the scores of a phase that were held back, for good.

    Parameters
    ----------
    phase
        CHALLENGE/TRACK/PHASE.
    """
    from eyechart.challenge import hosting

    with _opened(site) as here, here.database.writing() as rows:
        hosting.release(rows, here.phase(rows, phase), None)
    if speech.json:
        print_json({"released": phase})
    else:
        print(f"The scores of {phase} are shown now.")


@challenge.command(name="rerun")
def rerun_submissions(
    challenge: str,  # the word that users know
    submission: int | None = None,
    /,
    *,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Score one submission anew, or all of a challenge that were scored.

    Parameters
    ----------
    challenge
        Its name.
    submission
        The number of one submission; all if not said.
    """
    from eyechart.challenge import finding, hosting

    with _opened(site) as here, here.database.writing() as rows:
        challenge_id = finding.find_challenge(rows, challenge)["challenge_id"]
        if submission is None:
            count = hosting.rerun_all(rows, challenge_id, None)
        elif submission in {row["submission_id"] for row in hosting.submissions_of(rows, challenge_id)}:
            hosting.rerun(rows, submission, None)
            count = 1
        else:
            raise UnknownNameError(f"{challenge}: found no submission {submission}, expected one of this challenge")
    if speech.json:
        print_json({"queued": count})
    else:
        print(f"{count:,} submissions wait to be scored again.")


@challenge.command(name="worker")
def run_worker(
    *,
    workers: int = 1,
    until_done: Annotated[bool, Parameter(negative="")] = False,
    parent: int | None = None,
    site: Site = Site(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Score what is handed in, until stopped; may be killed at any moment and run on several machines.

    Parameters
    ----------
    workers
        How many processes, each of which scores one submission at a time.
    until_done
        Stop when nothing waits.
    parent
        The number of the process that starts it, with which it stops.
    """
    from eyechart.challenge import Worker

    if workers < 1:
        raise UsageError(f"--workers is {workers}, expected 1 or more; choose how many processes score")
    others = [_another(site, until_done=until_done) for _ in range(workers - 1)]
    stopping: list[int] = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda caught, _frame: stopping.append(caught))
    with _opened(site) as here:
        if not speech.quiet:
            sys.stderr.write(f"Scoring what is handed in at {here.database.name}; stop with Ctrl-C.\n")
        ended = Worker(here.database, here.files).run(
            # Who was killed while this process was still starting is gone, too.
            stopped=lambda: bool(stopping) or parent not in {None, os.getppid()},
            idle=not until_done,
        )
    for other in others:
        if stopping:
            other.terminate()
        other.wait()
    if speech.json:
        print_json({"jobs": ended})


def _another(site: Site, *, until_done: bool) -> subprocess.Popen[bytes]:
    options = ["--data", str(site.data), "--database", site.database, "--quiet", "--parent", str(os.getpid())]
    options += ["--until-done"] if until_done else []
    return subprocess.Popen([sys.executable, "-m", "eyechart.cli.main", "challenge", "worker", *options])  # noqa: S603 - ourselves


class _Here:
    """An opened database with its files, asked by the names that users type."""

    def __init__(self, site: Site) -> None:
        needed()
        from eyechart.challenge import Files
        from eyechart.database import Database

        site.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.database = Database(site.database or site.data / "work.db")
        self.files = Files(site.data / "files" / "results")

    def phase(self, rows: Any, name: str) -> Mapping[Any, Any]:
        """A phase by CHALLENGE/TRACK/PHASE."""
        from eyechart.challenge import finding

        return finding.find_phase(rows, self.track(rows, name)["track_id"], _three(name)[2])

    def track(self, rows: Any, name: str) -> Mapping[Any, Any]:
        """The track in CHALLENGE/TRACK/PHASE."""
        from eyechart.challenge import finding

        challenge_name, track, _ = _three(name)
        return finding.find_track(rows, finding.find_challenge(rows, challenge_name)["challenge_id"], track)


@contextmanager
def _opened(site: Site) -> Iterator[_Here]:
    here = _Here(site)
    try:
        yield here
    finally:
        here.database.close()


def _three(name: str) -> tuple[str, str, str]:
    parts = name.split("/")
    if len(parts) != 3:  # noqa: PLR2004 - as the message says
        raise UsageError(f"{name}: found {len(parts)} names, expected CHALLENGE/TRACK/PHASE; eyechart challenge status")
    return parts[0], parts[1], parts[2]


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: found no text to read ({error}), expected a challenge's description") from error


def _remote(server: str) -> Any:
    from eyechart.cli.challenge_client import Server

    token = os.environ.get("EYECHART_TOKEN", "")
    if not token:
        raise UsageError("EYECHART_TOKEN: found none, expected a token of yours for the server; make one on its pages")
    return Server(server, token)


def _told(row: Mapping[Any, Any], scores: list[Any], flagged: set[int]) -> dict[str, Any]:
    names = ("submission_id", "track", "phase", "team", "method", "kind", "state", "public", "problems")
    facts = {name: row[name] for name in names}
    shown = {f"{score.split}.{score.metric}": score.value for score in scores if score.group == "overall"}
    return facts | {"share": row["share"], "scores": shown, "flagged": row["submission_id"] in flagged}


def _print_submissions(found: list[dict[str, Any]], *, json: bool) -> None:
    if json:
        print_json(found)
        return
    if not found:
        print("Nothing has been handed in yet.")
        return
    lines = [
        (
            str(row["submission_id"]),
            f"{row['track']}/{row['phase']}",
            row["team"] or row["kind"],
            row["method"],
            row["state"],
            ", ".join(f"{name} {_cell(value)}" for name, value in row["scores"].items()),
        )
        for row in found
    ]
    print(columns(lines, head=("", "phase", "team", "method", "state", "scores")))
    if len(found) == 1:
        print("\n".join(f"  {problem['said']}" for problem in found[0]["problems"]))


def _print_state(found: dict[str, Any], *, json: bool) -> None:
    if json:
        print_json(found)
    else:
        print(f"Submission {found['submission_id']} is {found['state']}.")


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
