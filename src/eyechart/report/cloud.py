"""Words in lines, each as large as it is frequent: clouds beside each other, or below on a narrow page."""

import math

import polars as pl

__all__ = ["placed_words"]

_SMALLEST, _LARGEST = 11.0, 30.0
_LETTER = 0.64
"""How wide a letter is at the most, in parts of its size, whatever the font."""
_BROADER = 0.5
"""What an m or a w needs beyond that."""
_LINE = 1.25
_HEAD = 24.0


def placed_words(
    rows: pl.DataFrame, word: str, weight: str, cloud: str, *, width: int
) -> tuple[pl.DataFrame, pl.DataFrame, float]:
    """The words with x, y and size, the heading of each cloud with x and y, and how high all of it is.

    >>> rows = pl.DataFrame({"w": ["cat", "dog"], "n": [2.0, 1.0], "c": ["pets", "pets"]})
    >>> placed_words(rows, "w", "n", "c", width=300)[0]["size"].to_list()
    [30.0, 11.0]
    """
    sized = rows.with_columns(size=_sizes(rows[weight]))
    clouds = sized.partition_by(cloud, maintain_order=True)
    column = width / len(clouds) if width >= 160 * len(clouds) else width  # a readable column
    words, heads = [], []
    x = y = bottom = 0.0
    for part in clouds:
        heads.append({cloud: part[cloud][0], "x": x, "y": y + 14})
        placed, end = _in_lines(part[word].to_list(), part["size"].to_list(), column - 16, y + _HEAD)
        words.append(
            part.with_columns(
                pl.Series("x", [x + left for left, _ in placed]), pl.Series("y", [top for _, top in placed])
            )
        )
        bottom = max(bottom, end)
        x, y = (x + column, y) if column < width else (0.0, end + 12)
    return pl.concat(words), pl.DataFrame(heads), bottom + 8


def _sizes(weights: pl.Series) -> pl.Series:
    """Sizes between the smallest and the largest, by the square root of the weight, so that areas compare."""
    roots = weights.sqrt()
    low, high = min(roots, default=0.0), max(roots, default=1.0)
    if math.isclose(low, high):
        return pl.Series([(_SMALLEST + _LARGEST) / 2] * weights.len(), dtype=pl.Float64)
    return ((roots - low) / (high - low) * (_LARGEST - _SMALLEST) + _SMALLEST).round(1)


def _in_lines(
    words: list[str], sizes: list[float], width: float, top: float
) -> tuple[list[tuple[float, float]], float]:
    """Fill lines from the left; a line is as high as its largest word."""
    placed: list[tuple[float, float]] = []
    line: list[float] = []
    height = left = 0.0
    y = top
    for word, size in zip(words, sizes, strict=True):
        wide = (len(word) + sum(_BROADER for letter in word if letter in "mwMW")) * size * _LETTER
        if line and left + wide > width:
            placed += [(x, y + height) for x in line]
            y, line, height, left = y + height * (_LINE - 1) + height, [], 0.0, 0.0
        line.append(left)
        height, left = max(height, size), left + wide + size * 0.45
    placed += [(x, y + height) for x in line]
    return placed, y + height * _LINE
