"""Claim: scenes become pictures of 500 x 400, more pixels than 400 x 400, at 40 a second and more on one core."""

import time

from eyechart.scenes.generate import Composer, packaged_world
from eyechart.scenes.render import to_png

COUNT, WIDTH, SEED = 400, 500, 1


def main() -> None:
    """Compose first, then draw; the first pictures warm the caches of drawings."""
    composer = Composer(packaged_world("natural"))
    scenes = [composer.compose(number, SEED).scene for number in range(COUNT)]
    for scene in scenes[:20]:
        to_png(scene, WIDTH)
    cpu, wall = time.process_time(), time.perf_counter()
    size = sum(len(to_png(scene, WIDTH)) for scene in scenes)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(f"Draw {COUNT} scenes, {WIDTH} x {WIDTH * 4 // 5}")
    print(f"  {wall:7.2f} s  {cpu:7.2f} s CPU  {COUNT / cpu:.0f} a second of CPU  {size / COUNT / 1000:.0f} kB each")


if __name__ == "__main__":
    main()
