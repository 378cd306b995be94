"""Complementary pictures among those that are there: a question's program is run on the scene graphs of near ones."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from eyechart.questions import Program, SceneGraph, interpret
from eyechart.store import Benchmark

__all__ = ["NO_ANSWER", "NO_PROGRAM", "Pick", "Row", "executed", "picked", "printed_answers", "refused", "scene_graphs"]

Row = Mapping[str, Any]  # of a table
Pick = dict[str, Any]
"""A row of ``PICK_COLUMNS``."""

_GRAPH = ("objects", "attributes", "relations", "inventories")
NO_PROGRAM = "the question has no program"
NO_ANSWER = "the executor cannot answer it for certain about its own picture"


def scene_graphs(opened: Benchmark, images: Sequence[str]) -> dict[str, SceneGraph]:
    """The scene graphs of some pictures."""
    wanted = pl.DataFrame({"image_id": sorted(set(images))})
    tables = {
        table: opened.scan(table).join(wanted.lazy(), on="image_id", how="semi", maintain_order="left").collect()
        for table in ("images", *_GRAPH)
    }
    parts = {table: rows.partition_by("image_id", as_dict=True) for table, rows in tables.items()}
    return {
        image: SceneGraph.from_tables(
            image, {table: parts[table].get((image,), rows.clear()) for table, rows in tables.items()}
        )
        for image in wanted["image_id"]
    }


def executed(row: Row, graph: SceneGraph | None) -> str | None:
    """What the naive executor says of a question about a picture, if nothing is in doubt."""
    if graph is None or not row["program"]:
        return None
    proof = interpret(Program.read(row["program"]).canonical, graph)
    return None if proof.doubts else proof.answer


def printed_answers(questions: pl.DataFrame, graphs: Mapping[str, SceneGraph]) -> dict[tuple[str, str], str]:
    """How answers are written in questions of one detailed type, by what the executor calls them."""
    found: dict[tuple[str, str], str] = {}
    for row in questions.iter_rows(named=True):
        said = executed(row, graphs.get(row["image_id"]))
        if said is not None and row["answer"] is not None:
            found.setdefault((row["detailed"] or "", said), row["answer"])
    return found


def picked(
    row: Row, candidates: Sequence[str], graphs: Mapping[str, SceneGraph], printed: Mapping[tuple[str, str], str]
) -> Pick:
    """The first of the nearest pictures where the question makes sense and has another answer."""
    if not row["program"]:
        return refused(row, NO_PROGRAM)
    own = executed(row, graphs.get(row["image_id"]))
    if own is None:
        return refused(row, NO_ANSWER)
    same = 0
    for rank, image in enumerate(candidates, 1):
        said = executed(row, graphs.get(image))
        answer = printed.get((row["detailed"] or "", said or ""), said if own == row["answer"] else None)
        if said is not None and said != own and answer is not None:
            return {"question_id": row["question_id"], "image_id": image, "rank": rank, "answer": answer}
        same += said == own
    rest = len(candidates) - same
    return refused(row, f"of the {len(candidates)} nearest pictures {same} have the same answer, {rest} no certain one")


def refused(row: Row, reason: str) -> Pick:
    """No picture, and why.

    >>> refused({"question_id": "1"}, NO_PROGRAM)
    {'question_id': '1', 'image_id': None, 'reason': 'the question has no program'}
    """
    return {"question_id": row["question_id"], "image_id": None, "reason": reason}
