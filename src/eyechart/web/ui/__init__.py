"""What every area of the web application shares: pages, sign-in, forms, refusals, uploads."""

from eyechart.web.ui import accounts
from eyechart.web.ui.accounts import Account
from eyechart.web.ui.auditing import record
from eyechart.web.ui.forgery import refuse_forgery
from eyechart.web.ui.listing import Heading, Listing, Wanted, listed
from eyechart.web.ui.pages import answer, moved
from eyechart.web.ui.people import Administrator, Anybody, Participant, Requester, Someone, Worker, demand
from eyechart.web.ui.refusals import REFUSALS, RefusalError
from eyechart.web.ui.site import Area, Here, Settings, Site
from eyechart.web.ui.uploads import picture, save_upload

__all__ = [
    "REFUSALS",
    "Account",
    "Administrator",
    "Anybody",
    "Area",
    "Heading",
    "Here",
    "Listing",
    "Participant",
    "RefusalError",
    "Requester",
    "Settings",
    "Site",
    "Someone",
    "Wanted",
    "Worker",
    "accounts",
    "answer",
    "demand",
    "listed",
    "moved",
    "picture",
    "record",
    "refuse_forgery",
    "save_upload",
]
