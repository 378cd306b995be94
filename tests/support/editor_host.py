"""A page around an editor, as small as can be: its form, its drafts, its art, and the strictest policy for scripts."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import jinja2
import msgspec

import eyechart
from eyechart.report import tokens
from eyechart.scenes.art import atlas, stencil

Json = Any  # what an editor hands in

_WEB = Path(eyechart.__file__).parent / "web"
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'"
)
_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Task</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/static/ui/tokens.css">
<link rel="stylesheet" href="/static/ui/page.css"></head><body class="wide"><main><h1>{{ title }}</h1>
<form method="post" action="/submit" data-draft-url="{{ draft_url }}" data-revision="{{ revision }}">
{% include template %}<div class="buttons"><button>Hand in</button></div><p role="status" id="saved"></p></form>
<script type="module" src="/drafts.js"></script></main></body></html>"""
_DRAFTS = """import { Drafts } from "/static/collect/editor/drafts.js";
const form = document.querySelector("form");
const drafts = new Drafts({
  url: form.dataset.draftUrl, revision: Number(form.dataset.revision), token: "token",
  told: (state) => { document.getElementById("saved").textContent = state; },
});
for (const [name, value] of Object.entries(drafts.kept() ?? {})) form.elements.namedItem(name).value = value;
form.addEventListener("input", () => drafts.later(Object.fromEntries(new FormData(form))));
form.addEventListener("submit", () => drafts.stop());
"""


class Host:
    """What is served, and what came in."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, int, dict[str, Any]]] = {}
        self.drafts: dict[str, tuple[int, Json]] = {}
        self.submitted: list[dict[str, Json]] = []
        self.requests: list[tuple[str, int]] = []
        self.suggestions: Callable[[str, str, str], list[str]] = lambda *_: []
        self.files: dict[str, tuple[str, bytes]] = {"/drafts.js": ("text/javascript", _DRAFTS.encode())}
        self.address = ""
        self._templates = jinja2.Environment(
            autoescape=True,
            undefined=jinja2.StrictUndefined,
            loader=jinja2.ChoiceLoader(
                [jinja2.FileSystemLoader(_WEB / "collect" / "templates"), jinja2.DictLoader({"page.html": _PAGE})]
            ),
        )

    def page(self, path: str, template: str, units: int, **context: Any) -> None:
        """Serve a template under a path, with a hidden field for each of so many pictures."""
        self.pages[path] = (template, units, context)

    def rendered(self, path: str) -> str:
        """A page with its newest draft."""
        template, units, context = self.pages[path]
        revision, fields = self.drafts.get(path, (0, {}))
        names = [f"{unit}.body" for unit in range(units)]
        return self._templates.get_template("page.html").render(
            title="Task",
            template=template,
            bodies=[(name, fields.get(name, "")) for name in names],
            revision=revision,
            art_url="/art",
            suggest_url="/suggest",
            draft_url=f"/draft{path}",
            static=lambda name: f"/static/{name}",
            **context,
        )


@contextmanager
def hosting() -> Iterator[Host]:
    """A host that listens as long as the block lasts."""
    host = Host()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"host": host}))
    host.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    host: Host
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        first, _, rest = url.path[1:].partition("/")
        if url.path in self.host.pages:
            self.answer(200, "text/html", self.host.rendered(url.path).encode())
        elif url.path in self.host.files:
            self.answer(200, *self.host.files[url.path])
        elif first == "art":
            name = rest.removesuffix(".json")
            self.answer(200, "application/json", msgspec.json.encode(atlas() if name == "atlas" else stencil(name)))
        elif first == "suggest":
            asked = {name: values[0] for name, values in parse_qs(url.query).items()}
            found = self.host.suggestions(asked.get("kind", ""), asked.get("q", ""), asked.get("about", ""))
            self.answer(200, "application/json", msgspec.json.encode(found))
        elif first == "static":
            self.static(rest)
        else:
            self.answer(404, "text/plain", b"nothing here")

    def static(self, name: str) -> None:
        if name == "ui/tokens.css":
            return self.answer(200, "text/css", tokens().encode())
        area, _, path = name.partition("/")
        file = _WEB / area / "static" / path
        if not file.is_file():
            return self.answer(404, "text/plain", b"nothing here")
        return self.answer(200, _TYPES.get(file.suffix, "application/octet-stream"), file.read_bytes())

    def do_PUT(self) -> None:
        path = self.path.removeprefix("/draft")
        sent = msgspec.json.decode(self.read())
        revision, _ = self.host.drafts.get(path, (0, None))
        if self.headers["x-csrf-token"] != "token":
            return self.answer(403, "application/json", b"{}")
        if sent["revision"] != revision:
            return self.answer(409, "application/json", msgspec.json.encode({"revision": revision}))
        self.host.drafts[path] = (revision + 1, sent["body"])
        return self.answer(200, "application/json", msgspec.json.encode({"revision": revision + 1}))

    def do_POST(self) -> None:
        form = parse_qs(self.read().decode())
        self.host.submitted.append({name: msgspec.json.decode(values[0]) for name, values in form.items()})
        self.answer(
            200,
            "text/html",
            b"<!doctype html><html lang=en><title>Thanks</title><link rel=icon href=data:,><h1>Thank you</h1>",
        )

    def read(self) -> bytes:
        return self.rfile.read(int(self.headers["content-length"]))

    def answer(self, status: int, kind: str, content: bytes) -> None:
        self.host.requests.append((self.path, len(content)))
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", _POLICY)
        self.end_headers()
        self.wfile.write(content)
