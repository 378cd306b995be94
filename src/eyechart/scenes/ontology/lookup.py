"""Words as people write them, and the names that they may stand for."""

from collections.abc import Iterable

__all__ = ["Lookup", "spelled"]

_MARKS = str.maketrans({"-": " ", "_": " ", "\N{RIGHT SINGLE QUOTATION MARK}": "'", "`": "'"})


def spelled(word: str) -> str:
    """A word without what does not matter: casing, hyphens, the kind of apostrophe, blanks around it.

    >>> spelled(" T-Shirt")
    't shirt'
    """
    return " ".join(word.lower().translate(_MARKS).split())


class Lookup:
    """Names by any of their forms. Levels of (form, name) say what wins where a form belongs to several names.

    >>> words = Lookup([[("mouse", "mouse")], [("mice", "mouse"), ("mouse", "computer mouse")]])
    >>> words.names("Mouse"), words.names("fire"), Lookup([[("fireplace", "fireplace")]]).names("fire place")
    (('mouse', 'computer mouse'), (), ('fireplace',))
    """

    def __init__(self, levels: Iterable[Iterable[tuple[str, str]]]) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        for level in levels:
            for form, name in level:
                key = spelled(form)
                names = self._names.get(key, ())
                if name not in names:
                    self._names[key] = (*names, name)
        self._joined: dict[str, tuple[str, ...]] = {}
        for key, names in self._names.items():
            self._joined.setdefault(key.replace(" ", ""), names)

    def names(self, word: str) -> tuple[str, ...]:
        """All names that a word may stand for, the likeliest first; words written together or apart are the same."""
        key = spelled(word)
        return self._names.get(key) or self._joined.get(key.replace(" ", ""), ())
