"""``eyechart download``: the list, a whole download from a mirror, and what is said when it cannot be."""

import json
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from web_origin import Origin, serving

from eyechart.cli.main import main
from eyechart.pipeline import distributions
from eyechart.pipeline.distributions import distribution_names
from eyechart.store import Benchmark

MSCOCO = "/s3.amazonaws.com/cvmlp/vqa/mscoco/vqa"


def zipped(name: str, content: str) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr(name, content)
    return made.getvalue()


def questions(subset: str, number: int) -> str:
    question = {"question_id": number, "image_id": 1, "question": "Is it red?", "multiple_choices": ["yes", "no"]}
    return json.dumps({"data_type": "mscoco", "data_subtype": subset, "questions": [question]})


@pytest.fixture
def origin() -> Iterator[Origin]:
    """A mirror that has the validation split of VQA v1, tiny, and its pictures."""
    name = "mscoco_val2014"
    answers = {"data_type": "mscoco", "data_subtype": "val2014"}
    answers["annotations"] = [{"question_id": 10, "image_id": 1, "answers": [{"answer": "yes", "answer_id": 1}]}]
    with serving() as served:
        served.files = {
            f"{MSCOCO}/Questions_Val_mscoco.zip": zipped(
                f"MultipleChoice_{name}_questions.json", questions("val2014", 10)
            ),
            f"{MSCOCO}/Annotations_Val_mscoco.zip": zipped(f"{name}_annotations.json", json.dumps(answers)),
        }
        yield served


def call(origin: Origin, tmp_path: Path, *more: str) -> None:
    where = ["--base-url", origin.url, "--cache", str(tmp_path / "cache"), "--splits", "val", "--quiet"]
    with pytest.raises(SystemExit) as left:
        main(["download", "vqa-v1", *where, *more])
    assert left.value.code == 0


def test_without_a_name_it_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Every distribution with licence and sizes."""
    with pytest.raises(SystemExit):
        main(["download"])
    said = capsys.readouterr().out
    assert all(f"{name}: " in said for name in distribution_names())
    assert "licence CC BY 4.0; https://visualqa.org/download.html" in said
    assert "annotations  43.0 MB and 3 files of unpublished size" in said


def test_the_list_for_machines_has_addresses_and_checksums(capsys: pytest.CaptureFixture[str]) -> None:
    """One JSON array."""
    with pytest.raises(SystemExit):
        main(["download", "--json"])
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert listed["visual-genome"]["parts"]["images"][0]["sha256"].startswith("51c682d2")
    assert listed["vqa-v1"]["splits"] == ["train", "val", "test", "test-dev"]


def test_a_distribution_becomes_a_benchmark(origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has the distribution's name and licence, and a second call does nothing."""
    made = tmp_path / "made"
    call(origin, tmp_path, "-o", str(made), "--json")
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert {"images": 1, "questions": 1, "answers": 1, "choices": 2}.items() <= rows.items()
    benchmark = Benchmark.open(made)
    assert (benchmark.name, benchmark.manifest.licence) == ("vqa-v1", "CC BY 4.0")
    asked = len(origin.log)
    call(origin, tmp_path, "-o", str(made))
    assert len(origin.log) == asked
    assert Benchmark.open(made).fingerprint == benchmark.fingerprint


def test_no_import_prints_the_files(origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With format and role, ready for eyechart import; the archives go if they are not to be kept."""
    call(origin, tmp_path, "--no-import", "--no-keep", "--json")
    told = json.loads(capsys.readouterr().out)
    assert [(file["format"], file["role"]) for file in told["files"]] == [("vqa", "questions"), ("vqa", "annotations")]
    assert told["images"] is None
    assert list((tmp_path / "cache" / "archives").rglob("*.zip")) == []
    assert all(Path(file["path"]).is_file() for file in told["files"])


def test_pictures_become_the_root_of_the_benchmark(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The benchmark finds its pictures where they were unpacked."""
    content = zipped("val2014/COCO_val2014_000000000001.jpg", "a picture")
    origin.files["/images.cocodataset.org/zips/val2014.zip"] = content
    text = (Path(distributions.__file__).parent / "distribution_files" / "vqa-v1.toml").read_bytes()
    smaller = text.replace(b"6_645_013_297", str(len(content)).encode())
    monkeypatch.setattr("eyechart.cli.download.distribution", lambda name: distributions.parse(smaller, name))
    call(origin, tmp_path, "-o", str(tmp_path / "made"), "--with", "images")
    benchmark = Benchmark.open(tmp_path / "made")
    assert benchmark.image_file(benchmark.read("images")["file"][0]).read_text() == "a picture"


def test_pictures_fetched_later_need_a_new_benchmark(
    origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A benchmark without pictures is not silently taken for one with them."""
    call(origin, tmp_path, "-o", str(tmp_path / "made"))
    where = ["--base-url", origin.url, "--cache", str(tmp_path / "cache"), "-o", str(tmp_path / "made")]
    with pytest.raises(SystemExit) as left:
        main(["download", "vqa-v1", *where, "--splits", "val", "--with", "images"])
    assert left.value.code == 2
    assert "--force" in capsys.readouterr().err


def test_what_is_in_the_way_is_told_before_anything_is_fetched(
    origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Gigabytes are not fetched to find out that the output is taken."""
    (tmp_path / "made").mkdir()
    where = ["--base-url", origin.url, "--cache", str(tmp_path / "cache"), "-o", str(tmp_path / "made")]
    with pytest.raises(SystemExit) as left:
        main(["download", "vqa-v1", *where])
    assert left.value.code == 2
    assert "found something there" in capsys.readouterr().err
    assert origin.log == []


def test_a_file_that_is_gone_is_one_sentence(
    origin: Origin, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, the address, and what to do."""
    origin.files.clear()
    where = ["--base-url", origin.url, "--cache", str(tmp_path / "cache"), "-o", str(tmp_path / "made")]
    with pytest.raises(SystemExit) as left:
        main(["download", "vqa-v1", *where, "--splits", "val"])
    assert left.value.code == 2
    assert "Questions_Val_mscoco.zip: the server answered '404 Not Found'" in capsys.readouterr().err


def test_an_unknown_name_is_answered_with_a_near_one(capsys: pytest.CaptureFixture[str]) -> None:
    """As everywhere."""
    with pytest.raises(SystemExit) as left:
        main(["download", "visaul7w"])
    assert left.value.code == 2
    assert "did you mean 'visual7w'?" in capsys.readouterr().err


@pytest.mark.parametrize(("own", "shared", "expected"), [("own", "shared", "own"), (None, "shared", "shared/eyechart")])
def test_the_cache_is_where_the_environment_says(
    origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str | None, shared: str, expected: str
) -> None:
    """EYECHART_CACHE first, then the user's cache folder."""
    monkeypatch.delenv("EYECHART_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / shared))
    if own:
        monkeypatch.setenv("EYECHART_CACHE", str(tmp_path / own))
    with pytest.raises(SystemExit) as left:
        main(["download", "vqa-v1", "--base-url", origin.url, "--splits", "val", "--no-import", "-q"])
    assert left.value.code == 0
    assert (tmp_path / expected / "archives").is_dir()
