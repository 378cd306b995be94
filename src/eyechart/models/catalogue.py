"""Every model by name; a recipe adds settings, inputs and training to one."""

from eyechart.models.kinds import Network, Statistic
from eyechart.models.nearest import NearestNeighbours, fit_nearest
from eyechart.models.priors import ChoicePrior, Prior, RandomAnswers, fit_choice_prior, fit_prior, fit_random
from eyechart.registry import Registry

__all__ = ["MODELS"]

RANDOM = Statistic(fit_random, lambda state, _: RandomAnswers(state["answers"]))
PRIOR = Statistic(fit_prior, lambda state, _: Prior.restore(state))
CHOICE_PRIOR = Statistic(fit_choice_prior, lambda state, _: ChoicePrior.restore(state))
NEAREST = Statistic(fit_nearest, NearestNeighbours.restore)

MODELS: Registry[Statistic | Network] = Registry(
    "model",
    {
        "random": "eyechart.models.catalogue:RANDOM",
        "prior": "eyechart.models.catalogue:PRIOR",
        "choice-prior": "eyechart.models.catalogue:CHOICE_PRIOR",
        "nearest": "eyechart.models.catalogue:NEAREST",
        "fusion": "eyechart.models.fusion:FUSION",
        "mlp": "eyechart.models.mlp:MLP",
        "spatial-memory": "eyechart.models.spatial_memory:SPATIAL_MEMORY",
        "hiecoatt": "eyechart.models.hiecoatt:HIECOATT",
        "mcb": "eyechart.models.mcb:MCB",
        "bottom-up": "eyechart.models.bottom_up:BOTTOM_UP",
        "gqa-baseline": "eyechart.models.gqa_baselines:GQA_BASELINE",
        "mac": "eyechart.models.mac:MAC",
    },
)
"""What a recipe's ``model`` can be."""
