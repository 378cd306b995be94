"""A worker on a page: who it is, under which pseudonym, and how links keep the way they came by.

Somebody with an account comes by a cookie. Somebody from a platform comes by a signed link and carries a pass in the
address, because a frame of the platform's keeps cookies away.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Depends, Request
from starlette.responses import RedirectResponse, Response

from eyechart.collection import Study, Work
from eyechart.errors import WorkError
from eyechart.web.ui import Here, RefusalError, Site, Worker, answer, moved
from eyechart.web.ui.people import pass_of

__all__ = ["FRAMES", "Visit", "Visiting", "study_named"]

FRAMES: Mapping[str, Sequence[str]] = {
    "mturk": ("https://worker.mturk.com", "https://workersandbox.mturk.com", "https://www.mturk.com"),
    "prolific": (),
}
"""The platforms that workers come from, and the origins that may show our pages in a frame for them."""


@dataclass(frozen=True)
class Visit:
    """What handlers of worker pages need."""

    request: Request
    site: Site
    work: Work
    worker: str
    """The pseudonym under which work is kept."""
    key: str
    """The pass that links carry; empty for who has an account."""

    @property
    def platform(self) -> str:
        """Where the worker comes from; empty for who has an account."""
        return self.key.partition(".")[0]

    def to(self, path: str) -> str:
        """The path of a link that keeps the pass."""
        return f"{path}{'&' if '?' in path else '?'}pass={quote(self.key)}" if self.key else path

    def moved(self, path: str) -> RedirectResponse:
        """On to another worker page."""
        return moved(self.to(path))

    def page(
        self, template: str, *, status: int = 200, posts_to: Sequence[str] = (), **context: Any
    ) -> Response:  # whatever a template shows
        """A worker page: the platform may frame it, and its links keep the pass."""
        frames = FRAMES.get(self.platform, ())
        shared = {"to": self.to, "worker": self.worker, "platform": self.platform}
        return answer(self.request, template, status=status, framed_by=frames, posts_to=posts_to, **(shared | context))

    def study(self, name: str) -> Study:
        """A study by name; names of others are nobody's business."""
        return study_named(self.work, name)

    def open_studies(self) -> list[Study]:
        """Studies that somebody without a link may choose from."""
        return [study for study in self.work.studies() if study.state == "open"]


def study_named(work: Work, name: str) -> Study:
    """A study by name, or a page that says that there is none."""
    try:
        return work.study(name)
    except WorkError:
        raise RefusalError(404, "There is no such study; its link may be misspelt, or it is over.") from None


def _visit(request: Request, site: Here, account: Worker) -> Visit:
    work = Work(site.database)
    by_link = account.login.startswith("~")
    named = ("worker", account.account_id)
    if named not in site.remembered:
        site.remembered[named] = account.login[1:] if by_link else work.worker("account", str(account.account_id))
    return Visit(request, site, work, site.remembered[named], pass_of(request))


Visiting = Annotated[Visit, Depends(_visit)]
"""A worker, as a parameter of a handler."""
