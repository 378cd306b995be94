"""Geometry of boxes: against a literal second implementation, and against published graphs."""

from itertools import permutations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.formats import FORMATS, Shard, read
from eyechart.scenes import geometry

SIDES = ("left", "top", "right", "bottom")
Box = tuple[float, float, float, float]


def placed(*boxes: Box, image: str = "1") -> pl.DataFrame:
    """Boxes of one picture, called 0, 1, 2 and so on."""
    rows = [(image, str(place), *box) for place, box in enumerate(boxes)]
    schema = {"image_id": pl.String, "object_id": pl.String, **dict.fromkeys(SIDES, pl.Float64)}
    return pl.DataFrame(rows, schema=schema, orient="row")


def edges(*boxes: Box) -> set[tuple[str, str, str]]:
    """The edges between some boxes."""
    return {row[1:] for row in geometry.spatial_relations(placed(*boxes)).iter_rows()}


def literal_left(a: Box, b: Box) -> bool:
    """The published rule for left, word by word."""
    height = min(a[3], b[3]) - max(a[1], b[1])
    facing = height / (a[3] - a[1]) >= 0.55 - 1e-9 or height / (b[3] - b[1]) >= 0.55 - 1e-9
    return facing and a[2] < (b[0] + b[2]) / 2 and b[0] > (a[0] + a[2]) / 2 and b[0] - a[2] < 0.25


def literal_above(a: Box, b: Box) -> bool:
    """The same rule for a picture lying on its side, for things that do not overlap."""
    turned = [(box[1], box[0], box[3], box[2]) for box in (a, b)]
    return literal_left(turned[0], turned[1]) and a[3] <= b[1]


def literal_near(a: Box, b: Box) -> bool:
    """A gap, and a small one for the smaller of the two."""
    across, down = max(a[0], b[0]) - min(a[2], b[2]), max(a[1], b[1]) - min(a[3], b[3])
    side = min((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)) ** 0.5
    return max(across, down) >= 0 and (max(across, 0) ** 2 + max(down, 0) ** 2) ** 0.5 <= side / 4


# Steps of 1/64 are exact numbers, so that both implementations see the same ties.
corner = st.integers(0, 60)
side = st.integers(1, 40)
box = st.tuples(corner, corner, side, side).map(
    lambda b: (b[0] / 64, b[1] / 64, min(b[0] + b[2], 64) / 64, min(b[1] + b[3], 64) / 64)
)


@given(st.lists(box, max_size=6))
def test_edges_follow_the_literal_rules(boxes: list[Box]) -> None:
    """Whole tables give what the rules give for each two boxes; sides and heights hold both ways round."""
    expected = set()
    for (one, a), (other, b) in permutations(enumerate(boxes), 2):
        if literal_left(a, b):
            expected |= {(str(one), "to the left of", str(other)), (str(other), "to the right of", str(one))}
        if literal_above(a, b):
            expected |= {(str(one), "above", str(other)), (str(other), "below", str(one))}
        if literal_near(a, b):
            expected.add((str(one), "near", str(other)))
    assert edges(*boxes) == expected


@pytest.mark.real_data
def test_published_edges_come_out(real_data: Path) -> None:
    """Of the left and right edges of published graphs, at least 99.5 % are found, and no more than 0.5 % too many."""
    shard = Shard({"scene_graphs": str(real_data / "gqa" / "scene_graphs.json")})
    tables = {piece.table: piece.rows for piece in read(FORMATS.load("gqa"), shard)}
    sideways = pl.col("predicate").is_in(["to the left of", "to the right of"])
    found = geometry.spatial_relations(geometry.boxes(tables["objects"], tables["images"])).filter(sideways)
    published = tables["relations"].filter(sideways).select(found.columns)
    both = found.join(published, on=found.columns).height
    assert published.height == 550
    assert both / found.height >= 0.995
    assert both / published.height >= 0.995


def test_pictures_do_not_mix() -> None:
    """Only things of the same picture stand in a relation, also where pictures are looked at in several batches."""
    one, other = (0.0, 0.0, 0.2, 0.5), (0.3, 0.0, 0.5, 0.5)
    apart = pl.concat([placed(one, image="1"), placed((0.9, 0.9, 1.0, 1.0), other, image="2")])
    assert geometry.spatial_relations(apart).is_empty()
    many = pl.concat([placed(one, other, image=str(image)) for image in range(20)])
    whole = geometry.spatial_relations(many)
    assert whole.height == 40
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(geometry, "_MOST_PAIRS", 5)
        assert geometry.spatial_relations(many).sort(pl.all()).equals(whole.sort(pl.all()))


def test_touching_things_are_neither_above_nor_below() -> None:
    """A cup whose box reaches into the table's stands on it; that is not for boxes to tell."""
    table = (0.1, 0.5, 0.9, 0.9)
    assert ("0", "above", "1") not in edges((0.3, 0.35, 0.4, 0.55), table)
    assert ("0", "above", "1") in edges((0.3, 0.35, 0.4, 0.48), table)


def test_boxes_are_shares_of_the_picture() -> None:
    """Boxes are cut at the picture's edges; what has none, or none within the picture, is left out."""
    objects = pl.DataFrame(
        {
            "image_id": ["1", "1", "1", "1", "2", "2"],
            "object_id": list("abcdef"),
            "x": [10.0, -50.0, None, 300.0, 0.0, 20.0],
            "y": [10.0, 0.0, 0.0, 0.0, 0.0, 30.0],
            "w": [20.0, 100.0, 5.0, 50.0, 40.0, 60.0],
            "h": [40.0, 100.0, 5.0, 50.0, 10.0, 10.0],
        }
    )
    images = pl.DataFrame({"image_id": ["1", "2"], "width": [200, None], "height": [100, None]})
    assert geometry.boxes(objects, images).rows() == [
        ("1", "a", 0.05, 0.1, 0.15, 0.5),
        ("1", "b", 0.0, 0.0, 0.25, 1.0),
        ("2", "e", 0.0, 0.0, 0.5, 0.25),
        ("2", "f", 0.25, 0.75, 1.0, 1.0),
    ]


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ((0.0, 0.0, 0.5, 0.3), ("left", "top")),
        ((0.5, 0.7, 1.0, 1.0), ("right", "bottom")),
        ((0.3, 0.3, 0.7, 0.7), ("middle", "middle")),
        ((0.1, 0.1, 0.9, 0.9), (None, None)),
        ((0.2, 0.1, 0.45, 0.3), (None, None)),
    ],
)
def test_positions(where: Box, expected: tuple[str | None, str | None]) -> None:
    """Margins are left, right, top and bottom; the middle is for what lies wholly around it."""
    assert geometry.positions(placed(where)).row(0)[2:] == expected


def test_overlaps() -> None:
    """Intersection over union, and how much of each lies in the other; boxes that only touch do not overlap."""
    rows = geometry.overlaps(placed((0.0, 0.0, 0.5, 0.5), (0.25, 0.0, 1.0, 0.5), (0.0, 0.5, 1.0, 1.0)))
    assert rows.rows() == [
        ("1", "0", "1", pytest.approx(0.25), pytest.approx(0.5), pytest.approx(1 / 3)),
        ("1", "1", "0", pytest.approx(0.25), pytest.approx(1 / 3), pytest.approx(1 / 3)),
    ]


def test_nothing_gives_nothing() -> None:
    """Empty tables keep their columns."""
    assert geometry.overlaps(placed()).columns == ["image_id", "object_id", "other_id", "iou", "inside", "of_larger"]
    assert geometry.spatial_relations(placed()).height == 0
    assert geometry.areas(placed()).columns == ["image_id", "object_id", "area"]
