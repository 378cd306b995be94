"""An application on a socket, until it is told to stop."""

import socket

import uvicorn
from fastapi import FastAPI

__all__ = ["run"]

_GRACE_SECONDS = 10


def run(app: FastAPI, listening: socket.socket, *, behind: str = "") -> None:
    """Serve until a signal comes; requests that are under way are finished.

    ``behind`` is the address of a proxy whose word on who asks is believed, ``*`` for any.

    >>> run.__kwdefaults__
    {'behind': ''}
    """
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(behind),
        forwarded_allow_ips=behind or None,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listening])
