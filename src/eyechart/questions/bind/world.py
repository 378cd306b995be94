"""A shard of scene tables in numbers: things, their values, the links between them, what is known to be absent.

Words that the ontology does not know, relations of a thing to itself and links to things that are not there are left
out and counted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key, key_of
from eyechart.questions.arrays.codes import NONE, PLURAL, Codes
from eyechart.questions.arrays.ragged import Flags, Floats, Ints, Keys, Ragged
from eyechart.scenes import geometry

__all__ = ["POSITIONS", "World", "read_world"]

POSITIONS = ("left", "right", "middle", "top", "bottom")
"""Where a thing is in the picture; middle is said of left and right only."""
EVERYTHING = "thing"
_HORIZONTAL = {"left": 0, "right": 1, "middle": 2}
_VERTICAL = {"top": 3, "bottom": 4}
_MOST_OF_A_KIND = 63


@dataclass(frozen=True)
class World:
    """Many pictures at once; a thing is a number over all of them."""

    codes: Codes
    image_ids: pl.Series
    image_keys: Keys
    thing_image: Ints
    thing_ids: pl.Series
    thing_keys: Keys
    thing_kind: Ints
    several: Ints
    """1 for a thing whose name stands in the plural: apples."""
    area: Floats
    """The share of the picture; 0 where there is no box."""
    horizontal: Ints
    """A number of POSITIONS, NONE where it is nowhere in particular."""
    vertical: Ints
    value_thing: Ints
    value: Ints
    subject: Ints
    relation: Ints
    object: Ints
    scene_image: Ints
    scene_value: Ints
    """Values of the scene: indoors, cloudy."""
    place: Ints
    """The kind of place of each picture."""
    complete: Flags
    """``complete[image, kind]``: whether an inventory says that every thing of the kind is in the tables."""
    dropped: dict[str, int] = field(default_factory=dict)
    """What was left out, by reason."""

    @property
    def images(self) -> int:
        """How many pictures."""
        return len(self.image_ids)

    @property
    def things(self) -> int:
        """How many things."""
        return len(self.thing_image)

    # ------------------------------------------------------------------ what follows

    @cached_property
    def the_value(self) -> Ints:
        """``the_value[thing, type]``: the one value, NONE where there is none, or where there are several."""
        types = self.codes.type_of[self.value]
        place = self.value_thing * len(self.codes.types) + types
        table = np.full(self.things * len(self.codes.types), NONE, dtype=np.int64)
        table[place] = self.value
        several = np.bincount(place, minlength=len(table)) > 1
        table[several] = NONE
        return table.reshape(self.things, len(self.codes.types))

    @cached_property
    def values_of(self) -> Ragged:
        """Places in ``value`` by thing."""
        return Ragged.grouped(self.value_thing, np.arange(len(self.value)), self.things)

    def lacks(self, things: Ints, values: Ints) -> Flags:
        """Whether things are known not to have values: their one value of an exclusive type says otherwise."""
        types = self.codes.type_of[values]
        has = self.the_value[things, types]
        lacking: Flags = self.codes.is_exclusive[types] & (has != NONE) & self.codes.contradict[has, values]
        return lacking

    @cached_property
    def links(self) -> Ints:
        """The annotated links as sorted numbers."""
        return np.unique(self.link_number(self.subject, self.relation, self.object))

    @cached_property
    def possible_links(self) -> Ints:
        """The links that may hold: annotated ones, what follows, what is similar, and all that turned round."""
        more = self.codes.possible.take(self.relation)
        subject, target = self.subject[more.rows], self.object[more.rows]
        inverse = self.codes.inverse[more.values]
        turned = inverse != NONE
        numbers = [
            self.link_number(subject, more.values, target),
            self.link_number(target[turned], inverse[turned], subject[turned]),
        ]
        return np.unique(np.concatenate(numbers))

    def link_number(self, subject: Ints, relation: Ints, target: Ints) -> Ints:
        """One number for a link."""
        return (subject * len(self.codes.relations) + relation) * max(self.things, 1) + target

    def linked(self, subject: Ints, relation: Ints, target: Ints, *, possibly: bool = False) -> Flags:
        """Whether links are annotated; or whether they may hold."""
        return is_in(self.link_number(subject, relation, target), self.possible_links if possibly else self.links)

    @cached_property
    def called(self) -> Ragged:
        """For each thing what it may be called: its name and everything above it."""
        return self.codes.chain.take(self.thing_kind)

    @cached_property
    def present(self) -> Flags:
        """``present[image, kind]``."""
        found = np.zeros((self.images, len(self.codes.kinds)), dtype=bool)
        found[self.thing_image[self.called.rows], self.called.values] = True
        return found

    @cached_property
    def absent(self) -> Flags:
        """``absent[image, kind]``: known not to be there."""
        return self.known & ~self.present

    @cached_property
    def known(self) -> Flags:
        """``known[image, kind]``: of which everything is in the tables, and nothing else could be taken for it."""
        unlike = np.packbits(~self.codes.apart & ~self.codes.below, axis=1)
        pairs = np.unique(self.thing_image * len(self.codes.kinds) + self.thing_kind)
        image, kind = np.divmod(pairs, len(self.codes.kinds))
        doubtful = np.zeros((self.images, len(self.codes.kinds)), dtype=bool)
        if len(image):
            seen, starts = np.unique(image, return_index=True)
            merged = np.bitwise_or.reduceat(unlike[kind], starts, axis=0)
            doubtful[seen] = np.unpackbits(merged, axis=1, count=len(self.codes.kinds)).astype(bool)
        return self.complete & ~doubtful


def is_in(numbers: Ints, table: Ints) -> Flags:
    """Whether numbers stand in a sorted table."""
    if not len(table):
        return np.zeros(len(numbers), dtype=bool)
    places = np.minimum(np.searchsorted(table, numbers), len(table) - 1)
    found: Flags = table[places] == numbers
    return found


def read_world(tables: Mapping[str, pl.DataFrame], codes: Codes, *, complete: tuple[str, ...] = ()) -> World:
    """The tables of some pictures in numbers; ``complete`` names kinds of which all pictures show every instance.

    >>> from eyechart.scenes.ontology import packaged_ontology
    >>> images = pl.DataFrame({"image_id": ["1"], "width": [100], "height": [100]})
    >>> objects = pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["dogs"]})
    >>> world = read_world({"images": images, "objects": objects}, Codes(packaged_ontology()))
    >>> world.codes.kinds[world.thing_kind[0]], int(world.several[0])
    ('dog', 1)
    """
    dropped: dict[str, int] = {}
    images = tables["images"].unique("image_id", keep="first", maintain_order=True).with_row_index("image")
    things = _things(tables, images, codes, dropped)
    placed = _places(things, images)
    values = _values(tables, things, codes, dropped)
    links = _links(tables, things, codes, dropped)
    image_keys = images.select(Key(0, "image").over(key_of(pl.col("image_id")))).to_series().to_numpy()
    thing_image = things["image"].to_numpy().astype(np.int64)
    own = things.select(key_of(pl.col("object_id"))).to_series().to_numpy()
    scene = _scene(images, codes)
    return World(
        codes=codes,
        image_ids=images["image_id"],
        image_keys=image_keys,
        thing_image=thing_image,
        thing_ids=things["object_id"],
        thing_keys=Key(0, "thing").array(image_keys[thing_image], own),
        thing_kind=things["kind"].to_numpy(),
        several=things["several"].to_numpy().astype(np.int64),
        **placed,
        value_thing=values["thing"].to_numpy().astype(np.int64),
        value=values["value"].to_numpy(),
        subject=links["subject"].to_numpy().astype(np.int64),
        relation=links["relation"].to_numpy(),
        object=links["object"].to_numpy().astype(np.int64),
        scene_image=scene[0],
        scene_value=scene[1],
        place=scene[2],
        complete=_complete(tables, images, codes, complete) & ~_unknown(tables, images, things)[:, None],
        dropped=dropped,
    )


def _table(tables: Mapping[str, pl.DataFrame], name: str, columns: tuple[str, ...]) -> pl.DataFrame:
    if name in tables:
        return tables[name]
    return pl.DataFrame(schema=dict.fromkeys(columns, pl.String))


def _coded(words: pl.Series, found: Mapping[str, int]) -> Ints:
    return words.replace_strict(found, default=NONE, return_dtype=pl.Int64).to_numpy()


def _things(
    tables: Mapping[str, pl.DataFrame], images: pl.DataFrame, codes: Codes, dropped: dict[str, int]
) -> pl.DataFrame:
    objects = tables["objects"].join(images.select("image_id", "image"), on="image_id", maintain_order="left")
    words = [word for word in objects["name"].unique(maintain_order=True) if word is not None]
    known = {word: code for word in words if (code := codes.kind_of(word)) is not None}
    several = {
        word: int(codes.number[kind] == PLURAL or codes.ontology.is_plural(word)) for word, kind in known.items()
    }
    coded = objects.with_columns(
        kind=pl.Series(_coded(objects["name"], known)), several=pl.Series(_coded(objects["name"], several))
    )
    # In one order, whatever the order of the rows: draws go by it.
    kept = coded.filter(pl.col("kind") != NONE).sort("image", "object_id").with_row_index("thing")
    _count(dropped, "objects whose names the ontology does not know", coded.height - kept.height)
    return kept


def _places(things: pl.DataFrame, images: pl.DataFrame) -> dict[str, np.ndarray]:
    """Areas and positions; none for things without a box."""
    sides = [pl.col(side) if side in things.columns else pl.lit(None, pl.Float64).alias(side) for side in "xywh"]
    boxed = things.select(pl.col("image").alias("image_id"), pl.col("thing").alias("object_id"), *sides).drop_nulls()
    sizes = [
        pl.col(size) if size in images.columns else pl.lit(None, pl.Int32).alias(size) for size in ("width", "height")
    ]
    placed = geometry.boxes(boxed, images.select(pl.col("image").alias("image_id"), *sizes))
    number = placed["object_id"].to_numpy()
    found = geometry.positions(placed)
    area = np.zeros(things.height)
    area[number] = geometry.areas(placed)["area"].to_numpy()
    horizontal, vertical = (np.full(things.height, NONE, dtype=np.int64) for _ in range(2))
    horizontal[number] = _coded(found["horizontal"], _HORIZONTAL)
    vertical[number] = _coded(found["vertical"], _VERTICAL)
    return {"area": area, "horizontal": horizontal, "vertical": vertical}


def _values(
    tables: Mapping[str, pl.DataFrame], things: pl.DataFrame, codes: Codes, dropped: dict[str, int]
) -> pl.DataFrame:
    rows = _table(tables, "attributes", ("image_id", "object_id", "attribute"))
    words = {word: codes.ontology.attribute(word) for word in rows["attribute"].unique(maintain_order=True)}
    known = {word: codes.values.code[each.name] for word, each in words.items() if each}
    coded = rows.with_columns(value=pl.Series(_coded(rows["attribute"], known))).filter(pl.col("value") != NONE)
    _count(dropped, "attributes that the ontology does not know", rows.height - coded.height)
    keys = things.select("image_id", "object_id", "thing")
    return coded.join(keys, on=["image_id", "object_id"]).unique(["thing", "value"]).sort("thing", "value")


def _links(
    tables: Mapping[str, pl.DataFrame], things: pl.DataFrame, codes: Codes, dropped: dict[str, int]
) -> pl.DataFrame:
    rows = _table(tables, "relations", ("image_id", "subject_id", "predicate", "object_id"))
    words = {word: codes.ontology.relation(word) for word in rows["predicate"].unique(maintain_order=True)}
    known = {word: codes.relations.code[each.name] for word, each in words.items() if each}
    coded = rows.with_columns(relation=pl.Series(_coded(rows["predicate"], known))).filter(pl.col("relation") != NONE)
    _count(dropped, "relations that the ontology does not know", rows.height - coded.height)
    keys = things.select("image_id", "object_id", "thing")
    joined = (
        coded.join(
            keys.rename({"object_id": "subject_id", "thing": "subject"}),
            on=["image_id", "subject_id"],
            maintain_order="left",
        )
        .join(keys.rename({"thing": "object"}), on=["image_id", "object_id"], maintain_order="left")
        .select("subject", "relation", "object")
        .unique()
        .sort("subject", "relation", "object")
    )
    kept = joined.filter(pl.col("subject") != pl.col("object"))
    _count(dropped, "relations of a thing to itself", joined.height - kept.height)
    return kept


def _scene(images: pl.DataFrame, codes: Codes) -> tuple[Ints, Ints, Ints]:
    """Values of scenes, as image and value; and the place of each picture."""
    found_images, found_values = [], []
    place = np.full(images.height, NONE, dtype=np.int64)
    for column in ("location", "weather"):
        if column not in images.columns:
            continue
        words = [word for word in images[column].unique(maintain_order=True) if word is not None]
        # A kitchen is a place before it is a value of something: kitchen chairs.
        kinds = {w: code for w in words if _names_place(codes, w) and (code := codes.kind_of(w)) is not None}
        meant = {w: codes.ontology.attribute(w) for w in words if w not in kinds}
        values = {w: codes.values.code[each.name] for w, each in meant.items() if each}
        coded = _coded(images[column].cast(pl.String), values)
        known = np.flatnonzero(coded != NONE)
        found_images.append(known)
        found_values.append(coded[known])
        if column == "location":
            place = _coded(images[column].cast(pl.String), kinds)
    empty = np.zeros(0, dtype=np.int64)
    return np.concatenate([empty, *found_images]), np.concatenate([empty, *found_values]), place


def _names_place(codes: Codes, word: str) -> bool:
    """Whether a word is no value of location or weather."""
    meant = codes.ontology.attribute(word)
    return meant is None or meant.type not in {"location", "weather"}


def _complete(
    tables: Mapping[str, pl.DataFrame], images: pl.DataFrame, codes: Codes, everywhere: tuple[str, ...]
) -> Flags:
    """Which kinds are annotated completely, with all that stands below them."""
    stated = np.zeros((images.height, len(codes.kinds)), dtype=bool)
    rows = _table(tables, "inventories", ("image_id", "kind"))
    rows = rows.join(images.select("image_id", "image"), on="image_id")
    kinds = _coded(rows["kind"], codes.kinds.code)
    known = kinds != NONE
    stated[rows["image"].to_numpy()[known], kinds[known]] = True
    stated[:, codes.kinds.codes(everywhere)] = True
    complete = np.zeros_like(stated)
    for kind in np.flatnonzero(stated.any(axis=0)):
        complete |= np.outer(stated[:, kind], codes.below[:, kind])
    return complete


def _unknown(tables: Mapping[str, pl.DataFrame], images: pl.DataFrame, things: pl.DataFrame) -> Flags:
    """Pictures with things that have no name the ontology knows: they may be anything."""
    nameless = tables["objects"].join(things, on=["image_id", "object_id"], how="anti")
    return images["image_id"].is_in(nameless["image_id"].unique().implode()).to_numpy()


def _count(dropped: dict[str, int], reason: str, number: int) -> None:
    if number:
        dropped[reason] = number
