"""What participants do: found a team, hand results in, follow them, take them back."""

import tempfile
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Request, UploadFile
from starlette.responses import FileResponse, HTMLResponse, Response

from eyechart.challenge import Files, Method, boards, finding, hosting, quotas, submitting, teams, viewing
from eyechart.database import now
from eyechart.errors import DataError, UsageError
from eyechart.web.leaderboard.asking import Key, Name, Place, There, challenge_of_host, submission_seen, viewer
from eyechart.web.leaderboard.columns import about
from eyechart.web.leaderboard.shapes import SubmissionTold, tell_challenge, tell_submission
from eyechart.web.leaderboard.telling import Form as Told
from eyechart.web.leaderboard.telling import shown
from eyechart.web.ui import Account, Anybody, Here, Participant, RefusalError, Site, answer, moved, save_upload

__all__ = ["Said", "files_of", "hand_in", "pages", "submissions_told"]

pages = APIRouter(default_response_class=HTMLResponse)

Short = Annotated[str, Form(max_length=1000)]
Long = Annotated[str, Form(max_length=20_000)]
_NEW_TEAM = "Found a team first, or accept an invitation to one: results are handed in by teams."


class Said:
    """What a form says about a method; a dependency of the pages and of the programming interface."""

    def __init__(
        self,
        *,
        method: Short = "",
        about: Long = "",
        link: Short = "",
        members: Short = "",
        external_data: Long = "",
        public: Annotated[bool, Form()] = False,
        once: Annotated[str, Form(max_length=60)] = "",
    ) -> None:
        self.method = Method(method, about, link, members, external_data, public)
        self.once = once or None


def files_of(site: Site) -> Files:
    """Where the result files are."""
    return Files(site.files / "results")


def hand_in(
    site: Site, account: Account, place: Place, upload: UploadFile, said: Said, *, baseline: bool = False
) -> int:
    """Take an upload for a phase: as one's team, or as a host for a baseline."""
    with site.database.reading() as rows:
        challenge, _, phase = place.found(rows)
        if baseline:
            challenge_of_host(rows, place.challenge, account)
        team = None if baseline else finding.team_of(rows, challenge["challenge_id"], viewer(account))
    if team is None and not baseline:
        raise UsageError(_NEW_TEAM)
    with tempfile.TemporaryDirectory(dir=site.files, prefix=".upload-") as arriving:
        kept = Path(arriving) / "results"
        save_upload(upload, kept, cap=site.settings.largest_request)
        return submitting.submit(
            site.database,
            files_of(site),
            phase["phase_id"],
            kept,
            said.method,
            name=Path(upload.filename or "").name[:200].encode("utf-8", "replace").decode(),
            account_id=account.account_id,
            team_id=None if team is None else team["team_id"],
            kind="baseline" if baseline else "entry",
            once=said.once,
        )


@pages.post("/challenges/{challenge}/team")
def found(site: Here, account: Participant, challenge: Name, name: Short = "") -> Response:
    """Found a team."""
    with site.database.writing() as rows:
        challenge_id = finding.find_challenge(rows, challenge)["challenge_id"]
        teams.found_team(rows, challenge_id, account.account_id, name)
    return moved(f"/challenges/{challenge}")


@pages.post("/challenges/{challenge}/team/invite")
def invite(site: Here, account: Participant, challenge: Name, login: Short = "") -> Response:
    """Let somebody join one's team."""
    with site.database.writing() as rows:
        team = finding.team_of(rows, finding.find_challenge(rows, challenge)["challenge_id"], viewer(account))
        if team is None:
            raise RefusalError(409, "You are in no team of this challenge, so there is none to invite to.")
        teams.invite(rows, team["team_id"], login)
    return moved(f"/challenges/{challenge}")


@pages.post("/challenges/{challenge}/team/join")
def join(site: Here, account: Participant, challenge: Name, team: Annotated[int, Form(ge=1, lt=2**31)]) -> Response:
    """Accept an invitation."""
    with site.database.writing() as rows:
        teams.join(rows, finding.find_challenge(rows, challenge)["challenge_id"], account.account_id, team)
    return moved(f"/challenges/{challenge}")


@pages.post("/challenges/{challenge}/team/leave")
def leave(site: Here, account: Participant, challenge: Name) -> Response:
    """Leave a team that has handed in nothing yet."""
    with site.database.writing() as rows:
        teams.leave(rows, finding.find_challenge(rows, challenge)["challenge_id"], account.account_id)
    return moved(f"/challenges/{challenge}")


@pages.get("/challenges/{challenge}/{track}/{phase}/submit")
def submit_page(request: Request, site: Here, account: Participant, place: There) -> Response:
    """The form for a result."""
    return _submit_page(request, site, account, place, Method(""), "")


@pages.post("/challenges/{challenge}/{track}/{phase}/submit")
def submit(
    request: Request,
    site: Here,
    account: Participant,
    place: There,
    file: Annotated[UploadFile, File()],
    said: Annotated[Said, Depends()],
) -> Response:
    """Take a result; what is wrong with the form is told beside what was written into it."""
    try:
        number = hand_in(site, account, place, file, said)
    except (UsageError, DataError) as problem:
        return _submit_page(request, site, account, place, said.method, str(problem))
    return moved(f"/submissions/{number}")


@pages.get("/challenges/{challenge}/submissions")
def submissions_page(
    request: Request,
    site: Here,
    account: Participant,
    challenge: Name,
    format: Told = "page",  # noqa: A002 - the word in the address
) -> Response:
    """What one's team has handed in."""
    with site.database.reading() as rows:
        found = finding.find_challenge(rows, challenge)
        everything = tell_challenge(rows, found)
        team = finding.team_of(rows, found["challenge_id"], viewer(account))
        told = [] if team is None else submissions_told(rows, found["challenge_id"], team["team_id"])
    head = ("submission", "track", "phase", "method", "state", "public", "handed in", "scored")
    table = [
        [each.submission_id, each.track, each.phase, each.method, each.state, each.public, each.created, each.ended]
        for each in told
    ]
    return shown(
        request,
        format,
        "leaderboard/submissions.html",
        told=told,
        head=head,
        table=table,
        challenge=everything,
        team=team,
    )


@pages.get("/submissions/{number}")
def submission_page(
    request: Request,
    site: Here,
    account: Anybody,
    number: Key,
    format: Told = "page",  # noqa: A002 - the word in the address
) -> Response:
    """A submission: how far it is, what came out, what was wrong with it."""
    with site.database.reading() as rows:
        found, audience = submission_seen(rows, number, account)
        scores = viewing.scores_of(rows, [number], audience).get(number, [])
        told = tell_submission(rows, found, scores, own=audience != "public")
        splits = viewing.splits_shown(rows, found["phase_id"], audience)
        columns = boards.columns_of(splits, found["metrics"], scores)
    head = ("split", "metric", "by", "group", "value", "low", "high", "questions", "why none")
    table = [
        [each.split, each.metric, each.by, each.group, each.value, each.low, each.high, each.questions, each.absent]
        for each in scores
    ]
    return shown(
        request,
        format,
        "leaderboard/submission.html",
        told=told,
        head=head,
        table=table,
        found=found,
        audience=audience,
        splits=splits,
        columns=columns,
        cells={(each.split, each.metric, each.by, each.group): each for each in scores},
        about=about,
    )


@pages.get("/submissions/{number}/file")
def result_file(site: Here, account: Participant, number: Key) -> Response:
    """The result file, as it was handed in (unpacked); for its team and the hosts."""
    with site.database.reading() as rows:
        found, audience = submission_seen(rows, number, account)
    if audience == "public" or found["file"] is None:
        raise RefusalError(404, "There is no file here, or it is not for you to see.")
    return FileResponse(
        files_of(site).path(found["file"]),
        media_type="application/json",
        filename=f"submission-{number}.json",
        headers={"X-Content-Type-Options": "nosniff"},
    )


@pages.post("/submissions/{number}/withdraw")
def withdraw(site: Here, account: Participant, number: Key) -> Response:
    """Take a submission back."""
    with site.database.writing() as rows:
        _, audience = submission_seen(rows, number, account)
        if audience == "public":
            raise RefusalError(403, "Only its team and the hosts may take a submission back.")
        submitting.withdraw(rows, number, by_host=audience == "host")
    return moved(f"/submissions/{number}")


@pages.post("/submissions/{number}/public")
def show(site: Here, account: Participant, number: Key, public: Annotated[bool, Form()] = False) -> Response:  # noqa: FBT002 - a box of a form
    """Let it stand on the board, or take it off."""
    with site.database.writing() as rows:
        _, audience = submission_seen(rows, number, account)
        if audience == "public":
            raise RefusalError(403, "Only its team and the hosts may change what a submission shows.")
        submitting.show(rows, number, public=public)
    return moved(f"/submissions/{number}")


def submissions_told(rows: Any, challenge_id: int, team_id: int | None) -> list[SubmissionTold]:
    """Submissions of a team with what it may see of their scores; of everybody, as hosts see them."""
    found = hosting.submissions_of(rows, challenge_id, team_id=team_id)
    audience: viewing.Audience = "host" if team_id is None else "team"
    scores = viewing.scores_of(rows, [row["submission_id"] for row in found], audience, by=("overall", "part"))
    return [tell_submission(rows, row, scores.get(row["submission_id"], []), own=True, job=row) for row in found]


def _submit_page(
    request: Request, site: Site, account: Account, place: Place, method: Method, problem: str
) -> Response:
    with site.database.reading() as rows:
        challenge, _, phase = place.found(rows)
        team = finding.team_of(rows, challenge["challenge_id"], viewer(account))
        moment = now()
        left = None if team is None else quotas.left(rows, phase["phase_id"], team["team_id"], moment)
        told = tell_challenge(rows, challenge)
    try:
        submitting.check_open(phase, moment)
        closed = ""
    except UsageError as reason:
        closed = str(reason)
    of_it = next(each for each in told.tracks if each.track == place.track)
    its_phase = next(each for each in of_it.phases if each.phase == place.phase)
    return answer(
        request,
        "leaderboard/submit.html",
        status=422 if problem else 200,
        challenge=told,
        track=of_it,
        phase=its_phase,
        team=team,
        left=left,
        method=method,
        problem=problem,
        closed=closed,
        questions=sum(split.questions for split in its_phase.splits),
        once=token_hex(16),
    )
