"""Planted worlds: what a guess that knows only the question, the background or the answers gets right is as planted."""

from collections import Counter, defaultdict

import pytest

from eyechart.scenes.generate import Composer, depict, packaged_world, with_strength
from eyechart.scenes.generate.bias import plant
from eyechart.scenes.generate.lots import Lots
from eyechart.scenes.generate.questions import color_of

SCENES = 6000
COLORS = 4
Seen = list[tuple[str, str, str]]


def probes(kind: str, strength: float | None, count: int = SCENES) -> Seen:
    """What is asked about, where, and the answer, by scene; from what was composed, without measuring pictures."""
    world = packaged_world(kind)
    composer = Composer(world if strength is None else with_strength(world, strength))
    found = []
    for number in range(count):
        composition = composer.compose(number, 11)
        clip = next(c for c in composition.scene.clips if f"{c.name}-{c.instance}" == composition.probe)
        slots = [slot.name for slot in composer.stock.pieces[clip.name].slots]
        assert world.probes is not None
        color = clip.colors[slots.index(world.probes.pieces[clip.name])]
        assert color is not None
        found.append((clip.name, f"{composition.place} {composition.scene.variant}", color))
    return found


def accuracy(seen: Seen, key: int | None) -> float:
    """How often the most frequent answer is right, of all scenes or of those with the same key."""
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for each in seen:
        groups["" if key is None else each[key]][each[2]] += 1
    return sum(max(group.values()) for group in groups.values()) / len(seen)


@pytest.mark.parametrize("strength", [0.3, 0.5, 0.7, 0.95])
@pytest.mark.parametrize(("kind", "telling"), [("question", 0), ("image", 1), ("answer", None)])
def test_draws_are_as_planted(kind: str, strength: float, telling: int | None) -> None:
    """What is drawn for the probes, before anything is composed, has the strength that is asked for."""
    world = with_strength(packaged_world(kind), strength)
    assert world.probes is not None
    assert world.bias is not None
    found = []
    for number in range(8 * 1024):
        place = number % 12
        probe = plant(world.probes, world.bias, (place, f"place {place}"), Lots(3, number))
        found.append((probe.piece, f"place {place}", probe.color))
    assert accuracy(found, telling) == pytest.approx(strength, abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "strength", "telling"),
    [("question", 0.6, 0), ("question", 0.9, 0), ("image", 0.7, 1), ("answer", 0.5, None), ("none", None, None)],
)
def test_priors_are_as_planted(kind: str, strength: float | None, telling: int | None) -> None:
    """Within two points; and what is not meant to help does not."""
    seen = probes(kind, strength)
    assert accuracy(seen, telling) == pytest.approx(strength or 1 / COLORS, abs=0.02)
    if kind in ("question", "image", "none"):
        assert accuracy(seen, None) == pytest.approx(1 / COLORS, abs=0.02)
        blind = {"question": 1, "image": 0}.get(kind)
        if blind is not None:
            assert accuracy(seen, blind) == pytest.approx(1 / COLORS, abs=0.04)


def test_probes_are_seen() -> None:
    """Nothing hides what is asked about, there is one of its name, and its colour is in the graph."""
    composer = Composer(packaged_world("question"))
    compositions = [composer.compose(number, 5) for number in range(60)]
    for composition, graph in zip(compositions, depict(compositions), strict=True):
        assert composition.probe is not None
        thing = graph[composition.probe]
        assert len(list(graph.named(thing.name))) == 1
        assert color_of(thing) in packaged_world("question").probes.colors  # type: ignore[union-attr]
