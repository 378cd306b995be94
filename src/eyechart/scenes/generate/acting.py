"""How people and animals come together with things: on seats, in beds, on wheels, with something in their hands.

Each manner of the world's activities is a method that puts the actor, or the thing, where it belongs, turns limbs to
what they hold, and notes what is then true. A manner that finds no room does nothing and says so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from eyechart.scenes.art import WIDTH, Box, Clip, Form, Point
from eyechart.scenes.generate.attire import Attire
from eyechart.scenes.generate.bodies import is_person
from eyechart.scenes.generate.canvas import ANYWHERE, FRONT, Canvas, Placed, Wish, layer_of, spanned
from eyechart.scenes.generate.graph import Link
from eyechart.scenes.generate.world import CHEST, Activity
from eyechart.scenes.render import drawn_box

__all__ = ["Actor", "Stage"]

_HANDS = ("right hand", "left hand")
_FEET = ("right foot", "left foot")
_MARGIN = 11.0
"""How far a body reaches around the spots that are known of it, in pixels at depth 0."""
_BITE, _BITTEN = 4.0, 0.2
"""How many pixels of food are in the mouth, and how far down from its top."""
_CLOSE = 8.0
"""Between somebody and what they play with."""


class Actor:
    """Somebody before they have a place: a clip without one, and how it may change."""

    def __init__(self, stage: "Stage", clip: Clip) -> None:
        self.stage, self.clip = stage, clip
        self.piece = stage.attire.stock.pieces[clip.name]

    @property
    def base(self) -> Point:
        """What it stands on the ground with."""
        return self.spots["ground"]

    @property
    def spots(self) -> Mapping[str, Point]:
        """The spots of its body; an animal has its base only."""
        if is_person(self.piece):
            return self.piece.spots(self.clip)
        base = self.piece.form(self.clip).anchors.base
        return {"ground": base, "hips": base}

    def box(self, scale: float) -> Box:
        """What it covers around its clip's place."""
        if self.piece.kind == "animal":
            return spanned(self.piece.form(self.clip).box, self.clip, scale)
        return spanned(around(self.spots.values()), self.clip, scale)


def around(points: Iterable[Point]) -> Box:
    """The box of a body around its spots."""
    xs, ys = zip(*points, strict=True)
    return min(xs) - _MARGIN, min(ys) - _MARGIN, max(xs) + _MARGIN, max(ys)


class Stage:
    """The canvas, and what can be done on it."""

    def __init__(self, canvas: Canvas, attire: Attire) -> None:
        self.canvas, self.attire, self.lots = canvas, attire, canvas.lots
        self.world = attire.world
        self._manners: dict[str, Callable[[Actor, Activity, Placed], Placed | None]] = {
            "sit": self._sit,
            "lie": self._lie,
            "ride": self._ride,
            "stand": self._stand_on,
            "swim": self._swim,
            "perch": self._perch,
            "play": self._play,
            "chase": self._chase,
            "push": self._push,
            "look": self._look,
        }

    def act(self, actor: Clip, activity: Activity, target: Placed) -> Placed | None:
        """Let somebody do something with a thing that has its place; None if it cannot be."""
        placed = self._manners[activity.manner](Actor(self, actor), activity, target)
        if placed is not None:
            self.canvas.acts.append(Link(placed.object_id, activity.does, target.object_id))
        return placed

    def idle(self, actor: Clip, wish: Wish = ANYWHERE) -> Placed | None:
        """Let somebody stand on the ground; None where there is no room."""
        return self._on_ground(Actor(self, actor), wish)

    def _on_ground(self, actor: Actor, wish: Wish = ANYWHERE) -> Placed | None:
        scale = self.canvas.background.scales[actor.clip.depth]
        level = self.canvas.level(actor.clip)
        actor.clip = replace(actor.clip, x=0.0, y=level - actor.base[1] * scale, layer=layer_of(level))
        x = self.canvas.room(actor.box(scale), actor.clip, wish, level)
        if x is None:
            return None
        actor.clip = replace(actor.clip, x=x, sublayer=FRONT)
        return self._enter(actor, level)

    def _enter(self, actor: Actor, ground: float | None = None, *with_: Placed) -> Placed | None:
        box = actor.box(self.canvas.background.scales[actor.clip.depth])
        if self.canvas.hides(box, *with_):
            return None
        placed = self.canvas.put(actor.clip, actor.piece, box)
        placed.ground = ground
        return placed

    def _meet(self, actor: Actor, spot: Point, point: Point, target: Placed, ahead: int = 1) -> None:
        """Bring a spot of the body to a point of the scene, before the target or behind it."""
        scale = target.scale
        across = -spot[0] if actor.clip.flip else spot[0]
        actor.clip = replace(
            actor.clip,
            depth=target.clip.depth,
            x=point[0] - across * scale,
            y=point[1] - spot[1] * scale,
            layer=target.clip.layer,
            sublayer=target.clip.sublayer - ahead,
        )

    def _sit(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:
        seats = target.form.anchors.seats
        if target.seats >= len(seats):
            return None
        order = self.lots.order(seats, "seats", target.object_id)
        point = target.at(order[target.seats])
        actor.clip = replace(actor.clip, flip=target.clip.flip)
        self._meet(actor, actor.spots["hips"], point, target, ahead=-1 if activity.behind else 1)
        target.seats += 1
        return self._enter(actor, None, target)

    def _lie(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        beds = target.form.anchors.beds or target.form.anchors.surfaces
        if not beds or target.seats:
            return None
        left, right, height = beds[0]
        target.seats += 1
        share = 0.5
        if is_person(actor.piece):
            # Pillows are drawn on the left, and heads of those who lie are on the right.
            actor.clip = replace(actor.clip, flip=not target.clip.flip)
        else:
            share = self.lots.between(0.3, 0.7, "bed", target.object_id)
        self._meet(actor, actor.base, target.at((left + (right - left) * share, height)), target)
        return self._enter(actor, None, target)

    def _ride(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:
        anchors = target.form.anchors
        if target.seats or not (anchors.seats or anchors.feet):
            return None
        target.seats += 1
        actor.clip = replace(actor.clip, flip=target.clip.flip)
        spot, point = ("hips", anchors.seats[0]) if anchors.seats else ("ground", _mean(anchors.feet))
        self._meet(actor, actor.spots[spot], target.at(point), target, ahead=-1 if activity.behind else 1)
        self._limbs(actor, _HANDS, target, anchors.grips)
        if anchors.seats:
            self._limbs(actor, _FEET, target, anchors.feet)
        return self._enter(actor, None, target)

    def _limbs(self, actor: Actor, limbs: Iterable[str], target: Placed, points: tuple[Point, ...]) -> None:
        """Turn limbs to points of a thing; one point serves both."""
        if not points or not is_person(actor.piece):
            return
        scale = target.scale
        body = Placed(actor.clip, actor.piece, actor.piece.form(actor.clip), scale, (0.0, 0.0, 0.0, 0.0))
        for number, limb in enumerate(limbs):
            point = body.own(target.at(points[min(number, len(points) - 1)]))
            turns = actor.piece.reach(actor.clip, limb, point)
            if turns is not None:
                actor.clip = replace(actor.clip, turns=turns)

    def _stand_on(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        surfaces = target.form.anchors.surfaces
        if target.flat:
            left, top, right, bottom = target.box
            share = self.lots.between(0.25, 0.75, "stand on", target.object_id, target.seats)
            point = (left + (right - left) * share, top + (bottom - top) * 0.6)
        elif surfaces and not target.seats:
            point = target.at(((surfaces[0][0] + surfaces[0][1]) / 2, surfaces[0][2]))
        else:
            return None
        target.seats += 1
        self._meet(actor, actor.base, point, target)
        if target.flat:
            actor.clip = replace(actor.clip, layer=layer_of(point[1]))
        return self._enter(actor, point[1] if target.flat else None, target)

    def _swim(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        inside = target.form.anchors.insides or target.form.anchors.surfaces
        if not inside:
            return None
        left, right, height = inside[0]
        share = self.lots.between(0.2, 0.8, "swim", target.object_id, target.seats)
        target.seats += 1
        self._meet(actor, actor.base, target.at((left + (right - left) * share, height)), target)
        actor.clip = replace(actor.clip, layer=target.clip.layer, sublayer=target.clip.sublayer - target.seats)
        return self._enter(actor, None, target)

    def _perch(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        if target.seats > 1:
            return None
        left, top, right, bottom = target.form.box
        if seats := target.form.anchors.seats:
            point = target.at(seats[target.seats % len(seats)])
        else:
            # Whoever sits in a tree looks out of the top of its crown; a second one sits beside the first.
            across = 0.5 if not target.seats else 0.32
            point = target.at((left + (right - left) * across, top + (bottom - top) * (0.09 + 0.3 * abs(across - 0.5))))
        target.seats += 1
        self._meet(actor, actor.base, point, target)
        return self._enter(actor, None, target)

    def _beside(self, actor: Actor, target: Placed, gap: float, *, facing: bool) -> Placed | None:
        """Put somebody beside a thing on the ground, at the side where there is more room."""
        if target.ground is None:
            return None
        scale = target.scale
        left = target.middle < WIDTH / 2
        actor.clip = replace(actor.clip, flip=left != facing, depth=target.clip.depth, x=0.0, y=0.0)
        box = actor.box(scale)
        x = target.box[2] + gap * scale - box[0] if left else target.box[0] - gap * scale - box[2]
        base = actor.base[1] * scale
        box = (box[0] + x, box[1] + target.ground - base, box[2] + x, box[3] + target.ground - base)
        if box[0] < 0 or box[2] > WIDTH:
            return None
        actor.clip = replace(
            actor.clip, x=x, y=target.ground - base, layer=target.clip.layer, sublayer=target.clip.sublayer
        )
        return self._enter(actor, target.ground, target)

    def _play(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        return self._beside(actor, target, -_CLOSE / 2, facing=True)

    def _chase(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        left = target.middle < WIDTH / 2
        if target.clip.flip == left and target.piece.kind != "smallObject":
            return None
        return self._beside(actor, target, self.lots.between(15, 50, "chase", target.object_id), facing=True)

    def _push(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        grips = target.form.anchors.grips
        if not grips or target.ground is None:
            return None
        actor.clip = replace(actor.clip, flip=target.clip.flip)
        neck, hips = actor.spots["neck"], actor.spots["hips"]
        handle = target.at(grips[0])
        back = 0.75 * (hips[1] - neck[1]) * target.scale * (-1 if actor.clip.flip else 1)
        base = (neck[0], actor.base[1])
        self._meet(actor, base, (handle[0] + back, target.ground), target)
        self._limbs(actor, _HANDS, target, grips)
        box = actor.box(target.scale)
        return None if box[0] < 0 or box[2] > WIDTH else self._enter(actor, target.ground, target)

    def _look(self, actor: Actor, activity: Activity, target: Placed) -> Placed | None:  # noqa: ARG002  # one shape
        placed = self._on_ground(actor)
        if placed is None:
            return None
        away = target.middle > placed.middle
        if abs(target.middle - placed.middle) < (placed.box[2] - placed.box[0]) / 2:
            self.canvas.take_back(placed)
            return None
        if placed.clip.flip != away:
            self.turn_round(placed)
        return placed

    def turn_round(self, placed: Placed) -> None:
        """Let somebody look the other way, in the same place."""
        x = placed.box[0] + placed.box[2] - placed.clip.x
        placed.clip = replace(placed.clip, flip=not placed.clip.flip, x=round(x, 2))

    def hold(self, holder: Placed, activity: Activity, clip: Clip) -> Placed | None:
        """Put a thing into somebody's hand and the hand where it holds it; None if the hand cannot reach there."""
        if not is_person(holder.piece):
            return self._in_mouth(holder, activity, clip)
        hold = self.world.holds[activity.hold or CHEST]
        spots = holder.piece.spots(holder.clip)
        torso = spots["hips"][1] - spots["neck"][1]
        (x, y), (dx, dy) = spots[hold.near], self._bite(clip) if hold.near == "mouth" else (0.0, 0.0)
        point = (x + dx + hold.by[0] * abs(torso), y + dy + hold.by[1] * abs(torso))
        for hand in _HANDS:
            turns = holder.piece.reach(holder.clip, hand, point)
            if turns is not None:
                turned = replace(holder.clip, turns=turns)
                grip = holder.piece.spots(turned)[hand]
                holder.clip = turned
                return self._carried(holder, activity, clip, grip)
        return None

    def _bite(self, clip: Clip) -> Point:
        """From the mouth to the hand, for a thing whose upper edge towards the mouth is in it, before the face."""
        piece = self.attire.stock.pieces[clip.name]
        x, y = _grip(piece.form(clip))
        _, top, right, bottom = drawn_box(clip, piece)
        return x - right + _BITE, y - top - _BITTEN * (bottom - top)

    def _carried(self, holder: Placed, activity: Activity, clip: Clip, grip: Point) -> Placed:
        piece = self.attire.stock.pieces[clip.name]
        form = piece.form(clip)
        grips = form.anchors.grips
        carried = self._attached(holder, clip, _grip(form), grip, ahead=4)
        if len(grips) > 1 and is_person(holder.piece):
            other = holder.piece.reach(holder.clip, _HANDS[1], holder.own(carried.at(grips[1])))
            holder.clip = holder.clip if other is None else replace(holder.clip, turns=other)
        self.canvas.acts.append(Link(holder.object_id, activity.does, carried.object_id))
        return carried

    def _in_mouth(self, holder: Placed, activity: Activity, clip: Clip) -> Placed | None:
        mouth = holder.form.anchors.mouth
        if mouth is None:
            return None
        form = self.attire.stock.pieces[clip.name].form(clip)
        middle = ((form.box[0] + form.box[2]) / 2, (form.box[1] + form.box[3]) / 2)
        carried = self._attached(holder, clip, middle, mouth, ahead=4)
        self.canvas.acts.append(Link(holder.object_id, activity.does, carried.object_id))
        return carried

    def wear(self, wearer: Placed, activity: Activity, clip: Clip) -> Placed | None:
        """Put something on somebody."""
        piece = self.attire.stock.pieces[clip.name]
        where, own = getattr(piece, "worn", None), piece.form(clip).anchors.worn
        if not is_person(wearer.piece) or where is None:
            return None
        spot = wearer.piece.spots(wearer.clip).get("left hand" if where == "hand" else where)
        if spot is None:
            return None
        worn = self._attached(wearer, clip, own or (0.0, 0.0), spot, ahead=-1 if where == "back" else 2)
        self.canvas.acts.append(Link(wearer.object_id, activity.does, worn.object_id))
        return worn

    def _attached(self, holder: Placed, clip: Clip, own: Point, spot: Point, ahead: int) -> Placed:
        """Put a clip with a point of its own at a spot of somebody."""
        x, y = holder.at(spot)
        across = -own[0] if holder.clip.flip else own[0]
        there = replace(
            clip,
            depth=holder.clip.depth,
            flip=holder.clip.flip,
            x=x - across * holder.scale,
            y=y - own[1] * holder.scale,
            layer=holder.clip.layer,
            sublayer=holder.clip.sublayer - ahead,
        )
        return self.canvas.put(there, self.attire.stock.pieces[clip.name])


def _grip(form: Form) -> Point:
    """Where a hand holds a thing."""
    left, top, right, bottom = form.box
    middle = ((left + right) / 2, (top + bottom) / 2)
    return form.anchors.grips[0] if form.anchors.grips else form.anchors.worn or middle


def _mean(points: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
