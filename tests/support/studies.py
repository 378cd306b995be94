"""A benchmark with something for every task, and a study of each on it."""

import re
from html import unescape
from pathlib import Path

import polars as pl
from fastapi.testclient import TestClient
from PIL import Image, ImageDraw

from eyechart.collection import Settings, Work, plan_items, tasks
from eyechart.database import Database
from eyechart.store import Benchmark

COLORS = ("red", "blue", "green", "yellow")
TOLD = "disk-number"
"""Part of every picture's file name: nobody who works may ever see it."""


FILLED = {
    "question": {"question": "Is the disk left of the middle?"},
    "answer": {"answer": "red", "confidence": "yes"},
    "answer-blind": {"answer": "red", "confidence": "maybe"},
    "answer-caption": {"answer": "red", "confidence": "yes"},
    "answer-vocabulary": {"answer": "red", "suggested": "red\ncrimson"},
    "choose": {"choice": "1", "several": "yes"},
    "commonsense": {"needs_commonsense": "no"},
    "age": {"youngest_age": "3-4"},
    "caption": {"caption": "A large red disk lies on a sheet of white paper."},
    "complement": {"picked": "2", "reason": "", "seen": "24"},
    "ambiguity": {"also_right": "yes"},
}


def asked_benchmark(folder: Path, count: int = 40) -> Benchmark:
    """Pictures of disks, with a question, a caption, choices, a decoy and 30 neighbours each."""
    pictures = folder.parent / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    names = [f"{TOLD}-{number}.png" for number in range(count)]
    for number, name in enumerate(names):
        picture = Image.new("RGB", (480, 360), "white")
        left = 30 + 40 * (number % 6)
        ImageDraw.Draw(picture).ellipse((left, 70, left + 200, 270), fill=COLORS[number % 4])
        picture.save(pictures / name)
    image = pl.Series("image_id", [str(number) for number in range(count)])
    color = pl.Series("answer", [COLORS[number % 4] for number in range(count)])
    ids = pl.DataFrame([image]).with_columns(question_id=pl.format("q{}", "image_id"))
    choices = ids.select("question_id", choice=pl.lit(list(COLORS))).explode("choice")
    near = ids.select("image_id", rank=pl.lit(list(range(1, 31)))).explode("rank")
    neighbour = (pl.col("image_id").cast(pl.Int64) + pl.col("rank")) % count
    with Benchmark.create(folder) as draft:
        draft.image_root = str(pictures)
        draft.write("images", ids.select("image_id", file=pl.Series(names), width=480, height=360))
        draft.write(
            "questions",
            ids.with_columns(question=pl.lit("What colour is the disk?"), answer=color, split=pl.lit("val")),
        )
        draft.write(
            "captions",
            ids.select("image_id", caption_id="question_id", caption=pl.format("A {} disk on white paper.", color)),
        )
        draft.write(
            "choices",
            choices.with_columns(
                position=pl.int_range(pl.len(), dtype=pl.Int32).over("question_id"), is_target=pl.lit(value=False)
            ),
        )
        draft.write(
            "neighbours",
            near.select(
                "image_id", "rank", neighbour_id=neighbour.cast(pl.String), distance=pl.col("rank").cast(pl.Float64)
            ),
        )
        draft.write(
            "decoys",
            ids.select(
                "question_id", kind=pl.lit("qou"), rank=pl.lit(1), origin=pl.lit("qou"), decoy=pl.lit("crimson")
            ),
        )
    return Benchmark.open(folder)


def study_of_each(database: Database, benchmark: Benchmark) -> list[str]:
    """A study of each task that is not drawn, named after it."""
    work = Work(database)
    made = []
    for name in tasks():
        if name == "scene_edit":
            continue  # its pictures are scenes
        more = (
            {"vocabulary": ("red", "crimson", "blue", "navy", "sofa", "couch")} if name == "answer_vocabulary" else {}
        )
        settings = Settings(k=3, benchmark=str(benchmark.folder), units=2 if name == "choose" else None, **more)
        study = name.replace("_", "-")
        work.create_study(study, name, settings=settings, pool=study)
        work.add_items(study, plan_items(name, benchmark.tables(), vacant=6))
        made.append(study)
    return made


def begin(browser: TestClient, study: str) -> tuple[str, str]:
    """Take a task; its address and its page."""
    taken = browser.post(f"/work/{study}/claim")
    assert taken.status_code == 303
    address = taken.headers["location"]
    return address, browser.get(address).text


def hidden(page: str, name: str) -> str:
    """The value of a hidden field."""
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', page)
    assert found is not None, name
    return unescape(found[1])


def fill(page: str, values: dict[str, str], **more: str) -> dict[str, str]:
    """A form as a browser would send it, the same in every unit."""
    units = range(len(re.findall(r'<section class="unit"', page)))
    filled = {f"{unit}.{name}": value for unit in units for name, value in values.items()}
    return filled | {"key": hidden(page, "key"), "revision": hidden(page, "revision"), "comment": ""} | more
