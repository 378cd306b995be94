"""Which answers follow from which: what questions tell and need, rules between statements, and joins over tables."""

from eyechart.questions.entailment.claims import Claim, Fact, Goal, claim_of
from eyechart.questions.entailment.joining import RULES, Entailer
from eyechart.questions.entailment.lexicon import Lexicon
from eyechart.questions.entailment.predicates import Judgement, Logic, Predicate

__all__ = ["RULES", "Claim", "Entailer", "Fact", "Goal", "Judgement", "Lexicon", "Logic", "Predicate", "claim_of"]
