"""Perfect sight: a scene graph as rows of numbers, one per object and one per relation, as if everything had been seen.

An object's row is the mean vector of its name, that of its attributes, and where it is; a relation's row is its
subject, the mean vector of its name, and its object. Both have the same width, so that they are looked at together.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from eyechart.text import WordVectors, text_vectors

__all__ = ["scene_rows", "scene_width"]

Floats = npt.NDArray[np.float32]
_PLACE = 5


def scene_width(vectors: WordVectors) -> int:
    """How many numbers a row has: subject, relation, object.

    >>> from eyechart.text import packaged_vectors
    >>> scene_width(packaged_vectors())
    1290
    """
    return 5 * vectors.dimension + 2 * _PLACE


def scene_rows(
    scenes: tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame],
    image_ids: Sequence[str],
    vectors: WordVectors,
    most: int = 100,
) -> tuple[list[Floats], list[Floats]]:
    """For each picture its rows (at most so many objects and as many relations) and the box of each.

    ``scenes`` are objects (image_id, object_id, name, x0, y0, x1, y1 from 0 to 1), attributes (image_id, object_id,
    attribute) and relations (image_id, subject_id, predicate, object_id). A relation has no box of its own.

    >>> from eyechart.text import packaged_vectors
    >>> objects = pl.DataFrame({"image_id": ["1"], "object_id": ["a"], "name": ["ball"],
    ...     "x0": [0.0], "y0": [0.0], "x1": [0.5], "y1": [0.5]})
    >>> none = pl.DataFrame(schema={"image_id": pl.String, "object_id": pl.String, "attribute": pl.String})
    >>> apart = {name: pl.String for name in ("image_id", "subject_id", "predicate", "object_id")}
    >>> rows, boxes = scene_rows((objects, none, pl.DataFrame(schema=apart)), ["1", "2"], packaged_vectors())
    >>> [each.shape for each in rows], boxes[0].tolist()
    ([(1, 1290), (0, 1290)], [[0.0, 0.0, 0.5, 0.5]])
    """
    objects, attributes, relations = scenes
    kept = objects.with_columns(_number=pl.int_range(pl.len()).over("image_id")).filter(pl.col("_number") < most)
    joined = attributes.group_by("image_id", "object_id", maintain_order=True).agg(pl.col("attribute").str.join(" "))
    kept = kept.join(joined, on=["image_id", "object_id"], how="left", maintain_order="left")
    nodes = _nodes(kept, vectors)
    numbered = kept.select("image_id", "object_id").with_row_index("_row")
    ends = [
        numbered.rename({"object_id": f"{end}_id", "_row": f"_{end}"}).with_columns(pl.col(f"_{end}").cast(pl.Int64))
        for end in ("subject", "object")
    ]
    linked = relations.join(ends[0], on=["image_id", "subject_id"], maintain_order="left").join(
        ends[1], on=["image_id", "object_id"], maintain_order="left"
    )
    linked = linked.with_columns(_number=pl.int_range(pl.len()).over("image_id")).filter(pl.col("_number") < most)
    names, _ = text_vectors(linked["predicate"].to_list(), vectors)
    edges = np.concatenate([nodes[linked["_subject"].to_numpy()], names, nodes[linked["_object"].to_numpy()]], axis=1)
    whole = np.zeros((len(nodes), scene_width(vectors)), np.float32)
    whole[:, : nodes.shape[1]] = nodes
    boxes = kept.select("x0", "y0", "x1", "y1").to_numpy().astype(np.float32)
    of_node, of_edge = _places(kept), _places(linked)
    nothing = np.zeros(0, np.int64)
    rows, places = [], []
    for image_id in image_ids:
        node, edge = of_node.get(image_id, nothing), of_edge.get(image_id, nothing)
        rows.append(np.concatenate([whole[node], edges[edge]]))
        places.append(np.concatenate([boxes[node], np.zeros((len(edge), 4), np.float32)]))
    return rows, places


def _nodes(objects: pl.DataFrame, vectors: WordVectors) -> Floats:
    """Name, attributes, place: the corner, the size, and the area."""
    names, _ = text_vectors(objects["name"].to_list(), vectors)
    looks, _ = text_vectors(objects["attribute"].fill_null("").to_list(), vectors)
    x0, y0, x1, y1 = objects.select("x0", "y0", "x1", "y1").to_numpy().astype(np.float32).T
    place = np.stack([x0, y0, x1 - x0, y1 - y0, (x1 - x0) * (y1 - y0)], axis=1)
    return np.concatenate([names, looks, place.reshape(-1, _PLACE)], axis=1).astype(np.float32)


def _places(rows: pl.DataFrame) -> dict[str, npt.NDArray[np.int64]]:
    """Which rows belong to each picture."""
    grouped = rows.select("image_id").with_row_index("_row").group_by("image_id", maintain_order=True).agg("_row")
    return {image_id: np.array(places, np.int64) for image_id, places in grouped.iter_rows()}
