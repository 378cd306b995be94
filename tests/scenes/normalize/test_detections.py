"""Evidence of a detector: what it sees beside the annotation casts doubt, what it does not see is absent."""

import json
from pathlib import Path

import pytest
from graphs_by_hand import clean, graph

from eyechart.errors import DataError
from eyechart.scenes.normalize import Detections, read_detections


def seen(
    tmp_path: Path, *boxes: tuple[str, str, tuple[float, ...], float], images: list[str] | None = None
) -> Detections:
    """The detections of a file: image, kind, box, score."""
    kinds = ["dog", "cat", "fire hydrant", "tv"]
    content = {
        "categories": [{"id": number, "name": kind} for number, kind in enumerate(kinds)],
        "annotations": [
            {"image_id": image, "category_id": kinds.index(kind), "bbox": box, "score": score}
            for image, kind, box, score in boxes
        ],
    }
    file = tmp_path / "seen.json"
    file.write_text(json.dumps(content if images is None else content | {"images": [{"id": i} for i in images]}))
    return read_detections(file)


RAW = graph([("a", "dog", (10.0, 10.0, 20.0, 20.0)), ("b", "puppy", (50.0, 50.0, 30.0, 30.0))])
ON_DOG, ON_PUPPY, ELSEWHERE = (10, 10, 20, 20), (50, 50, 30, 28), (70, 10, 20, 20)


def complete(detections: Detections, **settings: float) -> set[tuple[str, str]]:
    """The kinds of which nothing is missing, with the evidence."""
    rows = clean(RAW, detections=detections, **settings)["inventories"]
    return set(rows.select("kind", "evidence").iter_rows())


def test_what_the_detector_does_not_see_is_absent(tmp_path: Path) -> None:
    """And the dog that it sees is annotated; the kinds are those of the ontology."""
    found = complete(seen(tmp_path, ("1", "dog", ON_DOG, 0.9)))
    assert found == {(kind, "detector") for kind in ("dog", "cat", "fire hydrant", "television")}


def test_what_is_not_annotated_casts_doubt(tmp_path: Path) -> None:
    """Another dog that may be there: dogs stay unknown; the same below the score is nothing."""
    doubtful = seen(tmp_path, ("1", "dog", ON_DOG, 0.9), ("1", "dog", ELSEWHERE, 0.06))
    assert "dog" not in {kind for kind, _ in complete(doubtful)}
    assert "dog" in {kind for kind, _ in complete(doubtful, detection_score=0.1)}


def test_a_special_name_confirms_a_general_detection(tmp_path: Path) -> None:
    """A puppy is a dog; but a dog is no cat."""
    assert ("dog", "detector") in complete(seen(tmp_path, ("1", "dog", ON_PUPPY, 0.9)))
    assert ("cat", "detector") not in complete(seen(tmp_path, ("1", "cat", ON_DOG, 0.9)))


def test_pictures_that_nobody_looked_at(tmp_path: Path) -> None:
    """Stay unknown; a picture without a detection was looked at if the file lists it."""
    assert complete(seen(tmp_path, ("7", "dog", ON_DOG, 0.9))) == set()
    assert len(complete(seen(tmp_path, images=["1"]))) == 4


def test_without_a_detector_nothing_is_known() -> None:
    """Absence stays unknown."""
    assert clean(RAW)["inventories"].is_empty()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "found what is not a detections file"),
        ('{"categories": [], "annotations": [{"image_id": 1}]}', "missing required field `category_id`"),
        (
            '{"categories": [], "annotations": [{"image_id": 1, "category_id": 3, "bbox": [0, 0, 1, 1], "score": 1}]}',
            "annotation 0: found the category 3, expected one of the 0 in categories",
        ),
        ("\x00", "found what is not a detections file"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Path, content: str, message: str) -> None:
    """Told with the file and the place."""
    file = tmp_path / "seen.json"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=rf"seen\.json.*{message}"):
        read_detections(file)
