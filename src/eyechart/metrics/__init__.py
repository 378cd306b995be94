"""Metrics: answers in, numbers out. Nothing here reads a file.

>>> vqa_accuracy("two", ["2", "two", "2", "3"])
0.75
"""

from eyechart.metrics.agreement import check_questions
from eyechart.metrics.intervals import (
    bootstrap_interval,
    clustered_means,
    holm,
    jackknife_interval,
    p_value,
    paired_differences,
)
from eyechart.metrics.kinds import Absent, ItemMetric, Measure, SetMetric, Tables
from eyechart.metrics.vqa_accuracy import VQA_ACCURACY, check_picks, vqa_accuracies, vqa_accuracy
from eyechart.metrics.vqa_profiles import PROFILES, Profile, profile

__all__ = [
    "PROFILES",
    "VQA_ACCURACY",
    "Absent",
    "ItemMetric",
    "Measure",
    "Profile",
    "SetMetric",
    "Tables",
    "bootstrap_interval",
    "check_picks",
    "check_questions",
    "clustered_means",
    "holm",
    "jackknife_interval",
    "p_value",
    "paired_differences",
    "profile",
    "vqa_accuracies",
    "vqa_accuracy",
]
