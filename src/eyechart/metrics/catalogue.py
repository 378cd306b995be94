"""Every metric by name, and those that a number in the name makes: wups-0.5, masses-0.8."""

import re
from collections.abc import Callable, Mapping

from eyechart.metrics.kinds import ItemMetric, SetMetric
from eyechart.metrics.massses import Vectors, feasibility_metric, masses_metrics
from eyechart.metrics.wups import consensus_wups_metric, wups_metric
from eyechart.registry import Registry
from eyechart.text import packaged_vectors

__all__ = ["METRICS", "metric_named"]

METRICS: Registry[ItemMetric | SetMetric] = Registry(
    "metric",
    {
        "accuracy": "eyechart.metrics.correctness:ACCURACY",
        "age": "eyechart.metrics.age:AGE",
        "answerability": "eyechart.metrics.answerability:ANSWERABILITY",
        "calibration-error": "eyechart.metrics.calibration:CALIBRATION_ERROR",
        "class-normalised": "eyechart.metrics.mean_per_type:CLASS_NORMALIZED",
        "commonsense": "eyechart.metrics.age:COMMONSENSE",
        "coverage-at-risk": "eyechart.metrics.calibration:COVERAGE_AT_RISK",
        "effective-reliability": "eyechart.metrics.calibration:EFFECTIVE_RELIABILITY",
        "feasibility": "eyechart.metrics.massses:FEASIBILITY",
        "gqa-accuracy": "eyechart.metrics.gqa_accuracy:GQA_ACCURACY",
        "gqa-accuracy-lenient": "eyechart.metrics.gqa_accuracy:GQA_ACCURACY_LENIENT",
        "gqa-accuracy-vqa": "eyechart.metrics.gqa_accuracy:GQA_ACCURACY_VQA",
        "gqa-consistency": "eyechart.metrics.gqa_consistency:GQA_CONSISTENCY",
        "gqa-consistency-equivalent": "eyechart.metrics.gqa_consistency:GQA_CONSISTENCY_EQUIVALENT",
        "gqa-consistency-known": "eyechart.metrics.gqa_consistency:GQA_CONSISTENCY_LENIENT",
        "gqa-distribution": "eyechart.metrics.gqa_distribution:GQA_DISTRIBUTION",
        "gqa-grounding": "eyechart.metrics.gqa_grounding:GQA_GROUNDING",
        "gqa-grounding-released": "eyechart.metrics.gqa_grounding:GQA_GROUNDING_RELEASED",
        "gqa-ood": "eyechart.metrics.gqa_ood:GQA_OOD",
        "gqa-plausibility": "eyechart.metrics.gqa_choices:GQA_PLAUSIBILITY",
        "gqa-validity": "eyechart.metrics.gqa_choices:GQA_VALIDITY",
        "groups": "eyechart.metrics.pairs:GROUPS",
        "ma": "eyechart.metrics.massses:MAJORITY",
        "mas": "eyechart.metrics.massses:MAS",
        "masses-0.7": "eyechart.metrics.massses:MASSES_0_7",
        "masses-0.9": "eyechart.metrics.massses:MASSES_0_9",
        "mean-per-type": "eyechart.metrics.mean_per_type:MEAN_PER_TYPE",
        "mean-rank": "eyechart.metrics.ranks:MEAN_RANK",
        "mrr": "eyechart.metrics.ranks:RECIPROCAL_RANK",
        "pairs": "eyechart.metrics.pairs:PAIRS",
        "recall@1": "eyechart.metrics.ranks:RECALL_AT_1",
        "recall@5": "eyechart.metrics.ranks:RECALL_AT_5",
        "risk-coverage-area": "eyechart.metrics.calibration:RISK_COVERAGE",
        "s": "eyechart.metrics.massses:SUBJECTIVITY",
        "ses-0.7": "eyechart.metrics.massses:SES_0_7",
        "ses-0.9": "eyechart.metrics.massses:SES_0_9",
        "set-accuracy": "eyechart.metrics.wups:SET_ACCURACY",
        "visual7w": "eyechart.metrics.visual7w:VISUAL7W",
        "vqa": "eyechart.metrics.vqa_accuracy:VQA_ACCURACY",
        "vqa-always": "eyechart.metrics.vqa_accuracy:VQA_ALWAYS",
        "vqa-multiple-choice": "eyechart.metrics.vqa_accuracy:VQA_MULTIPLE_CHOICE",
        "vqa-naive": "eyechart.metrics.vqa_accuracy:VQA_NAIVE",
        "vqa-official-2016": "eyechart.metrics.vqa_accuracy:VQA_2016",
        "vqa-vizwiz": "eyechart.metrics.vqa_accuracy:VQA_VIZWIZ",
        "wups-0.0": "eyechart.metrics.wups:WUPS_0_0",
        "wups-0.9": "eyechart.metrics.wups:WUPS_0_9",
        "wups-acm-0.0": "eyechart.metrics.wups:WUPS_ACM_0_0",
        "wups-acm-0.9": "eyechart.metrics.wups:WUPS_ACM_0_9",
        "wups-mcm-0.0": "eyechart.metrics.wups:WUPS_MCM_0_0",
        "wups-mcm-0.9": "eyechart.metrics.wups:WUPS_MCM_0_9",
    },
)
"""Every metric of predictions by name."""

_FAMILIES: Mapping[str, Callable[[float, Vectors], ItemMetric]] = {
    "masses": lambda threshold, vectors: masses_metrics(threshold, vectors)[1],
    "ses": lambda threshold, vectors: masses_metrics(threshold, vectors)[0],
    "wups": lambda threshold, _vectors: wups_metric(threshold),
    "wups-acm": lambda threshold, _vectors: consensus_wups_metric(threshold, "acm"),
    "wups-mcm": lambda threshold, _vectors: consensus_wups_metric(threshold, "mcm"),
}
_AT_THRESHOLD = re.compile(r"(?P<family>[a-z-]+)-(?P<threshold>0(\.\d+)?|1(\.0+)?)")


def metric_named(name: str, vectors: Vectors = packaged_vectors) -> ItemMetric | SetMetric:
    """The metric of this name; those of meaning with these word vectors.

    >>> metric_named("wups-0.5").title, metric_named("vqa").title
    ('WUPS at 0.5', 'VQA accuracy (official-2021)')
    """
    if (said := _AT_THRESHOLD.fullmatch(name)) and said["family"] in _FAMILIES:
        return _FAMILIES[said["family"]](float(said["threshold"]), vectors)
    return feasibility_metric(vectors) if name == "feasibility" else METRICS.load(name)
