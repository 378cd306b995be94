"""How much attention lies on regions of a picture, for many pictures at once and without loops over cells.

A cell overlaps a region in x and in y independently, so the share of a cell that a region covers is a product, and the
attention on a region is a row of shares times the map times a column of shares.
"""

import numpy as np
from numpy.typing import NDArray

__all__ = ["boxes_attention", "disjoint", "grids_attention"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_REGIONS_AT_ONCE = 16_384
_PAIRS_AT_ONCE = 1_000_000
_CELLS_AT_ONCE = 8_000_000


def grids_attention(grids: Floats, regions: Floats, owners: Ints) -> Floats:
    """Attention on regions, summed per map: of each cell its weight times the share of it that a region covers.

    Maps have the shape (n, m, m), with x as first index; regions are x0, y0, x1, y1 from 0 to 1; ``owners`` says of
    each region which map it belongs to. Regions that overlap or repeat count each.

    >>> grids_attention(np.array([[[1.0, 0.0], [0.0, 0.0]]]), np.array([[0.0, 0.0, 0.25, 1.0]]), np.array([0]))
    array([0.5])
    """
    count, side = len(grids), grids.shape[1]
    edges = np.arange(side + 1) / side
    found = np.empty(len(regions))
    for start in range(0, len(regions), _REGIONS_AT_ONCE):
        part = slice(start, start + _REGIONS_AT_ONCE)
        x0, y0, x1, y1 = (regions[part, side, None] for side in range(4))
        across = _shares(edges[:-1], edges[1:], x0, x1)
        down = _shares(edges[:-1], edges[1:], y0, y1)
        by_column = np.matmul(grids[owners[part]], down[:, :, None])[:, :, 0]
        found[part] = np.einsum("ri,ri->r", across, by_column)
    return np.bincount(owners, weights=found, minlength=count).astype(np.float64, copy=False)


def boxes_attention(boxes: Floats, box_owners: Ints, regions: Floats, owners: Ints, count: int) -> Floats:
    """Attention on regions where a model looks at boxes: x0, y0, x1, y1, weight; ``box_owners`` ascend.

    A box without width or height is covered if it lies in the region.

    >>> looked = np.array([[0.0, 0.0, 0.5, 0.5, 0.8], [0.2, 0.2, 0.2, 0.2, 0.2]])
    >>> boxes_attention(looked, np.array([0, 0]), np.array([[0.0, 0.0, 0.25, 1.0]]), np.array([0]), 1)
    array([0.6])
    """
    per_owner = np.bincount(box_owners, minlength=count)
    first = np.cumsum(per_owner) - per_owner
    found = np.zeros(len(regions))
    bounds = np.flatnonzero(np.diff(np.cumsum(per_owner[owners]) // _PAIRS_AT_ONCE)) + 1
    for low, high in zip([0, *bounds], [*bounds, len(regions)], strict=True):
        pairs = per_owner[owners[low:high]]
        region = np.repeat(np.arange(low, high), pairs)
        place = np.arange(len(region)) - np.repeat(np.cumsum(pairs) - pairs, pairs)
        box = boxes[first[owners[region]] + place]
        over = regions[region]
        across = _shares(box[:, 0], box[:, 2], over[:, 0], over[:, 2])
        down = _shares(box[:, 1], box[:, 3], over[:, 1], over[:, 3])
        found[low:high] = np.bincount(region - low, weights=across * down * box[:, 4], minlength=high - low)
    return np.bincount(owners, weights=found, minlength=count).astype(np.float64, copy=False)


def _shares(low: Floats, high: Floats, begin: Floats, end: Floats) -> Floats:
    """The share of each interval that lies between two points; an interval without length lies there or not."""
    length = high - low
    covered = np.clip(np.minimum(high, end) - np.maximum(low, begin), 0, None)
    inside = (begin <= low) & (low <= end)
    return np.where(length > 0, covered / np.where(length > 0, length, 1.0), inside.astype(np.float64))


def disjoint(regions: Floats, owners: Ints) -> tuple[Floats, Ints]:
    """Rectangles that cover the same ground per owner, but no ground twice; what has no area is left out.

    The edges of an owner's regions cut the picture into rectangles, each wholly inside or outside of every region.

    >>> overlapping = np.array([[0.0, 0.0, 0.5, 1.0], [0.25, 0.0, 1.0, 1.0]])
    >>> rectangles, _ = disjoint(overlapping, np.array([0, 0]))
    >>> float(((rectangles[:, 2] - rectangles[:, 0]) * (rectangles[:, 3] - rectangles[:, 1])).sum())
    1.0
    """
    order = np.argsort(owners, kind="stable")
    owned, counts = np.unique(owners, return_counts=True)
    first = np.cumsum(counts) - counts
    found, whose = [regions[:0]], [owners[:0]]
    for count in np.unique(counts):
        at = np.flatnonzero(counts == count)
        size = max(1, _CELLS_AT_ONCE // (4 * int(count) ** 3))
        for start in range(0, len(at), size):
            some = at[start : start + size]
            rows = regions[order[first[some, None] + np.arange(count)]]
            rectangles, row = _cut(rows)
            found.append(rectangles)
            whose.append(owned[some][row])
    return np.concatenate(found), np.concatenate(whose)


def _cut(rows: Floats) -> tuple[Floats, Ints]:
    """Cut k regions each of n owners; the rectangles, and the row that each comes from."""
    xs = np.sort(np.concatenate([rows[:, :, 0], rows[:, :, 2]], axis=1))
    ys = np.sort(np.concatenate([rows[:, :, 1], rows[:, :, 3]], axis=1))
    in_x = _within(xs, rows[:, :, 0], rows[:, :, 2])
    in_y = _within(ys, rows[:, :, 1], rows[:, :, 3])
    covered = np.matmul(in_x.transpose(0, 2, 1), in_y) > 0
    row, i, j = np.nonzero(covered)
    return np.stack([xs[row, i], ys[row, j], xs[row, i + 1], ys[row, j + 1]], axis=1), row


def _within(edges: Floats, low: Floats, high: Floats) -> NDArray[np.float32]:
    """Of the intervals between edges, which ones a region spans; those without length none."""
    begin, end = edges[:, None, :-1], edges[:, None, 1:]
    spanned = (low[:, :, None] <= begin) & (begin < high[:, :, None]) & (begin < end)
    return spanned.astype(np.float32)
