"""Eyechart collects, generates, repairs, answers, grades and explains visual-question-answering benchmarks.

Import from the room you need, for example ``from eyechart.store import Benchmark``.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
