"""One web application: collect, leaderboard, browse and ask, behind one sign-in, in one process."""

from eyechart.web.application import application
from eyechart.web.backups import back_up, restore
from eyechart.web.serving import run
from eyechart.web.ui import Settings, Site, accounts

__all__ = ["Settings", "Site", "accounts", "application", "back_up", "restore", "run"]
