"""Scenes as tables: whole keys, references that hold, sentences that say what is so, and the same rows however cut."""

import re

import polars as pl
import pytest

from eyechart.scenes.generate import generate, packaged_world
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.ontology import packaged_ontology
from eyechart.scenes.render import scenes_of
from eyechart.tables import TABLES

COUNT = 120
Tables = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def tables() -> Tables:
    """Some scenes of the natural world."""
    return generate(packaged_world("natural"), range(COUNT), 1)


def test_every_table_fits(tables: Tables) -> None:
    """Schemas, keys and references."""
    for name, rows in tables.items():
        table = TABLES[name]
        assert rows.schema == table.schema
        assert not rows.select(pl.struct(table.key).is_duplicated().any()).item(), name
        for reference in table.references:
            known = tables[reference.table].select(reference.targets)
            lost = rows.join(known, left_on=reference.columns, right_on=reference.targets, how="anti")
            assert lost.height == 0, (name, reference)


def test_a_slice_is_a_slice(tables: Tables) -> None:
    """A scene's rows do not depend on what is made with it."""
    alone = generate(packaged_world("natural"), [70], 1)
    for name, rows in alone.items():
        whole = tables[name]
        assert rows.equals(whole.filter(pl.col("image_id") == "70"), null_equal=True), name


def test_five_captions_each(tables: Tables) -> None:
    """All different, begun with a capital, ended with a period, without a blank that was left."""
    counted = tables["captions"].group_by("image_id").agg(pl.col("caption").n_unique())
    assert counted.height == COUNT
    assert (counted["caption"] == 5).mean() > 0.9
    for caption in tables["captions"]["caption"]:
        assert re.fullmatch(r"[A-Z][^{}]+\.", caption)
        assert "  " not in caption


def test_captions_agree_with_articles(tables: Tables) -> None:
    """A before consonants, an before vowels."""
    text = " ".join(tables["captions"]["caption"])
    assert re.findall(r"\ba ([aeio]\w*)", text) == []
    assert [word for word in re.findall(r"\ban (\w+)", text) if word[0] not in "aeiouh"] == []


def test_questions_have_their_truth(tables: Tables) -> None:
    """The answer is the thing's one colour, and the program names the thing."""
    questions = tables["questions"]
    assert questions.height > COUNT / 3
    colors = {name for name, found in packaged_ontology().attributes.items() if found.type == "color"}
    for row in questions.iter_rows(named=True):
        object_id = re.fullmatch(r".* \((.*)\)", row["program"][0]["argument"]).group(1)  # type: ignore[union-attr]
        own = tables["attributes"].filter(image_id=row["image_id"], object_id=object_id)["attribute"]
        assert [each for each in own if each in colors] == [row["answer"]]


def test_bananas_are_mostly_yellow() -> None:
    """A habit of the world shows in the graphs."""
    found = generate(packaged_world("natural"), range(400), 6)
    bananas = found["objects"].filter(name="banana").join(found["attributes"], on=["image_id", "object_id"])
    share = (bananas["attribute"] == "yellow").sum() / bananas["object_id"].len()
    colored = bananas.filter(pl.col("attribute").is_in(["yellow", "green", "brown"]))
    assert colored.height > 10
    assert share > 0
    assert (colored["attribute"] == "yellow").mean() > 0.7


def test_words_are_the_ontology_s(tables: Tables) -> None:
    """Every noun, attribute and relation is a name that the ontology has."""
    ontology = packaged_ontology()
    assert set(tables["objects"]["name"]) - ontology.nouns.keys() == set()
    assert set(tables["attributes"]["attribute"]) - ontology.attributes.keys() == set()
    assert set(tables["relations"]["predicate"]) - ontology.relations.keys() == set()


def test_the_clip_art_is_the_scene(tables: Tables) -> None:
    """What is drawn later is what was measured."""
    scenes = scenes_of(tables["cliparts"])
    assert list(scenes) == tables["images"]["image_id"].to_list()


def test_splits_are_drawn(tables: Tables) -> None:
    """By the weights of the world, and questions are in the split of their picture."""
    assert set(tables["images"]["split"]) == {"train", "val", "test"}
    both = tables["questions"].join(tables["images"], on="image_id")
    assert both.select((pl.col("split") == pl.col("split_right")).all()).item()


def test_lots_do_not_move_each_other() -> None:
    """A draw depends on its seed, scene, purpose and ids alone."""
    lots = Lots(1, 2)
    first = lots.uniform("color", "dog")
    lots.uniform("size", "dog")
    assert lots.uniform("color", "dog") == first != lots.uniform("color", "cat")
    assert sorted(lots.order(range(9), "order")) == list(range(9))
    with pytest.raises(ValueError, match="found no weight above 0"):
        lots.choose({"red": 0}, "color")
