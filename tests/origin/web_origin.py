"""A web server on the loopback interface that serves bytes from memory and fails as real ones do."""

import contextlib
import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PIECE = 1 << 14


@dataclass
class Fault:
    """What goes wrong with one answer."""

    status: int | None = None
    """Answer with this status instead."""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    """Close the connection after so many bytes of the body."""
    stall: int | None = None
    """Send nothing more after so many bytes of the body."""
    flip: int | None = None
    """Change the byte of the file at this place."""
    first: Callable[[], object] = lambda: None
    """Done before anything else."""


@dataclass
class Seen:
    """One request and how much of a body it was sent."""

    method: str
    path: str
    range: str | None
    if_range: str | None
    sent: int = 0


@dataclass
class Origin:
    """The server's content and its log."""

    files: dict[str, bytes] = field(default_factory=dict)
    faults: deque[Fault] = field(default_factory=deque)
    """Used up by GET requests, one each."""
    always: Fault | None = None
    """For every GET that has no fault of its own."""
    redirects: dict[str, str] = field(default_factory=dict)
    ranges: bool = True
    if_range: bool = True
    """Whether the server knows If-Range; if not it sends the range whatever the version."""
    etags: bool = True
    sizes: bool = True
    pace: float = 0.0
    """Seconds between two pieces."""
    log: list[Seen] = field(default_factory=list)
    url: str = ""
    closing: threading.Event = field(default_factory=threading.Event)

    def gets(self) -> list[Seen]:
        """The GET requests."""
        return [seen for seen in self.log if seen.method == "GET"]

    def ranges_asked(self) -> list[str | None]:
        """The Range header of each GET."""
        return [seen.range for seen in self.gets()]


@contextmanager
def serving() -> Iterator[Origin]:
    """Serve until the block is left."""
    origin = Origin()
    handler = type("Handler", (_Handler,), {"origin": origin})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.daemon_threads = True
        origin.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield origin
        finally:
            origin.closing.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    origin: Origin

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._answer("HEAD", Fault())

    def do_GET(self) -> None:
        fault = self.origin.faults.popleft() if self.origin.faults else self.origin.always or Fault()
        fault.first()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._answer("GET", fault)

    def _answer(self, method: str, fault: Fault) -> None:
        seen = Seen(method, self.path, self.headers["Range"], self.headers["If-Range"])
        self.origin.log.append(seen)
        if self.path in self.origin.redirects:
            self._head(302, {"Location": self.origin.redirects[self.path]})
        elif fault.status is not None:
            self._head(fault.status, {"Content-Length": "0"} | fault.headers)
        elif self.path not in self.origin.files:
            self._head(404, {"Content-Length": "0"})
        else:
            self._file(seen, fault)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def _file(self, seen: Seen, fault: Fault) -> None:
        content = self.origin.files[self.path]
        etag = f'"{sha256(content).hexdigest()[:16]}"'
        if fault.flip is not None:
            content = content[: fault.flip] + bytes([content[fault.flip] ^ 1]) + content[fault.flip + 1 :]
        start, headers = self._start(seen, etag), {"ETag": etag} if self.origin.etags else {}
        if start is not None and start >= len(content):
            self._head(416, headers | {"Content-Range": f"bytes */{len(content)}", "Content-Length": "0"})
            return
        body = content[start or 0 :]
        if self.origin.sizes:
            headers["Content-Length"] = str(len(body))
        if start is not None:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        self._head(200 if start is None else 206, headers | fault.headers)
        if seen.method == "GET":
            self._body(seen, body, fault)

    def _start(self, seen: Seen, etag: str) -> int | None:
        asked = re.fullmatch(r"bytes=(\d+)-", seen.range or "")
        other = self.origin.if_range and seen.if_range not in {None, etag}
        return int(asked[1]) if asked and self.origin.ranges and not other else None

    def _body(self, seen: Seen, body: bytes, fault: Fault) -> None:
        end = min(x for x in (fault.cut, fault.stall, len(body)) if x is not None)
        while seen.sent < end:
            piece = body[seen.sent : min(seen.sent + PIECE, end)]
            self.wfile.write(piece)
            seen.sent += len(piece)
            time.sleep(self.origin.pace)
        if fault.stall is not None:
            self.wfile.flush()
            self.origin.closing.wait(30)
