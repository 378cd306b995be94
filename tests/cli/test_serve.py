"""The site as one starts it: by a command, with an address, stopped by a signal; and its accounts."""

import http.client
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from command_line import call

from eyechart.database import Database


@pytest.fixture
def quiet_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password comes by standard input."""
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("four plain words\n"))


def test_it_starts_says_where_it_is_and_stops(tmp_path: Path) -> None:
    """A free port, a link for whoever runs it, an answer, and a clean end."""
    command = [sys.executable, "-m", "eyechart.cli.main", "serve", "--data", str(tmp_path / "site"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"}) as it:
        assert it.stdout is not None
        found = re.search(r"Eyechart is at (http://127.0.0.1:\d+)", it.stdout.readline())
        assert found is not None
        invitation = urlsplit(it.stdout.readline().split()[-1])
        asked = http.client.HTTPConnection(str(invitation.hostname), invitation.port or 80, timeout=30)
        asked.request("GET", invitation.path)
        page = asked.getresponse().read().decode()
        asked.close()
        assert "administrator" in page
        it.send_signal(signal.SIGINT)
        assert it.wait(20) in {0, 130}
    Database(tmp_path / "site" / "work.db").close()


@pytest.mark.usefixtures("quiet_input")
def test_accounts_are_made_listed_and_closed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a browser, too."""
    at = ("--data", str(tmp_path / "site"))
    assert call(capsys, "accounts", "add", "ada", "requester", *at)[1] == "ada may sign in as requester.\n"
    assert "ada    requester" in call(capsys, "accounts", "list", *at)[1]
    assert "/invitations/" in call(capsys, "accounts", "invite", "worker", *at)[1]
    assert len(call(capsys, "accounts", "token", "ada", "--write", *at)[1].strip()) > 30
    assert call(capsys, "accounts", "close", "ada", *at)[1] == "ada is closed.\n"
    code, _, said = call(capsys, "accounts", "token", "ada", *at)
    assert (code, "found none of this login" in said) == (2, True)


def test_a_backup_is_two_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There and back."""
    call(capsys, "accounts", "invite", "worker", "--data", str(tmp_path / "site"))
    assert "holds" in call(capsys, "backup", "-o", str(tmp_path / "b.zip"), "--data", str(tmp_path / "site"))[1]
    assert "again" in call(capsys, "restore", str(tmp_path / "b.zip"), "--data", str(tmp_path / "two"))[1]
    code, _, said = call(capsys, "backup", "-o", str(tmp_path / "c.zip"), "--data", str(tmp_path / "nowhere"))
    assert (code, "found no site" in said) == (2, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "cannot listen"),
        (["--host", "192.0.2.1"], "cannot listen"),
        (["--sign-up", "admin"], "needs an invitation"),
        (["--database", "mysql://x/y", "--port", "0"], "found no address of a database"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    """A port that is none, a machine that is another, a role that nobody may take."""
    code, _, told = call(capsys, "serve", "--data", str(tmp_path / "site"), *options)
    assert (code, said in told) == (2, True), told
