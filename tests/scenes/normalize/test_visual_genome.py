"""Real raw annotation becomes clean, and the ledger explains the rest."""

from pathlib import Path

import polars as pl
import pytest
from graphs_by_hand import context_of

from eyechart.formats import FORMATS, Shard, read
from eyechart.scenes.normalize import Graphs, coverage, covered, normalize, packaged_vocabulary

Tables = dict[str, pl.DataFrame]


@pytest.fixture
def raw(real_data: Path) -> Tables:
    """The objects, attributes and relationships of the samples."""
    folder = real_data / "visual_genome"
    files = {
        "objects": str(folder / "objects.json"),
        "relationships": str(folder / "relationships.json"),
        "attributes": str(folder / "image_attributes.json"),
    }
    found: dict[str, list[pl.DataFrame]] = {}
    for role, file in files.items():
        for piece in read(FORMATS.load("visual-genome"), Shard({role: file})):
            found.setdefault(piece.table, []).append(piece.rows)
    return {name: pl.concat(found[name]) for name in ("images", "objects", "attributes", "relations")}


@pytest.mark.real_data
def test_most_words_are_mapped(raw: Tables) -> None:
    """At least 95 % of the mentions of things and 90 % of those of relations."""
    columns = {"object": ("objects", "name"), "relation": ("relations", "predicate")}
    graphs = Graphs.of(raw)
    words = pl.concat(
        getattr(graphs, table).group_by(word=column).agg(count=pl.len()).with_columns(kind=pl.lit(kind))
        for kind, (table, column) in columns.items()
    )
    told = coverage(covered(words, packaged_vocabulary()))
    shares = {kind: mapped / mentions for kind, mentions, mapped, *_ in told.iter_rows()}
    assert shares["object"] >= 0.95
    assert shares["relation"] >= 0.9


@pytest.mark.real_data
def test_the_ledger_explains_every_raw_row(raw: Tables) -> None:
    """Each thing, attribute and relation is there as it was, or the ledger says what it became or why it is not."""
    cleaned = normalize(raw, context_of(raw))
    changes = cleaned["changes"]
    graphs = Graphs.of(raw)
    keys = {
        "object": (graphs.objects.select("image_id", "object_id", was="name"), "objects", "name"),
        "attribute": (graphs.attributes.select("image_id", "object_id", was="attribute"), "attributes", "attribute"),
    }
    for what, (rows, table, column) in keys.items():
        same = cleaned[table].select("image_id", "object_id", was=column)
        changed = changes.filter(what=what).select("image_id", "object_id", "was")
        assert rows.join(pl.concat([same, changed]), on=rows.columns, how="anti").is_empty(), what
    edges = graphs.relations.select("image_id", object_id="subject_id", was="predicate", other_id="object_id")
    same = cleaned["relations"].select("image_id", object_id="subject_id", was="predicate", other_id="object_id")
    changed = changes.filter(what="relation").select("image_id", "object_id", "was", "other_id")
    assert edges.join(pl.concat([same, changed]), on=edges.columns, how="anti").is_empty()
    assert changes.filter(pl.col("became").is_null())["rule"].null_count() == 0


@pytest.mark.real_data
def test_nothing_but_words_of_the_ontology_is_left(raw: Tables) -> None:
    """And what was dropped for an unknown word is a small part."""
    context = context_of(raw)
    cleaned = normalize(raw, context)
    ontology = context.vocabulary.ontology
    assert all(context.vocabulary.noun(name) for name in cleaned["objects"]["name"].unique())
    assert set(cleaned["attributes"]["attribute"]) <= ontology.attributes.keys()
    assert set(cleaned["relations"]["predicate"]) <= ontology.relations.keys()
    unknown = cleaned["changes"].filter(rule="unknown word", what="object").height
    assert unknown / raw["objects"].height < 0.05
