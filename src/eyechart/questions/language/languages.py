"""The languages by the names that pattern folders have."""

from collections.abc import Callable, Mapping

from eyechart.questions.arrays.codes import Codes
from eyechart.questions.language.english import english
from eyechart.questions.language.forms import Forms
from eyechart.questions.language.german import german

__all__ = ["LANGUAGES"]

LANGUAGES: Mapping[str, Callable[[Codes], Forms]] = {"english": english, "german": german}
"""Every language by the name that patterns use for its folder."""
