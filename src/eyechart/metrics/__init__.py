"""Metrics: answers in, numbers out. Nothing here reads a file.

>>> vqa_accuracy("two", ["2", "two", "2", "3"])
0.75
"""

from eyechart.metrics.agreement import check_questions
from eyechart.metrics.calibration import (
    best_threshold,
    calibration_error,
    confident_scores,
    coverage_at_risk,
    effective_reliability,
    reliability_curve,
    risk_coverage_area,
    risk_coverage_curve,
)
from eyechart.metrics.correctness import correctness, graded
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
from eyechart.metrics.gqa_choices import GQA_PLAUSIBILITY, GQA_VALIDITY, gqa_belonging, gqa_listed
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
from eyechart.metrics.massses import (
    MAJORITY,
    MAS,
    MASSES_0_7,
    MASSES_0_9,
    SES_0_7,
    SES_0_9,
    SUBJECTIVITY,
    centroid_cosines,
    feasibility,
    group_similar,
    masses_metrics,
    masses_scores,
    patterns,
)
from eyechart.metrics.mean_per_type import RAMEN, TDIUC, TypeProfile, mean_per_type, per_type, tdiuc_scores
from eyechart.metrics.pairs import group_accuracies, paired_answers, square_groups
from eyechart.metrics.people import (
    agreement_bands,
    human_accuracies,
    human_accuracy,
    krippendorff_alpha,
    mean_confidence,
    measure_people,
    multiple_choice_accuracy,
    unique_answers,
)
from eyechart.metrics.summary import Number, groups_of, item_numbers, set_numbers
from eyechart.metrics.visual7w import top_k_accuracy
from eyechart.metrics.vqa_accuracy import VQA_ACCURACY, check_picks, vqa_accuracies, vqa_accuracy
from eyechart.metrics.vqa_profiles import PROFILES, Profile, profile
from eyechart.metrics.wups import (
    SET_ACCURACY,
    TERMS,
    WUPS_0_0,
    WUPS_0_9,
    WUPS_ACM_0_0,
    WUPS_ACM_0_9,
    WUPS_MCM_0_0,
    WUPS_MCM_0_9,
    consensus_wups_scores,
    set_scores,
    wups,
    wups_scores,
)
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
    "MAJORITY",
    "MAS",
    "MASSES_0_7",
    "MASSES_0_9",
    "METRICS",
    "PROFILES",
    "RAMEN",
    "SES_0_7",
    "SES_0_9",
    "SET_ACCURACY",
    "SUBJECTIVITY",
    "TDIUC",
    "TERMS",
    "VQA_ACCURACY",
    "WUPS_0_0",
    "WUPS_0_9",
    "WUPS_ACM_0_0",
    "WUPS_ACM_0_9",
    "WUPS_MCM_0_0",
    "WUPS_MCM_0_9",
    "Absent",
    "GroundingForm",
    "ItemMetric",
    "Measure",
    "Number",
    "Profile",
    "SetMetric",
    "Tables",
    "TypeProfile",
    "about_scene",
    "agreement_bands",
    "answer_distance",
    "best_threshold",
    "bootstrap_interval",
    "calibration_error",
    "centroid_cosines",
    "check_picks",
    "check_questions",
    "chi_square",
    "clustered_means",
    "confident_scores",
    "consensus_wups_scores",
    "correctness",
    "coverage_at_risk",
    "effective_reliability",
    "feasibility",
    "followers",
    "gqa_accuracy",
    "gqa_belonging",
    "gqa_consistencies",
    "gqa_groundings",
    "gqa_judged",
    "gqa_listed",
    "gqa_regions",
    "gqa_spelled",
    "graded",
    "group_accuracies",
    "group_similar",
    "groups_of",
    "holm",
    "human_accuracies",
    "human_accuracy",
    "item_numbers",
    "jackknife_interval",
    "krippendorff_alpha",
    "masses_metrics",
    "masses_scores",
    "mean_confidence",
    "mean_per_type",
    "measure_people",
    "multiple_choice_accuracy",
    "ood_answers",
    "ood_confusion",
    "p_value",
    "paired_answers",
    "paired_differences",
    "patterns",
    "per_type",
    "profile",
    "reliability_curve",
    "risk_coverage_area",
    "risk_coverage_curve",
    "set_numbers",
    "set_scores",
    "square_groups",
    "tdiuc_scores",
    "top_k_accuracy",
    "unique_answers",
    "vqa_accuracies",
    "vqa_accuracy",
    "wups",
    "wups_scores",
]

METRICS: Registry[ItemMetric | SetMetric] = Registry(
    "metric",
    {
        "vqa": "eyechart.metrics.vqa_accuracy:VQA_ACCURACY",
    },
)
"""Every metric of predictions by name."""
