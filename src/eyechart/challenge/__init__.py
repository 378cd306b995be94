"""Challenges: tracks and phases, quotas, result files scored by a worker, boards; everything but pages.

Functions are grouped by who needs them: ``teams`` and ``submitting`` for participants, ``hosting`` for hosts,
``boards``, ``finding`` and ``viewing`` for whoever looks, ``quotas`` for what is left.
"""

from eyechart.challenge import boards, finding, hosting, quotas, submitting, teams, viewing
from eyechart.challenge.boards import Board, Column, Entry
from eyechart.challenge.describing import Described, describe
from eyechart.challenge.files import Files
from eyechart.challenge.finding import NOBODY, Viewer
from eyechart.challenge.results import Problem, ResultsError
from eyechart.challenge.submitting import Method
from eyechart.challenge.viewing import Audience, Gap, Score
from eyechart.challenge.worker import Worker

__all__ = [
    "NOBODY",
    "Audience",
    "Board",
    "Column",
    "Described",
    "Entry",
    "Files",
    "Gap",
    "Method",
    "Problem",
    "ResultsError",
    "Score",
    "Viewer",
    "Worker",
    "boards",
    "describe",
    "finding",
    "hosting",
    "quotas",
    "submitting",
    "teams",
    "viewing",
]
