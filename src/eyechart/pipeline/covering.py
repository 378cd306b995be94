"""How much of the raw vocabulary of a benchmark an ontology maps: every distinct word once, weighed by its mentions."""

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.stages.survey_scenes import vocabulary_of
from eyechart.scenes import normalize
from eyechart.store import Benchmark

__all__ = ["cover", "raw_words"]

_COLUMNS = {
    "object": ("objects", "name"),
    "attribute": ("attributes", "attribute"),
    "relation": ("relations", "predicate"),
}


def raw_words(benchmark: Benchmark) -> pl.DataFrame:
    """The words of the scene graphs as they were annotated, the most frequent of each kind first.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("objects", pl.DataFrame({"image_id": "1", "object_id": ["a", "b"], "name": ["Dog", "Dog"]}))
    >>> raw_words(Benchmark.open(draft.target)).rows()
    [('object', 'Dog', 2)]
    """
    counted = [
        benchmark.scan(table)
        .select(pl.lit(kind).alias("kind"), word=column)
        .drop_nulls()
        .group_by("kind", "word")
        .agg(count=pl.len().cast(pl.Int64))
        .sort("count", "word", descending=[True, False])
        for kind, (table, column) in _COLUMNS.items()
    ]
    return pl.concat(counted).collect(engine="streaming")


def cover(benchmark: Benchmark, ontology: str | None = None) -> pl.DataFrame:
    """The words of the scene graphs with what becomes of them: kind, word, count, fate, meaning, rule.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("objects", pl.DataFrame({"image_id": "1", "object_id": ["a", "b"], "name": ["Dog", "qwx"]}))
    >>> cover(Benchmark.open(draft.target)).select("word", "fate").rows()
    [('Dog', 'mapped'), ('qwx', 'unknown')]
    """
    if "objects" not in benchmark:
        raise DataError(f"{benchmark.folder}: found no objects, expected scene graphs; import or generate some first")
    return normalize.covered(raw_words(benchmark), vocabulary_of(ontology))
