"""A web application of a test's own, and browsers of each role that are signed in to it."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from eyechart.web import Settings, application
from eyechart.web.ui import accounts
from eyechart.web.ui.people import SESSION_COOKIE

PASSWORD = "four plain words here"  # noqa: S105 - of accounts that live as long as a test
ROLES = ("anonymous", *reversed(accounts.ROLES))


@contextmanager
def site(folder: Path, **settings: Any) -> Iterator[FastAPI]:
    """An application on a database of its own, running."""
    app = application(Settings(folder, address="http://testserver", **settings))
    with TestClient(app):
        yield app


@contextmanager
def served(folder: Path, role: str = "admin", **settings: Any) -> Iterator[tuple[str, str]]:
    """The address of an application that a real browser can reach, and the secret of somebody's session there."""
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = application(Settings(folder, address=address, **settings))
    secret = session(app, role)
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield address, secret
    server.should_exit = True
    thread.join()
    listening.close()


def session(app: FastAPI, role: str) -> str:
    """The secret of a session of somebody with this role, who is made if need be."""
    database = app.state.site.database
    with database.writing() as rows:
        found = accounts.find_account(rows, f"a.{role}")
        account = found[0] if found else accounts.create_account(rows, f"a.{role}", role, PASSWORD)
        return accounts.start_session(rows, account)


def signed_in(app: FastAPI, role: str) -> TestClient:
    """A browser of somebody with this role; forms that it sends are taken."""
    client = TestClient(app, follow_redirects=False, headers={"accept": "text/html"})
    signing = "-"
    client.cookies.set("eyechart_form", signing)
    if role != "anonymous":
        signing = session(app, role)
        client.cookies.set(SESSION_COOKIE, signing)
    client.headers["x-csrf-token"] = app.state.site.sign("form", signing)
    return client


__all__ = ["PASSWORD", "ROLES", "served", "session", "signed_in", "site"]
