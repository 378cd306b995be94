"""Collected work as the tables of a benchmark: what counts, from lines of responses; pure, and the same for any order.

What has no table there (picks of choices and of pictures, sheets of ambiguity) has rows of its own, for a file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from eyechart.collection.collected import Collected
from eyechart.collection.planning import follow
from eyechart.collection.task_types import task
from eyechart.tables import TABLES

__all__ = ["collected_rows", "collected_tables"]

Rows = list[dict[str, Any]]  # of one table

_SHOWN = {"answer": "image", "answer_vocabulary": "image", "answer_blind": "nothing", "answer_caption": "caption"}


def collected_tables(lines: Sequence[Collected]) -> dict[str, pl.DataFrame]:
    """The tables that responses make: answers, questions, captions, judgements, pairs, scenes, graphs.

    >>> from datetime import datetime
    >>> said = {"answer": "yes", "confidence": "yes"}
    >>> line = Collected(task="answer", key="1", ordinal=1, worker="w", body=said,
    ...                  content={"question": "Is it red?", "question_id": "1"}, submitted=datetime(2026, 1, 1))
    >>> collected_tables([line])["answers"].rows()
    [('1', 'w', 'yes', 'yes', 'image')]
    """
    found: dict[str, Rows] = {}
    for line in _counted(lines):
        for table, rows in _MAKERS.get(line.task, _nothing)(line).items():
            found.setdefault(table, []).extend(rows)
    frames = {}
    for name, rows in found.items():
        schema, key = TABLES[name].schema, list(TABLES[name].key)
        frame = pl.DataFrame(rows, schema={column: schema[column] for column in _names(rows)}, orient="row")
        # What is known of one row by several responses is joined: both judgements of a person, a question's author.
        whole = TABLES[name].conform(frame).group_by(key, maintain_order=True).agg(pl.all().drop_nulls().first())
        frames[name] = whole.select(schema.names())
    return frames


def collected_rows(lines: Sequence[Collected]) -> pl.DataFrame:
    """One row for each response that counts, with what was picked or said and by whom, for a .csv or .jsonl file.

    Of the picker of pictures these are the picks that ``eyechart complement --picks`` reads; of answers those of its
    ``--answers``; of the ambiguity check the sheet of ``eyechart decoys --sheet``.

    >>> from datetime import datetime
    >>> body = {"image_id": None, "rank": None, "reason": "no_sense", "seen": 24}
    >>> line = Collected(task="complement", key="1", ordinal=1, worker="w", body=body,
    ...                  content={"question_id": "1"}, submitted=datetime(2026, 1, 1))
    >>> collected_rows([line]).select("question_id", "image_id", "reason", "worker_id").rows()
    [('1', None, 'the question makes sense for none of the near pictures', 'w')]
    """
    rows = [_FLAT.get(line.task, _flat)(line) for line in _counted(lines)]
    return pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame()


def _counted(lines: Sequence[Collected]) -> list[Collected]:
    """Accepted responses to real items, in an order of their own."""
    kept = [line for line in lines if line.state == "accepted" and line.kind == "real"]
    return sorted(kept, key=lambda line: (line.task, line.key, line.ordinal))


def _names(rows: Rows) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


# ---------------------------------------------------------------------- tables


def _nothing(line: Collected) -> dict[str, Rows]:
    del line
    return {}


def _image(image: Mapping[str, Any] | None) -> Rows:
    if image is None:
        return []
    return [{name: image.get(name) for name in ("image_id", "file", "width", "height")}]


def _question(line: Collected) -> Rows:
    """The question that a response is about."""
    image = line.content.get("image", {}).get("image_id", line.image_id)
    return [{"question_id": _asked(line), "image_id": image, "question": line.content.get("question")}]


def _asked(line: Collected) -> str:
    return str(line.content.get("question_id", line.key))


def _written(line: Collected) -> dict[str, Rows]:
    made_now = follow(line.task, line.key, line.ordinal, line.content, line.body)
    if made_now is None:
        return {}
    image = made_now.parts["image"]
    asked = {"question_id": made_now.question_id, "image_id": image["image_id"], "question": made_now.parts["question"]}
    return {"questions": [{**asked, "author_id": line.worker}], "images": _image(image)}


def _answered(line: Collected) -> dict[str, Rows]:
    said = {"question_id": _asked(line), "worker_id": line.worker, "answer": line.body["answer"]}
    answer = {**said, "confidence": line.body.get("confidence"), "shown": _SHOWN[line.task]}
    return {"questions": _question(line), "images": _image(line.content.get("image")), "answers": [answer]}


def _judged(line: Collected) -> dict[str, Rows]:
    """Both judgements of one person about one question are one row, joined where tables are."""
    common = line.body.get("needs_commonsense")
    row = {
        "question_id": _asked(line),
        "worker_id": line.worker,
        "needs_commonsense": None if common is None else common == "yes",
        "youngest_age": line.body.get("youngest_age"),
    }
    return {"questions": _question(line), "judgements": [row]}


def _captioned(line: Collected) -> dict[str, Rows]:
    image = line.content["image"]
    caption_id = f"{line.key}-{line.ordinal}"
    row = {"image_id": line.key, "caption_id": caption_id, "worker_id": line.worker, "caption": line.body["caption"]}
    return {"images": _image(image), "captions": [row]}


def _paired(line: Collected) -> dict[str, Rows]:
    """A pair, or why there is none."""
    made_now = follow(line.task, line.key, line.ordinal, line.content, line.body)
    if made_now is None:
        refused = {"question_id": _asked(line), "reason": _reason(line), "worker_id": line.worker}
        return {"questions": _question(line), "unpaired": [refused]}
    image = made_now.parts["image"]
    other = {"question_id": made_now.question_id, "image_id": image["image_id"], "question": line.content["question"]}
    pair = {"question_id": _asked(line), "complement_id": made_now.question_id, "rank": line.body.get("rank")}
    return {
        "questions": [*_question(line), {**other, "answer": line.body.get("answer")}],
        "pairs": [{**pair, "origin": "people"}],
        "images": [*_image(line.content.get("image")), *_image(image)],
    }


def _reason(line: Collected) -> str:
    said = {
        "no_sense": "the question makes sense for none of the near pictures",
        "same_answer": "wherever the question makes sense, the answer is the same",
    }
    edits = {
        "no_sense": "the question makes no sense for the scene",
        "same_answer": "no change makes another answer right",
    }
    return (edits if line.task == "scene_edit" else said).get(str(line.body.get("reason")), "not possible")


def _drawn(line: Collected, image_id: str) -> dict[str, Rows]:
    """A scene as rows."""
    from eyechart.collection.bodies.scene import scene_tables  # the art is heavy

    return {name: frame.to_dicts() for name, frame in scene_tables([(image_id, line.body)]).items()}


def _scene(line: Collected) -> dict[str, Rows]:
    return _drawn(line, line.key)


def _changed(line: Collected) -> dict[str, Rows]:
    """A pair whose other picture somebody made out of this one."""
    tables = _paired(line)
    if "pairs" not in tables:
        return tables
    drawn = _drawn(line, tables["pairs"][0]["complement_id"])
    return tables | drawn | {"images": [*_image(line.content.get("image")), *drawn["images"]]}


def _graph(line: Collected) -> dict[str, Rows]:
    from eyechart.collection.bodies.graph import graph_tables

    drawn = {name: frame.to_dicts() for name, frame in graph_tables([(line.key, line.body)]).items()}
    return {"images": _image(line.content.get("image")), **drawn}


_MAKERS: dict[str, Callable[[Collected], dict[str, Rows]]] = {
    "question": _written,
    **dict.fromkeys(_SHOWN, _answered),
    "commonsense": _judged,
    "age": _judged,
    "caption": _captioned,
    "complement": _paired,
    "scene": _scene,
    "scene_edit": _changed,
    "scene_graph": _graph,
}
"""What each task's responses become rows of."""


# ---------------------------------------------------------------------- rows for a file


def _flat(line: Collected) -> dict[str, Any]:
    """What was said of which item by whom."""
    about = {"question_id": _asked(line)} if "question" in task(line.task).lineage else {"image_id": line.key}
    plain = {name: value for name, value in line.body.items() if not isinstance(value, dict | list)}
    return {**about, "worker_id": line.worker, **plain, "seconds": line.seconds, "submitted": line.submitted}


def _flat_pick(line: Collected) -> dict[str, Any]:
    refused = line.body["image_id"] is None
    reason = _reason(line) if refused else None
    picked = {"image_id": line.body["image_id"], "rank": line.body["rank"], "reason": reason}
    return {"question_id": _asked(line), **picked, "worker_id": line.worker, "seen": line.body["seen"]}


def _flat_choice(line: Collected) -> dict[str, Any]:
    said = {"answer": line.body["choice"], **{name: line.body[name] for name in ("position", "shown_at", "several")}}
    return {"question_id": _asked(line), "worker_id": line.worker, **said, "seconds": line.seconds}


def _flat_ambiguity(line: Collected) -> dict[str, Any]:
    parts = {name: line.content.get(name) for name in ("question_id", "kind", "question", "answer", "decoy")}
    return {**parts, "image_id": line.image_id, "also_right": line.body["also_right"], "worker_id": line.worker}


_FLAT: dict[str, Callable[[Collected], dict[str, Any]]] = {
    "complement": _flat_pick,
    "choose": _flat_choice,
    "ambiguity": _flat_ambiguity,
}
