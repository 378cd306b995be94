"""What a doll shows from back to front: limbs, clothes, hair and face as cuts on the bones and drapes over them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from eyechart.scenes.art.figures.brush import read_strokes
from eyechart.scenes.art.figures.plans import shaded
from eyechart.scenes.art.figures.rig import bounds
from eyechart.scenes.art.figures.skeleton import ARMS, LEGS, SIDES, Build, Mount, Skeleton
from eyechart.scenes.art.figures.strokes import capsule, cuff, cuff_sides, sides
from eyechart.scenes.art.model import Box, Point

__all__ = ["Cut", "Drape", "Look", "Style", "Tailor"]

_EDGE = "ink line 1.2 .3"
_LOOSE = 1.0
"""By how much cloth stands off."""
_ANKLE = 1.6
"""Trousers that reach farther fall over the shoe."""


class Garment(msgspec.Struct, forbid_unknown_fields=True):
    """Something to wear; how far it reaches along two bones, each of which counts 1."""

    noun: str
    slot: str
    reach: float = 0.0
    art: tuple[str, ...] = ()
    """Below the neck, for a body whose shoulders are 19 pixels from its middle; on the head for a hat."""
    attributes: tuple[str, ...] = ()

    def slots(self) -> set[str]:
        """The paints that it uses, some of which are slots.

        >>> sorted(Garment("shirt", "top", art=("bottom line 2: M0 0L1 1",)).slots())
        ['bottom', 'top']
        """
        return {self.slot, *(text.partition(":")[0].split()[0] for text in self.art)}


class Style(msgspec.Struct, forbid_unknown_fields=True):
    """Clothes that go together."""

    top: Garment
    shoes: Garment
    bottom: Garment | None = None
    """Trousers; without, legs are bare."""
    skirt: Garment | None = None
    hat: Garment | None = None
    attributes: tuple[str, ...] = ()

    def garments(self) -> tuple[Garment, ...]:
        """All of them."""
        return tuple(each for each in (self.top, self.bottom, self.skirt, self.shoes, self.hat) if each)

    def tagged(self) -> dict[str, Garment]:
        """What each tag of the drawing is; shoes are two things."""
        shoes = dict.fromkeys((f"{side} {self.shoes.noun}" for side in SIDES), self.shoes)
        return {each.noun: each for each in self.garments() if each is not self.shoes} | shoes


@dataclass(frozen=True, slots=True)
class Look:
    """What of a doll is not its clothes."""

    skin: str
    """The name of a skin tone."""
    hair: tuple[tuple[str, ...], tuple[str, ...]]
    """Behind the body and before the face."""
    features: tuple[str, ...]
    """Of the face: glasses, a beard, wrinkles."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Something stiff on one bone."""

    mount: Mount
    scale: float
    svg: str
    """The colours of slots in braces."""
    box: Box
    tag: str


@dataclass(frozen=True, slots=True)
class Drape:
    """A cloth over several bones: everything within some distance of the convex hull of points on them."""

    points: tuple[tuple[int, Point], ...]
    edge: float
    slot: str
    tag: str


class Tailor:
    """Dresses one body; data come from the wardrobe's files."""

    def __init__(
        self, body: tuple[Build, Skeleton], known: Mapping[str, str], art: Mapping[str, tuple[str, ...]], where: str
    ) -> None:
        self.build, self.skeleton = body
        self.known = known
        self.art = art
        self.where = where

    def dress(self, look: Look, style: Style, face: tuple[str, ...]) -> tuple[Cut | Drape, ...]:
        """Everything that is drawn, the hindmost first."""
        return tuple(self._dressed(look, style, face))

    def _dressed(self, look: Look, style: Style, face: tuple[str, ...]) -> Iterator[Cut | Drape]:
        head, build = self.build.head, self.build
        back, front = look.hair
        yield from self._cut("head", back, "hair", head)
        yield from self._arm("right", style)
        yield from self._leg("right", style)
        yield from self._seat(style)
        yield from self._leg("left", style)
        yield from self._skirt(style)
        yield from self._cut(
            "torso",
            (f"skin: {capsule(build.neck + 14, 6 * head, 5.5 * head)}",),
            "",
            1.0,
            (0.0, -build.torso - build.neck - 8),
        )
        yield self._shirt(style)
        yield from self._cut("torso", style.top.art, style.top.noun, build.shoulders / 19, (0.0, -build.torso))
        yield from self._cut("head", (*self.art["head"], *look.features, *face), "", head)
        yield from self._cut("head", front, "hair", head)
        if style.hat:
            yield from self._cut("head", style.hat.art, style.hat.noun, head)
        yield from self._arm("left", style)

    def _cut(
        self,
        limb: str,
        texts: tuple[str, ...],
        tag: str,
        scale: float = 1.0,
        at: Point = (0.0, 0.0),
        *,
        far: bool = False,
    ) -> Iterator[Cut]:
        strokes = read_strokes(shaded(texts) if far else texts, self.known, f"{self.where}: {limb}")
        if strokes:
            mount = self.skeleton.mounts[limb]
            place = Mount(mount.bone, (mount.at[0] + at[0], mount.at[1] + at[1]))
            box = bounds((point for stroke in strokes for point in stroke.points), 2.0)
            yield Cut(place, scale, "".join(stroke.svg for stroke in strokes), box, tag)

    def _arm(self, side: str, style: Style) -> Iterator[Cut]:
        upper, lower, hand = (f"{side} {limb}" for limb in ARMS)
        far, top, build = side == "right", style.top, self.build
        yield from self._cut(hand, self.art["hand"], "", build.hand, far=far)
        yield from self._sleeved(((upper, build.upper_arm), (lower, build.forearm)), top, far=far)

    def _leg(self, side: str, style: Style) -> Iterator[Cut]:
        upper, lower, foot = (f"{side} {limb}" for limb in LEGS)
        far, build = side == "right", self.build
        shoes = style.shoes
        bare = style.bottom is None or style.bottom.reach < _ANKLE
        chain = ((upper, build.thigh), (lower, build.shin))
        shoe = tuple(self._cut(foot, shoes.art, f"{side} {shoes.noun}", build.foot, far=far))
        if bare:
            yield from self._sleeved(chain, style.bottom, far=far)
            yield from shoe
        else:
            yield from shoe
            yield from self._sleeved(chain, style.bottom, far=far)

    def _sleeved(
        self, chain: tuple[tuple[str, tuple[float, float, float]], ...], garment: Garment | None, *, far: bool
    ) -> Iterator[Cut]:
        """Two bones, with a sleeve or trouser leg over as much of them as it reaches."""
        reach = garment.reach if garment else 0.0
        for place, (limb, taper) in enumerate(chain):
            if reach < place + 1:
                yield from self._cut(limb, (f"skin flat: {capsule(*taper)}", f"{_EDGE}: {sides(*taper)}"), "", far=far)
        for place, (limb, (length, start, end)) in enumerate(chain):
            share = min(1.0, reach - place)
            if garment is None or share <= 0:
                continue
            wide, narrow = start + _LOOSE, start + (end - start) * share + _LOOSE
            if reach > place + 1:
                shape, edge = capsule(length, wide, narrow), sides(length, wide, narrow)
            else:
                shape, edge = cuff(length * share, wide, narrow), cuff_sides(length * share, wide, narrow)
            yield from self._cut(limb, (f"{garment.slot} flat: {shape}", f"{_EDGE}: {edge}"), garment.noun, far=far)

    def _seat(self, style: Style) -> Iterator[Cut]:
        garment = style.bottom or style.skirt or style.top
        wide, deep = self.build.hips, self.build.thigh[1]
        low = deep + 3
        right = f"C{wide + 1} {deep} {wide / 2} {low} 0 {low}"
        path = f"M{-wide} -6L{wide} -6{right}C{-wide / 2} {low} {-wide - 1} {deep} {-wide} -6Z"
        yield from self._cut("hips", (f"{garment.slot} flat: {path}",), garment.noun)

    def _skirt(self, style: Style) -> Iterator[Drape]:
        if style.skirt is None:
            return
        reach, build = style.skirt.reach, self.build
        waist = [("hips", (way * (build.hips - 3), -4.0)) for way in (-1, 1)]
        hem = [
            (f"{side} {limb}", (way * (taper[1] + 2), taper[0] * share))
            for side in SIDES
            for limb, taper, share in (("thigh", build.thigh, min(1.0, reach)), ("shin", build.shin, reach - 1.0))
            if share > 0
            for way in (-1, 1)
        ]
        # Seated, the round upper ends of thighs would look out behind.
        seat = [(f"{side} thigh", (way * (build.thigh[1] - 2), 0.0)) for side in SIDES for way in (-1, 1)]
        yield self._drape((*waist, *seat, *hem), 3.0, style.skirt)

    def _shirt(self, style: Style) -> Drape:
        build, edge = self.build, min(7.0, self.build.waist * 0.6)
        points = [
            (limb, (way * (half - edge), y))
            for way in (-1, 1)
            for limb, half, y in (
                ("torso", build.shoulders, edge - build.torso),
                ("torso", build.waist, -build.torso * 0.3),
                ("hips", build.hips + 1, 6 - edge),
            )
        ]
        return self._drape(tuple(points), edge, style.top)

    def _drape(self, points: tuple[tuple[str, Point], ...], edge: float, garment: Garment) -> Drape:
        fixed = []
        for limb, (x, y) in points:
            mount = self.skeleton.mounts[limb]
            fixed.append((mount.bone, (mount.at[0] + x, mount.at[1] + y)))
        return Drape(tuple(fixed), edge, garment.slot, garment.noun)
