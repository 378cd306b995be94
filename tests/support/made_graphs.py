"""Scene graphs of things at random: as many objects, attributes and relations per picture as real ones have.

Nobody would take such a picture; but every table is full, and every rule of the question engine has something to do.
"""

from functools import cache

import numpy as np
import polars as pl

from eyechart.scenes import geometry
from eyechart.scenes.ontology import packaged_ontology

SIDE = 500
OBJECTS, ATTRIBUTES, LINKS = 16.8, 9.8, 6.0
"""Per picture, as in published graphs; what is left or right of what comes on top."""
_VERBS = ("holding", "wearing", "carrying", "looking at", "riding", "eating", "sitting on", "standing on", "using")
_PLACES = ("on", "in", "near", "behind", "under", "on top of", "in front of", "next to", "hanging on", "covered by")
_TYPES = {"color": 6, "material": 2, "size": 2, "pose": 1, "shape": 1, "age": 1, "cleanliness": 0.5, "pattern": 0.5}
_SCENES = ("kitchen", "street", "bedroom", "living room", "park", "restaurant")


def made_graphs(images: int, seed: int = 0, *, first: int = 0, complete: bool = True) -> dict[str, pl.DataFrame]:
    """Tables of some pictures; ``complete`` says that nothing is in them but what is annotated."""
    draws = np.random.default_rng([seed, first])
    scene = draws.integers(0, len(_SCENES), images)
    objects = _objects(draws, scene, first)
    ids = [str(first + number) for number in range(images)]
    sky = np.array(["sunny", "cloudy", None])[draws.integers(0, 3, images)]
    shown = pl.DataFrame(
        {"image_id": ids, "width": SIDE, "height": SIDE}, schema_overrides={"width": pl.Int32, "height": pl.Int32}
    )
    shown = shown.with_columns(
        location=pl.Series([_SCENES[each] for each in scene]), weather=pl.Series(sky.tolist(), dtype=pl.String)
    )
    tables = {
        "images": shown,
        "objects": objects,
        "attributes": _attributes(draws, objects),
        "relations": pl.concat([_links(draws, objects), _sides(objects, shown)]).unique(maintain_order=True),
    }
    if complete:
        tables["inventories"] = shown.select("image_id", kind=pl.lit("thing"), evidence=pl.lit("drawn"))
    return tables


def _objects(draws: np.random.Generator, scene: np.ndarray, first: int) -> pl.DataFrame:
    counts = np.maximum(draws.poisson(OBJECTS, len(scene)), 1)
    image = np.repeat(np.arange(len(scene)), counts)
    names, sizes = _stock()
    rank = np.minimum((draws.pareto(0.9, len(image)) * 4).astype(np.int64), sizes[scene[image]] - 1)
    people = draws.random(len(image)) < 0.15
    person = np.array(["man", "woman", "boy", "girl", "person", "people"])[draws.integers(0, 6, len(image))]
    name = np.where(people, person, names[scene[image], rank])
    w, h = (np.exp(draws.normal(4.0, 0.7, len(image))).clip(8, SIDE * 0.9) for _ in "wh")
    x, y = (draws.random(len(image)) * (SIDE - side) for side in (w, h))
    number = np.arange(len(image))
    return pl.DataFrame(
        {
            "image_id": image + first,
            "object_id": number - np.searchsorted(image, image),
            "name": name,
            "x": x,
            "y": y,
            "w": w,
            "h": h,
        },
        schema_overrides={"image_id": pl.String, "object_id": pl.String, "name": pl.String},
        strict=False,
    ).with_columns(pl.col("^[xywh]$").round(0))


@cache
def _stock() -> tuple[np.ndarray, np.ndarray]:
    """The names at home in each scene, shuffled once."""
    known = packaged_ontology()
    lists = [
        [n.name for n in known.nouns.values() if place in n.places and not n.person and n.name not in known.categories][
            :300
        ]
        for place in _SCENES
    ]
    for each in lists:
        np.random.default_rng(3).shuffle(each)
    width = max(map(len, lists))
    return np.array([each + [each[0]] * (width - len(each)) for each in lists], dtype=object), np.array(
        [len(each) for each in lists]
    )


@cache
def _carriers() -> dict[str, dict[str, list[str]]]:
    """By name of object and type: the values it can have."""
    known = packaged_ontology()
    values = {type_: [v.name for v in known.values(type_)][:14] for type_ in _TYPES}
    names = {*_stock()[0].ravel(), "man", "woman", "boy", "girl", "person", "people"}
    return {
        name: {t: [v for v in listed if known.may_have(known.noun(name).name, v)] for t, listed in values.items()}
        for name in names
    }


def _attributes(draws: np.random.Generator, objects: pl.DataFrame) -> pl.DataFrame:
    number = draws.poisson(ATTRIBUTES / OBJECTS, objects.height)
    row = np.repeat(np.arange(objects.height), number)
    weights = np.array(list(_TYPES.values()))
    type_ = draws.choice(len(weights), len(row), p=weights / weights.sum())
    rank = np.minimum(draws.pareto(1.0, len(row)) * 2, 13).astype(np.int64)
    table = _carriers()
    types = list(_TYPES)
    drawn = objects.select("image_id", "object_id", "name")[row].with_columns(
        type=pl.Series(type_), rank=pl.Series(rank)
    )
    combos = drawn.select("name", "type", "rank").unique(maintain_order=True)
    found = [_value(table[name][types[code]], place) for name, code, place in combos.iter_rows()]
    combos = combos.with_columns(attribute=pl.Series(found, dtype=pl.String))
    valued = drawn.join(combos, on=["name", "type", "rank"], how="left", maintain_order="left").drop_nulls("attribute")
    once = valued.unique(["image_id", "object_id", "type"], keep="first", maintain_order=True)
    return once.select("image_id", "object_id", "attribute")


def _value(values: list[str], place: int) -> str | None:
    return values[place % len(values)] if values else None


def _links(draws: np.random.Generator, objects: pl.DataFrame) -> pl.DataFrame:
    """Links that make sense between things of these names."""
    sizes = objects.group_by("image_id", maintain_order=True).len()["len"].to_numpy().astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    picture = np.repeat(np.arange(len(sizes)), draws.poisson(LINKS, len(sizes)))
    subject, target = (
        (draws.random(len(picture)) * sizes[picture]).astype(np.int64) + starts[picture] for _ in range(2)
    )
    person = objects["name"].is_in(["man", "woman", "boy", "girl", "person", "people"]).to_numpy()
    verb = np.array(_VERBS)[draws.integers(0, len(_VERBS), len(picture))]
    place = np.array(_PLACES)[np.minimum(draws.pareto(1.0, len(picture)) * 2, len(_PLACES) - 1).astype(np.int64)]
    kept = np.flatnonzero(subject != target)
    ids = objects["object_id"]
    return pl.DataFrame(
        {
            "image_id": objects["image_id"].gather(subject[kept]),
            "subject_id": ids.gather(subject[kept]),
            "predicate": np.where(person[subject[kept]] & ~person[target[kept]], verb[kept], place[kept]).tolist(),
            "object_id": ids.gather(target[kept]),
        }
    )


def _sides(objects: pl.DataFrame, images: pl.DataFrame) -> pl.DataFrame:
    placed = geometry.boxes(objects, images.select("image_id", "width", "height"))
    return geometry.spatial_relations(placed).filter(pl.col("predicate").is_in(["to the left of", "to the right of"]))
