"""What one step of a program can do: a small class each, with what it takes, what it gives and how it is written.

The operations of GQA are written as GQA writes them. Counting, quantifiers and order have no counterpart there and
follow the same manner.
"""

from eyechart.questions.operations.asking import Choose, ChooseCompared, ChooseRelation, Query, Verify, VerifyRelation
from eyechart.questions.operations.comparing import Common, Different, DifferentPair, Same, SamePair
from eyechart.questions.operations.counting import (
    All,
    AllBut,
    AsMany,
    AtLeast,
    AtMost,
    Count,
    Exactly,
    Fewer,
    More,
    NoneOf,
    Only,
)
from eyechart.questions.operations.kinds import Kind, Operation, Taken
from eyechart.questions.operations.reading import OPERATIONS, read_operation
from eyechart.questions.operations.things import Filter, Order, Relate, Scene, Select
from eyechart.questions.operations.truths import And, Exist, Or

__all__ = [
    "OPERATIONS",
    "All",
    "AllBut",
    "And",
    "AsMany",
    "AtLeast",
    "AtMost",
    "Choose",
    "ChooseCompared",
    "ChooseRelation",
    "Common",
    "Count",
    "Different",
    "DifferentPair",
    "Exactly",
    "Exist",
    "Fewer",
    "Filter",
    "Kind",
    "More",
    "NoneOf",
    "Only",
    "Operation",
    "Or",
    "Order",
    "Query",
    "Relate",
    "Same",
    "SamePair",
    "Scene",
    "Select",
    "Taken",
    "Verify",
    "VerifyRelation",
    "read_operation",
]
