"""Languages: what each has to offer for the words of an ontology, by name."""

from eyechart.questions.language.english import english
from eyechart.questions.language.forms import Forms
from eyechart.questions.language.german import german
from eyechart.questions.language.languages import LANGUAGES

__all__ = ["LANGUAGES", "Forms", "english", "german"]
