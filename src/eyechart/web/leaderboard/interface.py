"""Challenges for programs: what is there, boards, handing in, following, releasing."""

from typing import Annotated

from fastapi import APIRouter, Depends, File, UploadFile
from starlette.responses import FileResponse

from eyechart.challenge import boards, finding, hosting, submitting, viewing
from eyechart.web.leaderboard.asking import Asked, Key, Name, There, challenge_of_host, submission_seen, viewer
from eyechart.web.leaderboard.hosting import host_of_submission
from eyechart.web.leaderboard.shapes import (
    BoardTold,
    ChallengeTold,
    GapTold,
    SubmissionTold,
    tell_board,
    tell_challenge,
    tell_gap,
    tell_submission,
)
from eyechart.web.leaderboard.taking_part import Said, files_of, hand_in, submissions_told
from eyechart.web.ui import Account, Anybody, Here, Participant, RefusalError, Site, Someone

__all__ = ["api"]

api = APIRouter(tags=["challenges"])


@api.get("/challenges")
def list_challenges(site: Here) -> list[ChallengeTold]:
    """All challenges, the newest first."""
    with site.database.reading() as rows:
        return [tell_challenge(rows, row) for row in finding.listed(rows)]


@api.get("/challenges/{challenge}")
def show_challenge(site: Here, challenge: Name) -> ChallengeTold:
    """A challenge with its tracks, phases and splits."""
    with site.database.reading() as rows:
        return tell_challenge(rows, finding.find_challenge(rows, challenge))


@api.get("/challenges/{challenge}/{track}/{phase}/board")
def show_board(site: Here, place: There, asked: Asked) -> BoardTold:
    """A board, as the public sees it."""
    with site.database.reading() as rows:
        _, of_it, its_phase = place.found(rows)
        board = boards.board(rows, its_phase, of_it, by=asked.by, sort=asked.sort, ascending=asked.order == "asc")
        return tell_board(place.challenge, place.track, place.phase, board)


@api.post("/challenges/{challenge}/{track}/{phase}/submissions", status_code=201)
def submit(
    site: Here,
    account: Participant,
    place: There,
    file: Annotated[UploadFile, File()],
    said: Annotated[Said, Depends()],
) -> SubmissionTold:
    """Hand in a result file in the name of one's team; with the same `once`, it is the same submission."""
    number = hand_in(site, account, place, file, said)
    return _submission(site, account, number)


@api.get("/challenges/{challenge}/submissions")
def list_submissions(site: Here, account: Participant, challenge: Name) -> list[SubmissionTold]:
    """What one's team has handed in, the newest first."""
    with site.database.reading() as rows:
        challenge_id = finding.find_challenge(rows, challenge)["challenge_id"]
        team = finding.team_of(rows, challenge_id, viewer(account))
        return [] if team is None else submissions_told(rows, challenge_id, team["team_id"])


@api.get("/submissions/{number}")
def show_submission(site: Here, account: Anybody, number: Key) -> SubmissionTold:
    """A submission: one's own, one of a challenge that one runs, or a public one."""
    return _submission(site, account, number)


@api.get("/submissions/{number}/file", response_class=FileResponse)
def show_file(site: Here, account: Participant, number: Key) -> FileResponse:
    """The result file, for its team and the hosts."""
    with site.database.reading() as rows:
        found, audience = submission_seen(rows, number, account)
    if audience == "public" or found["file"] is None:
        raise RefusalError(404, "There is no file here, or it is not for you to see.")
    return FileResponse(files_of(site).path(found["file"]), media_type="application/json", filename=f"{number}.json")


@api.post("/submissions/{number}/withdraw")
def withdraw(site: Here, account: Participant, number: Key) -> SubmissionTold:
    """Take a submission back, for good."""
    with site.database.writing() as rows:
        _, audience = submission_seen(rows, number, account)
        if audience == "public":
            raise RefusalError(403, "Only its team and the hosts may take a submission back.")
        submitting.withdraw(rows, number, by_host=audience == "host")
    return _submission(site, account, number)


@api.post("/challenges/{challenge}/{track}/{phase}/release")
def release(site: Here, account: Someone, place: There) -> ChallengeTold:
    """For hosts: show what was held back."""
    with site.database.writing() as rows:
        found = challenge_of_host(rows, place.challenge, account)
        hosting.release(rows, place.found(rows)[2], account.account_id)
        return tell_challenge(rows, found)


@api.get("/challenges/{challenge}/gaps")
def list_gaps(site: Here, account: Someone, challenge: Name) -> list[GapTold]:
    """For hosts: how far entries are from the splits that nobody sees, raised ones first."""
    with site.database.reading() as rows:
        found = challenge_of_host(rows, challenge, account)
        return [tell_gap(gap) for gap in viewing.gaps(rows, found["challenge_id"])]


@api.post("/submissions/{number}/rerun")
def rerun(site: Here, account: Someone, number: Key) -> SubmissionTold:
    """For hosts: score a submission anew."""
    with site.database.writing() as rows:
        host_of_submission(rows, number, account)
        hosting.rerun(rows, number, account.account_id)
    return _submission(site, account, number)


def _submission(site: Site, account: Account | None, number: int) -> SubmissionTold:
    with site.database.reading() as rows:
        found, audience = submission_seen(rows, number, account)
        scores = viewing.scores_of(rows, [number], audience).get(number, [])
        return tell_submission(rows, found, scores, own=audience != "public")
