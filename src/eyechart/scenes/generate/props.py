"""Things without a will: furniture on the floor, pictures on walls, clouds in the sky, cups on tables."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from eyechart.scenes.art import HEIGHT, WIDTH, Box, Clip, Piece, Role
from eyechart.scenes.generate.attire import Attire
from eyechart.scenes.generate.canvas import Canvas, Placed, Wish, layer_of
from eyechart.scenes.generate.graph import Link
from eyechart.scenes.generate.world import Group

__all__ = ["Props"]

_TIGHT = 0.3
"""How much of a thing on the wall or in the sky may be hidden, or hide another of these."""
_NARROWEST = 6.0
"""A free part of a surface that is narrower holds nothing."""


class Props:
    """Puts the things of a place onto its canvas."""

    def __init__(self, canvas: Canvas, attire: Attire) -> None:
        self.canvas, self.attire, self.lots = canvas, attire, canvas.lots
        self._ways: dict[str, Callable[[Clip, Piece, Group], Placed | None]] = {
            "floor": self._on_floor,
            "wall": self._on_wall,
            "ceiling": self._from_ceiling,
            "sky": self._in_sky,
            "water": self._on_water,
            "surface": self._on_surface,
        }

    def fill(self, group: Group, place: str, number: int, without: frozenset[str]) -> None:
        """Put what is drawn of a group; what has no room is left out."""
        for turn in range(self.lots.number(group.count, "count", place, number)):
            counts = self.canvas.counts
            left = {
                name: weight
                for name, weight in group.pieces.items()
                if weight > 0 and name not in without and counts.get(name, 0) < group.most
            }
            if not left:
                return
            name = self.lots.choose(left, "piece", place, number, turn)
            near, far = group.depths
            depth = near + int(self.lots.uniform("depth", place, number, turn) * (far - near + 1))
            clip = self.attire.thing(name, depth, self.lots, counts.get(name, 0), group.kinds.get(name))
            self._ways[group.on](clip, self.attire.stock.pieces[name], group)

    def _on_floor(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        return self.canvas.stand(clip, piece, Wish(group.across, flat=clip.name in self.attire.world.flat))

    def _on_wall(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        return self._within("wall", clip, piece, group)

    def _in_sky(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        return self._within("sky", clip, piece, group)

    def _within(self, role: Role, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        """Put a thing into the part of a region that is the group's."""
        for region in self.canvas.regions(role):
            left, high, right, low = region.box
            area = (left, high + (low - high) * group.down[0], right, high + (low - high) * group.down[1])
            placed = self.canvas.hang(clip, piece, area, Wish(group.across, _TIGHT))
            if placed is not None:
                predicate = "on" if role == "wall" else "in"
                self.canvas.acts.append(Link(placed.object_id, predicate, region.name))
                return placed
        return None

    def _from_ceiling(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        height = (piece.form(clip).box[3] - piece.form(clip).box[1]) * self.canvas.background.scales[clip.depth]
        return self.canvas.hang(clip, piece, (0.0, 0.0, float(WIDTH), height + 0.01), Wish(group.across, _TIGHT))

    def _on_water(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        """Let a thing float: its base in the water, nearer things lower."""
        for region in self.canvas.regions("water"):
            left, high, right, low = region.box
            y = self.lots.between(high + 0.25 * (low - high), low - 0.1 * (low - high), "float", clip.name)
            scale = self.canvas.background.scales[clip.depth]
            form = piece.form(clip)
            base = y - form.anchors.base[1] * scale
            box = (form.box[0] * scale, base + form.box[1] * scale, form.box[2] * scale, base + form.box[3] * scale)
            across = (max(left / WIDTH, group.across[0]), min(right / WIDTH, group.across[1]))
            x = self.canvas.room(box, clip, Wish(across, _TIGHT), y)
            if x is not None:
                placed = self.canvas.put(replace(clip, x=x, y=base, layer=layer_of(y) + HEIGHT), piece)
                placed.ground = y
                self.canvas.acts.append(Link(placed.object_id, "in", region.name))
                return placed
        return None

    def _on_surface(self, clip: Clip, piece: Piece, group: Group) -> Placed | None:
        hosts = [each for each in self.canvas.placed if self._offers(each, group)]
        for host in self.lots.order(hosts, "host", clip.name, len(self.canvas.placed)):
            for left, right, height in free_parts(host):
                placed = self._set_down(clip, piece, host, (left, right, height))
                if placed is not None:
                    return placed
        return None

    def _offers(self, host: Placed, group: Group) -> bool:
        """Whether things of a group may be put onto a thing."""
        wanted = host.clip.name in group.hosts if group.hosts else host.ground is not None
        return wanted and bool(host.form.anchors.surfaces) and not host.seats and not host.flat

    def _set_down(self, clip: Clip, piece: Piece, host: Placed, part: tuple[float, float, float]) -> Placed | None:
        left, right, y = part
        form = piece.form(clip)
        width = (form.box[2] - form.box[0]) * host.scale
        if width > right - left:
            return None
        start = left + (right - left - width) * self.lots.uniform("set down", clip.name, host.object_id)
        x = start + (form.box[2] if clip.flip else -form.box[0]) * host.scale
        there = replace(
            clip,
            depth=host.clip.depth,
            x=x,
            y=y - form.anchors.base[1] * host.scale,
            layer=host.clip.layer,
            sublayer=host.clip.sublayer - 1 - len(host.filled),
        )
        box: Box = (start, there.y + form.box[1] * host.scale, start + width, y)
        if self.canvas.hides(box, host):
            return None
        placed = self.canvas.put(there, piece)
        host.filled.append((start, start + width))
        self.canvas.acts.append(Link(placed.object_id, "on", host.object_id))
        return placed


def free_parts(host: Placed) -> Iterator[tuple[float, float, float]]:
    """The parts of a thing's surfaces on which nothing stands yet, in the scene: left end, right end, height."""
    for one, other, height in host.form.anchors.surfaces:
        ends = sorted((host.at((one, height))[0], host.at((other, height))[0]))
        start = max(ends[0], 0.0)
        y = host.at((one, height))[1]
        for begin, end in [*sorted(host.filled), (ends[1], ends[1])]:
            if min(begin, WIDTH) - start > _NARROWEST:
                yield start, min(begin, float(WIDTH)), y
            start = max(start, end)
