"""Claim: all of GQA's metrics over a validation split come from the files in three seconds, under 700 MB."""

import json
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from gqa_files import gqa_files
from side_by_side import compare

Json = Any
Box = tuple[float, float, float, float]

COMMON = ["color", "material", "shape"]
FREE = ("exist", "query: name", "choose name")


def ours() -> object:
    """Eyechart: every number of 264,124 questions, from the JSON files."""
    from eyechart.pipeline.official_gqa import GqaFiles, evaluate_gqa

    evaluation = evaluate_gqa(GqaFiles(*([path] for path in gqa_files())))
    return dict(evaluation.numbers)


def theirs() -> object:
    """The published algorithm: all files as Python objects, then a loop over questions, regions and cells."""
    questions, predictions, choices, scenes, attentions = map(_load, gqa_files())
    guess = {row["questionId"]: row["prediction"] for row in predictions}
    maps = {row["questionId"]: row["attention"] for row in attentions}
    scores: dict[str, list[float]] = defaultdict(list)
    details: dict[tuple[str, object], list[float]] = defaultdict(list)
    true: dict[str, Counter[str]] = defaultdict(Counter)
    made: dict[str, Counter[str]] = defaultdict(Counter)
    for key, asked in questions.items():
        if not asked["isBalanced"]:
            continue
        predicted, gold = guess[key], asked["answer"]
        right = float(predicted == gold)
        scores["accuracy"].append(right)
        scores["open" if asked["types"]["structural"] == "query" else "binary"].append(right)
        details["words", len(asked["question"].split())].append(right)
        details["steps", _steps(asked)].append(right)
        details["structural", asked["types"]["structural"]].append(right)
        details["semantic", asked["types"]["semantic"]].append(right)
        scores["validity"].append(_belongs(predicted, choices[key]["valid"], asked))
        scores["plausibility"].append(_belongs(predicted, choices[key]["plausible"], asked))
        group = asked["groups"]["global"]
        if group is not None:
            true[group][gold] += 1
            made[group][predicted] += 1
        entailed = [other for other in asked["entailed"] if other != key]
        if right and entailed:
            follows = [float(guess[other] == questions[other]["answer"]) for other in entailed]
            scores["consistency"].append(sum(follows) / len(follows))
        scores["grounding"].append(_grounding(asked, scenes[asked["imageId"]], maps[key]))
    numbers = {name: 100 * sum(found) / len(found) for name, found in scores.items()}
    return numbers | {"distribution": _chi_square(true, made) / 100}


def _load(path: Path) -> Json:
    with path.open() as file:
        return json.load(file)


def _steps(asked: Json) -> int:
    texts = ["{}: {}".format(step["operation"], step["argument"]) for step in asked["semantic"]]
    return len([text for text in texts if not any(part in text for part in FREE)])


def _belongs(predicted: str, listed: list[str], asked: Json) -> float:
    return float(predicted in (COMMON if "Common" in asked["types"]["detailed"] else listed))


def _grounding(asked: Json, scene: Json, grid: list[list[float]]) -> float:
    words = asked["annotations"]
    regions = [_region(scene, pointer) for pointer in words["question"].values()]
    regions += [_region(scene, pointer) for pointer in words["fullAnswer"].values()]
    size = len(grid)
    cells = [(_cell(i, j, size), grid[i][j]) for i in range(size) for j in range(size)]
    return sum([weight * _covered(cell, region) for region in regions for cell, weight in cells])


def _region(scene: Json, pointer: str) -> Box:
    box, width, height = scene["objects"][pointer], scene["width"], scene["height"]
    x0, y0 = box["x"] / width, box["y"] / height
    return x0, y0, (box["x"] + box["w"]) / width, (box["y"] + box["h"]) / height


def _cell(i: int, j: int, size: int) -> Box:
    edge = 1.0 / size
    return edge * i, edge * j, edge * (i + 1), edge * (j + 1)


def _length(low: tuple[float, float], high: tuple[float, float]) -> float:
    return max(0.0, min(low[1], high[1]) - max(low[0], high[0]))


def _covered(cell: Box, region: Box) -> float:
    across = _length((cell[0], cell[2]), (region[0], region[2]))
    down = _length((cell[1], cell[3]), (region[1], region[3]))
    return across * down / ((cell[2] - cell[0]) * (cell[3] - cell[1]))


def _chi_square(true: dict[str, Counter[str]], made: dict[str, Counter[str]]) -> float:
    sums, sizes = 0.0, 0
    for group, counts in true.items():
        statistic = sum((made[group].get(answer, 0) - count) ** 2 / count for answer, count in counts.items())
        size = sum(counts.values())
        sums += statistic * size
        sizes += size
    return sums / sizes


if __name__ == "__main__":
    gqa_files()
    compare("GQA's metrics from validation files, 132,062 balanced questions of 264,124", ours, theirs)
