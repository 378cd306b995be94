"""Requests larger than the site takes are stopped while they arrive, not after they filled the disk."""

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Largest"]


class Largest:
    """Counts what arrives; a declared length that is too large is refused at once."""

    def __init__(self, app: ASGIApp, *, size: int) -> None:
        self.app, self.size = app, size

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as long as it is small enough."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        arrived = 0

        async def counted() -> Message:
            nonlocal arrived
            if declared.isdigit() and int(declared) > self.size:
                raise HTTPException(413)
            message = await receive()
            arrived += len(message.get("body", b""))
            if arrived > self.size:
                raise HTTPException(413)
            return message

        await self.app(scope, counted, send)
