"""Every rule of entailment, tried on thousands of random small pictures by the literal executor.

From a picture and its perturbations many questions are answered; what is said to follow on one picture has to hold on
every other picture on which the premise has the same answer, and on which the conclusion can be asked. A rule that
fails shows the picture.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import polars as pl
import pytest
from small_worlds import Asking, perturbed, random_graph

from eyechart.questions import Program, Step, operations
from eyechart.questions.entailment import RULES, Entailer, Predicate, predicates
from eyechart.questions.entailment.predicates import Rule
from eyechart.questions.graph import SceneGraph
from eyechart.questions.interpret import Found, Result, interpret
from eyechart.questions.references import reference
from eyechart.scenes import ontology

WORDS = ontology.packaged_ontology()
STEP = pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)})
OPEN = (
    *(operations.Filter, operations.Exist, operations.All, operations.NoneOf),
    *(operations.Count, operations.AtLeast, operations.AtMost, operations.Exactly),
)
"""Operations on however many things there are."""
CHOOSING = (operations.Choose, operations.ChooseRelation, operations.ChooseCompared)
Said = tuple[str, str]
"""A program and its answer."""


def answer_of(program: Program, graph: SceneGraph) -> tuple[bool, str | None]:
    """Whether a question can be asked of a picture, as it speaks of the things that it means; and the answer."""
    proof = interpret(program, graph, WORDS)
    can = all(
        is_meant(step, place, program, proof.trace[place]) for step in program.steps for place in step.dependencies
    )
    match program.last:
        case operations.VerifyRelation() | operations.ChooseRelation():
            can = can and is_named(program.last, graph)
        case operations.All() | operations.NoneOf():
            can = can and has_some(proof.trace[program.steps[-1].dependencies[0]])
    answer = compared(program, proof.answer) if isinstance(program.last, operations.ChooseCompared) else proof.answer
    if isinstance(program.last, CHOOSING):
        can = can and answer is not None  # who lets choose says that just one is right
    return can, answer


def compared(program: Program, answer: str | None) -> str | None:
    """The older one as the question calls it, which may be less exactly than by its name."""
    called = [reference(program, each).name for each in program.steps[-1].dependencies]
    meant = [name for name in called if answer and is_kind(answer, name)]
    return meant[0] if len(meant) == 1 else None


def is_kind(name: str, kind: str) -> bool:
    """Whether a name is another, or one of its kind."""
    return kind in {"thing", name} or WORDS.is_a(name, kind)


def is_meant(step: Step, place: int, program: Program, found: Result) -> bool:
    """Whether what an earlier step gives is what the program says it gives, where the step supposes that."""
    meant = program.referents[place]
    if isinstance(step.operation, OPEN) or not isinstance(found, Found) or meant is None:
        return True
    return meant == found.sure and found.is_certain


def has_some(found: Result) -> bool:
    """Whether there is something to say all or none of."""
    return isinstance(found, Found) and bool(found.sure)


def is_named(operation: operations.VerifyRelation | operations.ChooseRelation, graph: SceneGraph) -> bool:
    """Whether the other thing is what the question calls it."""
    related = operation.related
    called = Program.parse(f"select: {related.name}->exist: ? [0]")
    found = interpret(called, graph, WORDS).trace[0]
    return not related.ids or (isinstance(found, Found) and related.ids[0] in found.sure)


@dataclass
class Trial:
    """A picture, its perturbations, and what questions about them are answered with."""

    graphs: list[SceneGraph]
    answers: dict[str, list[tuple[bool, str | None]]] = field(default_factory=dict)

    @classmethod
    def of(cls, random: Random, questions: int = 24, pictures: int = 30) -> "Trial":
        first = random_graph(random)
        graphs = [first, *(perturbed(first, random) for _ in range(pictures - 1))]
        trial = cls(graphs)
        for text in dict.fromkeys(Asking(first, random).programs(questions)):
            program = Program.parse(text)
            found = [answer_of(program, graph) for graph in graphs]
            if any(can and answer for can, answer in found):
                trial.answers[text] = found
        return trial

    def rows(self, name: str) -> Iterator[dict[str, object]]:
        """What is answered, as rows of questions: a picture of the trial is an image."""
        for text, found in self.answers.items():
            for place, (can, answer) in enumerate(found):
                if can and answer:
                    key = f"{name} {place} {text}"
                    steps = Program.parse(text).rows
                    yield {"question_id": key, "image_id": f"{name} {place}", "answer": answer, "program": steps}

    def broken(self, premise: Said, conclusion: Said) -> Iterator[tuple[SceneGraph, str | None]]:
        """Pictures on which the premise is true and the conclusion is not."""
        for graph, (asked, said), (can, answer) in zip(
            self.graphs, self.answers[premise[0]], self.answers[conclusion[0]], strict=True
        ):
            if asked and said == premise[1] and can and answer != conclusion[1]:
                yield graph, answer

    def tries(self, premise: Said, conclusion: Said) -> int:
        """On how many pictures the premise is true and the conclusion can be asked."""
        both = zip(self.answers[premise[0]], self.answers[conclusion[0]], strict=True)
        return sum(asked and said == premise[1] and can for (asked, said), (can, _) in both)


def entailed(trials: dict[str, Trial]) -> dict[tuple[str, Said, Said], str]:
    """What follows from what by which rules, in each trial; the same on several pictures counts once."""
    rows = [row for name, trial in trials.items() for row in trial.rows(name)]
    questions = pl.DataFrame(rows, schema_overrides={"program": pl.List(STEP)})
    found = Entailer(WORDS).entail(questions).filter(pl.col("question_id") != pl.col("entailed_id"))
    answers = dict(questions.select("question_id", "answer").iter_rows())
    texts = {key: key.split(" ", 2) for key in answers}
    return {
        (texts[one][0], (texts[one][2], answers[one]), (texts[other][2], answers[other])): rule
        for one, other, rule in found.iter_rows()
    }


def failures(trials: dict[str, Trial]) -> tuple[dict[str, str], Counter[str]]:
    """A counter-example for each combination of rules that has one, and how often each rule was tried."""
    found: dict[str, str] = {}
    tried: Counter[str] = Counter()
    for (name, premise, conclusion), rule in entailed(trials).items():
        for each in rule.split("+"):
            tried[each] += trials[name].tries(premise, conclusion)
        for graph, answer in trials[name].broken(premise, conclusion):
            found.setdefault(rule, told(rule, premise, conclusion, answer, graph))
    return found, tried


def told(rule: str, premise: Said, conclusion: Said, answer: str | None, graph: SceneGraph) -> str:
    """A counter-example to read."""
    things = "\n".join(f"    {each}" for each in graph.things.values())
    return (
        f"{rule} does not hold:\n  {premise[0]}  {premise[1]}\n  should imply\n  {conclusion[0]}  {conclusion[1]}\n"
        f"  but here the answer is {answer}:\n{things}\n    {sorted(graph.relations)}\n"
        f"    {graph.location}, {graph.weather}, all of: {', '.join(sorted(graph.inventories))}"
    )


def trials(number: int, seed: int) -> dict[str, Trial]:
    """So many trials."""
    random = Random(seed)
    return {f"t{place}": Trial.of(random) for place in range(number)}


@pytest.fixture(scope="module")
def many() -> dict[str, Trial]:
    """The trials of this file: 4,500 pictures."""
    return trials(150, seed=5)


def test_every_rule_holds(many: dict[str, Trial]) -> None:
    """Wherever a premise is true, what is said to follow is true; and the rules have been tried."""
    found, tried = failures(many)
    assert not found, "\n\n".join(found.values())
    assert len(set(RULES) - set(tried)) <= 2
    assert tried.total() > 5_000


def any_value(_words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is red has the color red, even if it is maroon."""
    if known.kind == "has":
        yield known._replace(kind="value")


def kinds(words: ontology.Ontology, known: Predicate) -> Iterator[Predicate]:
    """What is a fruit is an apple."""
    if known.kind == "is" and words.members(known.name):
        yield known._replace(name=words.members(known.name)[0])


@pytest.mark.parametrize(("name", "unsound"), [("only value", any_value), ("category", kinds)])
def test_unsound_rules_are_caught(
    many: dict[str, Trial], monkeypatch: pytest.MonkeyPatch, name: str, unsound: Rule
) -> None:
    """A rule without its side condition fails, and the message shows a picture on which it does."""
    monkeypatch.setitem(predicates.FOLLOWING, name, unsound)
    found, _ = failures(many)
    wrong = [text for rule, text in found.items() if name in rule]
    assert wrong
    assert "should imply" in wrong[0]
    assert "Thing(id=" in wrong[0]


def test_what_excludes_too_much_is_caught(many: dict[str, Trial], monkeypatch: pytest.MonkeyPatch) -> None:
    """Two patterns do not exclude each other, and a maroon thing may count as red."""
    monkeypatch.setitem(predicates.EXCLUDING, "exclusive", lambda _words, known, asked: known.name != asked.name)
    found, _ = failures(many)
    assert any("exclusive" in rule for rule in found)


@pytest.mark.slow
def test_every_rule_holds_on_many_more() -> None:
    """The same with other draws: 90,000 pictures, and every rule tried often."""
    tried: Counter[str] = Counter()
    for seed in range(5, 15):
        found, more = failures(trials(300, seed))
        assert not found, "\n\n".join(found.values())
        tried += more
    assert min(tried[rule] for rule in RULES) >= 50
