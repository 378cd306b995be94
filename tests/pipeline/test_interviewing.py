"""A trained model is asked about a picture of one's own exactly as about one of its benchmark."""

from pathlib import Path

import pytest
from drawn_benchmark import drawn_benchmark
from PIL import Image

from eyechart.errors import DataError, UsageError
from eyechart.features import load_encoder
from eyechart.models import load_recipe
from eyechart.pipeline.answering import train
from eyechart.pipeline.encoding import Encoding, encode
from eyechart.pipeline.interviewing import Interview
from eyechart.store import Benchmark


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> Benchmark:
    made = drawn_benchmark(tmp_path_factory.mktemp("asked") / "b")
    for view in ("vector", "grid"):
        how = Encoding(view=view, side=3, unit=view == "grid")
        encode(made, load_encoder("colors"), how, made.folder / "features" / view)
    return made


def trained(benchmark: Benchmark, folder: Path, recipe: str) -> Path:
    changed = load_recipe(recipe, {"training.epochs": "30", "training.batch": "16"})
    train(benchmark, changed, folder, features=changed.view or None)
    return folder


@pytest.fixture(scope="module")
def interview(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Interview:
    return Interview.among(trained(benchmark, tmp_path_factory.mktemp("run") / "sees", "bow-q-i"), [benchmark])


def picture(benchmark: Benchmark, number: int) -> Image.Image:
    return Image.open(benchmark.image_file(f"{number}.png")).convert("RGB")


def test_ones_own_picture_is_seen_as_those_of_the_benchmark(benchmark: Benchmark, interview: Interview) -> None:
    """The same pixels, handed in or known, give the same answers, shares and near pictures."""
    known = interview.ask("What color is it?", image_id="1")
    own = interview.ask("What color is it?", picture=picture(benchmark, 1))
    assert [each.text for each in own.answers] == [each.text for each in known.answers]
    assert [each.share for each in own.answers] == pytest.approx([each.share for each in known.answers], abs=1e-3)
    assert own.answers[0].text == "yellow"
    assert sum(each.share for each in own.answers) <= 1 + 1e-6


def test_near_pictures_are_answered_otherwise(interview: Interview) -> None:
    """Counter-examples have another answer, nearest first, and are not the picture itself."""
    reply = interview.ask("What color is it?", image_id="1")
    assert reply.looked_at == 24
    assert reply.unlike
    assert all(each.answer.text != reply.answers[0].text and each.image_id != "1" for each in reply.unlike)
    distances = [each.distance for each in reply.unlike]
    assert distances == sorted(distances)


def test_without_a_picture_all_is_blind(interview: Interview) -> None:
    """No picture, no near pictures; the blind answers do not depend on the picture."""
    one, other = (interview.ask("What color is it?", image_id=each) for each in ("1", "2"))
    assert one.blind == other.blind
    assert interview.ask("What color is it?").unlike == ()


def test_choices_restrict(interview: Interview) -> None:
    """Only what is offered is answered."""
    reply = interview.ask("What color is it?", image_id="1", choices=["red", "yellow"])
    assert [each.text for each in reply.answers] == ["yellow", "red"]


def test_cells_of_ones_own_picture(benchmark: Benchmark, tmp_path: Path) -> None:
    """A model that attends to cells says where it looked, also in a picture of one's own."""
    asked = Interview.among(trained(benchmark, tmp_path / "run", "mcb"), [benchmark])
    reply = asked.ask("Where is the disk?", picture=picture(benchmark, 2))
    assert len(reply.grid) == 3
    assert sum(map(sum, reply.grid)) == pytest.approx(1, abs=1e-3)


def test_a_blind_model_needs_no_benchmark(benchmark: Benchmark, tmp_path: Path) -> None:
    """It is asked by words alone."""
    asked = Interview.among(trained(benchmark, tmp_path / "run", "bow-q"), [])
    assert not asked.looks
    assert asked.ask("Where is the disk?").answers[0].text in {"left", "right"}


def test_mistakes_are_a_sentence(benchmark: Benchmark, interview: Interview, tmp_path: Path) -> None:
    """An empty question, an unknown picture, a model whose features nobody has."""
    with pytest.raises(UsageError, match="ask something"):
        interview.ask("  ")
    with pytest.raises(DataError, match="found no features of picture 'nowhere'"):
        interview.ask("What?", image_id="nowhere")
    with pytest.raises(UsageError, match="name the benchmark that has them"):
        Interview.among(interview.folder, [])
    with pytest.raises(UsageError, match="expected a trained model"):
        Interview.among(tmp_path, [benchmark])
