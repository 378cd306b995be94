"""Raw scene graphs in, clean ones out: which rules there are and in which order, each step a few rows of the ledger."""

from collections.abc import Mapping

import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.normalize.context import Context
from eyechart.scenes.normalize.edges import add_spatial_edges, mark_same
from eyechart.scenes.normalize.graph import Graphs
from eyechart.scenes.normalize.inventories import complete_kinds
from eyechart.scenes.normalize.ledger import Ledger
from eyechart.scenes.normalize.merging import merge_duplicates
from eyechart.scenes.normalize.owners import attach_parts
from eyechart.scenes.normalize.places import infer_locations, infer_weather
from eyechart.scenes.normalize.reading import (
    attributes_told,
    clean_attributes,
    clean_names,
    clean_predicates,
    names_read,
)
from eyechart.scenes.normalize.triples import contradictions, prune_triples
from eyechart.tables import TABLES

__all__ = ["normalize"]


def normalize(tables: Mapping[str, pl.DataFrame], context: Context) -> dict[str, pl.DataFrame]:
    """The clean tables of some pictures, and the ledger of how they came about.

    >>> from eyechart.scenes.normalize.lists import load_settings
    >>> from eyechart.scenes.normalize.tallies import Tallies, survey
    >>> from eyechart.scenes.normalize.vocabulary import packaged_vocabulary
    >>> raw = {"objects": pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["Red apple."]})}
    >>> words = packaged_vocabulary()
    >>> context = Context(words, load_settings(), Tallies(survey(Graphs.of(raw), words)))
    >>> clean = normalize(raw, context)
    >>> clean["objects"]["name"].item(), clean["attributes"]["attribute"].item()
    ('apple', 'red')
    >>> clean["changes"].select("what", "was", "became", "rule").rows()[0]
    ('object', 'Red apple.', 'apple', 'attribute in name')
    """
    graphs, ledger = Graphs.of(dict(tables)), Ledger(context.edits)
    graphs = ledger.record(graphs, context.edits.proposals(graphs))
    graphs, read = _read(graphs, ledger, context)
    graphs = _related(graphs, ledger, context, read)
    inventories = tables.get("inventories", TABLES["inventories"].empty())
    clean = {
        "images": graphs.images,
        "objects": _with_instances(graphs.objects, read),
        "attributes": graphs.attributes,
        "relations": graphs.relations,
        "inventories": complete_kinds(graphs, inventories, context),
        "changes": ledger.changes,
    }
    return {name: TABLES[name].conform(rows) for name, rows in clean.items()}


def _read(graphs: Graphs, ledger: Ledger, context: Context) -> tuple[Graphs, pl.DataFrame]:
    """Every word becomes one of the ontology."""
    read = names_read(graphs, context)
    graphs = ledger.record(graphs, clean_names(read, context))
    graphs = ledger.record(graphs, attributes_told(graphs, read))
    graphs = ledger.record(graphs, clean_predicates(graphs, context))
    return ledger.record(graphs, clean_attributes(graphs, context)), read


def _related(graphs: Graphs, ledger: Ledger, context: Context, read: pl.DataFrame) -> Graphs:
    """What things have to do with each other."""
    graphs = ledger.record(graphs, merge_duplicates(graphs, _placed(graphs), context))
    graphs = ledger.record(graphs, contradictions(graphs, context))
    graphs = ledger.record(graphs, prune_triples(graphs, context))
    placed = _placed(graphs)
    graphs = ledger.record(graphs, attach_parts(graphs, placed, read, context))
    graphs = ledger.record(graphs, add_spatial_edges(graphs, placed))
    graphs = ledger.record(graphs, mark_same(graphs, context))
    graphs = ledger.record(graphs, infer_locations(graphs, placed, context))
    return ledger.record(graphs, infer_weather(graphs, context))


def _placed(graphs: Graphs) -> pl.DataFrame:
    return geometry.boxes(graphs.objects, graphs.images)


def _with_instances(objects: pl.DataFrame, read: pl.DataFrame) -> pl.DataFrame:
    """How many things each box holds, as its name told."""
    told = read.select("image_id", "object_id", found="instances")
    joined = objects.join(told, on=("image_id", "object_id"), how="left", maintain_order="left")
    return joined.with_columns(instances=pl.coalesce("instances", "found")).drop("found")
