"""A requester on a page about a study."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from starlette.responses import Response

from eyechart.collection import Study, Work
from eyechart.web.collect.visiting import study_named
from eyechart.web.ui import Account, Here, Requester, Site, answer, record

__all__ = ["Asked", "Asking", "Studied"]

_TABS = (
    ("", "Progress"),
    ("/responses", "Responses"),
    ("/quality", "Quality"),
    ("/gold", "Known answers"),
    ("/pay", "Pay"),
    ("/links", "Invite"),
)


@dataclass(frozen=True)
class Asked:
    """What handlers of requester pages need."""

    request: Request
    site: Site
    work: Work
    account: Account

    def page(self, template: str, *, status: int = 200, **context: Any) -> Response:  # whatever a template shows
        """A requester's page."""
        return answer(self.request, template, status=status, **context)

    def about(self, study: Study, template: str, *, status: int = 200, **context: Any) -> Response:  # as above
        """A page about one study, with the way to the others about it."""
        tabs = [(f"/studies/{study.name}{path}", title) for path, title in _TABS]
        return answer(self.request, template, status=status, study=study, tabs=tabs, **context)

    def note(self, action: str, subject: str, **details: Any) -> None:  # any JSON value
        """Write a deed into the log."""
        with self.site.database.writing() as rows:
            record(rows, self.account.account_id, action, subject, **details)


def _asked(request: Request, site: Here, account: Requester) -> Asked:
    return Asked(request, site, Work(site.database), account)


Asking = Annotated[Asked, Depends(_asked)]
"""A requester, as a parameter of a handler."""


def _studied(asked: Asking, name: Annotated[str, Path(max_length=80)]) -> Study:
    return study_named(asked.work, name)


Studied = Annotated[Study, Depends(_studied)]
"""The study that a path names, as a parameter of a handler."""
