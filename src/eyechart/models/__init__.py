"""Models that answer questions, from counts to networks, and the loop that trains them."""

from eyechart.models.catalogue import MODELS
from eyechart.models.choosing import choose, restrict
from eyechart.models.examples import CONDITIONS, Examples, Pictures, examples_of, under_condition
from eyechart.models.fitting import fit
from eyechart.models.recipes import AnswerList, Recipe, Training, WordList, load_recipe, recipe_names
from eyechart.models.saving import Run, load_run
from eyechart.models.scoring import accuracy, scored

__all__ = [
    "CONDITIONS",
    "MODELS",
    "AnswerList",
    "Examples",
    "Pictures",
    "Recipe",
    "Run",
    "Training",
    "WordList",
    "accuracy",
    "choose",
    "examples_of",
    "fit",
    "load_recipe",
    "load_run",
    "recipe_names",
    "restrict",
    "scored",
    "under_condition",
]
