"""Static files with addresses that change with their content, so that a browser may keep them for a year.

The hash stands for a whole folder and is part of the path (``/static/ui-3f9a01c2/page.css``): modules and style sheets
that name each other relatively keep working.
"""

import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

__all__ = ["Statics"]

_YEAR = "public, max-age=31536000, immutable"
_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".json": "application/json"}


@dataclass(frozen=True, slots=True)
class _File:
    content: bytes
    kind: str


class Statics:
    """The static files of all areas, held in memory: ``address("ui/page.css")`` is what a page links to.

    >>> statics = Statics({}, {"ui/page.css": b"body {}"})
    >>> statics.address("ui/page.css")
    '/static/ui-8b7ff399/page.css'
    """

    def __init__(self, folders: Mapping[str, Path], made: Mapping[str, bytes] | None = None) -> None:
        contents = dict(made or {})
        for area, folder in folders.items():
            found = sorted(path for path in folder.rglob("*") if path.is_file())
            contents |= {f"{area}/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in found}
        self._stamps = {area: _stamp(area, contents) for area in {name.partition("/")[0] for name in contents}}
        self.files = {self.address(name): _File(content, _kind(name)) for name, content in contents.items()}

    def address(self, name: str) -> str:
        """Where a browser finds a file."""
        area, _, path = name.partition("/")
        return f"/static/{area}-{self._stamps[area]}/{path}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file."""
        found = self.files.get(scope["path"])
        if scope["method"] not in {"GET", "HEAD"}:
            raise HTTPException(405, headers={"Allow": "GET, HEAD"})
        if found is None:
            raise HTTPException(404)
        await Response(found.content, media_type=found.kind, headers={"Cache-Control": _YEAR})(scope, receive, send)


def _stamp(area: str, contents: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name in sorted(contents):
        if name.startswith(f"{area}/"):
            digest.update(name.encode() + b"\0" + contents[name] + b"\0")
    return digest.hexdigest()[:8]


def _kind(name: str) -> str:
    suffix = Path(name).suffix
    return _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
