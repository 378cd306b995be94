"""Repairs of any benchmark, so that what it measures cannot be had by guessing."""

from eyechart.remedies.ambiguity import FalseDecoys, ambiguity_sheet, false_decoys
from eyechart.remedies.balancing import Balance, Level, balance, entropies
from eyechart.remedies.likeness import FILTERS, Answers, Likeness
from eyechart.remedies.offers import KINDS, VARIANTS, choices_of, decoy_rows, permuted
from eyechart.remedies.principles import Neutrality, likelihoods, neutrality, principle_scores
from eyechart.remedies.resplits import changing_priors, head_and_tail, superset_splits
from eyechart.remedies.search import Found, Search, Searching
from eyechart.remedies.smoothing import Smoothing, smoothed_counts
from eyechart.remedies.splits import split_by_image
from eyechart.remedies.triplets import Lists, Pool, Triplets

__all__ = [
    "FILTERS",
    "KINDS",
    "VARIANTS",
    "Answers",
    "Balance",
    "FalseDecoys",
    "Found",
    "Level",
    "Likeness",
    "Lists",
    "Neutrality",
    "Pool",
    "Search",
    "Searching",
    "Smoothing",
    "Triplets",
    "ambiguity_sheet",
    "balance",
    "changing_priors",
    "choices_of",
    "decoy_rows",
    "entropies",
    "false_decoys",
    "head_and_tail",
    "likelihoods",
    "neutrality",
    "permuted",
    "principle_scores",
    "smoothed_counts",
    "split_by_image",
    "superset_splits",
]
