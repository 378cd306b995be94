"""Drawing files: small plain SVG with one group per form, read by an allow-list, with slots that take colours.

A file may hold shapes, groups, shared parts in ``defs`` and uses of them; nothing that runs, loads, embeds, is text or
depends on a renderer. Shapes of a class take the colour of the slot of that name: their fill or stroke, whichever
has the slot's own colour in the file, so that a file looks right in any viewer.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn

from eyechart.errors import FormatError
from eyechart.scenes.art.model import Box, Slot
from eyechart.scenes.art.palette import color_value

__all__ = ["LARGEST", "STYLE", "Drawing", "read_drawings"]

LARGEST = 15_000
"""Bytes of a drawing file, at most."""

STYLE = {
    "stroke": "#1b1f24",
    "stroke-opacity": ".3",
    "stroke-width": "1.2",
    "stroke-linejoin": "round",
    "stroke-linecap": "round",
}
"""The edge of everything that is drawn: thin translucent ink, which darkens whatever colour it surrounds."""

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_SHAPES = {"path", "rect", "circle", "ellipse", "line", "polyline", "polygon"}
_ELEMENTS = _SHAPES | {"g", "use"}
_PLACES = {"x", "y", "width", "height", "rx", "ry", "cx", "cy", "r", "x1", "y1", "x2", "y2"}
_NUMBERS = _PLACES | {"opacity", "fill-opacity", "stroke-opacity", "stroke-width"}
_ATTRIBUTES: dict[str, re.Pattern[str]] = {
    **{name: re.compile(r"-?(\d+\.?\d*|\.\d+)") for name in _NUMBERS},
    **{name: re.compile(r"#[0-9a-f]{3}|#[0-9a-f]{6}|none") for name in ("fill", "stroke")},
    **{name: re.compile(r"[-+\d.eE,\s]+") for name in ("points", "stroke-dasharray")},
    "d": re.compile(r"[MmLlHhVvCcSsQqTtAaZz\d\s.,+-]+"),
    "transform": re.compile(r"((translate|rotate|scale|matrix)\([-\d.,\s]+\)\s*)+"),
    "class": re.compile(r"[a-z][a-z ]*"),
    "id": re.compile(r"[a-z][a-z -]*"),
    "display": re.compile("none"),
    "href": re.compile(r"#[a-z][a-z -]*"),
    "fill-rule": re.compile("evenodd|nonzero"),
    "stroke-linecap": re.compile("round|butt|square"),
    "stroke-linejoin": re.compile("round|miter|bevel"),
}
_ONLY_IN_FILES = {"id", "class", "display", "href"}
_MARK = "\x00"


@dataclass(frozen=True, slots=True)
class Drawing:
    """One form: text between slots, and the slots."""

    literals: tuple[str, ...]
    shown: tuple[str, ...]
    """The slot behind each literal but the last."""

    def fill(self, colors: Mapping[str, str]) -> str:
        """The SVG fragment with a colour value for each slot.

        >>> Drawing(("<path fill='", "'/>"), ("skin",)).fill({"skin": "#cf4439"})
        "<path fill='#cf4439'/>"
        """
        between = [
            text for slot, text in zip(self.shown, self.literals[1:], strict=True) for text in (colors[slot], text)
        ]
        return "".join([self.literals[0], *between])


def read_drawings(content: bytes, where: str, slots: Mapping[str, Slot]) -> tuple[Box, dict[str, Drawing]]:
    """The view box of a drawing file and its drawings by the ids of their groups.

    >>> file = '''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" stroke="#1b1f24" stroke-opacity=".3"
    ... stroke-width="1.2" stroke-linejoin="round" stroke-linecap="round"><g id="whole"><circle r="3" fill="#cf4439"
    ... class="skin"/></g></svg>'''
    >>> box, drawings = read_drawings(file.encode(), "apple.svg", {"skin": Slot("skin", "red")})
    >>> box, drawings["whole"].fill({"skin": "#5c9e4a"})
    ((0.0, 0.0, 8.0, 8.0), '<circle r="3" fill="#5c9e4a"/>')
    """
    return _Reader(where, slots).read(content)


class _Reader:
    """One file; it knows where it is, for messages."""

    def __init__(self, where: str, slots: Mapping[str, Slot]) -> None:
        self.where = where
        self.slots = slots
        self.shared: dict[str, ET.Element] = {}

    def read(self, content: bytes) -> tuple[Box, dict[str, Drawing]]:
        root = self.parse(content)
        box = self.view_box(root)
        self.shared = {part.get("id", ""): part for defs in root.findall(f"{_NAMESPACE}defs") for part in defs}
        drawings = {}
        for group in root:
            if group.tag == f"{_NAMESPACE}defs":
                continue
            name = group.get("id")
            if group.tag != f"{_NAMESPACE}g" or not name:
                self.refuse(f"<{_plain(group)}> at the top", "one group with an id per form", "put it into a group")
            drawings[name] = self.drawing(group, name)
        if not drawings:
            self.refuse("no group", "one with an id per form", "draw something")
        return box, drawings

    def parse(self, content: bytes) -> ET.Element:
        if len(content) > LARGEST:
            self.refuse(f"{len(content)} bytes", f"{LARGEST} at most", "draw it with fewer points")
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"<?xml-stylesheet" in content:
            self.refuse("a declaration of a document type or a style sheet", "plain SVG", "remove it")
        try:
            root = ET.fromstring(content)  # noqa: S314  # entities are refused above
        except ET.ParseError as error:
            self.refuse(f"{error}", "well-formed SVG", "correct it")
        if root.tag != f"{_NAMESPACE}svg":
            self.refuse(f"<{_plain(root)}>", "<svg> of the SVG namespace", "correct the root")
        return root

    def view_box(self, root: ET.Element) -> Box:
        found = {name: value for name, value in root.attrib.items() if name != "viewBox"}
        if found != STYLE:
            self.refuse(f"a root with {found}", f"viewBox and {STYLE}", "copy these attributes")
        try:
            x, y, width, height = map(float, root.get("viewBox", "").split())
        except ValueError:
            self.refuse(f"the viewBox {root.get('viewBox')!r}", "four numbers", "correct it")
        return x, y, x + width, y + height

    def drawing(self, group: ET.Element, name: str) -> Drawing:
        self.check(group, name)
        text = "".join(self.text(child, name) for child in group)
        own = " ".join(f'{key}="{group.attrib[key]}"' for key in group.attrib if key not in _ONLY_IN_FILES)
        parts = (f"<g {own}>{text}</g>" if own else text).split(_MARK)
        return Drawing(tuple(parts[::2]), tuple(parts[1::2]))

    def text(self, element: ET.Element, form: str, ancestors: tuple[str, ...] = ()) -> str:
        """An element as it goes into scenes: uses are replaced by what they use, slots by marks."""
        self.check(element, form)
        tag, children = _plain(element), list(element)
        if tag == "use":
            tag, children, ancestors = "g", *self.used(element, form, ancestors)
        attributes = "".join(f' {name}="{value}"' for name, value in self.attributes(element, form))
        inside = "".join(self.text(child, form, ancestors) for child in children)
        if tag == "g" and not attributes:
            return inside
        return f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>"

    def used(self, use: ET.Element, form: str, ancestors: tuple[str, ...]) -> tuple[list[ET.Element], tuple[str, ...]]:
        name = use.get("href", "")[1:]
        if name not in self.shared or name in ancestors:
            known = ", ".join(self.shared) or "none"
            self.refuse(f"{form} uses {name!r}", f"a part of <defs> ({known}) that does not use itself", "define it")
        return [self.shared[name]], (*ancestors, name)

    def attributes(self, element: ET.Element, form: str) -> Iterator[tuple[str, str]]:
        found = {name: value for name, value in element.attrib.items() if name not in _ONLY_IN_FILES}
        slot = element.get("class")
        if slot is not None:
            found[self.painted(element, slot, form)] = f"{_MARK}{slot}{_MARK}"
        yield from found.items()

    def painted(self, element: ET.Element, slot: str, form: str) -> str:
        if slot not in self.slots:
            known = ", ".join(self.slots) or "none"
            self.refuse(f"the class {slot!r} in {form}", f"a slot that the object has ({known})", "name one of these")
        value = color_value(self.slots[slot].default)
        for name in ("fill", "stroke"):
            if element.get(name) == value:
                return name
        return self.refuse(
            f"<{_plain(element)}> of class {slot!r} in {form} with fill {element.get('fill')!r}",
            f"the slot's own colour {value} as fill or stroke",
            "write it",
        )

    def check(self, element: ET.Element, form: str) -> None:
        if _plain(element) not in _ELEMENTS or not element.tag.startswith(_NAMESPACE):
            self.refuse(
                f"<{_plain(element)}> in {form}", f"one of {', '.join(sorted(_ELEMENTS))}", "draw it with these"
            )
        for name, value in element.attrib.items():
            pattern = _ATTRIBUTES.get(name)
            if pattern is None:
                self.refuse(
                    f"the attribute {name!r} in {form}", f"one of {', '.join(sorted(_ATTRIBUTES))}", "remove it"
                )
            if not pattern.fullmatch(value.strip()):
                self.refuse(f"{name}={value!r} in {form}", f"a plain value ({pattern.pattern})", "correct it")
        if (element.text or "").strip() or (element.tail or "").strip():
            self.refuse(f"text in {form}", "shapes only, since fonts differ", "draw letters as paths")

    def refuse(self, found: str, expected: str, remedy: str) -> NoReturn:
        raise FormatError(f"{self.where}: found {found}, expected {expected}; {remedy}")


def _plain(element: ET.Element) -> str:
    return element.tag.removeprefix(_NAMESPACE)
