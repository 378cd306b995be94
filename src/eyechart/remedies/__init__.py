"""Repairs of any benchmark, so that what it measures cannot be had by guessing."""

from eyechart.remedies.balancing import Balance, Level, balance, entropies
from eyechart.remedies.smoothing import Smoothing, smoothed_counts
from eyechart.remedies.splits import split_by_image

__all__ = ["Balance", "Level", "Smoothing", "balance", "entropies", "smoothed_counts", "split_by_image"]
