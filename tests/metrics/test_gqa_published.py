"""GQA's numbers equal those of the published script, re-told here as loops over dicts, from files and from tables."""

import json
import random
import re
import tempfile
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eyechart.errors import DataError, FormatError
from eyechart.formats import FORMATS, SHARED, merge_shared, plan, read
from eyechart.metrics import (
    GQA_ACCURACY,
    GQA_CONSISTENCY,
    GQA_DISTRIBUTION,
    GQA_GROUNDING_RELEASED,
    GQA_PLAUSIBILITY,
    GQA_VALIDITY,
    Absent,
)
from eyechart.pipeline.official_gqa import GqaEvaluation, GqaFiles, GqaRules, evaluate_gqa

Json = Any  # files of made-up questions

ANSWERS = ["red", "blue", "yes", "no", "color", "shape", 'a "b"', "é"]
NUMBERS = ("accuracy", "binary", "open", "consistency", "validity", "plausibility", "grounding", "distribution")


class Literal:
    """The published script with its quirks, question by question; None where it divides by nothing or finds no key."""

    def __init__(self, files: dict[str, Json]) -> None:
        self.questions = files["questions"]
        self.guess = {row["questionId"]: row["prediction"] for row in files["predictions"]}
        self.choices, self.scenes = files["choices"], files["scene_graphs"]
        self.maps = {row["questionId"]: row["attention"] for row in files["attentions"]}
        self.counted = {key: asked for key, asked in self.questions.items() if asked["isBalanced"]}
        self.right = {key: float(self.guess.get(key) == asked["answer"]) for key, asked in self.questions.items()}

    def numbers(self) -> dict[str, float | None]:
        """All numbers."""
        kinds = {
            key: "open" if asked["types"]["structural"] == "query" else "binary" for key, asked in self.counted.items()
        }
        return {
            "accuracy": percent([self.right[key] for key in self.counted]),
            "binary": percent([self.right[key] for key, kind in kinds.items() if kind == "binary"]),
            "open": percent([self.right[key] for key, kind in kinds.items() if kind == "open"]),
            "consistency": percent(self.consistencies()),
            "validity": percent([self.belongs(key, "valid") for key in self.counted]),
            "plausibility": percent([self.belongs(key, "plausible") for key in self.counted]),
            "grounding": percent([self.grounding(key) for key in self.counted]),
            "distribution": self.distribution(),
        }

    def consistencies(self) -> list[float]:
        """The share of right entailed questions, of every balanced question that is right and has some."""
        shares = []
        for key, asked in self.counted.items():
            entailed = [other for other in asked["entailed"] if other != key]
            if self.right[key] and entailed:
                shares.append(sum(self.right[other] for other in entailed) / len(entailed))
        return shares

    def belongs(self, key: str, kind: str) -> float:
        """Is the prediction in the list? What is common is a colour, a material or a shape whatever the list says."""
        asked = self.counted[key]
        listed = ["color", "material", "shape"] if "Common" in asked["types"]["detailed"] else self.choices[key][kind]
        return float(self.guess[key] in listed)

    def regions(self, key: str) -> list[tuple[float, float, float, float]]:
        """Boxes of what words of the question and of the full answer name; the whole picture is never among them."""
        asked = self.counted[key]
        scene = self.scenes[asked["imageId"]]
        found = []
        for pointer in [*asked["annotations"]["question"].values(), *asked["annotations"]["fullAnswer"].values()]:
            box = scene["objects"][pointer]
            x0, y0 = box["x"] / scene["width"], box["y"] / scene["height"]
            x1, y1 = (box["x"] + box["w"]) / scene["width"], (box["y"] + box["h"]) / scene["height"]
            found.append((x0, y0, x1, y1))
        return found

    def grounding(self, key: str) -> float:
        """Weight times the covered share of each cell, over all regions and cells."""
        grid = self.maps[key]
        edge = 1 / len(grid)
        total = 0.0
        for region in self.regions(key):
            for i, column in enumerate(grid):
                for j, weight in enumerate(column):
                    cell = (edge * i, edge * j, edge * (i + 1), edge * (j + 1))
                    across = max(min(cell[2], region[2]) - max(cell[0], region[0]), 0)
                    down = max(min(cell[3], region[3]) - max(cell[1], region[1]), 0)
                    total += weight * across * down / ((cell[2] - cell[0]) * (cell[3] - cell[1]))
        return total

    def distribution(self, level: str = "global") -> float | None:
        """Chi-square of each group over the true answers alone, weighted by the size of the group."""
        true: dict[str, Counter[str]] = defaultdict(Counter)
        made: dict[str, Counter[str]] = defaultdict(Counter)
        for key, asked in self.counted.items():
            if asked["groups"][level] is not None:
                true[asked["groups"][level]][asked["answer"]] += 1
                made[asked["groups"][level]][self.guess[key]] += 1
        sums, sizes = 0.0, 0
        for group, counts in true.items():
            statistic = sum((made[group][answer] - count) ** 2 / count for answer, count in counts.items())
            sums += statistic * counts.total()
            sizes += counts.total()
        return sums / sizes / 100 if sizes else None

    def by(self) -> dict[str, dict[str, tuple[float, int]]]:
        """Accuracy by what questions are told apart by."""
        scores: dict[str, dict[str, list[float]]] = {
            name: defaultdict(list) for name in ("structural", "semantic", "detailed", "steps", "words")
        }
        for key, asked in self.counted.items():
            for name in ("structural", "semantic", "detailed"):
                scores[name][asked["types"][name]].append(self.right[key])
            scores["words"][str(len(asked["question"].split()))].append(self.right[key])
            texts = [f"{step['operation']}: {step['argument']}" for step in asked["semantic"]]
            free = [any(part in text for part in ("exist", "query: name", "choose name")) for text in texts]
            scores["steps"][str(free.count(False))].append(self.right[key])
        return {
            name: {value: (percent(found) or 0.0, len(found)) for value, found in values.items()}
            for name, values in scores.items()
        }


def percent(scores: list[float]) -> float | None:
    """A mean in percent."""
    return 100 * sum(scores) / len(scores) if scores else None


@st.composite
def gqa(draw: st.DrawFn) -> dict[str, Json]:
    """Five files that fit each other."""
    keys = [f"0{number}" for number in range(draw(st.integers(1, 7)))]
    side = draw(st.integers(1, 4))
    whole, weight = st.integers(0, 12), st.sampled_from([0.0, 0.25, 0.5, 1 / 3])
    objects = st.fixed_dictionaries({"x": whole, "y": whole, "w": whole, "h": whole})
    scene = st.fixed_dictionaries(
        {"width": st.just(12), "height": st.just(8), "objects": st.fixed_dictionaries({"3": objects, "4": objects})}
    )
    words = st.dictionaries(st.sampled_from(["0", "2:4", "5"]), st.sampled_from(["3", "4"]))
    step = st.sampled_from(
        [
            ("select", "scene"),
            ("query", "name"),
            ("query", "color"),
            ("exist", "?"),
            ("verify exist", ""),
            ("choose name", "a|b"),
            ("and", ""),
        ]
    )
    question = st.fixed_dictionaries(
        {
            "isBalanced": st.booleans(),
            "answer": st.sampled_from(ANSWERS),
            "question": st.sampled_from(["Is it red?", " What\tis\u00a0that ", "Why\x1fnot\x85there?", "No"]),
            "imageId": st.sampled_from(["1", "n2"]),
            "semantic": st.lists(step, max_size=4).map(
                lambda steps: [{"operation": o, "argument": a, "dependencies": []} for o, a in steps]
            ),
            "entailed": st.lists(st.sampled_from(keys), max_size=4),
            "equivalent": st.lists(st.sampled_from(keys), max_size=2),
            "groups": st.fixed_dictionaries(
                {"global": st.sampled_from([None, "g", "h"]), "local": st.sampled_from(["l", "m"])}
            ),
            "types": st.fixed_dictionaries(
                {
                    "structural": st.sampled_from(["query", "verify", "choose"]),
                    "semantic": st.sampled_from(["obj", "rel"]),
                    "detailed": st.sampled_from(["relS", "twoCommon"]),
                }
            ),
            "annotations": st.fixed_dictionaries({"question": words, "answer": words, "fullAnswer": words}),
        }
    )
    asked = {key: draw(question) for key in keys}
    asked[keys[0]]["isBalanced"] = True
    listed = st.lists(st.sampled_from(ANSWERS), min_size=1, max_size=3)
    grid = st.lists(st.lists(weight, min_size=side, max_size=side), min_size=side, max_size=side)
    return {
        "questions": asked,
        "predictions": [{"questionId": key, "prediction": draw(st.sampled_from(ANSWERS))} for key in keys],
        "choices": {key: {"valid": draw(listed), "plausible": draw(listed)} for key in keys},
        "scene_graphs": {"1": draw(scene), "n2": draw(scene)},
        "attentions": [{"questionId": key, "attention": draw(grid)} for key in keys],
    }


def written(folder: Path, files: dict[str, Json]) -> GqaFiles:
    """The files in a folder."""
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=len(files) % 2 == 0), "utf-8")
    return GqaFiles(**{name: [folder / f"{name}.json"] for name in files})


def evaluated(files: dict[str, Json], **rules: Any) -> GqaEvaluation:  # whatever the rules take
    """The numbers of files."""
    with tempfile.TemporaryDirectory() as folder:
        return evaluate_gqa(written(Path(folder), files), GqaRules(**rules))


def imported(files: dict[str, Json]) -> dict[str, pl.DataFrame]:
    """The tables that import makes of files."""
    with tempfile.TemporaryDirectory() as name:
        written(Path(name), files)
        gqa_format = FORMATS.load("gqa")
        roles = {role: [Path(name) / f"{role}.json"] for role in files}
        pieces = [piece for shard in plan(gqa_format, roles) for piece in read(gqa_format, shard)]
    frames: dict[str, list[pl.DataFrame]] = defaultdict(list)
    for piece in pieces:
        frames[piece.table].append(piece.rows)
    tables = {table: pl.concat(parts, how="diagonal") for table, parts in frames.items()}
    return tables | {table: merge_shared(tables[table]) for table in SHARED}


@settings(max_examples=60)
@given(gqa())
def test_files_give_the_published_numbers(files: dict[str, Json]) -> None:
    """Every number, and every detail, is that of the literal script; where that cannot go on, there is a reason."""
    expected, found = Literal(files), evaluated(files)
    assert {name: found.numbers[name] for name in NUMBERS} == {
        name: pytest.approx(number) for name, number in expected.numbers().items()
    }
    assert set(found.absent) == {name for name, number in expected.numbers().items() if number is None}
    for name, values in expected.by().items():
        assert found.by[name] == {value: (pytest.approx(score), number) for value, (score, number) in values.items()}


@settings(max_examples=20)
@given(gqa())
def test_tables_give_the_published_numbers(files: dict[str, Json]) -> None:
    """Metrics over imported tables give the same numbers as files that list no entailed question twice."""
    for record in files["questions"].values():
        record["entailed"] = list(dict.fromkeys(record["entailed"]))
    tables = imported(files)
    lazy = {name: rows.lazy() for name, rows in tables.items()}
    expected = Literal(files).numbers()
    metrics = {
        "accuracy": GQA_ACCURACY,
        "consistency": GQA_CONSISTENCY,
        "validity": GQA_VALIDITY,
        "plausibility": GQA_PLAUSIBILITY,
        "grounding": GQA_GROUNDING_RELEASED,
    }
    for name, metric in metrics.items():
        if expected[name] is None:
            with pytest.raises(Absent):
                metric.score(tables["predictions"], lazy)
            continue
        mean = metric.score(tables["predictions"], lazy)["score"].mean()
        assert float(str(mean)) * (1 if metric.unit == "number" else 100) == pytest.approx(expected[name]), name
    if expected["distribution"] is not None:
        measured = {each.part: each.value for each in GQA_DISTRIBUTION.measure(tables["predictions"], lazy)}
        assert measured["chi-square"] == pytest.approx(expected["distribution"])
        mixed = 2 / 3 * expected["distribution"] + (Literal(files).distribution("local") or 0.0) / 3
        assert measured["chi-square, global and local"] == pytest.approx(mixed)


EXAMPLE: dict[str, Json] = {
    "questions": {
        key: {
            "isBalanced": balanced,
            "answer": "red",
            "question": "Which color?",
            "imageId": "1",
            "semantic": [{"operation": "select", "argument": "cup (3)", "dependencies": []}],
            "entailed": ["02", "03"],
            "equivalent": ["01"],
            "groups": {"global": "color", "local": "13q-cup_color"},
            "types": {"structural": "query", "semantic": "attr", "detailed": "directOf"},
            "annotations": {"question": {"1": "3"}, "answer": {}, "fullAnswer": {}},
        }
        for key, balanced in (("01", True), ("02", False), ("03", False))
    },
    "predictions": [
        {"questionId": key, "prediction": guess} for key, guess in (("01", "red"), ("02", "red"), ("03", "no"))
    ],
    "choices": {"01": {"valid": ["red", "blue"], "plausible": ["blue"]}},
    "scene_graphs": {"1": {"width": 10, "height": 10, "objects": {"3": {"x": 0, "y": 0, "w": 5, "h": 10}}}},
    "attentions": [{"questionId": "01", "attention": [[0.5, 0.2], [0.3, 0.0]]}],
}


def example(**changes: Json) -> dict[str, Json]:
    """The example with some of its files replaced; None takes one away."""
    return {name: content for name, content in (EXAMPLE | changes).items() if content is not None}


def questions(**changes: Json) -> Json:
    """The questions of the example, each with these members."""
    return {key: record | changes for key, record in EXAMPLE["questions"].items()}


def test_example() -> None:
    """One balanced question: right, half consistent, valid, not plausible, and looked at."""
    found = evaluated(example())
    expected = {
        "accuracy": 100.0,
        "binary": None,
        "open": 100.0,
        "consistency": 50.0,
        "validity": 100.0,
        "plausibility": 0.0,
    }
    assert found.numbers == expected | {"grounding": pytest.approx(70.0), "distribution": 0.0}
    assert found.absent == {"binary": "found no binary question, expected some"}


def test_first_index_is_x() -> None:
    """Maps have x first (G3); rows first is an option."""
    assert evaluated(example(), rows_first=True).numbers["grounding"] == pytest.approx(80.0)


def test_scene_is_no_region_as_released() -> None:
    """The released form never adds the whole picture, so a question about it scores 0; the union does (G1, G5)."""
    scene = questions(
        semantic=[{"operation": "select", "argument": "scene", "dependencies": []}],
        annotations={"question": {}, "answer": {}, "fullAnswer": {}},
    )
    assert evaluated(example(questions=scene)).numbers["grounding"] == 0.0
    assert evaluated(example(questions=scene), grounding="union").numbers["grounding"] == pytest.approx(100.0)


def test_questions_without_regions() -> None:
    """They count as 0 as released (G5); the union leaves them out, and says so when nothing is left."""
    bare = questions(annotations={"question": {}, "answer": {"0": "3"}, "fullAnswer": {}})
    assert evaluated(example(questions=bare)).numbers["grounding"] == 0.0
    found = evaluated(example(questions=bare), grounding="union")
    assert (found.numbers["grounding"], found.absent["grounding"]) == (
        None,
        "found no question that has a score, expected some",
    )


def test_repeated_regions_add_up() -> None:
    """An object named twice counts twice as released, which may pass 100 (G4), once in the union."""
    twice = questions(annotations={"question": {"1": "3", "2": "3"}, "answer": {}, "fullAnswer": {}})
    assert evaluated(example(questions=twice)).numbers["grounding"] == pytest.approx(140.0)
    assert evaluated(example(questions=twice), grounding="union").numbers["grounding"] == pytest.approx(70.0)


def test_object_attention() -> None:
    """Boxes with weights work (G2), also those without area (G6)."""
    boxes = [[0.0, 0.0, 1.0, 1.0, 0.5], [0.1, 0.1, 0.1, 0.1, 0.3], [0.9, 0.1, 0.9, 0.1, 0.2]]
    found = evaluated(example(attentions=[{"questionId": "01", "attention": boxes}]))
    assert found.numbers["grounding"] == pytest.approx(100 * (0.25 + 0.3))


def test_consistency_needs_all_questions() -> None:
    """With the balanced file alone consistency is absent, and the missing ids are listed (G7); the rest is computed."""
    balanced = {"01": EXAMPLE["questions"]["01"]}
    guesses = EXAMPLE["predictions"][:1]
    found = evaluated(example(questions=balanced, predictions=guesses))
    assert found.numbers["accuracy"] == 100.0
    assert found.numbers["consistency"] is None
    assert (
        "found no prediction for 2 (02, 03) entailed questions, 2 of them not in the questions at all"
        in found.absent["consistency"]
    )


def test_unbalanced_questions_need_no_prediction() -> None:
    """Only consistency asks for them (G8); in a subset it takes what is known and reports what is not."""
    guesses = EXAMPLE["predictions"][:2]
    assert evaluated(example(predictions=guesses)).numbers["accuracy"] == 100.0
    found = evaluated(example(predictions=guesses), subset=True)
    assert found.numbers["consistency"] == 100.0
    assert "consistency: 1 of 2 entailed questions left out" in found.notes


def test_equivalent_questions() -> None:
    """Equivalent questions may be asked for as well (G18)."""
    asked = {key: record | {"equivalent": ["02"], "entailed": ["03"]} for key, record in EXAMPLE["questions"].items()}
    assert evaluated(example(questions=asked)).numbers["consistency"] == 0.0
    assert evaluated(example(questions=asked), equivalent=True).numbers["consistency"] == 50.0


def test_what_is_not_given_is_not_zero() -> None:
    """Without choices and scene graphs there is no validity of 0.00 but a reason (G9)."""
    found = evaluated(example(choices=None, scene_graphs=None))
    assert {name for name in NUMBERS if found.numbers[name] is None} == {
        "binary",
        "validity",
        "plausibility",
        "grounding",
    }
    assert found.absent["validity"] == "no choices file was given, expected one; add --choices"
    assert found.absent["grounding"] == "no scene-graphs file was given, expected one; add --scene-graphs"


def test_no_global_group() -> None:
    """Without a global group there is no distribution (G11)."""
    found = evaluated(example(questions=questions(groups={"global": None, "local": "x"})))
    assert found.absent["distribution"].startswith("distribution: found no predicted question with a group global")


def test_common_ignores_choices() -> None:
    """What things have in common is a color, a material or a shape, and needs no choices (G16)."""
    common = questions(types={"structural": "compare", "semantic": "obj", "detailed": "twoCommon"}, answer="shape")
    guesses = [{"questionId": key, "prediction": "shape"} for key in EXAMPLE["questions"]]
    found = evaluated(example(questions=common, predictions=guesses, choices={}))
    assert (found.numbers["validity"], found.numbers["plausibility"]) == (100.0, 100.0)


@pytest.mark.parametrize(
    ("guess", "right"),
    [
        ("red", {"strict", "lower", "lenient", "unpunctuated", "vqa"}),
        ("Red", {"lower", "lenient", "unpunctuated", "vqa"}),
        (" red ", {"lower", "lenient", "vqa"}),
        ("Red.", {"lenient", "unpunctuated", "vqa"}),
        ("the red!", {"vqa"}),
    ],
)
def test_profiles(guess: str, right: set[str]) -> None:
    """Case, blanks, periods and articles count or not, as the profile says (G19), for choices as well."""
    guesses = [{"questionId": "01", "prediction": guess}]
    for profile in ("strict", "lower", "lenient", "unpunctuated", "vqa"):
        numbers = evaluated(example(predictions=guesses), profile=profile).numbers
        assert (numbers["accuracy"], numbers["validity"]) == ((100.0, 100.0) if profile in right else (0.0, 0.0)), (
            profile
        )


@pytest.mark.parametrize(
    ("guesses", "message"),
    [
        ([*EXAMPLE["predictions"], EXAMPLE["predictions"][0]], r"more than one for 1 questions \(01\)"),
        (
            [*EXAMPLE["predictions"], {"questionId": "9", "prediction": "x"}],
            r"found 1 for questions that .* not have \(9\)",
        ),
        (EXAMPLE["predictions"][1:], r"found none for 1 of 3 questions \(01\)"),
        ({"01": "red"}, r"predictions.json: found `object`, expected `array`"),
        ([{"questionId": "01", "answer": "red"}], r"record 1.*found no member `prediction`, expected one"),
        ([{"questionId": "01", "prediction": None}], r"record 1, prediction: found `null`, expected `str`"),
        ([], r"found none for 1 of 1 questions \(01\)"),
    ],
)
def test_predictions_must_fit(guesses: Json, message: str) -> None:
    """Repeated (G15), unknown and missing ids, and other layouts, are errors that name them."""
    with pytest.raises(DataError, match=message):
        evaluated(example(predictions=guesses))


def test_subset() -> None:
    """A subset scores what there is of both sides, and says how much."""
    asked = EXAMPLE["questions"] | {"04": EXAMPLE["questions"]["01"]}
    guesses = [*EXAMPLE["predictions"], {"questionId": "9", "prediction": "x"}]
    found = evaluated(example(questions=asked, predictions=guesses), subset=True)
    assert found.numbers["accuracy"] == 100.0
    assert found.notes[:2] == [
        "1 of 2 balanced questions have a prediction",
        "1 of 4 predictions are of other questions",
    ]


def test_subset_of_scenes() -> None:
    """In a subset, questions whose objects have no box are left out of grounding, not counted as 0."""
    asked = EXAMPLE["questions"] | {"04": EXAMPLE["questions"]["01"] | {"imageId": "2"}}
    guesses = [*EXAMPLE["predictions"], {"questionId": "04", "prediction": "red"}]
    looked = [{"questionId": key, "attention": [[0.5, 0.2], [0.3, 0.0]]} for key in ("01", "04")]
    files = example(questions=asked, predictions=guesses, attentions=looked)
    assert evaluated(files).numbers["grounding"] is None
    found = evaluated(files, subset=True)
    assert found.numbers["grounding"] == pytest.approx(70.0)
    assert "boxes: 1 of 2 questions left out" in found.notes
    nowhere = evaluated(files | {"scene_graphs": {}}, subset=True)
    assert "found no question all of whose objects have a box" in nowhere.absent["grounding"]


@pytest.mark.parametrize(
    ("changes", "absent", "reason"),
    [
        ({"choices": {}}, "validity", r"found no choices for 1 \(01\) of 1 questions"),
        ({"attentions": [{"questionId": "02", "attention": [[1.0]]}]}, "grounding", r"no attention for 1 \(01\) of 1"),
        (
            {"scene_graphs": {}},
            "grounding",
            r"found no box for objects of 1 \(01\) questions \(first object 3 of image 1\)",
        ),
    ],
)
def test_incomplete_companions(changes: Json, absent: str, reason: str) -> None:
    """Choices, attention or boxes that some questions lack make a number absent, with the questions listed."""
    found = evaluated(example(**changes))
    assert found.numbers[absent] is None
    assert re.search(reason, found.absent[absent])


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("questions", {"01": {"answer": "red"}}, r"record 1 \(id 01\): found no member `isBalanced`"),
        ("questions", {}, r"found no question with isBalanced true"),
        ("attentions", [{"questionId": "01", "attention": [[0.1], [0.2, 0.3]]}], r"neither a square grid"),
        ("attentions", [*EXAMPLE["attentions"], *EXAMPLE["attentions"]], r"for 1 \(01\) questions more than once"),
        (
            "attentions",
            [*EXAMPLE["attentions"], {"questionId": "02", "attention": [[0.1]]}],
            r"record 2 \(id 02\).*expected `array` of length 2",
        ),
        (
            "scene_graphs",
            {"1": {"width": 1, "height": 1, "objects": {"3": {"x": "0"}}}},
            r"\(id 1\), objects.*expected `float`",
        ),
    ],
)
def test_files_must_fit(name: str, content: Json, message: str) -> None:
    """What does not have the layout is told with file, record and what was expected."""
    with pytest.raises(DataError, match=message):
        evaluated(example(**{name: content}))


@pytest.mark.parametrize("text", ["", "[", "\xff", '{"01": NaN}'])
def test_broken_files(tmp_path: Path, text: str) -> None:
    """Empty files, broken JSON and other encodings are one sentence."""
    files = written(tmp_path, example())
    (tmp_path / "predictions.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=r"predictions\.json"):
        evaluate_gqa(files)


def test_chunks(tmp_path: Path) -> None:
    """Files in chunks are one file (G13); an id in two of them is an error."""
    files = written(tmp_path, example())
    paths = []
    for key, record in EXAMPLE["questions"].items():
        paths.append(tmp_path / f"chunk.{key}.json")
        paths[-1].write_text(json.dumps({key: record}))
    whole = evaluate_gqa(files)
    assert (
        evaluate_gqa(GqaFiles(paths, files.predictions, files.choices, files.scene_graphs, files.attentions)) == whole
    )
    with pytest.raises(DataError, match=r"found 1 ids in more than one file \(01\)"):
        evaluate_gqa(GqaFiles([paths[0], *files.questions], files.predictions))


@pytest.mark.real_data
def test_real_questions(real_data: Path) -> None:
    """On 1,000 real questions with made-up predictions and attention the numbers are those of the literal script."""
    asked = json.loads((real_data / "gqa" / "questions.json").read_text("utf-8"))
    known = sorted({record["answer"] for record in asked.values()})
    draw = random.Random(0)
    guesses = {key: record["answer"] if draw.random() < 0.6 else draw.choice(known) for key, record in asked.items()}
    asked = {
        key: record | {"entailed": [each for each in record["entailed"] if each in asked]}
        for key, record in asked.items()
    }
    scenes: dict[str, Json] = {}
    for record in asked.values():
        scene = scenes.setdefault(record["imageId"], {"width": 500, "height": 333, "objects": {}})
        for where in record["annotations"].values():
            for pointer in where.values():
                x, y = draw.randrange(400), draw.randrange(250)
                scene["objects"].setdefault(
                    pointer, {"x": x, "y": y, "w": draw.randrange(1, 100), "h": draw.randrange(1, 80)}
                )
    files = {
        "questions": asked,
        "predictions": [{"questionId": key, "prediction": guess} for key, guess in guesses.items()],
        "choices": {key: {"valid": draw.sample(known, 20), "plausible": draw.sample(known, 5)} for key in asked},
        "scene_graphs": scenes,
        "attentions": [
            {"questionId": key, "attention": [[draw.random() for _ in range(7)] for _ in range(7)]} for key in asked
        ],
    }
    expected, found = Literal(files), evaluated(files)
    assert found.numbers == {name: pytest.approx(number) for name, number in expected.numbers().items()}
    for name, values in expected.by().items():
        assert found.by[name] == {value: (pytest.approx(score), number) for value, (score, number) in values.items()}
