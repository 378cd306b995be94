"""Annotation without HTTP: what people are asked, and what they hand in."""

__all__: list[str] = []
