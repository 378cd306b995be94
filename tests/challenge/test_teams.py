"""One team per person; joining by invitation; nobody learns who has an account."""

import threading

import pytest
from small_challenge import SmallChallenge, add_account, results

from eyechart.challenge import Viewer, finding, teams
from eyechart.errors import UsageError


def test_one_team_per_person(cats: SmallChallenge) -> None:
    """Founding, joining and leaving keep to it."""
    bob = add_account(cats.database, "bob")
    with cats.database.writing() as rows:
        with pytest.raises(UsageError, match="in a team of this challenge already"):
            teams.found_team(rows, cats.id, cats.ada, "Second")
        with pytest.raises(UsageError, match="Another team is called 'analytical  ENGINES'"):
            teams.found_team(rows, cats.id, bob, "analytical  ENGINES")
        with pytest.raises(UsageError, match="has not invited you"):
            teams.join(rows, cats.id, bob, cats.team)
        teams.invite(rows, cats.team, "bob")
        teams.invite(rows, cats.team, "nobody-at-all")
        teams.join(rows, cats.id, bob, cats.team)
        assert teams.members_of(rows, cats.team) == ["ada", "bob"]
        assert teams.invitations_to(rows, cats.id, bob) == []
        teams.leave(rows, cats.id, bob)
        teams.leave(rows, cats.id, cats.ada)
        assert teams.listed(rows, cats.id) == []


def test_members_stay_once_something_was_handed_in(cats: SmallChallenge, tmp_path) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Or one person could use the quotas of many teams."""
    cats.hand_in(results(tmp_path / "r.json"))
    with pytest.raises(UsageError, match="so its members stay"), cats.database.writing() as rows:
        teams.leave(rows, cats.id, cats.ada)


def test_founding_at_once_founds_one(cats: SmallChallenge) -> None:
    """Ten clicks of one person, ten names: one team."""
    bob, ready, told = add_account(cats.database, "bob"), threading.Barrier(10), []

    def found(number: int) -> None:
        ready.wait()
        try:
            with cats.database.writing() as rows:
                told.append(teams.found_team(rows, cats.id, bob, f"Team {number}"))
        except UsageError as refused:
            told.append(str(refused))

    threads = [threading.Thread(target=found, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([each for each in told if isinstance(each, int)]) == 1
    with cats.database.reading() as rows:
        assert finding.team_of(rows, cats.id, Viewer(bob)) is not None
        assert len(teams.listed(rows, cats.id)) == 2
