"""Counts of parts add up to counts of the whole, whichever way they are kept."""

import numpy as np
import polars as pl
from made_graphs import made_graphs

from eyechart.questions.asking import engine
from eyechart.questions.bind.counts import Counts, count


def test_parts_add_up() -> None:
    """Two halves, as tables and as numbers, are the whole."""
    made = engine()
    first, second = made_graphs(20, seed=1), made_graphs(25, seed=1, first=20)
    whole = count(made.world({name: pl.concat([first[name], second[name]]) for name in first}))
    halves = [count(made.world(tables)) for tables in (first, second)]
    for found in (halves[0] + halves[1], Counts.of(pl.concat([half.tallies for half in halves]), made.codes)):
        assert found.images == whole.images == 45
        for name in ("kinds", "together", "values", "links", "link_counts"):
            assert np.array_equal(getattr(found, name), getattr(whole, name)), name


def test_what_stands_in_a_relation_is_likely_there() -> None:
    """Candidates for the other end of a link are those that were seen there, the most frequent first."""
    made = engine()
    tables = made_graphs(60, seed=2)
    counted = count(made.world(tables))
    man, wearing = made.codes.kinds.code["man"], made.codes.relations.code["wearing"]
    candidates, weights = counted.objects.candidates(np.array([man]), np.array([wearing]))
    names = {made.codes.kinds[each] for each in candidates.values}
    seen = tables["relations"].join(
        tables["objects"].select("image_id", "object_id", "name"), on=["image_id", "object_id"], how="left"
    )
    assert names
    assert names <= {made.codes.kinds[made.codes.kind_of(each)] for each in seen["name"].unique()}
    assert (np.diff(weights) <= 0).all()
