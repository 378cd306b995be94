"""Official distributions: the data is sound, the right files are chosen, nothing is fetched twice."""

import io
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
import polars as pl
import pytest
from web_origin import Origin, serving

from eyechart.errors import DataError, DownloadError, UnknownNameError
from eyechart.formats import FORMATS, assign_roles
from eyechart.pipeline import Output, run
from eyechart.pipeline.distributions import Distribution, File, distribution, distribution_names, parse
from eyechart.pipeline.stages.download import (
    Cache,
    ImportTogether,
    check_room,
    importing,
    is_ready,
    obtain,
    select,
)
from eyechart.pipeline.stages.import_files import ImportFiles
from eyechart.tables import TABLES

PLANNED = ["abstract-scenes", "coco-captions", "coco-qa", "gqa", "visual-genome", "visual7w", "vizwiz", "vqa"]
HTTP_ONLY = {"images.cocodataset.org", "www.cs.toronto.edu", "vision.stanford.edu"}
"""Hosts of which nobody knows whether they answer to https."""

HEAD = {"info": {}, "license": {}, "data_type": "mscoco"}


def zipped(members: dict[str, object]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else msgspec.json.encode(content))
    return made.getvalue()


def questions(split: str, *numbers: int) -> dict[str, object]:
    listed = [{"question_id": n, "image_id": n // 1000, "question": "Is it red?"} for n in numbers]
    return HEAD | {"data_subtype": f"{split}2014", "task_type": "Open-Ended", "questions": listed}


def annotations(split: str, *numbers: int) -> dict[str, object]:
    answers = [{"answer": "yes", "answer_confidence": "yes", "answer_id": n} for n in range(1, 11)]
    facts = {"question_type": "is it", "answer_type": "yes/no", "multiple_choice_answer": "yes", "answers": answers}
    listed = [{"question_id": n, "image_id": n // 1000} | facts for n in numbers]
    return HEAD | {"data_subtype": f"{split}2014", "annotations": listed}


TINY = b"""
title = "A tiny set"
licence = "CC0"
home = "https://example.org/"
cite = "nobody2000nothing"
splits = ["train", "val"]

[[files]]
url = "https://data.example.org/sets/Questions_Train.zip"
split = "train"
members = [{path = "train_questions.json", format = "vqa", role = "questions"}]

[[files]]
url = "https://data.example.org/sets/Val.zip"
members = [
    {path = "val_questions.json", format = "vqa", role = "questions", split = "val"},
    {path = "val_annotations.json", format = "vqa", role = "annotations", split = "val"},
    {path = "extra_questions.json", format = "vqa", role = "questions", split = "extra"},
]

[[files]]
url = "http://pictures.example.org/one.zip"
part = "images"
split = "val"
pictures = "tiny"
members = [{path = "*.jpg"}]

[[files]]
url = "http://pictures.example.org/two.zip"
part = "images"
split = "train"
pictures = "tiny"
members = [{path = "*.jpg"}]
"""


@pytest.fixture
def tiny() -> Distribution:
    """A made-up distribution in the layout of the real ones."""
    return parse(TINY, "tiny")


@pytest.fixture
def origin() -> Iterator[Origin]:
    """A mirror of the made-up distribution."""
    with serving() as served:
        sets, pictures = "/data.example.org/sets", "/pictures.example.org"
        val = {"data/val_questions.json": questions("val", 1000, 1001), "data/readme.txt": b"not wanted"}
        val |= {"data/val_annotations.json": annotations("val", 1000, 1001)}
        val |= {"data/extra_questions.json": questions("test-dev", 9000)}
        served.files = {
            f"{sets}/Questions_Train.zip": zipped({"train_questions.json": questions("train", 2000)}),
            f"{sets}/Val.zip": zipped(val),
            f"{pictures}/one.zip": zipped({"val2014/1.jpg": b"one", "val2014/notes.txt": b""}),
            f"{pictures}/two.zip": zipped({"train2014/2.jpg": b"two"}),
        }
        yield served


def fetched(origin: Origin) -> list[str]:
    return [seen.path.rpartition("/")[2] for seen in origin.gets()]


@pytest.mark.parametrize("name", distribution_names())
def test_every_distribution_is_sound(name: str) -> None:
    """Addresses parse and are https where that is known to work; formats, roles and splits are known names."""
    source = distribution(name)
    assert source.title
    assert source.licence
    assert source.cite
    assert set(source.splits) <= set(source.known_splits)
    assert source.parts[0] == "annotations"
    for file in source.files:
        address = urlsplit(file.url)
        assert address.scheme == ("http" if address.hostname in HTTP_ONLY else "https")
        assert address.path.endswith(".zip")
        assert not address.query
        assert not address.fragment
        assert (file.part == "images") == (file.pictures is not None)
    for member in (member for file in source.files for member in file.members):
        assert member.format in {None, *PLANNED}
        if member.format in FORMATS:
            assert member.role in FORMATS.load(member.format).layouts


def test_the_named_distributions_are_there() -> None:
    """The eight that Eyechart promises, and the variants of two."""
    expected = ["coco-qa", "gqa", "gqa-all", "visual-genome", "visual7w", "vizwiz"]
    expected += ["vqa-abstract", "vqa-abstract-binary", "vqa-v1", "vqa-v2"]
    assert distribution_names() == expected


def test_one_address_has_one_size_and_checksum_everywhere() -> None:
    """Distributions that share pictures agree about them, and share a folder."""
    known: dict[str, tuple[object, ...]] = {}
    for file in (file for name in distribution_names() for file in distribution(name).files):
        facts = (file.bytes, file.about_bytes, file.sha256, file.pictures)
        assert known.setdefault(file.url, facts) == facts


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (TINY.replace(b"licence", b"license"), "unknown key 'license', .*did you mean 'licence'"),
        (TINY.replace(b"url", b"uri", 1), r"unknown key 'uri' in files\[0\], .*did you mean 'url'"),
        (TINY.replace(b"role", b"rule", 1), r"unknown key 'rule' in files\[0\]\.members\[0\], .*did you mean 'role'"),
        (TINY.replace(b"https://data", b"ftp://data", 1), "expected http:// or https://"),
        (TINY.replace(b'pictures = "tiny"', b'pictures = "../tiny"', 1), "matching regex"),
        (TINY.replace(b'pictures = "tiny"', b'pictures = "other"', 1), "several folders of pictures"),
        (TINY.replace(b'split = "train"', b'split = "train"\nsha256 = "abc"', 1), "matching regex"),
        (TINY.replace(b'split = "train"', b'split = "train"\nbytes = -1', 1), ">= 1"),
        (TINY.replace(b', role = "questions"', b"", 1), "one of format and role"),
        (TINY.replace(b'title = "A tiny set"', b""), "missing required field `title`"),
        (b"title = ", "tiny.toml: "),
        (b"\xff", "tiny.toml: "),
    ],
)
def test_a_mistake_in_the_data_is_told(broken: bytes, said: str) -> None:
    """With the file, the place, and the key that was probably meant."""
    with pytest.raises(DataError, match=said):
        parse(broken, "tiny")


def test_annotations_of_the_usual_splits_are_chosen_by_themselves(tiny: Distribution) -> None:
    """Pictures and other splits come only when they are named."""
    chosen = select(tiny)
    assert [file.url.rpartition("/")[2] for file in chosen] == ["Questions_Train.zip", "Val.zip"]
    assert [member.path for member in chosen[1].members] == ["val_questions.json", "val_annotations.json"]


def test_parts_and_splits_are_chosen_by_name(tiny: Distribution) -> None:
    """One split's annotations and pictures."""
    chosen = select(tiny, ["images"], ["val"])
    assert [file.url.rpartition("/")[2] for file in chosen] == ["Val.zip", "one.zip"]
    assert [file.url.rpartition("/")[2] for file in select(tiny, splits=["extra"])] == ["Val.zip"]


def test_unknown_parts_and_splits_are_told_with_the_near_ones(tiny: Distribution) -> None:
    """A name that fits nothing would otherwise fetch nothing."""
    with pytest.raises(UnknownNameError, match="tiny has no part called 'image': did you mean 'images'"):
        select(tiny, ["image"])
    with pytest.raises(UnknownNameError, match="tiny has no split called 'vall': did you mean 'val'"):
        select(tiny, splits=["vall"])
    with pytest.raises(UnknownNameError, match="visual7w has no split called 'val': its files hold every split"):
        select(distribution("visual7w"), splits=["val"])


def test_files_are_fetched_unpacked_and_named(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """What is wanted lies in the cache under its published address, with format and role."""
    cache = Cache(tmp_path, origin.url)
    obtained = obtain(select(tiny, ["images"]), cache)
    named = [(found.format, found.role, found.path.relative_to(tmp_path).as_posix()) for found in obtained.files]
    sets = "unpacked/data.example.org/sets"
    assert named == [
        ("vqa", "questions", f"{sets}/Questions_Train/train_questions.json"),
        ("vqa", "questions", f"{sets}/Val/data/val_questions.json"),
        ("vqa", "annotations", f"{sets}/Val/data/val_annotations.json"),
    ]
    assert obtained.image_root == tmp_path / "pictures" / "tiny"
    pictures = tmp_path / "pictures" / "tiny"
    assert sorted(path.name for path in pictures.iterdir() if path.suffix) == ["1.jpg", "2.jpg"]
    archives = tmp_path / "archives" / "data.example.org" / "sets"
    assert sorted(path.name for path in archives.glob("*.zip")) == ["Questions_Train.zip", "Val.zip"]


def test_nothing_is_fetched_twice(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """Not by the same call, not after the archives were thrown away, not by another choice of splits."""
    cache = Cache(tmp_path, origin.url)
    first = obtain(select(tiny, ["images"]), cache, keep=False)
    assert list((tmp_path / "archives").rglob("*.zip")) == []
    assert all(is_ready(file, cache) for file in select(tiny, ["images"]))
    check_room(select(tiny, ["images"]), cache)
    assert obtain(select(tiny, ["images"]), cache) == first
    assert obtain(select(tiny, ["images"], ["val"]), cache).files == first.files[1:]
    assert sorted(fetched(origin)) == ["Questions_Train.zip", "Val.zip", "one.zip", "two.zip"]


def test_another_split_of_a_kept_archive_is_only_unpacked(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """And the splits of before stay ready."""
    cache = Cache(tmp_path, origin.url)
    obtain(select(tiny, splits=["val"]), cache)
    obtained = obtain(select(tiny, splits=["extra"]), cache)
    assert [found.path.name for found in obtained.files] == ["extra_questions.json"]
    assert fetched(origin) == ["Val.zip"]
    assert all(is_ready(file, cache) for file in select(tiny, splits=["val"]))


def test_a_damaged_member_is_unpacked_again(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """Ready means that every file is there with its size."""
    cache = Cache(tmp_path, origin.url)
    (found,) = obtain(select(tiny, splits=["extra"]), cache).files
    whole = found.path.read_bytes()
    found.path.write_bytes(whole[:10])
    obtain(select(tiny, splits=["extra"]), cache)
    assert found.path.read_bytes() == whole
    assert fetched(origin) == ["Val.zip"]


def test_the_archives_of_a_cache_are_a_mirror(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """Served as they lie, they feed another machine's cache."""
    obtain(select(tiny, ["images"]), Cache(tmp_path / "one", origin.url))
    archives = tmp_path / "one" / "archives"
    with serving() as mirror:
        paths = list(archives.rglob("*.zip"))
        mirror.files = {f"/{path.relative_to(archives).as_posix()}": path.read_bytes() for path in paths}
        again = obtain(select(tiny, ["images"]), Cache(tmp_path / "two", mirror.url + "/"))
    assert again.files[0].path.name == "train_questions.json"


def test_an_archive_without_the_expected_member_is_told(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """With what it holds instead."""
    origin.files["/data.example.org/sets/Questions_Train.zip"] = zipped({"other.json": {}})
    with pytest.raises(DataError, match=r"found 0 files for 'train_questions.json' among other.json, expected one"):
        obtain(select(tiny, splits=["train"]), Cache(tmp_path, origin.url))


def test_a_page_in_place_of_an_archive_is_not_kept(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """Neither the page nor a note that later downloads would have to equal."""
    origin.files["/data.example.org/sets/Questions_Train.zip"] = b"<html>moved</html>"
    with pytest.raises(DownloadError, match=r"begin with b'<html>moved"):
        obtain(select(tiny, splits=["train"]), Cache(tmp_path, origin.url))
    assert [path.name for path in tmp_path.rglob("*.*") if path.suffix in {".zip", ".json"}] == []


def test_room_is_asked_for_before_anything_is_fetched(
    tiny: Distribution, origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sizes that nobody has published are asked of the server; the sentence has the numbers."""
    monkeypatch.setattr("eyechart.pipeline.stages.download.shutil.disk_usage", lambda _: type("", (), {"free": 9}))
    size = len(origin.files["/data.example.org/sets/Questions_Train.zip"])
    said = f"found 9 bytes free, expected about {11 * size:,} \\({size:,} for archives and {10 * size:,} unpacked"
    with pytest.raises(DownloadError, match=said):
        check_room(select(tiny, splits=["train"]), Cache(tmp_path / "not" / "yet", origin.url))
    assert fetched(origin) == []


def test_pictures_need_no_more_room_unpacked_and_archives_go_one_by_one(
    tiny: Distribution, origin: Origin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without keeping, only the largest archive is there at a time."""
    monkeypatch.setattr("eyechart.pipeline.stages.download.shutil.disk_usage", lambda _: type("", (), {"free": 9}))
    files = [file for file in select(tiny, ["images"]) if file.pictures]
    one, two = (len(origin.files[f"/pictures.example.org/{name}.zip"]) for name in ("one", "two"))
    with pytest.raises(DownloadError, match=f"\\({one + two:,} for archives and {one + two:,} unpacked"):
        check_room(files, Cache(tmp_path, origin.url))
    with pytest.raises(DownloadError, match=f"\\({max(one, two):,} for archives and {one + two:,} unpacked"):
        check_room(files, Cache(tmp_path, origin.url), keep=False)


def test_published_checksums_are_compared(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """The manifest's checksum is the judge on the first download."""
    (file,) = select(tiny, splits=["train"])
    right = sha256(origin.files["/data.example.org/sets/Questions_Train.zip"]).hexdigest()
    with pytest.raises(DownloadError, match=f"found .*{right} twice in a row, expected some bytes.*{'0' * 64}"):
        obtain([msgspec.structs.replace(file, sha256="0" * 64)], Cache(tmp_path, origin.url))
    obtain([msgspec.structs.replace(file, sha256=right)], Cache(tmp_path, origin.url))


def test_the_benchmark_equals_importing_the_files(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """Downloading is fetching and importing, and nothing else."""
    files = obtain(select(tiny), Cache(tmp_path / "cache", origin.url)).files
    made = run(importing(files), Output(tmp_path / "downloaded"))
    vqa = assign_roles(FORMATS.load("vqa"), [str(found.path) for found in files])
    direct = run(ImportFiles("vqa", {role: [*map(str, paths)] for role, paths in vqa.items()}), Output(tmp_path / "d"))
    assert made.manifest.rows == direct.manifest.rows
    assert made.manifest.splits == {"train": 1, "val": 2}
    assert {name: made.read(name).rows() for name in TABLES} == {name: direct.read(name).rows() for name in TABLES}


def test_files_of_several_formats_make_one_benchmark(tiny: Distribution, origin: Origin, tmp_path: Path) -> None:
    """What they say about the same images is joined."""
    files = obtain(select(tiny), Cache(tmp_path / "cache", origin.url)).files
    by_hand = [ImportFiles("vqa", {found.role: [str(found.path)]}) for found in files if found.role == "questions"]
    made = run(ImportTogether(by_hand), Output(tmp_path / "together"))
    assert made.rows("questions") == 3
    assert made.scan("images").select(pl.col("image_id").n_unique()).collect().item() == made.rows("images") == 2


def test_a_file_of_the_archive_may_be_of_no_format() -> None:
    """It is unpacked because another file names it."""
    (scenes,) = select(distribution("vqa-abstract"), ["scenes"], ["val"])[-1:]
    assert isinstance(scenes, File)
    assert [member.role for member in scenes.members][1:] == [None]
