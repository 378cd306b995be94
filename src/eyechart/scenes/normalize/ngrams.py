"""Scores of phrases, from a table that somebody made of a large text: the rarer a triple's phrase, the less natural."""

import csv
import math
from pathlib import Path

from eyechart.errors import DataError
from eyechart.scenes.ontology.reading import read_text

__all__ = ["read_ngrams"]

_COLUMNS = ["phrase", "score"]


def read_ngrams(file: Path) -> dict[str, float]:
    r"""The scores of a CSV file with the columns phrase and score, by phrase: "woman in shirt" as clean words.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "ngrams.csv"
    >>> _ = file.write_text("phrase,score\nwoman in shirt,0.1\n")
    >>> read_ngrams(file)
    {'woman in shirt': 0.1}
    """
    rows = csv.reader(read_text(file).splitlines())
    header = next(rows, [])
    if header != _COLUMNS:
        raise DataError(f"{file}, line 1: found {','.join(header)!r}, expected 'phrase,score'; correct the header")
    return dict(_entry(file, rows.line_num, row) for row in rows if row)


def _entry(file: Path, line: int, row: list[str]) -> tuple[str, float]:
    try:
        phrase, score = row
        number = float(score)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise DataError(f"{file}, line {line}: found {','.join(row)!r}, expected a phrase and a number; correct it")
    return " ".join(phrase.lower().split()), number
