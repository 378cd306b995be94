"""Every description by name: what can be told of a benchmark, in the order in which a reader wants it.

>>> list(DESCRIPTIONS)[:2]
['first-words', 'question-length']
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from eyechart.analysis.descriptions import answers, captions, judgements, people, programs, questions, scenes, versus
from eyechart.analysis.results import Result
from eyechart.analysis.views import Views

__all__ = ["COMPARISONS", "DESCRIPTIONS", "Description"]


@dataclass(frozen=True, slots=True)
class Description:
    """One thing to tell: its name, its chapter, the tables that it needs, and how it is found.

    >>> Description("none", "Questions", ("questions",), lambda views: []).name
    'none'
    """

    name: str
    chapter: str
    needs: tuple[str, ...]
    describe: Callable[[Views], list[Result]]
    """Raises ``Absent`` with the reason where there is nothing to tell."""


_QUESTIONS, _ANSWERS, _OBJECTS = ("questions",), ("answers",), ("objects",)
_CAPTIONS, _JUDGEMENTS = ("captions", "questions"), ("judgements",)

DESCRIPTIONS: dict[str, Description] = {
    each.name: each
    for each in (
        Description("first-words", "Questions", _QUESTIONS, questions.openings),
        Description("question-length", "Questions", _QUESTIONS, questions.lengths),
        Description("question-kinds", "Questions", _QUESTIONS, questions.kinds),
        Description("structural-types", "Questions", _QUESTIONS, programs.structural),
        Description("semantic-types", "Questions", _QUESTIONS, programs.semantic),
        Description("detailed-types", "Questions", _QUESTIONS, programs.detailed),
        Description("steps", "Questions", _QUESTIONS, programs.steps),
        Description("answer-kinds", "Answers", _QUESTIONS, answers.shares),
        Description("top-answers", "Answers", _QUESTIONS, answers.top_answers),
        Description("answer-length", "Answers", _QUESTIONS, answers.answer_lengths),
        Description("answer-coverage", "Answers", _QUESTIONS, answers.coverage),
        Description("answers-by-kind", "Answers", _QUESTIONS, answers.seen_answers_by_kind),
        Description("answers-by-kind-blind", "Answers", _ANSWERS, answers.blind_answers_by_kind),
        Description("answer-entropy", "Answers", _QUESTIONS, programs.entropies),
        Description("what-is-endings", "Answers", _QUESTIONS, questions.endings),
        Description("human-accuracy", "People", _ANSWERS, people.accuracy),
        Description("agreement", "People", _ANSWERS, people.agreement),
        Description("unique-answers", "People", _ANSWERS, people.uniqueness),
        Description("subjectivity", "People", _ANSWERS, people.reliability),
        Description("semantic-similarity", "People", _ANSWERS, people.meaning),
        Description("age", "People", _JUDGEMENTS, judgements.ages),
        Description("commonsense", "People", _JUDGEMENTS, judgements.commonsense),
        Description("age-by-kind", "People", _JUDGEMENTS, judgements.kinds_by_age),
        Description("sense-by-kind", "People", _JUDGEMENTS, judgements.kinds_by_sense),
        Description("captions-apart", "Captions", _CAPTIONS, captions.words_per_sentence),
        Description("captions-nouns", "Captions", _CAPTIONS, partial(captions.words_apart, part="noun")),
        Description("captions-verbs", "Captions", _CAPTIONS, partial(captions.words_apart, part="verb")),
        Description("captions-adjectives", "Captions", _CAPTIONS, partial(captions.words_apart, part="adjective")),
        Description("captions-prepositions", "Captions", _CAPTIONS, captions.prepositions),
        Description("frequent-objects", "Scenes", _OBJECTS, scenes.objects),
        Description("frequent-categories", "Scenes", _OBJECTS, scenes.categories),
        Description("ontology-tree", "Scenes", _OBJECTS, scenes.tree),
        Description("frequent-attributes", "Scenes", ("attributes",), scenes.attributes),
        Description("frequent-relations", "Scenes", ("relations",), scenes.relations),
        Description("scene-words", "Scenes", _OBJECTS, scenes.clouds),
    )
}
"""In the order of a report: chapters, and what they tell."""

COMPARISONS: dict[str, Callable[[Views, Views], list[Result]]] = {
    "head-to-head": versus.sizes,
    "entropy-before-after": versus.entropy,
    "answers-before-after": versus.answers,
    "covered": versus.coverage,
}
"""What can be told of two benchmarks side by side."""
