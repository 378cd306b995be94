"""COCO captions: pictures and captions in one file."""

from pathlib import Path

from round_trip import Case, exported, imported

from eyechart.formats import FORMATS

CAPTIONS = FORMATS.load("coco-captions")


def test_captions_lose_their_outer_space_in_the_table_only(tmp_path: Path) -> None:
    """Some end in spaces and line breaks, which come back on export."""
    case = Case("coco-captions", "photographs")
    tables = imported(CAPTIONS, case.roles)
    assert tables["captions"]["caption"].to_list()[-1] == "Dogs on a rug."
    (path,) = exported(CAPTIONS, tables, tmp_path)["captions"]
    assert '"Dogs on a rug. \\n"' in path.read_text()


def test_pictures_have_size_and_address() -> None:
    """What the file says of a picture is in its row."""
    images = imported(CAPTIONS, Case("coco-captions", "photographs").roles)["images"]
    expected = ("7", "val", 640, 480, "COCO_val2014_000000000007.jpg", "mscoco")
    assert expected == images.select("image_id", "split", "width", "height", "file", "source").row(0)


def test_scenes_are_called_by_other_names() -> None:
    """Captions of abstract scenes have image_id and url where those of photographs have id and coco_url."""
    images = imported(CAPTIONS, Case("coco-captions", "abstract").roles)["images"]
    expected = ("0", "train", "http://scenes.example/0.png", "abstract_v002")
    assert expected == images.select("image_id", "split", "url", "source").row(0)


def test_a_caption_of_an_unlisted_picture_brings_its_picture() -> None:
    """The table of images has a row for every picture that is described."""
    assert imported(CAPTIONS, Case("coco-captions", "untidy").roles)["images"]["image_id"].to_list() == ["somewhere"]
