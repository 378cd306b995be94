"""Statistics of people, each beside a literal second implementation, and on simulated workers of known competence."""

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.collection import (
    Item,
    Settings,
    Work,
    crowd,
    dawid_skene,
    fleiss_kappa,
    loo_agreement,
    quality,
    simulate,
    values_of,
)
from eyechart.database import Database
from eyechart.metrics import Absent

Rows = list[tuple[str, str, str]]
said = st.dictionaries(
    st.tuples(st.sampled_from("123456"), st.sampled_from("abcde")), st.sampled_from("xyz"), min_size=1
).map(lambda found: [(item, worker, value) for (item, worker), value in sorted(found.items())])


def frame(rows: Rows) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["item", "worker", "value"], orient="row")


def literal_agreement(rows: Rows) -> dict[str, float]:
    """Each answer against the most frequent ones of the others, one by one."""
    scores = defaultdict(list)
    for item, worker, value in rows:
        others = Counter(other for i, w, other in rows if i == item and w != worker)
        if others:
            most = [each for each, count in others.items() if count == max(others.values())]
            scores[worker].append(1 / len(most) if value in most else 0.0)
    return {worker: sum(each) / len(each) for worker, each in scores.items()}


@given(said)
def test_agreement_with_the_others(rows: Rows) -> None:
    """Leave-one-out majority agreement."""
    found = {worker: agreement for worker, _, agreement in loo_agreement(frame(rows)).rows()}
    assert found == pytest.approx(literal_agreement(rows))


def literal_kappa(rows: Rows) -> float:
    """Pairs of people who say the same, against pairs drawn from all answers."""
    by_item = defaultdict(list)
    for item, _, value in rows:
        by_item[item].append(value)
    kept = [values for values in by_item.values() if len(values) > 1]
    observed = 0.0 / len(kept)
    for values in kept:
        pairs = list(itertools.permutations(values, 2))
        observed += sum(one == other for one, other in pairs) / len(pairs) / len(kept)
    everything = [value for values in kept for value in values]
    expected = sum((everything.count(value) / len(everything)) ** 2 for value in set(everything))
    return (observed - expected) / (1 - expected)


@given(said)
def test_kappa(rows: Rows) -> None:
    """Fleiss' kappa with any number of people per item, or the reason why there is none."""
    try:
        found = fleiss_kappa(frame(rows)).value
    except Absent:
        with pytest.raises(ZeroDivisionError):
            literal_kappa(rows)
        return
    assert found == pytest.approx(literal_kappa(rows))


def test_kappa_of_the_published_example() -> None:
    """Fourteen people, ten subjects, five categories: the example that textbooks print, kappa 0.210."""
    table = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    rows = []
    for item, counts in enumerate(table):
        values = [category for category, count in enumerate(counts) for _ in range(count)]
        rows += [(str(item), str(worker), str(value)) for worker, value in enumerate(values)]
    assert fleiss_kappa(frame(rows)).value == pytest.approx(0.20993, abs=1e-5)


def literal_dawid_skene(rows: Rows, rounds: int) -> dict[str, float]:
    """Expectation and maximisation in loops over everything, as the paper writes it."""
    items, workers, classes = (sorted({row[place] for row in rows}) for place in range(3))
    truth = {i: dict.fromkeys(classes, 0.0) for i in items}
    for i, _, v in rows:
        truth[i][v] += 1
    for i in items:
        total = sum(truth[i].values())
        truth[i] = {c: n / total for c, n in truth[i].items()}
    for step in range(rounds + 1):
        prior = {c: sum(truth[i][c] for i in items) / len(items) for c in classes}
        told = {w: {c: dict.fromkeys(classes, 0.01) for c in classes} for w in workers}
        for i, w, v in rows:
            for c in classes:
                told[w][c][v] += truth[i][c]
        for w, c in itertools.product(workers, classes):
            total = sum(told[w][c].values())
            told[w][c] = {v: n / total for v, n in told[w][c].items()}
        if step == rounds:
            return {w: sum(prior[c] * told[w][c][c] for c in classes) for w in workers}
        for i in items:
            likely = {c: max(prior[c], 1e-12) * math.prod(told[w][c][v] for j, w, v in rows if j == i) for c in classes}
            truth[i] = {c: n / sum(likely.values()) for c, n in likely.items()}
    raise AssertionError


@given(said)
def test_dawid_skene(rows: Rows) -> None:
    """The same reliabilities after the same rounds."""
    found = dict(dawid_skene(frame(rows), rounds=3).workers.rows())
    assert found == pytest.approx(literal_dawid_skene(rows, 3), abs=1e-4)


def test_dawid_skene_sees_through_bias() -> None:
    """One who always says yes is no reliable worker, and the truth is found."""
    draw = random.Random(1)
    truth = {str(item): draw.choice(["yes", "no"]) for item in range(200)}
    flip = {"yes": "no", "no": "yes"}
    rows = [(i, w, t if draw.random() < 0.9 else flip[t]) for i, t in truth.items() for w in "abc"]
    rows += [(i, "d", "yes") for i in truth]
    found = dawid_skene(frame(rows))
    reliable = dict(found.workers.rows())
    assert min(reliable[w] for w in "abc") > 0.8
    assert reliable["d"] < 0.7
    assert sum(truth[item] == value for item, value, _ in found.items.rows()) >= 185
    with pytest.raises(Absent, match="51 different values"):
        dawid_skene(frame([(str(n), "a", str(n)) for n in range(51)]))


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Work]:
    database = Database(tmp_path / "work.db")
    yield Work(database)
    database.close()


def spearman(one: list[float], other: list[float]) -> float:
    ranks = [pl.Series(each).rank().to_list() for each in (one, other)]
    return float(pl.DataFrame(ranks, schema=["a", "b"]).select(pl.corr("a", "b")).item())


@pytest.mark.parametrize(("kind", "k"), [("answer", 10), ("commonsense", 10), ("choose", 5)])
def test_simulated_workers_are_ranked_by_competence(work: Work, kind: str, k: int) -> None:
    """Reported agreement, reliability and gold follow the competence that was put in (Spearman at least 0.9)."""
    people = crowd(12, 0.35, 0.95)
    work.create_study("pilot", kind, settings=Settings(k=k, gold_share=0.2, gold_mark=0.0, units=5))
    choices = [f"choice {number}" for number in range(4)]
    work.add_items(
        "pilot",
        [
            Item(key=str(n), question_id=str(n), content={"question": f"Is {n} red?", "choices": choices})
            for n in range(150)
        ],
    )
    known = {"answer": "yes", "needs_commonsense": "yes", "choice": "choice 1"}
    gold = [
        Item(key=f"g{n}", content={"question": f"gold {n}?", "choices": choices}, kind="gold", expected=known)
        for n in range(20)
    ]
    if kind != "commonsense":
        work.add_items("pilot", gold)
    assert simulate(work, "pilot", people) >= 80 * k
    found = work.quality("pilot").workers
    names = {work.worker("simulated", each.name): each.competence for each in people}
    competence = [names[worker] for worker in found["worker"]]
    assert spearman(competence, found["agreement"].to_list()) >= 0.9
    if kind != "answer":
        assert spearman(competence, found["reliability"].to_list()) >= 0.9


def test_a_study_as_a_whole(work: Work) -> None:
    """Agreement, confidence and human accuracy of answers; questions have no values to compare."""
    work.create_study("pilot", "answer", settings=Settings(k=10))
    work.add_items(
        "pilot", [Item(key=str(n), question_id=str(n), content={"question": f"Is {n} red?"}) for n in range(40)]
    )
    simulate(work, "pilot", crowd(12, 0.8, 0.95))
    found = work.quality("pilot")
    assert all(measure.value is not None and measure.value > 0.5 for measure in found.measures)
    assert found.bands is not None and found.bands["questions"].sum() == 40  # noqa: PT018 - the second needs the first
    assert found.people is not None and found.people["accuracy"].item() > 0.85  # noqa: PT018 - as above
    assert quality([]).measures[0].absent == "no question has two values to compare"
    assert values_of([]).height == 0
