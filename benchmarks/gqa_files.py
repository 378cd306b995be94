"""GQA validation files of any size, made up: the layout and the sizes of the real ones, word statistics of a toy."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from side_by_side import DATA

VALIDATION = 264_124
"""Questions, every second one balanced: as many balanced ones as the validation split has (132,062)."""
_PER_IMAGE = 26
_OBJECTS = 12
_MAP = 7
_NAMES = ["man", "shirt", "wall", "table", "dog", "tree", "car", "plate", "window", "chair", "cup", "fence"]
_COLORS = ["white", "black", "red", "green", "blue", "brown", "yellow", "gray", "orange", "pink"]
_SEMANTIC = ["obj", "attr", "cat", "rel", "global"]

Json = Any
Record = tuple[str, Json]


class GqaFiles(NamedTuple):
    """The five files of an evaluation."""

    questions: Path
    predictions: Path
    choices: Path
    scene_graphs: Path
    attentions: Path


def gqa_files(questions: int = VALIDATION) -> GqaFiles:
    """Questions, predictions, choices, scene graphs and 7 x 7 maps; made once."""
    names = ("questions", "predictions", "choices", "scene_graphs", "attentions")
    files = GqaFiles(*(DATA / f"gqa-{questions}" / f"{name}.json" for name in names))
    if not files.attentions.is_file():
        files.attentions.parent.mkdir(parents=True, exist_ok=True)
        draw = random.Random(questions)  # made-up data
        asked = {_key(number): _question(number, questions, draw) for number in range(questions)}
        _write(files.questions, asked)
        _write(files.predictions, [_prediction(key, asked[key], draw) for key in asked])
        _write(files.choices, {key: _choices(asked[key]["answer"], draw) for key in asked})
        _write(files.scene_graphs, {str(image): _graph(draw) for image in range(questions // _PER_IMAGE + 1)})
        looked = [key for key in asked if asked[key]["isBalanced"]]
        _write(files.attentions, [{"questionId": key, "attention": _grid(draw)} for key in looked])
    return files


def _write(path: Path, content: Json) -> None:
    path.write_text(json.dumps(content))


def _key(number: int) -> str:
    return f"{number:08d}"


def _question(number: int, count: int, draw: random.Random) -> Json:
    image, (first, second) = number // _PER_IMAGE, draw.sample(range(_OBJECTS), 2)
    name, other, color = _NAMES[first], _NAMES[second], draw.choice(_COLORS)
    answer, structural, program = draw.choice(_KINDS)(f"{name} ({first})", f"{other} ({second})", color, draw)
    neighbours = [image * _PER_IMAGE + draw.randrange(_PER_IMAGE) for _ in range(draw.randrange(8))]
    return {
        "semantic": program,
        "entailed": [_key(min(each, count - 1)) for each in neighbours],
        "equivalent": [_key(number)],
        "question": f"Is the {name} to the left of the {other} that looks {color} near the end of the street?",
        "imageId": str(image),
        "isBalanced": number % 2 == 0,
        "groups": {
            "global": None if structural in {"verify", "logical"} else draw.choice(_GROUPS),
            "local": f"10q-{name}_{draw.choice(_COLORS)}",
        },
        "answer": answer,
        "semanticStr": "->".join(f"{step['operation']}: {step['argument']}" for step in program),
        "annotations": {
            "answer": {},
            "question": {"2": str(first), "8:10": str(second)},
            "fullAnswer": {"1": str(first), "5": str(second)},
        },
        "types": {"detailed": draw.choice(_DETAILED), "semantic": draw.choice(_SEMANTIC), "structural": structural},
        "fullAnswer": f"The {name} is {color} and stands to the left of the {other}.",
    }


_GROUPS = [f"group {number}" for number in range(60)]
_DETAILED = ["relS", "existAttr", "categoryRelS", "attrCommon", "twoSame", "chooseColor", "materialChoose"]


def _step(operation: str, argument: str, *dependencies: int) -> Json:
    return {"operation": operation, "dependencies": list(dependencies), "argument": argument}


def _query(name: str, other: str, color: str, draw: random.Random) -> tuple[str, str, Json]:
    last = draw.choice(["name", "color"])
    relate = _step("relate", f"{other},to the left of,s", 1)
    return color, "query", [_step("select", name), _step("filter color", color, 0), relate, _step("query", last, 2)]


def _verify(name: str, other: str, color: str, draw: random.Random) -> tuple[str, str, Json]:
    first, second = _step("select", name), _step("relate", f"{other},to the left of,s", 0)
    return draw.choice(["yes", "no"]), "verify", [first, second, _step("filter", color, 1), _step("exist", "?", 2)]


def _choose(name: str, other: str, color: str, draw: random.Random) -> tuple[str, str, Json]:
    return (
        draw.choice(["left", "right"]),
        "choose",
        [
            _step("select", name),
            _step("choose rel", f"{other},to the left of|to the right of,s", 0),
            _step("verify color", color, 1),
        ],
    )


_KINDS: list[Callable[[str, str, str, random.Random], tuple[str, str, Json]]] = [_query, _query, _verify, _choose]


def _prediction(key: str, question: Json, draw: random.Random) -> Json:
    guess = question["answer"] if draw.random() < 0.6 else draw.choice([*_COLORS, "yes", "no", "left", "pizza"])
    return {"questionId": key, "prediction": guess}


def _choices(answer: str, draw: random.Random) -> Json:
    return {"valid": [answer, *draw.sample(_COLORS, 7)], "plausible": [answer, *draw.sample(_COLORS, 3)]}


def _graph(draw: random.Random) -> Json:
    return {"width": 500, "height": 375, "objects": {str(each): _object(each, draw) for each in range(_OBJECTS)}}


def _object(number: int, draw: random.Random) -> Json:
    x, y = draw.randrange(400), draw.randrange(300)
    box = {"x": x, "y": y, "w": draw.randrange(1, 500 - x), "h": draw.randrange(1, 375 - y)}
    relations = [{"object": str(draw.randrange(_OBJECTS)), "name": "to the left of"} for _ in range(2)]
    return {"name": _NAMES[number], **box, "attributes": [draw.choice(_COLORS)], "relations": relations}


def _grid(draw: random.Random) -> list[list[float]]:
    weights = [draw.random() for _ in range(_MAP * _MAP)]
    whole = sum(weights)
    flat = [round(weight / whole, 7) for weight in weights]
    return [flat[start : start + _MAP] for start in range(0, _MAP * _MAP, _MAP)]
