"""Metrics: answers in, numbers out. Nothing here reads a file.

>>> vqa_accuracy("two", ["2", "two", "2", "3"])
0.75
"""

from eyechart.metrics.agreement import check_questions
from eyechart.metrics.vqa_accuracy import vqa_accuracies, vqa_accuracy

__all__ = ["check_questions", "vqa_accuracies", "vqa_accuracy"]
