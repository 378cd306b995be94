"""Metrics: answers in, numbers out. Nothing here reads a file.

>>> vqa_accuracy("two", ["2", "two", "2", "3"])
0.75
"""

from eyechart.metrics.agreement import check_questions
from eyechart.metrics.gqa_accuracy import (
    GQA_ACCURACY,
    GQA_ACCURACY_LENIENT,
    GQA_ACCURACY_VQA,
    GQA_GROUPS,
    GQA_PROFILES,
    gqa_accuracy,
    gqa_judged,
    gqa_spelled,
)
from eyechart.metrics.gqa_choices import GQA_PLAUSIBILITY, GQA_VALIDITY, gqa_belonging
from eyechart.metrics.gqa_consistency import (
    GQA_CONSISTENCY,
    GQA_CONSISTENCY_EQUIVALENT,
    GQA_CONSISTENCY_LENIENT,
    followers,
    gqa_consistencies,
)
from eyechart.metrics.gqa_distribution import GQA_DISTRIBUTION, answer_distance, chi_square
from eyechart.metrics.gqa_grounding import (
    GQA_GROUNDING,
    GQA_GROUNDING_RELEASED,
    GroundingForm,
    about_scene,
    gqa_groundings,
    gqa_regions,
)
from eyechart.metrics.gqa_ood import GQA_OOD, ood_answers, ood_confusion
from eyechart.metrics.intervals import (
    bootstrap_interval,
    clustered_means,
    holm,
    jackknife_interval,
    p_value,
    paired_differences,
)
from eyechart.metrics.kinds import Absent, ItemMetric, Measure, SetMetric, Tables
from eyechart.metrics.summary import Number, groups_of, item_numbers, set_numbers
from eyechart.metrics.vqa_accuracy import VQA_ACCURACY, check_picks, vqa_accuracies, vqa_accuracy
from eyechart.metrics.vqa_profiles import PROFILES, Profile, profile
from eyechart.registry import Registry

__all__ = [
    "GQA_ACCURACY",
    "GQA_ACCURACY_LENIENT",
    "GQA_ACCURACY_VQA",
    "GQA_CONSISTENCY",
    "GQA_CONSISTENCY_EQUIVALENT",
    "GQA_CONSISTENCY_LENIENT",
    "GQA_DISTRIBUTION",
    "GQA_GROUNDING",
    "GQA_GROUNDING_RELEASED",
    "GQA_GROUPS",
    "GQA_OOD",
    "GQA_PLAUSIBILITY",
    "GQA_PROFILES",
    "GQA_VALIDITY",
    "METRICS",
    "PROFILES",
    "VQA_ACCURACY",
    "Absent",
    "GroundingForm",
    "ItemMetric",
    "Measure",
    "Number",
    "Profile",
    "SetMetric",
    "Tables",
    "about_scene",
    "answer_distance",
    "bootstrap_interval",
    "check_picks",
    "check_questions",
    "chi_square",
    "clustered_means",
    "followers",
    "gqa_accuracy",
    "gqa_belonging",
    "gqa_consistencies",
    "gqa_groundings",
    "gqa_judged",
    "gqa_regions",
    "gqa_spelled",
    "groups_of",
    "holm",
    "item_numbers",
    "jackknife_interval",
    "ood_answers",
    "ood_confusion",
    "p_value",
    "paired_differences",
    "profile",
    "set_numbers",
    "vqa_accuracies",
    "vqa_accuracy",
]

METRICS: Registry[ItemMetric | SetMetric] = Registry(
    "metric",
    {
        "vqa": "eyechart.metrics.vqa_accuracy:VQA_ACCURACY",
    },
)
"""Every metric of predictions by name."""
