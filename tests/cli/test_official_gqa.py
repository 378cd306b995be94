"""``eyechart official gqa`` prints what the published script prints, and one JSON object for machines."""

import json
from pathlib import Path
from typing import Any

import pytest

from eyechart.cli.main import main

Json = Any  # made-up files

NUMBERS = ["accuracy", "binary", "open", "consistency", "validity", "plausibility", "grounding", "distribution"]


def question(answer: str, **changes: Json) -> Json:
    """A question about a cup."""
    return {
        "isBalanced": True,
        "answer": answer,
        "question": "Which color is the cup?",
        "imageId": "1",
        "semantic": [{"operation": "select", "argument": "cup (3)", "dependencies": []}],
        "entailed": [],
        "equivalent": [],
        "groups": {"global": "color", "local": "13q-cup_color"},
        "types": {"structural": "query", "semantic": "attr", "detailed": "directOf"},
        "annotations": {"question": {"4": "3"}, "answer": {}, "fullAnswer": {}},
    } | changes


FILES: dict[str, Json] = {
    "questions": {
        "01": question("red", entailed=["02"]),
        "02": question("blue"),
        "03": question("red", isBalanced=False),
    },
    "predictions": [{"questionId": key, "prediction": "red"} for key in ("01", "02")],
    "choices": {key: {"valid": ["red", "blue"], "plausible": ["blue"]} for key in ("01", "02")},
    "scene-graphs": {"1": {"width": 10, "height": 10, "objects": {"3": {"x": 0, "y": 0, "w": 5, "h": 10}}}},
    "attentions": [{"questionId": key, "attention": [[0.5, 0.2], [0.3, 0.0]]} for key in ("01", "02")],
}


@pytest.fixture
def options(tmp_path: Path) -> dict[str, str]:
    """The files as options."""
    for name, content in FILES.items():
        (tmp_path / f"{name}.v1.json").write_text(json.dumps(content), "utf-8")
    return {f"--{name}": str(tmp_path / f"{name}.v1.json") for name in FILES}


def run(options: dict[str, str], *more: str) -> None:
    """Run the command."""
    main(["official", "gqa", *(word for option in options.items() for word in option), *more])


def printed(capsys: pytest.CaptureFixture[str], options: dict[str, str], *more: str) -> tuple[str, str]:
    """What the command prints, on both streams, when all went well."""
    with pytest.raises(SystemExit) as ended:
        run(options, *more)
    assert ended.value.code == 0
    out, err = capsys.readouterr()
    return out, err


def test_text(capsys: pytest.CaptureFixture[str], options: dict[str, str]) -> None:
    """Percent with two decimals, details with the number of questions."""
    out, err = printed(capsys, options)
    assert out.splitlines()[:14] == [
        "Binary: not computed (found no binary question, expected some)",
        "Open: 50.00%",
        "Accuracy: 50.00%",
        "Consistency: 0.00%",
        "Validity: 100.00%",
        "Plausibility: 0.00%",
        "Grounding: 70.00%",
        "Distribution: 0.02 (lower is better)",
        "",
        "Accuracy / structural type:",
        "  query: 50.00% (2 questions)",
        "",
        "Accuracy / semantic type:",
        "  attr: 50.00% (2 questions)",
    ]
    assert err == ""


def test_json(capsys: pytest.CaptureFixture[str], options: dict[str, str]) -> None:
    """One object in the units of the script; what cannot be computed is null, with its reason."""
    del options["--choices"]
    result = json.loads(printed(capsys, options, "--json")[0])
    assert list(result) == [*NUMBERS, "by", "absent"]
    assert (result["accuracy"], result["grounding"], result["distribution"]) == (50.0, 70.0, 0.02)
    assert (
        {name for name in NUMBERS if result[name] is None}
        == set(result["absent"])
        == {"binary", "validity", "plausibility"}
    )
    assert result["by"]["words"] == {"5": [50.0, 2]}


@pytest.mark.parametrize("style", ["wildcard", "several", "repeated"])
def test_chunks(capsys: pytest.CaptureFixture[str], options: dict[str, str], tmp_path: Path, style: str) -> None:
    """Questions may come in chunks: a wildcard, several paths, or the option several times."""
    folder = tmp_path / "train.all" / "chunks"
    folder.mkdir(parents=True)
    for key, record in FILES["questions"].items():
        (folder / f"train_all_questions_{key}.json").write_text(json.dumps({key: record}), "utf-8")
    paths = sorted(map(str, folder.iterdir()))
    del options["--questions"]
    words = {
        "wildcard": ["--questions", f"{folder}/../chunks/train_*.json"],
        "several": ["--questions", *paths],
        "repeated": [word for path in paths for word in ("--questions", path)],
    }
    out, _ = printed(capsys, options, *words[style])
    assert "Accuracy: 50.00%" in out


def test_subset_says_how_much(capsys: pytest.CaptureFixture[str], options: dict[str, str]) -> None:
    """A subset is scored and its size told on standard error, where --quiet keeps it back."""
    Path(options["--predictions"]).write_text(json.dumps(FILES["predictions"][:1]), "utf-8")
    out, err = printed(capsys, options, "--subset", "--json")
    assert json.loads(out)["accuracy"] == 100.0
    assert "1 of 2 balanced questions have a prediction" in err
    assert printed(capsys, options, "--subset", "--quiet")[1] == ""


def test_other_rules(capsys: pytest.CaptureFixture[str], options: dict[str, str]) -> None:
    """Profiles, the union and the order of maps are options."""
    Path(options["--predictions"]).write_text(json.dumps(FILES["predictions"]).replace('"red"', '"Red."'), "utf-8")
    strict = json.loads(printed(capsys, options, "--json")[0])
    lenient = json.loads(
        printed(capsys, options, "--json", "--profile", "lenient", "--rows-first", "--grounding", "union")[0]
    )
    assert (strict["accuracy"], lenient["accuracy"]) == (0.0, 50.0)
    assert (strict["grounding"], lenient["grounding"]) == (70.0, 80.0)


@pytest.mark.parametrize(
    ("option", "content", "message"),
    [
        ("--predictions", '[{"questionId": "01", "prediction": "red"}]', "found none for 1 of 2 questions (02)"),
        ("--predictions", '{"01": "red"}', "found `object`, expected `array`"),
        ("--predictions", "", "found an empty file"),
        ("--questions", '{"01": {}}', "record 1 (id 01): found no member `isBalanced`"),
    ],
)
def test_mistakes(
    capsys: pytest.CaptureFixture[str], options: dict[str, str], option: str, content: str, message: str
) -> None:
    """A mistake is one sentence and exit code 2."""
    Path(options[option]).write_text(content, "utf-8")
    with pytest.raises(SystemExit) as ended:
        run(options)
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_wildcards_that_fit_nothing(capsys: pytest.CaptureFixture[str], options: dict[str, str]) -> None:
    """A wildcard without a file is a mistake."""
    with pytest.raises(SystemExit):
        run(options | {"--questions": "nowhere/*.json"})
    assert "nowhere/*.json: found no file that fits" in capsys.readouterr().err
