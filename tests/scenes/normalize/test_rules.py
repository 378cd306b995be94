"""Each rule of cleaning, on a graph made for it."""

import polars as pl
import pytest
from graphs_by_hand import clean, edges, facts, graph, names, rules, together

DOG, CAT = (10.0, 60.0, 20.0, 20.0), (70.0, 60.0, 20.0, 20.0)


def with_copies(tables: dict[str, pl.DataFrame], count: int) -> dict[str, pl.DataFrame]:
    """The same picture many times."""
    ids = pl.DataFrame({"image": [str(number) for number in range(count)]})
    return {
        name: rows.join(ids, how="cross").with_columns(image_id="image").drop("image").select(rows.columns)
        for name, rows in tables.items()
    }


def test_words_become_those_of_the_ontology() -> None:
    """Names, attributes and predicates at once, and what stood in them is told."""
    raw = graph(
        [("a", "Big BIKE."), ("b", "man's red shirt")], [("b", "Cotton"), ("a", "grey")], [("a", "is NEXT to", "b")]
    )
    cleaned = clean(raw)
    assert names(cleaned) == {"a": "bicycle", "b": "shirt"}
    assert facts(cleaned) == {("a", "large"), ("a", "gray"), ("b", "red"), ("b", "cotton")}
    assert ("a", "next to", "b") in edges(cleaned)


def test_another_name_where_the_first_is_unknown() -> None:
    """Annotators gave several names: the first that is known counts."""
    raw = graph([("a", "xyzzy")])
    raw["objects"] = raw["objects"].with_columns(other_names=pl.Series([["plugh", "kettle", "dog"]]))
    cleaned = clean(raw)
    assert names(cleaned) == {"a": "kettle"}
    assert rules(cleaned, "object") == [("xyzzy", "kettle", "another name")]


def test_unknown_and_amorphous_things_go_with_what_is_said_of_them() -> None:
    """Their attributes and relations stand in the ledger, too."""
    raw = graph([("a", "xyzzy"), ("b", "area"), ("c", "dog")], [("a", "red")], [("a", "on", "c"), ("c", "in", "b")])
    cleaned = clean(raw)
    assert names(cleaned) == {"c": "dog"}
    assert facts(cleaned) == edges(cleaned) == set()
    assert ("xyzzy", None, "unknown word") in rules(cleaned, "object")
    assert ("area", None, "amorphous") in rules(cleaned, "object")
    assert rules(cleaned, "attribute") == [("red", None, "went along")]
    assert sorted(rules(cleaned, "relation")) == [("in", None, "went along"), ("on", None, "went along")]


def test_what_is_rare_is_dropped() -> None:
    """By its share of all of its kind; the threshold is a setting."""
    raw = together(
        with_copies(graph([("a", "dog"), ("b", "cat")], [("a", "red")], [("a", "near", "b")]), 50),
        graph([("a", "okapi"), ("b", "dog")], [("b", "purple")], [("b", "behind", "a")], image="rare"),
    )
    kept, dropped = clean(raw), clean(raw, rare=0.05)
    assert "okapi" in kept["objects"]["name"]
    assert "okapi" not in dropped["objects"]["name"]
    assert "purple" not in dropped["attributes"]["attribute"]
    assert set(dropped["changes"].filter(rule="rare")["was"]) == {"okapi", "purple"}
    raw["objects"] = raw["objects"].with_columns(pl.col("name").replace("okapi", "cat"))
    assert set(clean(raw, rare=0.05)["changes"].filter(rule="rare")["was"]) == {"purple", "behind"}


def test_copies_are_merged() -> None:
    """The one that more is said of stays; what was said of the other is said of it; ids are kept."""
    raw = graph(
        [("a", "dog", DOG), ("b", "dog", (10, 60, 20, 18)), ("c", "cat", CAT)],
        [("a", "brown"), ("b", "wet"), ("a", "small")],
        [("a", "behind", "c"), ("c", "chasing", "b"), ("a", "behind", "b")],
    )
    cleaned = clean(raw)
    assert names(cleaned) == {"a": "dog", "c": "cat"}
    assert facts(cleaned) == {("a", "brown"), ("a", "wet"), ("a", "small")}
    assert {("a", "behind", "c"), ("c", "chasing", "a")} <= edges(cleaned)
    assert cleaned["objects"].filter(object_id="a")["merged_ids"].to_list() == [["b"]]
    merged = cleaned["changes"].filter(rule="duplicate").row(0, named=True)
    assert (merged["object_id"], merged["other_id"], merged["was"], merged["became"]) == ("b", "a", "dog", None)


@pytest.mark.parametrize(
    ("one", "other", "share", "left"),
    [
        ("dog", "dog", 0.75, 1),
        ("dog", "dog", 0.6, 2),
        ("dog", "puppy", 0.9, 1),
        ("dog", "puppy", 0.8, 2),
        ("man", "woman", 0.99, 2),
        ("dog", "table", 0.99, 2),
    ],
)
def test_how_much_must_overlap(one: str, other: str, share: float, left: int) -> None:
    """Of the larger box: least for equal names, more for kinds of each other; never a man and a woman."""
    raw = graph([("a", one, (0, 0, 100, 50)), ("b", other, (0, 0, 100 * share, 50))])
    assert clean(raw)["objects"].height == left


def test_the_more_special_name_stays() -> None:
    """A thing that is called animal and dog is a dog."""
    raw = graph([("a", "animal", DOG), ("b", "dog", DOG)], [("a", "brown"), ("a", "wet")])
    cleaned = clean(raw)
    assert names(cleaned) == {"a": "dog"}
    assert ("animal", "dog", "more special name") in rules(cleaned, "object")


def test_stuff_within_stuff_is_one() -> None:
    """Grass in grass, trees in trees; but a dog in front of another is another."""
    inner, outer = (40.0, 40.0, 10.0, 10.0), (0.0, 0.0, 100.0, 100.0)
    for name, left in (("grass", 1), ("trees", 1), ("tree", 2)):
        cleaned = clean(graph([("a", name, inner), ("b", name, outer)], [("a", "green")]))
        assert cleaned["objects"].height == left, name
        assert facts(cleaned) == {("b" if left == 1 else "a", "green")}


def test_tiles_are_not_one() -> None:
    """A row of things that each overlap the next does not become one thing."""
    row = [(str(number), "book", (10.0 * number, 0.0, 60.0, 20.0)) for number in range(4)]
    assert clean(graph(row), same_name=0.8)["objects"].height >= 2


def test_parts_belong_to_whom_they_are_in() -> None:
    """Body parts are of somebody, clothes are worn; not if two could be the owner, nor if somebody has said it."""
    man, hat, leg = (0.0, 0.0, 40.0, 100.0), (10.0, 0.0, 20.0, 15.0), (10.0, 60.0, 10.0, 40.0)
    cleaned = clean(graph([("m", "man", man), ("h", "hat", hat), ("l", "leg", leg)]))
    assert {("m", "wearing", "h"), ("l", "of", "m")} <= edges(cleaned)
    two = graph([("m", "man", man), ("w", "woman", (5.0, 0.0, 40.0, 90.0)), ("h", "hat", hat)])
    assert not {edge for edge in edges(clean(two)) if edge[1] == "wearing"}
    said = graph([("m", "man", man), ("h", "hat", hat)], [], [("m", "holding", "h")])
    assert not {edge for edge in edges(clean(said)) if edge[1] == "wearing"}


def test_a_name_tells_the_owner() -> None:
    """The shirt of a "man's shirt" is the man's, though another could be it by the boxes."""
    box = (0.0, 0.0, 40.0, 100.0)
    raw = graph(
        [("m", "man", box), ("w", "woman", (5.0, 0.0, 40.0, 90.0)), ("s", "man's shirt", (8.0, 20.0, 20.0, 20.0))]
    )
    assert ("m", "wearing", "s") in edges(clean(raw))


@pytest.mark.parametrize(
    ("triple", "becomes"),
    [
        (("man", "in", "shirt"), ("a", "wearing", "b")),
        (("shirt", "on", "man"), ("b", "wearing", "a")),
        (("leg", "attached to", "dog"), ("a", "of", "b")),
        (("hand", "riding", "horse"), None),
        (("man", "riding", "horse"), ("a", "riding", "b")),
        (("cup", "drinking", "table"), None),
        (("cup", "sitting on", "table"), ("a", "sitting on", "b")),
    ],
)
def test_triples(triple: tuple[str, str, str], becomes: tuple[str, str, str] | None) -> None:
    """Rewritten, turned round or dropped by categories; natural ones stay."""
    subject, relation, target = triple
    cleaned = clean(graph([("a", subject), ("b", target)], [], [("a", relation, "b")]))
    assert edges(cleaned) == ({becomes} if becomes else set())


def test_often_annotated_triples_are_trusted() -> None:
    """What categories forbid but many people wrote stays."""
    strange = graph([("a", "cup"), ("b", "table")], [], [("a", "drinking", "b")])
    assert clean(with_copies(strange, 49))["relations"].height == 0
    assert clean(with_copies(strange, 50))["relations"].height == 50


def test_triples_that_are_rarer_than_chance() -> None:
    """Two kinds of triples that share a relation but are never mixed: the one mix is a mistake."""
    raw = together(
        with_copies(graph([("a", "plane"), ("b", "sky")], [], [("a", "in", "b")]), 100),
        {
            name: rows.with_columns(image_id=pl.lit("x") + pl.col("image_id"))
            for name, rows in with_copies(graph([("a", "cup"), ("b", "kitchen")], [], [("a", "in", "b")]), 100).items()
        },
        graph([("a", "plane"), ("b", "kitchen")], [], [("a", "in", "b")], image="odd"),
    )
    cleaned = clean(raw)
    dropped = cleaned["changes"].filter(rule="rarer than chance")
    assert dropped.select("image_id", "was", "why").rows() == [("odd", "in", "1 times, 51 by chance")]
    assert cleaned["relations"].height == 200


def test_scores_of_phrases() -> None:
    """A triple with a low score goes; one without a score is not judged."""
    raw = graph([("a", "dog"), ("b", "grass"), ("c", "cat")], [], [("a", "in", "b"), ("a", "near", "c")])
    cleaned = clean(raw, ngrams={"dog in grass": 0.2, "cat near dog": 0.1})
    assert edges(cleaned) == {("a", "near", "c")}
    assert ("in", None, "n-gram") in rules(cleaned, "relation")
    assert ("a", "in", "b") in edges(clean(raw, ngrams={"dog in grass": 1.0}))


def test_nothing_is_related_to_itself() -> None:
    """A slip of the annotator."""
    cleaned = clean(graph([("a", "dog")], [], [("a", "near", "a")]))
    assert rules(cleaned, "relation") == [("near", None, "to itself")]


def test_opposites_are_both_dropped() -> None:
    """Neither of two attributes that exclude each other is known to hold."""
    cleaned = clean(graph([("a", "man")], [("a", "tall"), ("a", "short"), ("a", "old")]))
    assert facts(cleaned) == {("a", "old")}
    assert {rule for _, _, rule in rules(cleaned, "attribute")} == {"contradiction"}


def test_the_context_decides_on_senses() -> None:
    """A mouse among computers is one of them; among cats it is not."""
    office = graph([("a", "mouse"), ("b", "keyboard"), ("c", "computer monitor"), ("d", "desk"), ("e", "printer")])
    barn = graph([("a", "mouse"), ("b", "cat"), ("c", "house")])
    assert names(clean(office))["a"] == "computer mouse"
    assert names(clean(barn))["a"] == "mouse"
    told = clean(office)["changes"].filter(rule="sense by context").row(0, named=True)
    assert told["was"] == "mouse"
    assert told["why"].startswith("computer mouse")


def test_counts_of_the_set_decide_on_senses() -> None:
    """Where places do not tell, what is seen together often does; "mouse" itself counts for neither sense."""
    pairs = with_copies(graph([("a", "computer mouse"), ("b", "kite")]), 30)
    alone = {
        name: rows.with_columns(image_id=pl.lit("x") + pl.col("image_id"))
        for name, rows in with_copies(graph([("a", "dog")]), 270).items()
    }
    raw = together(pairs, alone, graph([("a", "mouse"), ("b", "kite")], image="open"))
    cleaned = clean(raw, sense_margin=0.1)
    assert cleaned["objects"].filter(image_id="open", object_id="a")["name"].item() == "computer mouse"


def test_edges_of_boxes() -> None:
    """Sides, heights, nearness both ways; what somebody has said is not said again, what boxes contradict goes."""
    raw = graph(
        [("a", "dog", DOG), ("b", "cat", (35, 60, 20, 20))],
        [],
        [("a", "to the left of", "b"), ("b", "left of", "a")],
    )
    cleaned = clean(raw)
    sides = {edge for edge in edges(cleaned) if "to the" in edge[1]}
    assert sides == {("a", "to the left of", "b"), ("b", "to the right of", "a")}
    assert ("to the left of", None, "against the boxes") in rules(cleaned, "relation")
    assert rules(cleaned, "relation").count((None, "to the left of", "boxes")) == 0
    assert (None, "to the right of", "boxes") in rules(cleaned, "relation")


def test_same_values_are_marked() -> None:
    """Between the only things of their names, by their only value, both ways; not shades, not names that are twice."""
    raw = graph(
        [("a", "dog"), ("b", "cup"), ("c", "car"), ("d", "car"), ("e", "hat"), ("f", "sky"), ("g", "door")],
        [
            *(("a", "brown"), ("b", "brown"), ("c", "brown"), ("e", "brown"), ("e", "light blue"), ("b", "round")),
            *(("f", "light blue"), ("g", "light blue")),
        ],
    )
    marked = {edge for edge in edges(clean(raw)) if edge[1].startswith("the same")}
    assert marked == {("a", "the same color as", "b"), ("b", "the same color as", "a")}


@pytest.mark.parametrize(
    ("things", "location"),
    [
        ([("a", "kitchen", (0.0, 0.0, 100.0, 60.0))], "kitchen"),
        ([("a", "stove"), ("b", "refrigerator"), ("c", "cutting board"), ("d", "spatula"), ("e", "oven")], "kitchen"),
        ([("a", "sky"), ("b", "dog")], "outdoors"),
        ([("a", "ceiling"), ("b", "dog")], "indoors"),
        ([("a", "ceiling"), ("b", "sky")], None),
        ([("a", "dog")], None),
    ],
)
def test_places(things: list[tuple[str, str]], location: str | None) -> None:
    """A place that fills the picture, one that many things are at home in, a roof or the sky; else nothing."""
    assert clean(graph(things))["images"]["location"].item() == location


def test_a_known_place_stays() -> None:
    """What the source says is not guessed again."""
    raw = graph([("a", "sky"), ("b", "snow")], [("b", "falling")])
    raw["images"] = raw["images"].with_columns(location=pl.lit("park"), weather=pl.lit("sunny"))
    assert clean(raw)["images"].select("location", "weather").row(0) == ("park", "sunny")


@pytest.mark.parametrize(
    ("facts_", "weather"),
    [
        ([("a", "cloudy")], "cloudy"),
        ([("a", "clear")], "clear"),
        ([("b", "falling")], "snowy"),
        ([("a", "blue")], None),
        ([("a", "cloudy"), ("b", "falling")], None),
    ],
)
def test_weather(facts_: list[tuple[str, str]], weather: str | None) -> None:
    """What the sky shows and what falls from it, where they agree."""
    assert clean(graph([("a", "sky"), ("b", "snow")], facts_))["images"]["weather"].item() == weather


def test_numbers_of_instances() -> None:
    """Told by names; one where nothing else is said, unknown where a plural is."""
    cleaned = clean(graph([("a", "two dogs"), ("b", "trees"), ("c", "cup")]))
    assert dict(cleaned["objects"].select("object_id", "instances").iter_rows()) == {"a": 2, "b": None, "c": 1}


def test_empty_tables() -> None:
    """Nothing in, nothing out, with all columns."""
    cleaned = clean({name: rows.clear() for name, rows in graph([("a", "dog")]).items()})
    assert all(rows.is_empty() for rows in cleaned.values())
