"""The application: its areas, brought together behind one sign-in."""

from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware

from eyechart import __version__
from eyechart.registry import Registry
from eyechart.report import tokens
from eyechart.web.ui import REFUSALS, Area, Settings, Site, refuse_forgery
from eyechart.web.ui.headers import Headers
from eyechart.web.ui.largest import Largest
from eyechart.web.ui.pages import environment
from eyechart.web.ui.refusals import refuse_in_sentences
from eyechart.web.ui.statics import Statics

__all__ = ["AREAS", "application"]

AREAS = Registry[Area](
    "area",
    {
        "ask": "eyechart.web.ask:AREA",
        "browse": "eyechart.web.browse:AREA",
        "collect": "eyechart.web.collect.area:WORK",
        "leaderboard": "eyechart.web.leaderboard.area:AREA",
        "studies": "eyechart.web.collect.requesting.area:AREA",
        "ui": "eyechart.web.ui.area:AREA",
    },
)
"""Every area of the site: where its :class:`Area` is."""

_ORDER = ("collect", "studies", "leaderboard", "browse", "ask", "ui")
_PROBLEM = {
    "type": "object",
    "required": ["title", "status", "detail"],
    "properties": {"title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"}},
}


def application(settings: Settings) -> FastAPI:
    """The whole site, ready for a server; its database is opened, and brought to the current schema.

    >>> import tempfile
    >>> from pathlib import Path
    >>> site = application(Settings(Path(tempfile.mkdtemp())))
    >>> site.state.site.areas[-1].name
    'ui'
    >>> site.state.site.database.close()
    """
    site = _site(settings)
    app = FastAPI(
        title="Eyechart",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        dependencies=[Depends(refuse_forgery)],
        responses=REFUSALS,
        lifespan=_lifespan,
        redirect_slashes=False,
    )
    app.state.site = site
    for area in site.areas:
        app.include_router(area.pages)
        if area.api is not None:
            app.include_router(area.api, prefix="/api")
    app.mount("/static", site.statics)
    app.add_api_route("/api/openapi.json", app.openapi, methods=["GET"], summary="This description.")
    app.openapi = lambda: describe(app, "/api/")  # type: ignore[method-assign]  # FastAPI's own way to describe less
    refuse_in_sentences(app)
    app.add_middleware(GZipMiddleware, minimum_size=1000)
    app.add_middleware(Largest, size=settings.largest_request)
    app.add_middleware(Headers, secure=settings.secure)
    return app


def describe(app: FastAPI, prefix: str = "/") -> dict[str, Any]:
    """The OpenAPI description of what begins with a prefix; of ``/``, pages and all."""
    made = get_openapi(
        title=app.title, version=app.version, description="The site's programming interface.", routes=app.routes
    )
    made["paths"] = {path: calls for path, calls in made["paths"].items() if path.startswith(prefix)}
    made.setdefault("components", {}).setdefault("schemas", {})["Problem"] = _PROBLEM
    return made


def _site(settings: Settings) -> Site:
    names = sorted(AREAS, key=lambda name: (_ORDER.index(name) if name in _ORDER else len(_ORDER), name))
    areas = [AREAS.load(name) for name in names]
    statics = Statics(
        {area.name: area.folder / "static" for area in areas}, {"ui/tokens.css": tokens().encode("utf-8")}
    )
    return Site(settings, areas, statics, environment({area.name: area.folder / "templates" for area in areas}))


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    site: Site = app.state.site
    with ExitStack() as running:
        running.callback(site.database.close)
        for area in site.areas:
            if area.running is not None:
                running.enter_context(area.running(site))
        yield
