"""A challenge on somebody else's server, through its programming interface."""

import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any
from urllib.parse import quote, urlsplit

from eyechart.challenge import Method
from eyechart.errors import DownloadError, UsageError

__all__ = ["Server"]

_PATIENCE = 300.0


class Server:
    """A server and the token by which it knows us.

    >>> Server("https://vqa.example.org/", "secret").address
    'https://vqa.example.org'
    """

    def __init__(self, address: str, token: str) -> None:
        if urlsplit(address).scheme not in {"http", "https"}:
            raise UsageError(f"--server {address}: found no address of the web, expected https://…; correct it")
        self.address, self._token = address.rstrip("/"), token

    def submit(self, place: tuple[str, str, str], results: Path, method: Method, once: str = "") -> dict[str, Any]:
        """Hand in a file; gives the submission."""
        fields = {
            "method": method.name,
            "about": method.about,
            "link": method.link,
            "members": method.members,
            "external_data": method.external_data,
            "public": "true" if method.public else "false",
            # A repeated request, after an answer that was lost, is the same submission.
            "once": once or token_hex(16),
        }
        kind, body = _form(fields, results)
        path = "/".join(quote(each, safe="") for each in place)
        submitted: dict[str, Any] = self.call(f"/api/challenges/{path}/submissions", body, {"Content-Type": kind})
        return submitted

    def submissions(self, challenge: str, number: int | None = None) -> list[dict[str, Any]]:
        """What one's team handed in."""
        if number is not None:
            return [self.call(f"/api/submissions/{number}")]
        listed: list[dict[str, Any]] = self.call(f"/api/challenges/{quote(challenge, safe='')}/submissions")
        return listed

    def call(self, path: str, body: bytes | None = None, headers: Mapping[str, str] | None = None) -> Any:
        """What an address of the interface answers; a refusal is an error with its sentence."""
        told = {"Authorization": f"Bearer {self._token}", "Accept": "application/json", **(headers or {})}
        request = urllib.request.Request(self.address + path, data=body, headers=told)  # noqa: S310 - http or https
        try:
            with urllib.request.urlopen(request, timeout=_PATIENCE) as answer:  # noqa: S310 - as above
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise UsageError(f"{self.address}: {_detail(error)}") from error
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise DownloadError(f"{self.address}: found no answer that can be read ({error}); try again") from error


def _detail(error: urllib.error.HTTPError) -> str:
    """The sentence of a refusal."""
    try:
        told = json.loads(error.read(1 << 16))
        return str(told["detail"])
    except (ValueError, KeyError, TypeError):
        return f"found the answer {error.code} {error.reason}, expected a submission; check the address"


def _form(fields: Mapping[str, str], results: Path) -> tuple[str, bytes]:
    """A multipart form: the fields, then the file under its own name."""
    border = token_hex(16)
    parts = [
        f'--{border}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    file_name = quote(results.name)
    head = f'--{border}\r\nContent-Disposition: form-data; name="file"; filename="{file_name}"\r\n'
    try:
        content = results.read_bytes()
    except OSError as error:
        raise UsageError(f"{results}: found no file to read ({error.strerror}), expected results; check it") from error
    body = "".join(parts) + head + "Content-Type: application/octet-stream\r\n\r\n"
    return f"multipart/form-data; boundary={border}", body.encode() + content + f"\r\n--{border}--\r\n".encode()
