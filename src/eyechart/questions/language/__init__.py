"""Languages: what each has to offer for the words of an ontology, by name."""

from collections.abc import Callable, Mapping

from eyechart.questions.arrays.codes import Codes
from eyechart.questions.language.english import english
from eyechart.questions.language.forms import Forms
from eyechart.questions.language.german import german

__all__ = ["LANGUAGES"]

LANGUAGES: Mapping[str, Callable[[Codes], Forms]] = {"english": english, "german": german}
"""Every language by the name that patterns use for its folder."""
