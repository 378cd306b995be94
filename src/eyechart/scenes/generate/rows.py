"""Many scenes at once: from compositions and their graphs to rows of a benchmark's tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from eyechart.scenes.generate.captions import captions
from eyechart.scenes.generate.compose import Composer
from eyechart.scenes.generate.composition import Composition
from eyechart.scenes.generate.depict import sketch, spatial
from eyechart.scenes.generate.graph import Graph
from eyechart.scenes.generate.inventory import complete_kinds
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.generate.questions import probe_question
from eyechart.scenes.generate.world import World
from eyechart.scenes.ontology import packaged_ontology
from eyechart.scenes.render import rows_of
from eyechart.tables import TABLES

__all__ = ["Tables", "generate", "tabulate"]

Tables = dict[str, pl.DataFrame]

Columns = dict[str, list[Any]]  # of one table

_SOURCE = "eyechart"
_EVIDENCE = "drawn"
"""How it is known that a graph is complete."""


@dataclass(frozen=True, slots=True)
class Made:
    """A scene with its graph."""

    image_id: str
    composition: Composition
    graph: Graph
    lots: Lots


def generate(world: World, numbers: Iterable[int], seed: int, composer: Composer | None = None) -> Tables:
    """The scenes of some numbers as tables: pictures to draw, graphs, captions, questions.

    A number's scene is the same whatever else is generated with it.

    >>> from eyechart.scenes.generate.reading import packaged_world
    >>> tables = generate(packaged_world("natural"), [3, 5], seed=1)
    >>> tables["images"]["image_id"].to_list(), tables["captions"].height
    (['3', '5'], 10)
    """
    composer = composer or Composer(world)
    made = []
    for number in numbers:
        composition = composer.compose(number, seed)
        made.append(Made(str(number), composition, sketch(composition, composer.stock), Lots(seed, number)))
    return tabulate(made, world)


def tabulate(made: Sequence[Made], world: World) -> Tables:
    """Rows of made scenes."""
    images = _images(made, world)
    return {
        "images": images,
        "cliparts": rows_of((each.image_id, each.composition.scene) for each in made),
        "objects": _objects(made),
        "attributes": _attributes(made),
        "relations": _relations(made),
        "inventories": _inventories(made),
        "captions": _captions(made),
        "questions": _questions(made, world, images["split"]),
    }


def _images(made: Sequence[Made], world: World) -> pl.DataFrame:
    splits = [each.lots.choose(world.splits, "split") if world.splits else None for each in made]
    return _frame(
        "images",
        {
            "image_id": [each.image_id for each in made],
            "split": splits,
            "width": [each.graph.width for each in made],
            "height": [each.graph.height for each in made],
            "file": [f"{each.image_id}.png" for each in made],
            "source": [_SOURCE] * len(made),
            "location": [each.graph.location for each in made],
            "weather": [each.graph.weather for each in made],
        },
    )


def _objects(made: Sequence[Made]) -> pl.DataFrame:
    names = ("image_id", "object_id", "name", "x", "y", "w", "h", "instances")
    rows = [
        (each.image_id, thing.object_id, thing.name, *thing.box, thing.count)
        for each in made
        for thing in each.graph.things
    ]
    return _frame("objects", _columns(rows, names))


def _attributes(made: Sequence[Made]) -> pl.DataFrame:
    rows = [
        (each.image_id, thing.object_id, attribute)
        for each in made
        for thing in each.graph.things
        for attribute in thing.attributes
    ]
    return _frame("attributes", _columns(rows, ("image_id", "object_id", "attribute")))


def _relations(made: Sequence[Made]) -> pl.DataFrame:
    """What is true by construction first, then what follows from the boxes."""
    names = ("image_id", "subject_id", "predicate", "object_id")
    rows = [(each.image_id, *link) for each in made for link in each.graph.links]
    stated = pl.DataFrame(_columns(rows, names), schema=dict.fromkeys(names, pl.String))
    found = pl.concat([stated, spatial((each.image_id, each.graph) for each in made)])
    order = pl.DataFrame({"image_id": [each.image_id for each in made]}).with_row_index("place")
    ordered = found.unique(maintain_order=True).join(order, on="image_id", maintain_order="left")
    return TABLES["relations"].conform(ordered.sort("place", maintain_order=True).drop("place"))


def _inventories(made: Sequence[Made]) -> pl.DataFrame:
    rows = [
        (each.image_id, kind, _EVIDENCE)
        for each in made
        for kind in complete_kinds(each.graph, each.composition.scene.background)
    ]
    return _frame("inventories", _columns(rows, ("image_id", "kind", "evidence")))


def _captions(made: Sequence[Made]) -> pl.DataFrame:
    rows = [
        (each.image_id, f"{each.image_id}-{place}", f"grammar-{place}", caption)
        for each in made
        for place, caption in enumerate(captions(each.graph, each.lots))
    ]
    return _frame("captions", _columns(rows, ("image_id", "caption_id", "worker_id", "caption")))


def _questions(made: Sequence[Made], world: World, splits: pl.Series) -> pl.DataFrame:
    rows = []
    for each, split in zip(made, splits, strict=True):
        row = probe_question(each.graph, each.composition.probe, world.asked, each.lots)
        if row is not None:
            rows.append({"question_id": f"{each.image_id}-0", "image_id": each.image_id, "split": split, **row})
    return TABLES["questions"].conform(pl.DataFrame(rows) if rows else TABLES["questions"].empty())


def _columns(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> Columns:
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True)) if rows else {name: [] for name in names}


def _frame(table: str, columns: Columns) -> pl.DataFrame:
    schema = TABLES[table].schema
    return TABLES[table].conform(pl.DataFrame({name: pl.Series(v, dtype=schema[name]) for name, v in columns.items()}))


def words_of(made: Sequence[Made]) -> set[str]:
    """Every noun, attribute and relation that some scenes use and the ontology lacks."""
    ontology = packaged_ontology()
    found = {thing.name for each in made for thing in each.graph.things} - ontology.nouns.keys()
    found |= {a for each in made for thing in each.graph.things for a in thing.attributes} - ontology.attributes.keys()
    return found | ({link.predicate for each in made for link in each.graph.links} - ontology.relations.keys())
