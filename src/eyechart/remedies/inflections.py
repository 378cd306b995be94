"""Forms under which an answer may be the same as another: singular of plural, and verbs without their endings."""

from eyechart.text import Nouns

__all__ = ["forms_of"]

_SHORTEST = 3
_VOWELS = frozenset("aeiouy")
_DOUBLED = 2


def forms_of(answer: str, nouns: Nouns) -> tuple[str, ...]:
    """The answer itself, and with its last word in its base forms.

    >>> from eyechart.text import packaged_nouns
    >>> forms_of("two dogs", packaged_nouns()), forms_of("riding", packaged_nouns())
    (('two dogs', 'two dog'), ('riding', 'rid', 'ride'))
    """
    before, space, last = answer.rpartition(" ")
    forms = [last, *nouns.base_forms(last), *_without_ending(last)]
    return tuple(dict.fromkeys(before + space + form for form in forms))


def _without_ending(word: str) -> list[str]:
    """What is left of a verb without ing or ed: ride or rid of riding, run of running."""
    stem = word.removesuffix("ing") if word.endswith("ing") else word.removesuffix("ed")
    if stem == word or len(stem) < _SHORTEST or not _VOWELS & set(stem):
        return []
    doubled = len(stem) > _SHORTEST and stem[-1] == stem[-_DOUBLED] and stem[-1] not in _VOWELS
    return [stem, stem + "e", *([stem[:-1]] if doubled else [])]
