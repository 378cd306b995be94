"""Pages for people who ask for work: studies, what comes back, how good it is, what is owed."""

__all__: list[str] = []
