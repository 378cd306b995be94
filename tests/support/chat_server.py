"""A server on this machine that speaks OpenAI's language and looks at the pictures it is sent: their middle's colour.

It answers what is true of the picture, so that a picture that was not sent, or another one, changes the answer. Faults
are told in advance, one per request.
"""

import base64
import io
import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image

NAMES = {(255, 0, 0): "red", (0, 0, 255): "blue", (0, 128, 0): "green", (255, 255, 255): "white"}


@dataclass
class Served:
    """What was asked, and what goes wrong."""

    address: str = ""
    faults: list[str] = field(default_factory=list)
    """Of the next requests: "429", "500", "silent", "malformed", "html", "empty", "chatter"."""
    asked: list[dict[str, Any]] = field(default_factory=list)
    """The bodies of all requests."""
    at_once: int = 0
    most_at_once: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)
    favourite: str | None = None
    """A letter that is always taken, whatever is seen."""
    pause: float = 0.0


def texts(body: dict[str, Any]) -> str:
    parts = body["messages"][-1]["content"]
    return parts if isinstance(parts, str) else "\n".join(part["text"] for part in parts if part["type"] == "text")


def picture(body: dict[str, Any]) -> Image.Image | None:
    """The picture of a request, decoded."""
    parts = body["messages"][-1]["content"]
    found = [] if isinstance(parts, str) else [part for part in parts if part["type"] == "image_url"]
    if not found:
        return None
    address = found[0]["image_url"]["url"]
    assert address.startswith("data:image/")
    return Image.open(io.BytesIO(base64.b64decode(address.split(",", 1)[1]))).convert("RGB")


def seen(body: dict[str, Any]) -> str:
    """The name of the colour in the middle, "nothing" without a picture."""
    shown = picture(body)
    if shown is None:
        return "nothing"
    middle = shown.getpixel((shown.width // 2, shown.height // 2))
    near = min(NAMES, key=lambda color: sum((a - b) ** 2 for a, b in zip(color, middle, strict=True)))
    return NAMES[near] if sum((a - b) ** 2 for a, b in zip(near, middle, strict=True)) < 2000 else "gray"


def answer(body: dict[str, Any], served: Served) -> str:
    """A letter where choices are offered, else a word."""
    offered = dict(re.findall(r"(?m)^([A-Z])\. (.*)$", texts(body)))
    if not offered:
        return f"Answer: {seen(body)}."
    if served.favourite:
        return served.favourite
    right = [letter for letter, choice in offered.items() if choice == seen(body)]
    return f"({right[0]})" if right else min(offered)


def completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "tiny",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


def handler(served: Served) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with served.lock:
                served.asked.append(body)
                fault = served.faults.pop(0) if served.faults else ""
                served.at_once += 1
                served.most_at_once = max(served.most_at_once, served.at_once)
            time.sleep(7 if fault == "silent" else served.pause)
            try:
                self.reply(body, fault)
            except OSError:  # whom it was for has gone
                self.close_connection = True
            finally:
                with served.lock:
                    served.at_once -= 1

        def reply(self, body: dict[str, Any], fault: str) -> None:
            said = {"empty": "", "chatter": "Well. I could say a lot about what is to be seen here, and so I will."}
            content = json.dumps(completion(said.get(fault, answer(body, served)))).encode()
            content = {"malformed": b'{"oops": 1}', "html": b"<html>no</html>"}.get(fault, content)
            code = int(fault) if fault.isdecimal() else 200
            self.send_response(code)
            if code == 429:
                self.send_header("Retry-After", "0")
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def chat_server(**how: Any) -> Iterator[Served]:
    """Serve until the block ends."""
    served = Served(**how)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(served))
    server.daemon_threads = True
    served.address = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
