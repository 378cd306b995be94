"""A benchmark with something in every table that the browser shows, made by hand; a model or two that answered it."""

from pathlib import Path

import polars as pl

from eyechart.store import Benchmark

ASKED = (
    # id, picture, split, question, answer, kind
    ("1", "a", "train", "What color is the cup?", "red", "other"),
    ("2", "a", "train", "Is there a dog?", "no", "yes/no"),
    ("3", "b", "val", "How many cups are there?", "2", "number"),
    ("4", "b", "val", "What is to the left of the DOG?", "cup", "other"),
    ("5", "c", "val", "Is the dog (brown)?", "yes", "yes/no"),
    ("6", "a", "train", "What color is the cup?", "green", "other"),
)
PEOPLE = {
    "1": ["red"] * 9 + ["crimson"],
    "2": ["no"] * 10,
    "3": ["2"] * 6 + ["3"] * 4,
    "4": ["cup"] * 4 + ["mug"] * 4 + ["glass"] * 2,
    "5": ["yes"] * 5 + ["no"] * 5,
}
PROGRAM = [
    {"operation": "select", "argument": "cup (1)", "dependencies": []},
    {"operation": "query", "argument": "color", "dependencies": [0]},
]


def shelved(folder: Path) -> Benchmark:
    """Three pictures, six questions."""
    columns = ("question_id", "image_id", "split", "question", "answer", "answer_type")
    asked = pl.DataFrame([dict(zip(columns, row, strict=True)) for row in ASKED])
    programs = [PROGRAM if row[0] == "1" else None for row in ASKED]
    with Benchmark.create(folder) as draft:
        draft.write("images", pl.DataFrame({"image_id": ["a", "b", "c"], "width": 100, "height": 80}))
        draft.write("questions", asked.with_columns(program=pl.Series(programs, dtype=_PROGRAM)))
        draft.write("answers", _answers())
        draft.write("captions", pl.DataFrame({"image_id": ["a", "b"], "caption_id": ["1", "2"], "caption": _CAPTIONS}))
        draft.write("objects", pl.DataFrame(_OBJECTS))
        draft.write("attributes", pl.DataFrame({"image_id": "a", "object_id": "1", "attribute": "red"}))
        draft.write("relations", pl.DataFrame(_RELATION))
        draft.write("pairs", pl.DataFrame({"question_id": ["1"], "complement_id": ["6"], "origin": ["people"]}))
        draft.write("choices", pl.DataFrame({"question_id": "1", "position": [0, 1], "choice": ["red", "blue"]}))
        draft.write("neighbours", pl.DataFrame({"image_id": ["a"], "rank": [1], "neighbour_id": ["b"]}))
        draft.write("entailments", pl.DataFrame({"question_id": ["1"], "entailed_id": ["2"], "rule": ["made up"]}))
    return Benchmark.open(folder)


def models() -> dict[str, pl.DataFrame]:
    """One that says what most people say, and one that says yes."""
    ids = [row[0] for row in ASKED if row[0] in PEOPLE]
    right = pl.DataFrame({"question_id": ids, "answer": [PEOPLE[each][0] for each in ids], "confidence": 0.9})
    return {"right": right, "yes": right.with_columns(answer=pl.lit("yes"), confidence=pl.lit(0.5))}


_PROGRAM = pl.List(pl.Struct({"operation": pl.String, "argument": pl.String, "dependencies": pl.List(pl.Int32)}))
_CAPTIONS = ["A red cup on a table.", "A dog beside two cups."]
_OBJECTS = {
    "image_id": ["a", "b", "b", "c"],
    "object_id": ["1", "1", "2", "1"],
    "name": ["cup", "cup", "dog", "dog"],
    "x": [10.0, 5.0, 50.0, 20.0],
    "y": [10.0, 5.0, 30.0, 20.0],
    "w": [20.0, 20.0, 30.0, 40.0],
    "h": [20.0, 20.0, 30.0, 40.0],
}
_RELATION = {"image_id": ["b"], "subject_id": ["1"], "predicate": ["to the left of"], "object_id": ["2"]}


def _answers() -> pl.DataFrame:
    rows = [
        {"question_id": question, "worker_id": str(number), "answer": answer, "confidence": "yes", "shown": "image"}
        for question, given in PEOPLE.items()
        for number, answer in enumerate(given)
    ]
    return pl.DataFrame(rows)
