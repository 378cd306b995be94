"""Worlds into scenes: graphs, captions and questions of pictures that are still to be drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from eyechart.pipeline.stage import Json, Write
from eyechart.scenes import generate
from eyechart.store import Draft

__all__ = ["GenerateScenes"]

_SCENES_PER_SHARD = 500


@dataclass(frozen=True)
class GenerateScenes:
    """Compose the scenes of one world; some hundred are a shard."""

    name: ClassVar[str] = "generate"

    world: str
    """The text of the world file, so that finished shards hold as long as it is the same."""
    count: int
    seed: int = 1
    strength: float | None = None
    """The probability of favourites in a planted world, in place of the world's own."""
    where: str = "world"
    """What messages call the world file."""

    def inputs(self) -> Sequence[Path]:
        """None: the world's text is in the configuration."""
        return []

    def plan(self) -> Sequence[Json]:
        """Ranges of scene numbers."""
        self._world()
        return [
            [first, min(first + _SCENES_PER_SHARD, self.count)] for first in range(0, self.count, _SCENES_PER_SHARD)
        ]

    def run(self, shard: Json, write: Write) -> Json:
        """Compose and describe the scenes of one range."""
        for table, rows in generate.generate(self._world(), range(*shard), self.seed).items():
            write(table, rows)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """Nothing: scenes do not know of each other."""

    def _world(self) -> generate.World:
        world = generate.read_world(self.world, self.where)
        return world if self.strength is None else generate.with_strength(world, self.strength, self.where)
