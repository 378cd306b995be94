"""Pages for people who answer, write, pick and draw, and for those who ask them to."""

__all__: list[str] = []
