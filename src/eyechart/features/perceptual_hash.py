"""Perceptual hashes: 64 bits that stay nearly the same when a picture is resized, recompressed or trimmed.

The hash says which of the 8 x 8 lowest waves of a picture (without those that are constant along a side) are stronger
than their median (Zauner, Implementation and Benchmarking of Perceptual Image Hash Functions, 2010, section 3.2.1).
"""

import warnings
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from PIL import Image

__all__ = ["Fingerprint", "fingerprint", "near_hashes", "perceptual_hash"]

_SIDE = 32
_WAVES = 8
_DECODED = 4 * _SIDE
"""JPEG files are decoded at a fraction of their size, not below this side."""
_STEP = 32.0
"""Strengths are rounded to steps, so that waves that are not in the picture are 0 and not noise of either sign; a wave
of one grey level (of 255) has a strength of 256."""
_FEWEST_WAVES = 8
"""A picture of fewer waves, such as an empty one, has no shape by which to tell it from others."""
_DEEP_MODES = frozenset({"F", "I", "I;16", "I;16B", "I;16L", "I;16N"})


class Fingerprint(NamedTuple):
    """What a look at a picture file gives: its hash and size, or the problem."""

    phash: int | None
    """None where the picture cannot be read, or is too plain to be told from others."""
    width: int | None = None
    height: int | None = None
    problem: str | None = None
    """Why the picture cannot be read."""


def fingerprint(path: Path) -> Fingerprint:
    """Hash a picture file; whatever is wrong with it is told, not raised.

    >>> fingerprint(Path("nowhere.jpg")).problem
    'there is no such file'
    """
    try:
        # A named pipe or a device would be waited for without end.
        if not path.is_file():
            return Fingerprint(None, problem="there is no such file")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            # Pillow only warns of pictures that unpack to gigabytes.
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as picture:
                width, height = picture.size
                return Fingerprint(perceptual_hash(picture), width, height)
    except Exception as error:  # noqa: BLE001  # decoders raise anything at all when a file is damaged
        return Fingerprint(None, problem=_problem(error, path))


def perceptual_hash(picture: Image.Image) -> int | None:
    """The 64-bit hash of a picture; None for one without shapes.

    >>> spot = Image.radial_gradient("L")
    >>> perceptual_hash(spot) == perceptual_hash(spot.resize((100, 80)))
    True
    >>> perceptual_hash(Image.new("RGB", (64, 64), "navy")) is None
    True
    """
    picture.draft("L", (_DECODED, _DECODED))
    grey = picture.convert("F" if picture.mode in _DEEP_MODES else "L")
    small = grey.resize((_SIDE, _SIDE), Image.Resampling.LANCZOS)
    pixels = np.asarray(small, dtype=np.float64)  # (32, 32)
    strengths = np.rint((_waves() @ pixels @ _waves().T).ravel() / _STEP)  # (64,)
    if np.count_nonzero(strengths) < _FEWEST_WAVES:
        return None
    bits = strengths > np.median(strengths)
    return int.from_bytes(np.packbits(bits).tobytes(), "big")


def near_hashes(hashes: pl.Series, distance: int) -> pl.DataFrame:
    """Every pair of different hashes with at most ``distance`` unlike bits: columns one < other, distance.

    The 64 bits are cut into bands, so few that two near hashes differ in at most one bit of some band. Hashes are
    looked up by that band, as it is and with each bit flipped, so the work grows with the pairs that come near, not
    with all pairs.

    >>> near_hashes(pl.Series([0, 7, 2**63], dtype=pl.UInt64), distance=3).rows()
    [(0, 7, 3), (0, 9223372036854775808, 1)]
    """
    distinct = pl.DataFrame({"phash": hashes.drop_nulls().unique().cast(pl.UInt64)})
    bands = _bands(distance)
    found = [_near_in_band(distinct, bands[:place], band, distance) for place, band in enumerate(bands)]
    return pl.concat(found).sort("one", "other")


def _bands(distance: int) -> list[list[int]]:
    """Which bits each band holds; interleaved, for neighbouring bits are alike and would make some bands crowded."""
    count = distance // 2 + 1
    return [list(range(start, 64, count)) for start in range(count)]


def _near_in_band(distinct: pl.DataFrame, earlier: list[list[int]], band: list[int], distance: int) -> pl.DataFrame:
    """The near pairs that differ in at most one bit of this band, and in more of each earlier band."""
    masks = pl.Series([1 << bit for bit in band], dtype=pl.UInt64)
    whole = _mask(band)
    places = distinct.lazy().select(pl.col("phash").alias("other"), band=pl.col("phash") & whole)
    flips = pl.DataFrame({"flip": pl.concat([pl.Series([0], dtype=pl.UInt64), masks])}).lazy()
    sought = (
        distinct.lazy()
        .join(flips, how="cross")
        .select(pl.col("phash").alias("one"), band=(pl.col("phash") & whole) ^ pl.col("flip"))
    )
    differing = pl.col("one") ^ pl.col("other")
    unlike = differing.bitwise_count_ones()
    found_before = [(differing & _mask(bits)).bitwise_count_ones() <= 1 for bits in earlier]
    return (
        sought.join(places, on="band")
        .filter(pl.col("one") < pl.col("other"), unlike <= distance)
        .filter(*[~before for before in found_before])
        .select("one", "other", unlike.cast(pl.Int32).alias("distance"))
        .collect(engine="streaming")
    )


def _mask(bits: list[int]) -> pl.Expr:
    return pl.lit(sum(1 << bit for bit in bits), dtype=pl.UInt64)


@cache
def _waves() -> NDArray[np.float64]:
    """Rows 1 to 8 of the discrete cosine transform, each along one side of the picture."""
    frequency = np.arange(1, _WAVES + 1)[:, None]
    place = np.arange(_SIDE)[None, :]
    return np.cos(np.pi * frequency * (2 * place + 1) / (2 * _SIDE))  # (8, 32)


def _problem(error: Exception, path: Path) -> str:
    """The error in one line that does not depend on where the file lies."""
    said = " ".join(str(error).split()).replace(str(path), path.name) or type(error).__name__
    return said[:200]
