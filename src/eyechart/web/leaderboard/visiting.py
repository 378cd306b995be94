"""What everybody may look at: the challenges, their rules, their boards."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from eyechart.challenge import boards, finding, quotas, teams
from eyechart.database import now
from eyechart.web.leaderboard.asking import Asked, Name, There, viewer
from eyechart.web.leaderboard.columns import about, heads_of, layers_of, title_of, whiskers_of
from eyechart.web.leaderboard.shapes import ChallengeTold, tell_board, tell_challenge
from eyechart.web.leaderboard.telling import Form, shown
from eyechart.web.ui import Account, Anybody, Here

__all__ = ["pages"]

_FORMS: dict[int | str, dict[str, Any]] = {200: {"content": {kind: {} for kind in ("application/json", "text/csv")}}}
"""Tables can be had as a page, as JSON and as a spreadsheet."""
pages = APIRouter(default_response_class=HTMLResponse, responses=_FORMS)


@pages.get("/challenges")
def challenges_page(request: Request, site: Here, account: Anybody, format: Form = "page") -> Response:  # noqa: A002 - the word in the address
    """All challenges."""
    with site.database.reading() as rows:
        told = [tell_challenge(rows, row) for row in finding.listed(rows)]
        hosted = {each.challenge for each in told if _is_host(rows, each.challenge, account)}
    head = ("challenge", "title", "track", "phase", "opens", "closes", "open")
    return shown(request, format, "leaderboard/challenges.html", told=told, head=head, table=_flat(told), hosted=hosted)


@pages.get("/challenges/{challenge}")
def challenge_page(
    request: Request,
    site: Here,
    account: Anybody,
    challenge: Name,
    format: Form = "page",  # noqa: A002 - the word in the address
) -> Response:
    """A challenge: what it asks, its rules, its tracks and phases, and one's team."""
    with site.database.reading() as rows:
        found = finding.find_challenge(rows, challenge)
        told = tell_challenge(rows, found)
        team = finding.team_of(rows, found["challenge_id"], viewer(account))
        context = {
            "hosting": _is_host(rows, challenge, account),
            "team": team,
            "members": [] if team is None else teams.members_of(rows, team["team_id"]),
            "invitations": []
            if account is None
            else teams.invitations_to(rows, found["challenge_id"], account.account_id),
            "left": {} if team is None else _left(rows, found["challenge_id"], team["team_id"]),
        }
    head = ("challenge", "title", "track", "phase", "opens", "closes", "open")
    return shown(request, format, "leaderboard/challenge.html", told=told, head=head, table=_flat([told]), **context)


@pages.get("/challenges/{challenge}/{track}/{phase}/board")
def board_page(
    request: Request,
    site: Here,
    account: Anybody,
    place: There,
    asked: Asked,
    format: Form = "page",  # noqa: A002 - the word in the address
) -> Response:
    """A phase's board, sorted as asked."""
    with site.database.reading() as rows:
        found, of_it, its_phase = place.found(rows)
        board = boards.board(rows, its_phase, of_it, by=asked.by, sort=asked.sort, ascending=asked.order == "asc")
        team = finding.team_of(rows, found["challenge_id"], viewer(account))
        everything = tell_challenge(rows, found)
    told = tell_board(place.challenge, place.track, place.phase, board)
    head = ("rank", "team", "method", "kind", "link", "external data", "handed in", *heads_of(board.columns))
    return shown(
        request,
        format,
        "leaderboard/board.html",
        told=told,
        head=head,
        table=(_row(entry, board.columns) for entry in board.entries),
        challenge=everything,
        track=of_it,
        phase=its_phase,
        board=board,
        layers=layers_of(board.columns),
        about=about,
        title_of=title_of,
        whiskers=whiskers_of(board),
        team="" if team is None else team["name"],
        sort=asked.sort or "rank",
        order=asked.order or "desc",
    )


def _row(entry: boards.Entry, columns: list[boards.Column]) -> list[object]:
    numbers: list[object] = []
    for column in columns:
        cell = entry.cells.get(column.key)
        numbers += [None] * 3 if cell is None else [cell.value, cell.low, cell.high]
    about = (entry.rank, entry.team, entry.method, entry.kind, entry.link, entry.external_data)
    return [*about, entry.handed_in.isoformat(timespec="seconds"), *numbers]


def _flat(told: list[ChallengeTold]) -> list[list[object]]:
    return [
        [each.challenge, each.title, track.track, phase.phase, _iso(phase.opens), _iso(phase.closes), phase.open]
        for each in told
        for track in each.tracks
        for phase in track.phases
    ]


def _iso(moment: Any) -> str:  # a datetime or None
    return "" if moment is None else moment.isoformat(timespec="seconds")


def _is_host(rows: Any, challenge: str, account: Account | None) -> bool:
    return finding.is_host(rows, finding.find_challenge(rows, challenge)["challenge_id"], viewer(account))


def _left(rows: Any, challenge_id: int, team_id: int) -> Mapping[str, quotas.Left]:
    """What one's team may still hand in, by track/phase."""
    return {
        f"{track['slug']}/{phase['slug']}": quotas.left(rows, phase["phase_id"], team_id, now())
        for track, phases in finding.phases_of(rows, challenge_id)
        for phase in phases
    }
