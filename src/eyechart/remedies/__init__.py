"""Repairs of any benchmark, so that what it measures cannot be had by guessing."""

from eyechart.remedies.ambiguity import FalseDecoys, ambiguity_sheet, false_decoys
from eyechart.remedies.balancing import MIXED, PUBLISHED_MIX, Balance, Level, balance, entropies
from eyechart.remedies.complements import (
    DESIGNS,
    PICK_COLUMNS,
    Complements,
    Entropy,
    complement_tasks,
    complements,
    design_splits,
    entropy_change,
    read_picks,
)
from eyechart.remedies.eighteen import EIGHTEEN, ONLY_EQUAL, PLAUSIBLE, eighteen_choices
from eyechart.remedies.likeness import FILTERS, Answers, Likeness
from eyechart.remedies.offers import KINDS, VARIANTS, choices_of, decoy_rows, keyed_draws, permuted
from eyechart.remedies.principles import Neutrality, likelihoods, neutrality, principle_scores
from eyechart.remedies.resplits import changing_priors, head_and_tail, superset_splits
from eyechart.remedies.search import Found, Search, Searching
from eyechart.remedies.smoothing import Smoothing, smoothed_counts
from eyechart.remedies.splits import split_by_image
from eyechart.remedies.triplets import Lists, Pool, Triplets

__all__ = [
    "DESIGNS",
    "EIGHTEEN",
    "FILTERS",
    "KINDS",
    "MIXED",
    "ONLY_EQUAL",
    "PICK_COLUMNS",
    "PLAUSIBLE",
    "PUBLISHED_MIX",
    "VARIANTS",
    "Answers",
    "Balance",
    "Complements",
    "Entropy",
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
    "complement_tasks",
    "complements",
    "decoy_rows",
    "design_splits",
    "eighteen_choices",
    "entropies",
    "entropy_change",
    "false_decoys",
    "head_and_tail",
    "keyed_draws",
    "likelihoods",
    "neutrality",
    "permuted",
    "principle_scores",
    "read_picks",
    "smoothed_counts",
    "split_by_image",
    "superset_splits",
]
