"""The ledger holds every change: with the raw graphs it gives the clean ones; pictures do not influence each other."""

import polars as pl
from graphs_by_hand import clean, context_of, graph, together
from hypothesis import given, settings
from hypothesis import strategies as st

from eyechart.scenes.normalize import Graphs, apply, normalize
from eyechart.scenes.normalize.ledger import with_ids

NAMES = ["Dog", "dog", "puppy", "man's shirt", "man", "a hat", "two cups", "xyzzy", "area", "mouse", "grass", "red car"]
ATTRIBUTES = ["Red", "red", "tall", "short", "asleep", "qwx", "made of wood", "not red"]
PREDICATES = ["ON", "on", "is wearing", "in", "left of", "to the left of", "riding", "of", "qwx", "not", "sees"]
SIDES = st.sampled_from([0.0, 10.0, 20.0, 45.0, 60.0])
IDS = ["a", "b", "c", "d", "e"]

GRAPHS = st.builds(
    lambda things, attributes, relations: graph(
        [(each, *rest) for each, rest in zip(IDS, things, strict=False)],
        [fact for fact in attributes if fact[0] in IDS[: len(things)]],
        [edge for edge in relations if {edge[0], edge[2]} <= set(IDS[: len(things)])],
    ),
    st.lists(
        st.tuples(
            st.sampled_from(NAMES),
            st.tuples(SIDES, SIDES, st.sampled_from([10.0, 11.0, 40.0]), st.sampled_from([10.0, 11.0, 40.0])),
        ),
        max_size=5,
    ),
    st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(ATTRIBUTES)), max_size=5),
    st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from(PREDICATES), st.sampled_from(IDS)), max_size=6),
)

COMPARED = {
    "objects": ["object_id", "name"],
    "attributes": ["object_id", "attribute"],
    "relations": ["subject_id", "predicate", "object_id"],
    "images": ["image_id", "location", "weather"],
}


def rows(graphs: Graphs, table: str) -> set[tuple[object, ...]]:
    """What a table says, in no order."""
    return set(getattr(graphs, table).select(COMPARED[table]).rows())


@given(GRAPHS)
@settings(max_examples=30, deadline=None)
def test_the_ledger_is_the_whole_story(raw: dict[str, pl.DataFrame]) -> None:
    """The raw graph, and one row of the ledger after the other, end at the clean graph."""
    cleaned = clean(raw)
    replayed = Graphs.of(raw)
    for change in cleaned["changes"].iter_slices(1):
        replayed = apply(replayed, change.drop("change_id"))
    for table in COMPARED:
        assert rows(replayed, table) == rows(Graphs.of(cleaned), table), table


@given(GRAPHS)
@settings(max_examples=20, deadline=None)
def test_clean_graphs_are_sound(raw: dict[str, pl.DataFrame]) -> None:
    """Names and relations are of the ontology, ends exist, nothing is twice, ids of changes differ, all has a rule."""
    context = context_of(raw)
    cleaned = normalize(raw, context)
    ids = cleaned["objects"]["object_id"].to_list()
    assert len(set(ids)) == len(ids)
    assert all(context.vocabulary.noun(name) for name in cleaned["objects"]["name"])
    assert set(cleaned["attributes"]["object_id"]) <= set(ids)
    assert set(cleaned["attributes"]["attribute"]) <= context.vocabulary.ontology.attributes.keys()
    assert {*cleaned["relations"]["subject_id"], *cleaned["relations"]["object_id"]} <= set(ids)
    assert set(cleaned["relations"]["predicate"]) <= context.vocabulary.ontology.relations.keys()
    for table in COMPARED:
        assert cleaned[table].is_duplicated().sum() == 0
    assert cleaned["changes"]["change_id"].is_duplicated().sum() == 0
    assert cleaned["changes"].select("rule", "what").null_count().row(0) == (0, 0)


@given(st.lists(GRAPHS, min_size=2, max_size=3))
@settings(max_examples=8, deadline=None)
def test_pictures_do_not_influence_each_other(raw: list[dict[str, pl.DataFrame]]) -> None:
    """With the same counts a set gives what its pictures give one by one, in any order."""
    named = [
        {name: rows.with_columns(image_id=pl.lit(str(number))) for name, rows in each.items()}
        for number, each in enumerate(raw)
    ]
    context = context_of(together(*named))
    whole = normalize(together(*named), context)
    turned = normalize(together(*named[::-1]), context)
    single = [normalize(each, context) for each in named]
    for table, found in whole.items():
        keys = [name for name, dtype in found.schema.items() if dtype != pl.List(pl.String)]
        expected = pl.concat([each[table] for each in single]).sort(keys, nulls_last=True)
        assert found.sort(keys, nulls_last=True).equals(expected), table
        assert turned[table].sort(keys, nulls_last=True).equals(expected), table


def test_cleaning_twice_changes_no_word() -> None:
    """What is clean is read as itself."""
    raw = graph(
        [("a", "man's shirt"), ("b", "two dogs"), ("c", "Red BIKE")], [("a", "grey")], [("a", "is next to", "c")]
    )
    once = clean(raw)
    again = clean({name: once[name] for name in raw})
    assert again["changes"].is_empty()
    assert again["objects"].drop("instances").equals(once["objects"].drop("instances"))


def test_ids_are_of_what_changed() -> None:
    """Another order, or other changes beside it, give a change the same id; another reason, too."""
    cleaned = clean(graph([("a", "Dog"), ("b", "bike"), ("c", "xyzzy")], [("a", "grey")]))["changes"]
    plain = cleaned.drop("change_id")
    assert with_ids(plain.reverse()).reverse()["change_id"].to_list() == cleaned["change_id"].to_list()
    other = with_ids(plain.tail(1).with_columns(why=pl.lit("because")))
    assert other["change_id"].item() == cleaned["change_id"][-1]


def test_ids_do_not_change() -> None:
    """Edits files of people refer to them."""
    change = {"object_id": "1", "other_id": None, "what": "object", "was": "Dog", "became": "dog", "rule": "spelling"}
    schema = dict.fromkeys((*change, "why", "image_id"), pl.String)
    row = pl.DataFrame([{**change, "image_id": "7", "why": ""}], schema=schema)
    assert with_ids(row)["change_id"].to_list() == ["15841372924215758915"]
