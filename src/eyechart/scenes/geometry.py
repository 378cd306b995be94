"""What boxes say of each other: sides, heights, nearness, overlap, and where in the picture a thing is.

Left and right follow the rule by which GQA's published graphs were completed (Hudson and Manning 2019, section 12:
pairs whose relation can be determined safely); its thresholds are shares of the picture. Above and below are the same
rule turned by a quarter, for things that do not touch: where boxes overlap, people say on, under or in, and a box
cannot tell which. Near is a gap of at most a quarter of the smaller thing's own side; of all pairs that are apart, that
is one in sixteen. Things that overlap in the picture may be far apart in the world.
"""

from collections.abc import Iterator

import polars as pl

__all__ = ["areas", "boxes", "overlaps", "positions", "spatial_relations"]

_SIDES = ("left", "top", "right", "bottom")
_FACING = 0.55 - 1e-9
"""How much of one thing must lie beside the other; published pairs at exactly this share count."""
_FARTHEST = 0.25
"""The largest gap, as a share of the picture."""
_NEAR = 0.25
"""The largest gap between near things, as a share of the smaller one's side."""
_MOST_PAIRS = 1 << 21
"""Pairs that are looked at together, which bounds the memory for graphs of any number of pictures."""

_EDGES = {"image_id": pl.String, "subject_id": pl.String, "predicate": pl.String, "object_id": pl.String}


def boxes(objects: pl.DataFrame, images: pl.DataFrame) -> pl.DataFrame:
    """The boxes as shares of their pictures, cut at the edges; things without a box are left out.

    Where a picture's size is not known, the boxes together are taken for it.

    >>> things = pl.DataFrame({"image_id": "1", "object_id": "a", "x": 50.0, "y": 0.0, "w": 70.0, "h": 20.0})
    >>> boxes(things, pl.DataFrame({"image_id": ["1"], "width": [100], "height": [40]})).row(0)
    ('1', 'a', 0.5, 0.0, 1.0, 0.5)
    """
    right, bottom = pl.col("x") + pl.col("w"), pl.col("y") + pl.col("h")
    width = pl.coalesce("width", right.max().over("image_id"))
    height = pl.coalesce("height", bottom.max().over("image_id"))
    edges = (pl.col("x") / width, pl.col("y") / height, right / width, bottom / height)
    return (
        objects.select("image_id", "object_id", "x", "y", "w", "h")
        .join(images.select("image_id", "width", "height"), on="image_id", how="left", maintain_order="left")
        .select(
            "image_id", "object_id", *(edge.clip(0, 1).alias(side) for edge, side in zip(edges, _SIDES, strict=True))
        )
        .filter(pl.col("right") > pl.col("left"), pl.col("bottom") > pl.col("top"))
    )


def areas(placed: pl.DataFrame) -> pl.DataFrame:
    """The share of the picture that each box takes.

    >>> lamp = {"image_id": "1", "object_id": "a", "left": 0.0, "top": 0.0, "right": 0.5, "bottom": 0.5}
    >>> areas(pl.DataFrame(lamp)).row(0)
    ('1', 'a', 0.25)
    """
    return placed.select("image_id", "object_id", area=_area(""))


def positions(placed: pl.DataFrame) -> pl.DataFrame:
    """Where in the picture each thing is: left, right or middle, and top, bottom or middle; null where it is neither.

    >>> lamp = {"image_id": "1", "object_id": "a", "left": 0.4, "top": 0.0, "right": 0.6, "bottom": 0.2}
    >>> positions(pl.DataFrame(lamp)).row(0)
    ('1', 'a', 'middle', 'top')
    """
    return placed.select(
        "image_id",
        "object_id",
        horizontal=_position("left", "right", (0.3, 0.7)),
        vertical=_position("top", "bottom", (0.18, 0.82)),
    )


def _position(low: str, high: str, margins: tuple[float, float]) -> pl.Expr:
    centre = (pl.col(low) + pl.col(high)) / 2
    central = centre.is_between(0.35, 0.65) & (pl.col(low) >= 0.15) & (pl.col(high) <= 0.85)  # noqa: PLR2004  # published
    return (
        pl.when(centre < margins[0])
        .then(pl.lit(low))
        .when(centre > margins[1])
        .then(pl.lit(high))
        .when(central)
        .then(pl.lit("middle"))
    )


def overlaps(placed: pl.DataFrame) -> pl.DataFrame:
    """Every two boxes of a picture that intersect, both ways round, and how much.

    ``iou`` is intersection over union, ``inside`` the share of the object that lies within the other, ``of_larger`` the
    intersection's share of the larger of the two.

    >>> sides = {"left": [0.0, 0.0], "top": [0.0, 0.0], "right": [0.5, 1.0], "bottom": [1.0, 1.0]}
    >>> overlaps(pl.DataFrame({"image_id": ["1", "1"], "object_id": ["a", "b"], **sides})).row(0)
    ('1', 'a', 'b', 0.5, 1.0, 0.5)
    """
    shared = _shared("left", "right").clip(0) * _shared("top", "bottom").clip(0)
    measured = {
        "iou": shared / (_area("") + _area("_other") - shared),
        "inside": shared / _area(""),
        "of_larger": shared / pl.max_horizontal(_area(""), _area("_other")),
    }
    found = [
        pairs.filter(shared > 0).select("image_id", "object_id", other_id="object_id_other", **measured)
        for pairs in _pairs(placed)
    ]
    names = {"image_id": pl.String, "object_id": pl.String, "other_id": pl.String}
    return pl.concat([pl.DataFrame(schema=names | dict.fromkeys(measured, pl.Float64)), *found])


def spatial_relations(placed: pl.DataFrame) -> pl.DataFrame:
    """The edges that follow from the boxes, both ways round: to the left or right of, above, below, near.

    >>> sides = {"left": [0.1, 0.5], "top": [0.2, 0.2], "right": [0.4, 0.8], "bottom": [0.6, 0.6]}
    >>> spatial_relations(pl.DataFrame({"image_id": ["1", "1"], "object_id": ["a", "b"], **sides})).rows()
    [('1', 'a', 'to the left of', 'b'), ('1', 'b', 'to the right of', 'a')]
    """
    rules = {
        "to the left of": _precedes(("left", "right"), ("top", "bottom"), "", "_other"),
        "to the right of": _precedes(("left", "right"), ("top", "bottom"), "_other", ""),
        "above": _precedes(("top", "bottom"), ("left", "right"), "", "_other") & _apart(("top", "bottom")),
        "below": _precedes(("top", "bottom"), ("left", "right"), "_other", "") & _apart(("top", "bottom")),
        "near": _near(),
    }
    found = [
        pairs.filter(rule).select(
            "image_id",
            pl.col("object_id").alias("subject_id"),
            pl.lit(name).alias("predicate"),
            object_id="object_id_other",
        )
        for pairs in _pairs(placed)
        for name, rule in rules.items()
    ]
    return pl.concat([pl.DataFrame(schema=_EDGES), *found])


def _pairs(placed: pl.DataFrame) -> Iterator[pl.DataFrame]:
    """Every two things of a picture, both ways round, some pictures at a time."""
    counted = placed.group_by("image_id", maintain_order=True).agg(pairs=pl.len().cast(pl.Int64).pow(2))
    batched = placed.join(
        counted.select("image_id", batch=pl.col("pairs").cum_sum() // _MOST_PAIRS), on="image_id", maintain_order="left"
    )
    for batch in batched.partition_by("batch", include_key=False, maintain_order=True):
        both = batch.join(batch, on="image_id", suffix="_other", maintain_order="left_right")
        yield both.filter(pl.col("object_id") != pl.col("object_id_other"))


def _precedes(along: tuple[str, str], across: tuple[str, str], one: str, other: str) -> pl.Expr:
    """The published rule: beside each other, each beyond the other's centre, and not far."""
    low, high = along
    least = pl.min_horizontal(_length(across, ""), _length(across, "_other"))
    return (
        (_shared(*across) / least > _FACING)
        & (pl.col(high + one) < _centre(along, other))
        & (pl.col(low + other) > _centre(along, one))
        & (pl.col(low + other) - pl.col(high + one) < _FARTHEST)
    )


def _near() -> pl.Expr:
    gaps = [_shared(low, high).neg().clip(0) for low, high in (("left", "right"), ("top", "bottom"))]
    gap = (gaps[0].pow(2) + gaps[1].pow(2)).sqrt()
    apart = _apart(("left", "right")) | _apart(("top", "bottom"))
    return apart & (gap <= _NEAR * pl.min_horizontal(_area(""), _area("_other")).sqrt())


def _apart(along: tuple[str, str]) -> pl.Expr:
    return _shared(*along) <= 0


def _shared(low: str, high: str) -> pl.Expr:
    """The length that both cover; negative for the gap between them."""
    return pl.min_horizontal(high, f"{high}_other") - pl.max_horizontal(low, f"{low}_other")


def _length(along: tuple[str, str], which: str) -> pl.Expr:
    return pl.col(along[1] + which) - pl.col(along[0] + which)


def _centre(along: tuple[str, str], which: str) -> pl.Expr:
    return (pl.col(along[0] + which) + pl.col(along[1] + which)) / 2


def _area(which: str) -> pl.Expr:
    return _length(("left", "right"), which) * _length(("top", "bottom"), which)
