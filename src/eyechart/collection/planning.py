"""From the tables of a benchmark to items, and from what one study collected to the items of the next.

All of it is made of tables and values: nothing here knows a database.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
import polars as pl

from eyechart.collection.bodies.contract import rules_of
from eyechart.collection.model import Item
from eyechart.errors import DataError
from eyechart.tables import TABLES

__all__ = ["Followed", "follow", "plan_items"]

Tables = Mapping[str, pl.LazyFrame]
Parts = dict[str, Any]  # of an item's content
_SUFFIX = "-c"
"""What the id of a complementary question ends in, as ``eyechart complement`` makes it."""


def plan_items(
    task: str, tables: Tables, *, vacant: int = 0, seed: int = 0, rules: Mapping[str, Any] | None = None
) -> list[Item]:
    """The items of a task, from a benchmark's tables; ``vacant`` is how many scenes to make from nothing.

    Where such a scene plays, what is offered for it, and whether there must be a person, ``seed`` draws; ``rules`` are
    the study's own.

    >>> images = pl.LazyFrame({"image_id": ["7"], "file": ["a.jpg"], "width": [640], "height": [480]})
    >>> asked = pl.LazyFrame({"question_id": ["1"], "image_id": ["7"], "question": ["Is it red?"], "author_id": ["w1"]})
    >>> item, = plan_items("answer", {"images": images, "questions": asked})
    >>> item.key, item.content["question"], item.content["image"]["file"]
    ('1', 'Is it red?', 'a.jpg')
    """
    if task == "scene":
        from eyechart.collection.bodies.scene import Rules, wanted  # the art is heavy

        share = rules_of(rules or {}, Rules).shelf
        keys = [f"scene-{number}" for number in range(1, vacant + 1)]
        return [
            Item(key=key, content={"scene": msgspec.to_builtins(wanted(key, seed=seed, share=share))}) for key in keys
        ]
    whole = {
        name: _table(tables, name) for name in ("images", "questions", "captions", "choices", "neighbours", "decoys")
    }
    pictures = _pictures(whole["images"], tables, drawn=task == "scene_edit")
    if task in {"question", "caption", "scene_graph"}:
        return _of_images(task, whole, pictures)
    if task == "ambiguity":
        return list(_of_decoys(whole, pictures))
    return list(_of_questions(task, whole, pictures, tables))


def _table(tables: Tables, name: str) -> pl.DataFrame:
    """A table with all of its columns."""
    there = tables.get(name)
    if there is None:
        return TABLES[name].empty()
    return TABLES[name].conform(there.collect())


def _needed(rows: pl.DataFrame, table: str, task: str) -> pl.DataFrame:
    if not rows.height:
        raise DataError(
            f"benchmark: found no {table}, expected some for task {task}; add them, or name another benchmark"
        )
    return rows


def _pictures(images: pl.DataFrame, tables: Tables, *, drawn: bool) -> dict[str, Parts]:
    """Every picture: its file, or the scene that is to be drawn; the scene in any case if it is to be ``drawn`` on."""
    scenes = _scenes(images, tables)
    found = {}
    for row in images.select("image_id", "file", "width", "height").iter_rows(named=True):
        image = {name: value for name, value in row.items() if value is not None}
        if (drawn or "file" not in image) and row["image_id"] in scenes:
            image["scene"] = scenes[row["image_id"]]
        found[row["image_id"]] = image
    return found


def _scenes(images: pl.DataFrame, tables: Tables) -> dict[str, Parts]:
    """Abstract scenes as the rows of their clip art."""
    if "cliparts" not in tables:
        return {}
    clips = _table(tables, "cliparts").partition_by("image_id", as_dict=True, include_key=False)
    places = dict(images.select("image_id", "location").iter_rows())
    return {
        str(image): {"background": places.get(str(image)), "cliparts": rows.to_dicts()}
        for (image,), rows in clips.items()
    }


def _of_images(task: str, whole: Mapping[str, pl.DataFrame], pictures: Mapping[str, Parts]) -> list[Item]:
    _needed(whole["images"], "images", task)
    asked: dict[str, list[str]] = {}
    if task == "question":
        for image, question in whole["questions"].select("image_id", "question").drop_nulls().iter_rows():
            asked.setdefault(image, []).append(question)
    items = []
    for image_id, image in pictures.items():
        content: Parts = {"image": image}
        if image_id in asked:
            content["earlier_questions"] = asked[image_id]
        items.append(Item(key=image_id, image_id=image_id, content=content))
    return items


def _roots(tables: Tables) -> dict[str, str]:
    """The original question of each complementary one."""
    pairs = _table(tables, "pairs")
    return dict(pairs.select("complement_id", "question_id").iter_rows())


def _of_questions(
    task: str, whole: Mapping[str, pl.DataFrame], pictures: Mapping[str, Parts], tables: Tables
) -> Iterator[Item]:
    questions = _needed(whole["questions"].drop_nulls("question"), "questions", task)
    roots = _roots(tables)
    seen = _seen(questions, _table(tables, "answers"))
    extra = _extras(task, whole, pictures)
    for row in questions.select("question_id", "image_id", "question", "answer").iter_rows(named=True):
        parts: Parts = {"question": row["question"], "question_id": row["question_id"]}
        if row["image_id"] in pictures:
            parts["image"] = pictures[row["image_id"]]
        if row["answer"] is not None:
            parts["answer"] = row["answer"]
        by = row["image_id"] if task in {"answer_caption", "complement"} else row["question_id"]
        more = extra.get(by) if extra is not None else {}
        if more is None:
            continue  # a question that lacks what the task is about: no caption, no choices, no neighbours
        parts |= more
        if task == "scene_edit":
            parts["scene"] = parts.get("image", {}).get("scene")
            if parts["scene"] is None:
                continue  # a picture that is no scene
        root = roots.get(row["question_id"], row["question_id"])
        by_whom = seen.get(row["question_id"], ())
        yield Item(key=row["question_id"], question_id=root, image_id=row["image_id"], content=parts, seen_by=by_whom)


def _seen(questions: pl.DataFrame, answers: pl.DataFrame) -> dict[str, tuple[str, ...]]:
    """Who wrote or answered each question already."""
    wrote = questions.select("question_id", worker_id="author_id")
    met = pl.concat([wrote, answers.select("question_id", "worker_id")]).drop_nulls().unique()
    listed = met.sort("question_id", "worker_id").group_by("question_id", maintain_order=True).agg("worker_id")
    return {question: tuple(workers) for question, workers in listed.iter_rows()}


def _extras(task: str, whole: Mapping[str, pl.DataFrame], pictures: Mapping[str, Parts]) -> dict[str, Parts] | None:
    """What a task needs beside the question, by question or by image."""
    if task == "answer_caption":
        captions = _needed(whole["captions"], "captions", task).unique("image_id", keep="first", maintain_order=True)
        return {image: {"caption": said} for image, said in captions.select("image_id", "caption").iter_rows()}
    if task == "choose":
        rows = _needed(whole["choices"], "choices", task).sort("question_id", "position")
        listed = rows.group_by("question_id", maintain_order=True).agg("choice")
        return {question: {"choices": choices} for question, choices in listed.iter_rows()}
    if task == "complement":
        near = _of_same_split(_needed(whole["neighbours"], "neighbours", task), whole["images"]).sort(
            "image_id", "rank"
        )
        lists = near.group_by("image_id", maintain_order=True).agg("neighbour_id")
        return {
            image: {"neighbours": [pictures[each] for each in others if each in pictures]}
            for image, others in lists.iter_rows()
        }
    return None


def _of_same_split(near: pl.DataFrame, images: pl.DataFrame) -> pl.DataFrame:
    """Near pictures of the same part of the benchmark: others would be seen in training and tested on."""
    splits = images.select("image_id", "split")
    both = near.join(splits, on="image_id", how="left", maintain_order="left").join(
        splits.rename({"image_id": "neighbour_id", "split": "other"}),
        on="neighbour_id",
        how="left",
        maintain_order="left",
    )
    return both.filter(pl.col("split").eq_missing(pl.col("other"))).select(near.columns)


def _of_decoys(whole: Mapping[str, pl.DataFrame], pictures: Mapping[str, Parts]) -> Iterator[Item]:
    decoys = _needed(whole["decoys"], "decoys", "ambiguity")
    joined = decoys.join(whole["questions"].select("question_id", "image_id", "question", "answer"), on="question_id")
    for row in joined.iter_rows(named=True):
        parts: Parts = {name: row[name] for name in ("question_id", "question", "answer", "decoy", "kind")}
        if row["image_id"] in pictures:
            parts["image"] = pictures[row["image_id"]]
        key = f"{row['question_id']}|{row['kind']}|{row['rank']}"
        yield Item(key=key, question_id=row["question_id"], image_id=row["image_id"], content=parts)


class Followed(NamedTuple):
    """What an accepted response brings into being."""

    question_id: str
    root_id: str
    """The question at the root of its lineage."""
    parts: Parts

    def item(self) -> Item:
        """The item of a study that builds on it."""
        image = self.parts.get("image", {}).get("image_id")
        return Item(key=self.question_id, question_id=self.root_id, image_id=image, content=self.parts)


def follow(task: str, key: str, ordinal: int, content: Mapping[str, Any], body: Mapping[str, Any]) -> Followed | None:
    """The new question that a response makes: written by somebody, or an old one about another picture.

    >>> follow("question", "42", 2, {"image": {"image_id": "42"}}, {"question": "Is it red?"}).question_id
    '421'
    """
    if task == "question":
        asked = question_id(key, ordinal)
        return Followed(asked, asked, {"image": content["image"], "question": body["question"], "question_id": asked})
    if task == "complement" and body["image_id"] is not None:
        image = content["neighbours"][body["rank"] - 1]
    elif task == "scene_edit" and body.get("scene") is not None:
        image = {"image_id": f"{content['question_id']}{_SUFFIX}", "scene": body["scene"]}
    else:
        return None
    root = content["question_id"]
    parts = {"image": image, "question": content["question"], "question_id": f"{root}{_SUFFIX}"}
    return Followed(f"{root}{_SUFFIX}", root, parts)


def question_id(image_id: str, ordinal: int) -> str:
    """The id of the n-th question about a picture, as VQA has it: a digit after a number, else after a dash.

    >>> question_id("42", 1), question_id("kitchen", 3), question_id("42", 11)
    ('420', 'kitchen-3', '42-11')
    """
    is_number = image_id.isdecimal() and ordinal <= len("0123456789")
    return f"{image_id}{ordinal - 1}" if is_number else f"{image_id}-{ordinal}"
