"""Two multiple-choice sets with decoys as people write them, over an abstract world that the scene graphs explain.

What is assumed about people comes from what Chao et al. 2018 say of Visual7W, and from three of its numbers:

- They see the question and its right answer, not the picture (section 2), so they name other things of the same kind,
  whatever the picture shows.
- What they name is never the answer to anything as often as there: targets are decoys 7.2 times where chance would have
  it 10.7 times (section 3.2).
- They think of frequent answers sooner than of rare ones, but less so than pictures show them: the exponent of the
  frequency is set so that equation (2) is right as often as there, 48.7 % (section 3.2).
- Nor do they agree on what is right: people who see everything choose the annotated answer in 88.4 % (table 1), so in
  the others the annotation is another answer of the same kind.
"""

from pathlib import Path

import numpy as np
import polars as pl

from eyechart.cli.main import main as eyechart
from eyechart.scenes.ontology import packaged_ontology
from eyechart.store import Benchmark

__all__ = ["abstract_world", "call", "like_visual7w", "like_vqa"]

PER_SCENE, BINARY_PER_SCENE = 12, 7
"""So many open questions and questions of yes and no about a picture; 38 % of the answers in VQA are yes or no."""
DECOYS = 3
NEVER_TRUE = 1 - 7.2 / 10.7
AVAILABLE = 0.5
OTHERWISE = 1 - 0.884
SCENE = ("images", "objects", "attributes", "relations")


def call(*arguments: object) -> None:
    """Type a command."""
    try:
        eyechart([*map(str, arguments), "--quiet"])
    except SystemExit as left:
        if left.code:
            raise


def abstract_world(folder: Path, scenes: int) -> Benchmark:
    """Scenes with balanced questions."""
    call("scenes", "generate", "-o", folder / "world", "-n", scenes)
    call("ask", folder / "world", "-o", folder / "all", "--per-image", 20 * PER_SCENE)
    call("balance", folder / "all", "-o", folder / "asked")
    return Benchmark.open(folder / "asked")


def like_visual7w(world: Benchmark, folder: Path) -> Path:
    """Open questions with four choices: the answer, and three of people."""
    people = People(_some(world, "query", PER_SCENE))
    rows = people.answered()
    right = rows.select("question_id", choice="answer", is_target=pl.lit(value=True), origin=pl.lit("target"))
    wrong = people.offered(rows).with_columns(is_target=pl.lit(value=False), origin=pl.lit("human"))
    offered = (
        pl.concat([right, wrong]).sample(fraction=1, shuffle=True, seed=1).sort("question_id", maintain_order=True)
    )
    with Benchmark.create(folder) as draft:
        for table in SCENE:
            draft.write(table, world.read(table))
        draft.write("questions", rows)
        draft.write("choices", offered.with_columns(position=pl.int_range(pl.len()).over("question_id")))
    return folder


def like_vqa(world: Benchmark, folder: Path) -> Path:
    """Open and binary questions with eighteen choices, three of them answers that people gave without the picture."""
    people = People(_some(world, "query", PER_SCENE))
    rows = people.answered()
    blind = people.offered(rows).select("question_id", answer="choice", shown=pl.lit("nothing"))
    workers = pl.int_range(pl.len()).over("question_id").cast(pl.String)
    before = folder.with_name(f"{folder.name}-open")
    with Benchmark.create(before) as draft:
        for table in SCENE:
            draft.write(table, world.read(table))
        draft.write("questions", pl.concat([rows, _some(world, "verify", BINARY_PER_SCENE)]))
        draft.write("answers", blind.with_columns(worker_id=workers))
    call("choices", before, "-o", folder, "--scheme", "vqa18")
    return folder


def _some(world: Benchmark, kind: str, most: int) -> pl.DataFrame:
    rows = world.scan("questions").filter(pl.col("structural") == kind).sort("question_id").collect()
    return rows.filter(pl.int_range(pl.len()).over("image_id") < most)


class People:
    """What people say to questions of which the scene graphs give the answer."""

    def __init__(self, rows: pl.DataFrame) -> None:
        self._rows = rows
        self._draw = np.random.default_rng(1)
        self._counts = dict(rows.group_by("answer").len().iter_rows())
        self._kinds = dict(rows.group_by("detailed").agg(pl.col("answer").unique().sort()).iter_rows())
        self._alike = {answer: like(answer, set(self._counts)) for answer in self._counts}

    def answered(self) -> pl.DataFrame:
        """The questions, some with another answer than the scene gives."""
        said = [
            (self._known(self._others(kind, answer), 1) or [answer])[0] if self._draw.random() < OTHERWISE else answer
            for kind, answer in self._rows.select("detailed", "answer").iter_rows()
        ]
        return self._rows.with_columns(answer=pl.Series(said))

    def offered(self, rows: pl.DataFrame) -> pl.DataFrame:
        """What they say who know the right answer, but do not see the picture: question_id, choice."""
        found = []
        for key, kind, answer in rows.select("question_id", "detailed", "answer").iter_rows():
            others = self._others(kind, answer)
            never = [each for each in others if each not in self._counts]
            known = self._known(others, DECOYS - min(len(never), int(self._draw.binomial(DECOYS, NEVER_TRUE))))
            strange = self._draw.choice(never, min(len(never), DECOYS - len(known)), replace=False) if never else []
            found += [(key, str(each)) for each in [*known, *strange]]
        return pl.DataFrame(found, schema=["question_id", "choice"], orient="row")

    def _others(self, kind: str, answer: str) -> list[str]:
        """What could be said instead of an answer."""
        return self._alike[answer] or [each for each in self._kinds[kind] if each != answer]

    def _known(self, others: list[str], wanted: int) -> list[str]:
        """Some of what is an answer elsewhere, frequent ones sooner."""
        known = [each for each in others if each in self._counts]
        chances = np.array([self._counts[each] ** AVAILABLE for each in known])
        wanted = min(wanted, len(known))
        return (
            [str(each) for each in self._draw.choice(known, wanted, replace=False, p=chances / chances.sum())]
            if wanted
            else []
        )


def like(answer: str, known: set[str]) -> list[str]:
    """Other names or attributes of the same kind, of which some are answers elsewhere."""
    ontology = packaged_ontology()
    noun, attribute = ontology.noun(answer), ontology.attribute(answer)
    for kind in ontology.ancestors(noun.name) if noun else ():
        members = [each for each in ontology.members(kind) if noun and not ontology.alike(each, noun.name)]
        if len(known & set(members)) >= DECOYS:
            return members
    return [each.name for each in ontology.values(attribute.type) if each.name != attribute.name] if attribute else []
