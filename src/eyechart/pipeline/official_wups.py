"""WUPS of two text files whose lines belong together, as the script of Malinowski computes it."""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart.errors import FormatError, UsageError
from eyechart.metrics import set_scores
from eyechart.text import packaged_nouns

__all__ = ["WupsResult", "evaluate_wups"]

_ONLY_EQUAL = -1.0


@dataclass(frozen=True, slots=True)
class WupsResult:
    """The scores of a file; both are shares."""

    score: float
    """The mean over lines."""
    class_mean: float
    """The mean over distinct gold lines of the mean of each."""
    lines: int
    classes: int
    threshold: float
    terms: str
    wordnet: str | None
    """Which WordNet was used; none if only equal strings count."""


def evaluate_wups(
    gold: Path, predictions: Path, threshold: float = 0.9, *, terms: str = "strings", drop_blank: bool = False
) -> WupsResult:
    r"""Score line-aligned files; blank lines are refused, or dropped from each file as the script drops them.

    >>> import tempfile; folder = Path(tempfile.mkdtemp())
    >>> for name, text in (("gold.txt", "dog\nbook, pen\n"), ("guess.txt", "cat\npen, book\n")):
    ...     _ = (folder / name).write_text(text)
    >>> round(evaluate_wups(folder / "gold.txt", folder / "guess.txt", 0.0).score, 4)
    0.9286
    """
    if threshold != _ONLY_EQUAL and not 0 <= threshold <= 1:
        raise UsageError(f"threshold: found {threshold:g}, expected -1 (only equal strings) or a number from 0 to 1")
    expected, guessed = (_lines(path, drop_blank=drop_blank) for path in (gold, predictions))
    if len(expected) != len(guessed):
        raise FormatError(
            f"{predictions}: found {len(guessed):,} answers, expected {len(expected):,} as in {gold}; "
            "write one line for each line there"
        )
    rows = pl.DataFrame({"gold": expected, "guess": guessed})
    scored = rows.with_columns(score=pl.Series(set_scores(rows["gold"], rows["guess"], threshold, terms=terms)))
    by_class = scored.group_by("gold", maintain_order=True).agg(pl.col("score").mean())["score"]
    return WupsResult(
        score=float(scored["score"].to_numpy().mean()),
        class_mean=float(by_class.to_numpy().mean()),
        lines=rows.height,
        classes=by_class.len(),
        threshold=threshold,
        terms=terms,
        wordnet=None if threshold == _ONLY_EQUAL else packaged_nouns().source,
    )


def _lines(path: Path, *, drop_blank: bool) -> list[str]:
    """The answers of a file; lines after the last answer do not count."""
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FormatError(
            f"{path}, byte {error.start}: found no UTF-8, expected text; save the file as UTF-8"
        ) from None
    except OSError as error:
        raise FormatError(f"{path}: {error.strerror}, expected a text file with an answer per line") from None
    # Only line breaks divide lines: other marks that splitlines knows may stand inside an answer.
    lines = [line.strip() for line in text.rstrip().split("\n")]
    blank = [number for number, line in enumerate(lines, 1) if not line]
    if lines == [""]:
        raise FormatError(f"{path}: found no answers, expected one per line; name another file")
    if blank and not drop_blank:
        raise FormatError(
            f"{path}, line {blank[0]}: found a blank line ({len(blank):,} in all), expected an answer in every line; "
            "write an answer there, or drop blank lines from both files as the script does (--drop-blank), after which "
            "lines may belong to others"
        )
    return [line for line in lines if line]
