"""A benchmark of small drawings with questions about them, made in a moment."""

from pathlib import Path

import polars as pl
from PIL import Image, ImageDraw

from eyechart.store import Benchmark

COLORS = ("red", "blue", "green", "yellow")


def drawn_benchmark(folder: Path, count: int = 40, *, choices: bool = False) -> Benchmark:
    """Every picture has a disk in one of four colours, at one of two places; each is asked for its colour and place."""
    rows = []
    (folder.parent / "pictures").mkdir(exist_ok=True)
    for number in range(count):
        color, left = COLORS[number * 7 % 4], number % 3 == 0
        picture = Image.new("RGB", (64, 48), "white")
        at = 4 if left else 34
        ImageDraw.Draw(picture).ellipse((at, 10, at + 26, 36), fill=color)
        picture.save(folder.parent / "pictures" / f"{number}.png")
        rows.append({"number": str(number), "color": color, "x": float(at), "side": "left" if left else "right"})
    scenes = pl.DataFrame(rows)
    split = pl.when(pl.int_range(pl.len()) // 4 % 4 == 3).then(pl.lit("val")).otherwise(pl.lit("train"))
    asked = [
        scenes.select(
            question_id=pl.format(f"{kind}-{{}}", "number"),
            image_id="number",
            split=split,
            question=pl.lit(text),
            question_type=pl.lit(" ".join(text.lower().split()[:2])),
            answer=column,
            group_global=pl.lit(kind),
            group_local=pl.lit(kind),
        )
        for kind, text, column in (("color", "What color is it?", "color"), ("side", "Where is the disk?", "side"))
    ]
    box = {"y": pl.lit(10.0), "w": pl.lit(26.0), "h": pl.lit(26.0)}
    with Benchmark.create(folder) as draft:
        draft.image_root = str(folder.parent / "pictures")
        draft.write("images", scenes.select(image_id="number", file=pl.format("{}.png", "number"), width=64, height=48))
        draft.write("questions", pl.concat(asked))
        draft.write("objects", scenes.select("x", image_id="number", object_id=pl.lit("1"), name=pl.lit("disk"), **box))
        draft.write("attributes", scenes.select(image_id="number", object_id=pl.lit("1"), attribute="color"))
        if choices:
            draft.write("choices", _choices(asked[0]))
    return Benchmark.open(folder)


def _choices(asked: pl.DataFrame) -> pl.DataFrame:
    listed = asked.select("question_id", "answer", choice=pl.lit(list(COLORS))).explode("choice")
    placed = listed.with_columns(position=pl.int_range(pl.len(), dtype=pl.Int32).over("question_id"))
    return placed.select("question_id", "position", "choice", is_target=pl.col("choice") == pl.col("answer"))
