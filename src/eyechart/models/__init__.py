"""Models that answer questions, from counts to networks, and the loop that trains them."""

from eyechart.models.catalogue import MODELS
from eyechart.models.chat import Chatting, Reply, Request, converse
from eyechart.models.choosing import choose, restrict
from eyechart.models.examples import CONDITIONS, Examples, Pictures, examples_of, under_condition
from eyechart.models.explaining import (
    CONTROLS,
    ExplainerSettings,
    control_scores,
    explain,
    recall_at,
    train_explainer,
)
from eyechart.models.fitting import fit
from eyechart.models.prompting import Prompt, load_prompt, prompt_names
from eyechart.models.recipes import AnswerList, Recipe, Training, WordList, load_recipe, recipe_names
from eyechart.models.saving import Run, load_run
from eyechart.models.scoring import accuracy, scored

__all__ = [
    "CONDITIONS",
    "CONTROLS",
    "MODELS",
    "AnswerList",
    "Chatting",
    "Examples",
    "ExplainerSettings",
    "Pictures",
    "Prompt",
    "Recipe",
    "Reply",
    "Request",
    "Run",
    "Training",
    "WordList",
    "accuracy",
    "choose",
    "control_scores",
    "converse",
    "examples_of",
    "explain",
    "fit",
    "load_prompt",
    "load_recipe",
    "load_run",
    "prompt_names",
    "recall_at",
    "recipe_names",
    "restrict",
    "scored",
    "train_explainer",
    "under_condition",
]
