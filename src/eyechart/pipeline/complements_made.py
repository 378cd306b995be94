"""Complementary pictures that are made: an abstract scene is changed as little as changes the answer to a question."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.complements_found import NO_ANSWER, NO_PROGRAM, Pick, Row, executed, refused
from eyechart.questions import Program, SceneGraph, Thing
from eyechart.scenes import generate
from eyechart.store import Benchmark

__all__ = ["Origin", "edited", "with_splits", "world_of"]

_NO_EDIT = "no small change of the picture changes the answer"


@dataclass(frozen=True)
class Origin:
    """The world that scenes were composed by."""

    world: generate.World
    seed: int
    composer: generate.Composer


def world_of(benchmark: Benchmark) -> Origin:
    """The world of a benchmark of abstract scenes, which its manifest names, or that of the one it was made of."""
    made_by = benchmark.manifest.made_by
    while made_by.stage != "generate":
        source = made_by.config.get("benchmark")
        if not isinstance(source, str) or not (Path(source) / "benchmark.json").is_file():
            raise DataError(
                f"{benchmark.folder}: found no world that its scenes were composed by, expected scenes of "
                "eyechart scenes generate (with the benchmarks between still in their places); "
                "look among neighbours instead: --how graphs"
            )
        made_by = Benchmark.open(source).manifest.made_by
    world = generate.read_world(made_by.config["world"])
    if made_by.config["strength"] is not None:
        world = generate.with_strength(world, made_by.config["strength"], "world")
    return Origin(world, made_by.config["seed"], generate.Composer(world))


def edited(questions: pl.DataFrame, opened: Benchmark) -> tuple[list[Pick], dict[str, generate.Composition]]:
    """Picks of pictures that are made for their questions, and what these pictures show."""
    origin = world_of(opened)
    picks: list[Pick] = []
    made: dict[str, generate.Composition] = {}
    for row in questions.iter_rows(named=True):
        pick, composition = _edited(row, origin)
        picks.append(pick)
        if composition is not None:
            made[pick["image_id"]] = composition
    return picks, made


def _edited(row: Row, origin: Origin) -> tuple[Pick, generate.Composition | None]:
    """The least change of a question's picture after which the executor answers otherwise."""
    if not row["program"]:
        return refused(row, NO_PROGRAM), None
    composition, stock = origin.composer.compose(int(row["image_id"]), origin.seed), origin.composer.stock
    answer = partial(_answer_of, row, composition.scene.background)
    if answer(generate.depict([composition], stock)[0]) is None:
        return refused(row, NO_ANSWER), None
    found = generate.edit(composition, answer, about=_clips(Program.read(row["program"]), composition))
    if found is None:
        return refused(row, _NO_EDIT), None
    said = answer(generate.depict([found.composition], stock)[0])
    change = f"{found.change} of {found.object_id}"
    pick = {"question_id": row["question_id"], "image_id": f"{row['question_id']}-c", "answer": said, "change": change}
    return pick, found.composition


def _answer_of(row: Row, background: str, graph: generate.Graph) -> str | None:
    return executed(row, _as_scene_graph(graph, background))


def _clips(program: Program, composition: generate.Composition) -> list[str]:
    """The clips that a question names; all if it names none."""
    there = {f"{clip.name}-{clip.instance}" for clip in composition.scene.clips}
    named = {each.partition("/")[0] for ids in program.referents for each in ids or ()}
    return sorted(named & there)


def _as_scene_graph(graph: generate.Graph, background: str) -> SceneGraph:
    """A composed graph as the executor reads it."""
    return SceneGraph(
        things={each.object_id: Thing(each.object_id, each.name, each.attributes, each.box) for each in graph.things},
        relations=frozenset((link.subject, link.predicate, link.object) for link in graph.links),
        location=graph.location,
        weather=graph.weather,
        width=graph.width,
        height=graph.height,
        inventories=frozenset(generate.complete_kinds(graph, background)),
    )


def with_splits(images: pl.DataFrame, picks: Sequence[Row], questions: pl.DataFrame) -> pl.DataFrame:
    """Edited pictures in the splits of their questions."""
    source = pl.DataFrame(
        {"image_id": [row["image_id"] for row in picks], "question_id": [row["question_id"] for row in picks]},
        schema={"image_id": pl.String, "question_id": pl.String},
    ).join(questions.select("question_id", "split"), on="question_id")
    joined = images.drop("split").join(
        source.select("image_id", "split"), on="image_id", how="left", maintain_order="left"
    )
    return joined.select(images.columns)
