"""Annotation without HTTP: tasks, studies, work that is handed out once and kept for ever, and how good it is.

:class:`Work` is the door: studies and items go in, workers claim and submit, requesters review and pay.
"""

from eyechart.collection.bodies import BODIES
from eyechart.collection.collected import Collected, StudyLine, read_collected, write_collected
from eyechart.collection.flags import FLAGS
from eyechart.collection.made_tables import collected_rows, collected_tables
from eyechart.collection.model import (
    Assignment,
    Draft,
    Item,
    Nothing,
    Picture,
    Progress,
    Receipt,
    Settings,
    Study,
    Unit,
)
from eyechart.collection.people import Attempt
from eyechart.collection.planning import plan_items
from eyechart.collection.platforms import read_platform
from eyechart.collection.quality import (
    DawidSkene,
    Quality,
    dawid_skene,
    fleiss_kappa,
    loo_agreement,
    quality,
    values_of,
)
from eyechart.collection.reviewing import Owed, Reviewed
from eyechart.collection.simulation import Simulated, crowd, simulate
from eyechart.collection.study_files import Known, StudyFile, make_study, read_study_file
from eyechart.collection.task_types import PARTS, Field, TaskType, Wording, read_task, task, tasks
from eyechart.collection.work import Work

__all__ = [
    "BODIES",
    "FLAGS",
    "PARTS",
    "Assignment",
    "Attempt",
    "Collected",
    "DawidSkene",
    "Draft",
    "Field",
    "Item",
    "Known",
    "Nothing",
    "Owed",
    "Picture",
    "Progress",
    "Quality",
    "Receipt",
    "Reviewed",
    "Settings",
    "Simulated",
    "Study",
    "StudyFile",
    "StudyLine",
    "TaskType",
    "Unit",
    "Wording",
    "Work",
    "collected_rows",
    "collected_tables",
    "crowd",
    "dawid_skene",
    "fleiss_kappa",
    "loo_agreement",
    "make_study",
    "plan_items",
    "quality",
    "read_collected",
    "read_platform",
    "read_study_file",
    "read_task",
    "simulate",
    "task",
    "tasks",
    "values_of",
    "write_collected",
]
