"""Scenes as plain SVG: the background's parts, then the parts of every clip under one matrix, the hindmost first."""

from collections.abc import Iterable, Iterator

from eyechart.scenes.art import (
    HEIGHT,
    IDENTITY,
    STYLE,
    WIDTH,
    Clip,
    Matrix,
    Part,
    Piece,
    Scene,
    background_clip,
    background_of,
    piece_of,
)

__all__ = ["drawing", "matrix_of", "painters_order", "parts_of", "placed", "to_svg"]

_NAMESPACE = "http://www.w3.org/2000/svg"


def to_svg(scene: Scene, width: int = WIDTH) -> str:
    """A scene as SVG of shapes, groups and matrices only, so that every renderer draws the same.

    >>> from eyechart.scenes.art import Clip
    >>> svg = to_svg(Scene("park", (Clip("tree", 120, 200, depth=1, flip=True),)), 250)
    >>> svg[:80]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 400" width="250" height'
    >>> "matrix(-0.85 0 0 0.85 120 200)" in svg
    True
    """
    behind = parts_of(background_of(scene).parts(background_clip(scene)))
    before = "".join(_clip(clip, piece, scale) for _, clip, piece, scale in placed(scene))
    return drawing(f"{behind}{before}", (0, 0, WIDTH, HEIGHT), (width, round(width * HEIGHT / WIDTH)))


def drawing(inside: str, box: tuple[float, float, float, float], size: tuple[int, int]) -> str:
    """An SVG document: what is inside a box, in the style of all drawings, at a size in pixels.

    >>> drawing("", (0, 0, 8, 4), (16, 8))[39:90]
    ' viewBox="0 0 8 4" width="16" height="8" stroke="#1'
    """
    left, top, right, bottom = box
    style = " ".join(f'{name}="{value}"' for name, value in STYLE.items())
    frame = f'viewBox="{left:g} {top:g} {right - left:g} {bottom - top:g}" width="{size[0]}" height="{size[1]}"'
    return f'<svg xmlns="{_NAMESPACE}" {frame} {style}>{inside}</svg>'


def placed(scene: Scene) -> Iterator[tuple[int, Clip, Piece, float]]:
    """The clips in the order of painters: place in the scene, clip, what it shows, and its size.

    >>> from eyechart.scenes.art import Clip
    >>> scene = Scene("park", (Clip("tree", 0, 0), Clip("tree", 0, 0, depth=1)))
    >>> [(place, scale) for place, _, _, scale in placed(scene)]
    [(1, 0.85), (0, 1.0)]
    """
    scales = background_of(scene).scales
    for place in painters_order(scene.clips):
        clip = scene.clips[place]
        piece = piece_of(clip)
        yield place, clip, piece, scales[clip.depth]


def painters_order(clips: tuple[Clip, ...]) -> list[int]:
    """Places of clips, the first to be drawn first: far before near, high layers before low, high up before low down.

    >>> painters_order((Clip("cup", 0, 0), Clip("table", 0, 0, layer=1), Clip("tree", 0, 9, depth=4)))
    [2, 1, 0]
    """
    keys = [(-clip.depth, -clip.layer, -clip.sublayer, clip.y) for clip in clips]
    return sorted(range(len(clips)), key=keys.__getitem__)


def parts_of(parts: Iterable[Part]) -> str:
    """Parts where their matrices put them.

    >>> parts_of([Part("<path/>", (-1, -1, 1, 1), (1, 0, 0, 1, 5, 5))])
    '<g transform="matrix(1 0 0 1 5 5)"><path/></g>'
    """
    return "".join(
        part.svg if part.matrix == IDENTITY else f'<g transform="{matrix_of(part.matrix)}">{part.svg}</g>'
        for part in parts
    )


def matrix_of(matrix: Matrix) -> str:
    """A matrix as SVG writes it, to a ten-thousandth.

    >>> matrix_of((1, 0, 0, -0.00001, 0.5, 20))
    'matrix(1 0 0 0 0.5 20)'
    """
    return f"matrix({' '.join(f'{round(value, 4) + 0.0:g}' for value in matrix)})"


def _clip(clip: Clip, piece: Piece, scale: float) -> str:
    matrix = (-scale if clip.flip else scale, 0.0, 0.0, scale, clip.x, clip.y)
    return f'<g transform="{matrix_of(matrix)}">{parts_of(piece.parts(clip))}</g>'
