"""Patterns: how questions are written down as data, compiled and checked."""

from eyechart.questions.patterns.compiling import compile_groups, groups_of, packaged_patterns
from eyechart.questions.patterns.model import Group

__all__ = ["Group", "compile_groups", "groups_of", "packaged_patterns"]
