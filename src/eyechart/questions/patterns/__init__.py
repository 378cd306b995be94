"""Patterns: how questions are written down as data, compiled and checked."""
