"""``eyechart scenes``: generate and render, from the command line."""

import json
from pathlib import Path

import pytest
from command_line import call
from PIL import Image

from eyechart.pipeline.stages import generate_scenes, render_scenes
from eyechart.scenes.render import scenes_of, to_svg
from eyechart.store import Benchmark


def files_of(folder: Path) -> dict[str, bytes]:
    """Every part of every table."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted((folder / "tables").rglob("*.*"))}


def test_generate_tells_what_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables with rows, and a benchmark that opens."""
    code, out, _ = call(capsys, "scenes", "generate", "-n", "12", "-o", str(tmp_path / "b"), "--json", "-q")
    rows = json.loads(out)["rows"]
    assert code == 0
    assert rows["images"] == 12
    assert rows["captions"] == 60
    assert {"objects", "attributes", "relations", "cliparts", "inventories", "questions"} <= set(rows)
    assert not (tmp_path / "b" / "images").exists()


def test_workers_make_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process or two."""
    monkeypatch.setattr(generate_scenes, "_SCENES_PER_SHARD", 20)
    made = []
    for workers in ("1", "2"):
        folder = tmp_path / workers
        where = ("--executor", "pool", "--workers", workers)
        assert call(capsys, "scenes", "generate", "-n", "60", "--seed", "4", "-o", str(folder), "-q", *where)[0] == 0
        made.append(files_of(folder))
    assert made[0] == made[1]
    assert made[0]


def test_pictures_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While generating or afterwards, the same bytes; as wide as one asks."""
    one, other = tmp_path / "one", tmp_path / "other"
    call(capsys, "scenes", "generate", "-n", "4", "-o", str(one), "-q", "--pictures")
    call(capsys, "scenes", "generate", "-n", "4", "-o", str(other), "-q")
    assert call(capsys, "scenes", "render", str(other), "-q")[0] == 0
    names = [f"{number}.png" for number in range(4)]
    assert sorted(path.name for path in (one / "images").iterdir()) == names
    for name in names:
        assert (one / "images" / name).read_bytes() == (other / "images" / name).read_bytes()
    call(capsys, "scenes", "render", str(other), "-q", "--width", "100")
    with Image.open(other / "images" / "0.png") as picture:
        assert picture.size == (100, 80)
    assert sorted(path.name for path in one.iterdir()) == ["README.md", "benchmark.json", "images", "tables"]


def test_drawing_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures of finished shards are not drawn again by the run that goes on."""
    monkeypatch.setattr(render_scenes, "_IMAGES_PER_SHARD", 2)
    call(capsys, "scenes", "generate", "-n", "5", "-o", str(tmp_path / "b"), "-q")
    drawn: list[str] = []
    write = render_scenes._write  # noqa: SLF001  # a run is stopped in the middle

    def interrupted(path: Path, content: bytes) -> None:
        drawn.append(path.name)
        if path.name == "3.png" and drawn.count(path.name) == 1:
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(render_scenes, "_write", interrupted)
    code, _, said = call(capsys, "scenes", "render", str(tmp_path / "b"), "-q")
    assert code == 130
    assert "run the same command again" in said
    assert call(capsys, "scenes", "render", str(tmp_path / "b"), "-q")[0] == 0
    assert drawn == ["0.png", "1.png", "2.png", "3.png", "2.png", "3.png", "4.png"]


def test_a_world_of_one_s_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file changes what it says, and a mistake in it is told."""
    world = tmp_path / "beach.toml"
    world.write_text('about = "Always the beach."\nbased_on = "natural"\n', encoding="utf-8")
    for place in ("living_room", "kitchen", "bedroom", "park", "street"):
        with world.open("a", encoding="utf-8") as file:
            file.write(f"[places.{place}]\nweight = 0\n")
    call(capsys, "scenes", "generate", "-n", "6", "--world", str(world), "-o", str(tmp_path / "b"), "-q")
    assert set(Benchmark.open(tmp_path / "b").read("images")["location"]) == {"beach"}
    world.write_text('about = "x"\nbased_on = "natural"\n[places.beach]\nweight = -1\n', encoding="utf-8")
    code, _, said = call(
        capsys, "scenes", "generate", "-n", "6", "--world", str(world), "-o", str(tmp_path / "c"), "-q"
    )
    assert code == 2
    assert "beach.toml, places.beach: found -1, expected 0 or more" in said


def test_planted_strength(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command line's strength is the world's: a certain bias gives one answer."""
    where = ("-n", "40", "--world", "answer", "--strength", "1", "-o", str(tmp_path / "b"), "-q")
    call(capsys, "scenes", "generate", *where)
    questions = Benchmark.open(tmp_path / "b").read("questions")
    assert questions.height == 40
    assert questions["answer"].n_unique() == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("generate", "-n", "0"), "--count is 0"),
        (("generate", "--world", "natral"), "no world is called 'natral': did you mean 'natural'?"),
        (("generate", "--strength", "0.5"), "natural: found a strength for a world without a bias"),
    ],
)
def test_mistakes(arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence and exit code 2."""
    code, _, error = call(capsys, "scenes", *arguments, "-o", str(tmp_path / "b"), "-q")
    assert code == 2
    assert said in error


def test_nothing_to_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A benchmark without clip art is told what it lacks."""
    with Benchmark.create(tmp_path / "b"):
        pass
    code, _, error = call(capsys, "scenes", "render", str(tmp_path / "b"), "-q")
    assert code == 2
    assert "found no table cliparts" in error


def test_clip_art_comes_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scenes written in the layout of abstract scenes and read again are drawn alike."""
    made, out, back = tmp_path / "made", tmp_path / "out", tmp_path / "back"
    call(capsys, "scenes", "generate", "-n", "12", "-o", str(made), "-q")
    assert call(capsys, "export", "abstract-scenes", str(made), "-o", str(out), "-q")[0] == 0
    files = [str(path) for path in sorted(out.iterdir())]
    assert call(capsys, "import", "abstract-scenes", *files, "-o", str(back), "-q")[0] == 0
    drawn = []
    for folder in (made, back):
        opened = Benchmark.open(folder)
        places = dict(opened.read("images").select("image_id", "location").iter_rows())
        drawn.append({key: to_svg(scene) for key, scene in scenes_of(opened.read("cliparts"), places).items()})
    assert len(drawn[0]) == 12
    assert drawn[0] == drawn[1]
