"""The hosts' page: flags, every submission, releases, baselines, runs again, teams taken off the boards."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Request, UploadFile
from starlette.responses import HTMLResponse, Response

from eyechart.challenge import hosting, submitting, teams, viewing
from eyechart.errors import DataError, UsageError
from eyechart.web.leaderboard.asking import Key, Name, There, challenge_of_host
from eyechart.web.leaderboard.shapes import SubmissionTold, tell_challenge, tell_gap
from eyechart.web.leaderboard.taking_part import Said, hand_in, submissions_told
from eyechart.web.leaderboard.telling import Form as Told
from eyechart.web.leaderboard.telling import shown
from eyechart.web.ui import Account, Here, RefusalError, Site, Someone, moved

__all__ = ["host_of_submission", "pages"]

pages = APIRouter(default_response_class=HTMLResponse)


@pages.get("/challenges/{challenge}/host")
def host_page(
    request: Request,
    site: Here,
    account: Someone,
    challenge: Name,
    format: Told = "page",  # noqa: A002 - the word in the address
) -> Response:
    """What runs, what was flagged, and what can be done about it."""
    return _page(request, site, account, challenge, format, "")


@pages.post("/challenges/{challenge}/{track}/{phase}/release")
def release(site: Here, account: Someone, place: There) -> Response:
    """Show what was held back."""
    with site.database.writing() as rows:
        challenge_of_host(rows, place.challenge, account)
        hosting.release(rows, place.found(rows)[2], account.account_id)
    return moved(f"/challenges/{place.challenge}/host")


@pages.post("/challenges/{challenge}/{track}/{phase}/baseline")
def baseline(
    request: Request,
    site: Here,
    account: Someone,
    place: There,
    file: Annotated[UploadFile, File()],
    said: Annotated[Said, Depends()],
) -> Response:
    """Take a baseline."""
    try:
        hand_in(site, account, place, file, said, baseline=True)
    except (UsageError, DataError) as problem:
        return _page(request, site, account, place.challenge, "page", str(problem))
    return moved(f"/challenges/{place.challenge}/host")


@pages.post("/challenges/{challenge}/rerun")
def rerun_all(site: Here, account: Someone, challenge: Name) -> Response:
    """Score everything anew."""
    with site.database.writing() as rows:
        found = challenge_of_host(rows, challenge, account)
        hosting.rerun_all(rows, found["challenge_id"], account.account_id)
    return moved(f"/challenges/{challenge}/host")


@pages.post("/submissions/{number}/rerun")
def rerun(site: Here, account: Someone, number: Key) -> Response:
    """Score one submission anew."""
    with site.database.writing() as rows:
        found = host_of_submission(rows, number, account)
        hosting.rerun(rows, number, account.account_id)
    return moved(f"/challenges/{found['challenge']}/host")


@pages.post("/submissions/{number}/settle")
def settle(site: Here, account: Someone, number: Key) -> Response:
    """Say that a flag has been looked into."""
    with site.database.writing() as rows:
        found = host_of_submission(rows, number, account)
        hosting.settle(rows, number, account.account_id)
    return moved(f"/challenges/{found['challenge']}/host")


@pages.post("/challenges/{challenge}/bar")
def bar(
    site: Here,
    account: Someone,
    challenge: Name,
    team: Annotated[int, Form(ge=1, lt=2**31)],
    barred: Annotated[bool, Form()] = False,  # noqa: FBT002 - a box of a form
) -> Response:
    """Take a team off the boards, or let it on them again."""
    with site.database.writing() as rows:
        found = challenge_of_host(rows, challenge, account)
        if team not in {each["team_id"] for each in teams.listed(rows, found["challenge_id"])}:
            raise RefusalError(404, "This challenge has no such team.")
        hosting.bar(rows, team, account.account_id, barred=barred)
    return moved(f"/challenges/{challenge}/host")


def host_of_submission(rows: Any, number: int, account: Account) -> Any:
    """A submission of a challenge that this account runs."""
    found = submitting.submission(rows, number)
    if found is None:
        raise RefusalError(404, "There is no such submission.")
    challenge_of_host(rows, found["challenge"], account)
    return found


def _page(request: Request, site: Site, account: Account, challenge: str, form: Any, problem: str) -> Response:
    with site.database.reading() as rows:
        found = challenge_of_host(rows, challenge, account)
        everything = tell_challenge(rows, found)
        submissions = submissions_told(rows, found["challenge_id"], None)
        gaps = {gap.submission_id: gap for gap in viewing.gaps(rows, found["challenge_id"])}
        of_it = teams.listed(rows, found["challenge_id"])
    raised = [gap for gap in gaps.values() if gap.raised and not gap.settled]
    head = ("submission", "track", "phase", "team", "kind", "method", "state", "public", "handed in", "gap", "bound")
    table = [_row(each, gaps.get(each.submission_id)) for each in submissions]
    return shown(
        request,
        form,
        "leaderboard/host.html",
        told={"submissions": submissions, "gaps": [tell_gap(gap) for gap in gaps.values()]},
        head=head,
        table=table,
        challenge=everything,
        submissions=submissions,
        gaps=gaps,
        raised=raised,
        teams=of_it,
        problem=problem,
    )


def _row(each: SubmissionTold, gap: viewing.Gap | None) -> list[object]:
    facts = (each.submission_id, each.track, each.phase, each.team, each.kind, each.method, each.state, each.public)
    return [*facts, each.created, *((None, None) if gap is None else (gap.gap, gap.bound))]
