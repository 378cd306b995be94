"""What one running web application is made of: its settings, its database, its areas and its secret."""

import hashlib
import hmac
import os
import secrets
from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from jinja2 import Environment

from eyechart.database import Database
from eyechart.web.ui.statics import Statics

__all__ = ["Area", "Here", "Settings", "Site"]

_RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"}
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Settings:
    """How an application is started.

    >>> Settings(Path("work"), address="https://vqa.example").secure
    True
    """

    folder: Path
    """Where the secret and the files are, and the SQLite database if no other is named."""
    database: str = ""
    benchmarks: tuple[Path, ...] = ()
    predictions: tuple[Path, ...] = ()
    """What models answered to them, and scores of their questions: files or folders."""
    models: tuple[Path, ...] = ()
    """Trained models that can be asked: the folders of runs."""
    address: str = "http://127.0.0.1:8000"
    """Where people reach it: links that leave the site begin with this."""
    sign_up: frozenset[str] = frozenset()
    """The roles that a visitor may take without an invitation."""
    largest_request: int = 64 << 20
    language: str = "en"

    @property
    def secure(self) -> bool:
        """Whether people reach it over TLS, so that cookies must not travel without."""
        return self.address.startswith("https://")

    @property
    def direction(self) -> str:
        """The direction in which the pages' language is written."""
        return direction(self.language)


def direction(language: str) -> str:
    """``rtl`` for languages that are written from right to left.

    >>> direction("ar-EG"), direction("en")
    ('rtl', 'ltr')
    """
    return "rtl" if language.partition("-")[0].lower() in _RIGHT_TO_LEFT else "ltr"


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the site: its pages, its programming interface, and where its templates and static files are.

    Templates are named after the area (``collect/studies.html``), static files likewise.
    """

    name: str
    title: str
    about: str
    """One sentence for the first page."""
    home: str
    """The path that the navigation leads to."""
    shown_to: frozenset[str]
    """The roles whose navigation has it; ``anybody`` for visitors."""
    folder: Path
    """Holds ``templates/`` and ``static/``."""
    pages: APIRouter
    api: APIRouter | None = None
    running: "Callable[[Site], AbstractContextManager[object]] | None" = None
    """What runs beside the pages, from start to stop."""


class Site:
    """One running application, as handlers see it."""

    def __init__(self, settings: Settings, areas: Sequence[Area], statics: Statics, templates: Environment) -> None:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.settings = settings
        self.areas = tuple(areas)
        self.statics = statics
        self.templates = templates
        self.remembered: dict[Hashable, Any] = {}
        """What areas need not look up twice; lost at a restart, and nothing is lost by that."""
        self.database = Database(settings.database or settings.folder / "work.db")

    @property
    def files(self) -> Path:
        """A folder for what people hand in."""
        folder = self.settings.folder / "files"
        folder.mkdir(exist_ok=True, mode=0o700)
        return folder

    @cached_property
    def secret(self) -> bytes:
        """What links and forms are signed with: from ``EYECHART_SECRET``, or made once and kept in the folder."""
        given = os.environ.get("EYECHART_SECRET", "")
        if given:
            return hashlib.sha256(given.encode()).digest()
        place = self.settings.folder / "secret"
        try:
            handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return place.read_bytes()
        with os.fdopen(handle, "wb") as file:
            made = secrets.token_bytes(_SECRET_BYTES)
            file.write(made)
        return made

    def sign(self, *parts: str) -> str:
        """A signature under ``parts``, which nobody else can make."""
        message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
        return hmac.new(self.secret, message, hashlib.sha256).hexdigest()

    def signed(self, signature: str, *parts: str) -> bool:
        """Whether we signed these parts."""
        return hmac.compare_digest(self.sign(*parts).encode(), signature.encode())

    def link(self, path: str) -> str:
        """The whole address of a path, for people who are elsewhere."""
        return self.settings.address.rstrip("/") + path


def _here(request: Request) -> Site:
    site: Site = request.app.state.site
    return site


Here = Annotated[Site, Depends(_here)]
"""The running application, as a parameter of a handler."""
