"""Attention on regions equals the literal sum over cells, on their union the area of inclusion-exclusion."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eyechart.errors import DataError
from eyechart.metrics import GQA_GROUNDING, GQA_GROUNDING_RELEASED, Absent, gqa_groundings, gqa_regions

Box = tuple[float, float, float, float]

PLACES = st.sampled_from([-0.25, 0.0, 0.1, 0.25, 0.5, 0.7, 1.0, 1.25])
WEIGHTS = st.sampled_from([0.0, 0.1, 0.5, 1.0])


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    """A box whose corners are in order; it may have no area, and may leave the picture."""
    (x0, x1), (y0, y1) = (sorted((draw(PLACES), draw(PLACES))) for _ in range(2))
    return x0, y0, x1, y1


def share(cell: Box, region: Box) -> float:
    """The share of a cell within a region; without extent, it lies there or not."""
    parts = []
    for low, high in ((0, 2), (1, 3)):
        length = cell[high] - cell[low]
        covered = max(min(cell[high], region[high]) - max(cell[low], region[low]), 0)
        parts.append(covered / length if length > 0 else float(region[low] <= cell[low] <= region[high]))
    return parts[0] * parts[1]


def union_share(cell: Box, regions: list[Box]) -> float:
    """Inclusion-exclusion over all intersections; what has no area covers nothing."""
    solid = [each for each in regions if each[0] < each[2] and each[1] < each[3]]
    total = 0.0
    for size in range(1, len(solid) + 1):
        for some in combinations(solid, size):
            x0, y0 = max(each[0] for each in some), max(each[1] for each in some)
            x1, y1 = min(each[2] for each in some), min(each[3] for each in some)
            if x0 < x1 and y0 < y1:
                total += (-1) ** (size + 1) * share(cell, (x0, y0, x1, y1))
    return total


def cells(side: int) -> list[Box]:
    """The cells of a square grid, column by column."""
    return [(i / side, j / side, (i + 1) / side, (j + 1) / side) for i in range(side) for j in range(side)]


def table(regions: list[list[Box]]) -> pl.DataFrame:
    """Regions of questions 0, 1, 2 and so on."""
    rows = [(str(number), *box) for number, owned in enumerate(regions) for box in owned]
    return pl.DataFrame(rows, schema=["question_id", "x0", "y0", "x1", "y1"], orient="row", schema_overrides=FLOATS)


FLOATS = {"question_id": pl.String, **dict.fromkeys(("x0", "y0", "x1", "y1"), pl.Float64)}


@given(
    st.integers(1, 4).flatmap(
        lambda side: st.lists(
            st.tuples(st.lists(WEIGHTS, min_size=side**2, max_size=side**2), st.lists(boxes(), max_size=4)),
            min_size=1,
            max_size=4,
        )
    )
)
def test_grids(drawn: list[tuple[list[float], list[Box]]]) -> None:
    """Maps: added up over regions as released, and as a share of all attention on the union."""
    side = int(len(drawn[0][0]) ** 0.5)
    grids = [np.reshape(weights, (side, side)).tolist() for weights, _ in drawn]
    looked = pl.DataFrame(
        {"question_id": [str(i) for i in range(len(drawn))], "attention_grid": grids, "scene": [False] * len(drawn)}
    )
    regions = table([owned for _, owned in drawn])
    released = gqa_groundings(looked, regions, "released")["score"].to_list()
    union = gqa_groundings(looked, regions, "union")["score"].to_list()
    for place, (weights, owned) in enumerate(drawn):
        spots = list(zip(cells(side), weights, strict=True))
        added = sum(weight * share(cell, region) for region in owned for cell, weight in spots)
        assert released[place] == pytest.approx(added)
        mass = sum(weight * union_share(cell, owned) for cell, weight in spots)
        expected = mass / sum(weights) if owned and sum(weights) else None
        assert union[place] == (None if expected is None else pytest.approx(expected, abs=1e-9))


@given(
    st.lists(
        st.tuples(st.lists(st.tuples(boxes(), WEIGHTS), max_size=3), st.lists(boxes(), max_size=3)),
        min_size=1,
        max_size=4,
    )
)
def test_boxes(drawn: list[tuple[list[tuple[Box, float]], list[Box]]]) -> None:
    """Boxes of a detector, any number a question, also without area."""
    looked = pl.DataFrame(
        {
            "question_id": [str(i) for i in range(len(drawn))],
            "attention_boxes": [[[*box, weight] for box, weight in spots] for spots, _ in drawn],
            "scene": [False] * len(drawn),
        },
        schema_overrides={"attention_boxes": pl.List(pl.List(pl.Float64))},
    )
    found = gqa_groundings(looked, table([owned for _, owned in drawn]), "released")["score"].to_list()
    for place, (spots, owned) in enumerate(drawn):
        added = sum(weight * share(box, region) for region in owned for box, weight in spots)
        assert found[place] == pytest.approx(added)
    union = gqa_groundings(looked, table([owned for _, owned in drawn]), "union")["score"].to_list()
    for place, (spots, owned) in enumerate(drawn):
        solid = [(box, weight) for box, weight in spots if box[0] < box[2] and box[1] < box[3]]
        if owned and solid == spots and (total := sum(weight for _, weight in spots)):
            mass = sum(weight * union_share(box, owned) for box, weight in spots)
            assert union[place] == pytest.approx(mass / total, abs=1e-9)


def test_maps_of_several_sizes() -> None:
    """Each question may have a map of its own size, or boxes."""
    looked = pl.DataFrame(
        {
            "question_id": ["a", "b", "c", "d"],
            "attention_grid": [[[1.0]], [[0.5, 0.0], [0.5, 0.0]], None, None],
            "attention_boxes": [None, None, [[0.0, 0.0, 1.0, 1.0, 1.0]], None],
            "scene": [False] * 4,
        }
    )
    regions = table([[]]).vstack(
        pl.DataFrame([(key, 0.0, 0.0, 1.0, 0.5) for key in "abcd"], schema=FLOATS, orient="row")
    )
    assert gqa_groundings(looked, regions)["score"].to_list() == [0.5, 1.0, 0.5, None]


@pytest.mark.parametrize(
    ("column", "attention", "message"),
    [
        ("attention_grid", [[0.1, 0.2], [0.3]], "not a square of 2 rows"),
        ("attention_grid", [[-0.1]], r"negative or infinite attention for 1 \(a\)"),
        ("attention_grid", [[float("nan")]], "negative or infinite attention"),
        ("attention_boxes", [[0.5, 0.0, 0.1]], "other than five numbers"),
        ("attention_boxes", [[0.0, 0.0, 0.1, 1.0, -1.0]], r"negative or infinite attention for 1 \(a\)"),
        ("attention_boxes", [[0.5, 0.0, 0.1, 1.0, 1.0]], r"x1 < x0 or y1 < y0 for 1 \(a\)"),
    ],
)
def test_unfit_attention(column: str, attention: list[list[float]], message: str) -> None:
    """Attention that cannot be placed or weighed is an error that names the question."""
    looked = pl.DataFrame({"question_id": ["a"], column: [attention], "scene": [False]})
    with pytest.raises(DataError, match=message):
        gqa_groundings(looked, table([]))


TABLES = {
    "questions": pl.LazyFrame(
        {
            "question_id": ["a", "b", "c"],
            "image_id": ["p", "p", "p"],
            "balanced": [True, True, False],
            "program": [
                [{"operation": "select", "argument": "scene"}],
                [{"operation": "select", "argument": "cup (7)"}],
            ]
            * 1
            + [[]],
        },
        schema_overrides={"program": pl.List(pl.Struct({"operation": pl.String, "argument": pl.String}))},
    ),
    "mentions": pl.LazyFrame({"question_id": ["b", "c"], "object_id": ["7", "9"], "where": ["question", "question"]}),
    "objects": pl.LazyFrame({"image_id": ["p"], "object_id": ["7"], "x": [0], "y": [0], "w": [5], "h": [10]}),
    "images": pl.LazyFrame({"image_id": ["p", "p"], "split": ["train", "val"], "width": [10, 10], "height": [10, 10]}),
}


def test_metrics_over_tables() -> None:
    """Scores come in the order of predictions; an image in two splits counts once, unbalanced questions not at all."""
    predictions = pl.DataFrame({"question_id": ["c", "b", "a"], "attention_grid": [[[1.0]]] * 3})
    assert GQA_GROUNDING.score(predictions, TABLES).rows() == [("c", None), ("b", 0.5), ("a", 1.0)]
    assert GQA_GROUNDING_RELEASED.score(predictions, TABLES).rows() == [("c", None), ("b", 50.0), ("a", 0.0)]


@pytest.mark.parametrize("predictions", [{"question_id": ["b"]}, {"question_id": ["b"], "attention_grid": [None]}])
def test_models_without_attention(predictions: dict[str, list[object]]) -> None:
    """Without attention there is no grounding."""
    with pytest.raises(Absent, match="found no attention"):
        GQA_GROUNDING.score(pl.DataFrame(predictions), TABLES)


def test_objects_without_boxes() -> None:
    """Objects that the picture does not have make grounding absent, or are left out."""
    questions = pl.DataFrame({"question_id": ["b", "c"], "image_id": ["p", "p"]})
    with pytest.raises(Absent, match=r"objects of 1 \(c\) questions \(first object 9 of image p\)"):
        gqa_regions(questions, TABLES)
    assert gqa_regions(questions, TABLES, lenient=True)["question_id"].to_list() == ["b"]
