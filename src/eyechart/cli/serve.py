"""``eyechart serve``: browse, collect, leaderboard and ask-a-model, in one process on one port."""

import socket
import sys
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from eyechart.cli.site import Site, needed
from eyechart.errors import UsageError

__all__ = ["serve"]


def serve(
    *benchmarks: Path,
    predictions: Annotated[list[Path] | None, Parameter(negative="")] = None,
    models: Annotated[list[Path] | None, Parameter(negative="")] = None,
    site: Site = Site(),  # frozen
    host: str = "127.0.0.1",
    port: int = 8000,
    address: str = "",
    sign_up: Annotated[list[str] | None, Parameter(negative="")] = None,
    language: str = "en",
    behind: str = "",
) -> None:
    """Start the web application: collect, leaderboard, browse and ask behind one sign-in; stop it with Ctrl-C.

    The first start makes an administrator's account: open the link that it prints.

    Parameters
    ----------
    benchmarks
        Folders of benchmarks to show and to make studies from.
    predictions
        What a model answered to them, or scores that an audit or a grading kept, to see beside the questions; can be
        repeated.
    models
        The folder of a trained model to ask, whose features one of the benchmarks has; can be repeated.
    host
        Where to listen; 0.0.0.0 for everybody who can reach this machine.
    port
        Which port to listen on.
    address
        How people reach it, such as https://vqa.example.org behind a proxy; links begin with it.
    sign_up
        A role that visitors may take without an invitation: participant or worker; can be repeated.
    language
        The language of the pages' direction, such as ar for right to left.
    behind
        The address of a reverse proxy whose word on who asks is believed, or * for any.
    """
    unknown = sorted(set(sign_up or []) - {"participant", "worker"})
    if unknown:
        raise UsageError(
            f"--sign-up {unknown[0]}: found a role that needs an invitation, expected participant or worker"
        )
    web = needed()
    shown = f"[{host}]" if ":" in host else "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - compared, not bound
    with _listen(host, port) as listening:
        settings = web.Settings(
            folder=site.data,
            database=site.database,
            benchmarks=tuple(benchmarks),
            predictions=tuple(predictions or []),
            models=tuple(models or []),
            address=address or f"http://{shown}:{listening.getsockname()[1]}",
            sign_up=frozenset(sign_up or []),
            language=language,
        )
        app = web.application(settings)
        _greet(app.state.site)
        web.run(app, listening, behind=behind)


def _listen(host: str, port: int) -> socket.socket:
    try:
        # A number that is no port is refused here; beyond, the library would leave its socket open.
        family = socket.getaddrinfo(host, port if 0 <= port < 1 << 16 else "no port", type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(
            f"--host {host} --port {port}: found a place where this machine cannot listen ({error}), expected a free "
            "port of an address of its own; choose another port"
        ) from error


def _greet(site: Any) -> None:  # a Site, which is imported only when asked for
    print(f"Eyechart is at {site.settings.address}")
    invited = needed().accounts.first_administrator(site.database)
    if invited:
        print(f"Nobody runs it yet. Make your account: {site.link(f'/invitations/{invited}')}")
    sys.stdout.flush()
