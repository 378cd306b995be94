"""The headers that every answer carries, and the policy of what a page may load, frame and post to."""

from collections.abc import Sequence

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Headers", "content_policy"]


def content_policy(framed_by: Sequence[str] = (), posts_to: Sequence[str] = ()) -> str:
    """What a page may do: only what comes from here, no inline code, and no frame unless a study allows it.

    >>> "frame-ancestors 'none'" in content_policy()
    True
    >>> content_policy(framed_by=["https://worker.mturk.com"]).endswith("frame-ancestors https://worker.mturk.com")
    True
    """
    return "; ".join(
        [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data: blob:",
            "connect-src 'self'",
            "base-uri 'none'",
            " ".join(["form-action 'self'", *posts_to]),
            " ".join(["frame-ancestors", *(framed_by or ["'none'"])]),
        ]
    )


class Headers:
    """Puts the headers on, where a handler has not set its own."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_policy(),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
            "Cache-Control": "no-store",
        }
        if secure:
            self.headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and dress its answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    found.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, dressed)
