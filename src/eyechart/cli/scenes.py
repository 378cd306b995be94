"""``eyechart scenes``: worlds of abstract scenes, their pictures, and scene graphs made clean."""

import os
import shutil
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import print_summary
from eyechart.errors import UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.generate_scenes import GenerateScenes
from eyechart.pipeline.stages.render_scenes import RenderScenes
from eyechart.scenes import generate
from eyechart.store import Benchmark

__all__ = ["scenes"]

_NOTES = ".pictures"
"""The hidden folder in a benchmark that keeps, until all are drawn, which pictures are."""
_LICENCE = "CC0-1.0"

scenes = App(name="scenes", help="Make scenes that are known completely, draw them, and clean real scene graphs.")
scenes.command("eyechart.cli.scenes_normalize:scenes_normalize", name="normalize", help="Clean raw scene graphs.")


@scenes.command(name="generate")
def scenes_generate(
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    count: Annotated[int, Parameter(alias="-n")] = 1000,
    seed: int = 1,
    world: str = "natural",
    strength: float | None = None,
    pictures: Annotated[bool, Parameter(negative="")] = False,
    width: int = 500,
    name: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Make scenes of a world: graphs, captions, a question each, and the clip art of their pictures.

    Parameters
    ----------
    output
        The benchmark to make.
    count
        How many scenes.
    seed
        Another seed, other scenes.
    world
        A packaged world (natural, none, question, image, answer) or a world file (.toml).
    strength
        In a planted world, the probability with which its bias tells the answer.
    pictures
        Draw the pictures, too; `eyechart scenes render` does it later.
    width
        Of the pictures, in pixels.
    name
        The benchmark's name; the folder's if not said.
    force
        Replace a benchmark that is there.
    """
    if count < 1:
        raise UsageError(f"--count is {count}, expected 1 or more; choose how many scenes to make")
    stage = GenerateScenes(generate.world_text(world), count, seed, strength, world)
    made = Output(output, name=name, licence=_LICENCE, replace=force)
    benchmark = run(stage, made, where=Where(**asdict(execution)), progress=speech.progress)
    if pictures:
        _draw(benchmark, width, execution, speech)
    print_summary(benchmark, json=speech.json)


@scenes.command(name="render")
def scenes_render(
    benchmark: Path,
    /,
    *,
    width: int = 500,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Draw the pictures of abstract scenes into the benchmark's folder of images.

    Parameters
    ----------
    benchmark
        A benchmark with clip art: generated, or imported from abstract-scenes.
    width
        Of the pictures, in pixels; they are five wide and four high.
    """
    opened = Benchmark.open(benchmark)
    _draw(opened, width, execution, speech)
    print_summary(opened, json=speech.json)


def _draw(benchmark: Benchmark, width: int, execution: Execution, speech: Speech) -> None:
    """Draw all pictures; a run that was stopped goes on where it was."""
    folder = os.fspath(benchmark.folder.resolve())
    stage = RenderScenes(folder, os.fspath(benchmark.image_file("").resolve()), width)
    notes = Output(benchmark.folder / _NOTES, replace=True)
    run(stage, notes, where=Where(**asdict(execution)), progress=speech.progress)
    shutil.rmtree(notes.folder)
