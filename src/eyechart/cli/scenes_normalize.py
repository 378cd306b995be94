"""``eyechart scenes normalize``: raw scene graphs made clean, and a ledger of every change."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import Parameter

from eyechart.cli.options import Execution, Speech
from eyechart.cli.printing import columns, print_json
from eyechart.pipeline import Output, Where
from eyechart.pipeline.normalizing import Cleaning, clean
from eyechart.scenes import normalize
from eyechart.store import Benchmark

__all__ = ["scenes_normalize"]


def scenes_normalize(
    benchmark: Path,
    /,
    *,
    output: Annotated[Path, Parameter(alias="-o")],
    settings: Path | None = None,
    edits: Path | None = None,
    detections: Path | None = None,
    ngrams: Path | None = None,
    ontology: Path | None = None,
    tallies: Path | None = None,
    name: str | None = None,
    force: Annotated[bool, Parameter(negative="")] = False,
    execution: Execution = Execution(),  # frozen
    speech: Speech = Speech(),  # frozen
) -> None:
    """Clean raw scene graphs: words of the ontology, one thing per box, edges that hold; each change is in a ledger.

    Parameters
    ----------
    benchmark
        A benchmark with scene graphs, such as one imported from visual-genome.
    output
        The benchmark to make; its table changes is the ledger.
    settings
        A TOML file with some of the numbers that decide.
    edits
        A CSV file in which a person rejects changes, adds others, and says what is annotated completely.
    detections
        A JSON file in COCO's layout with scores, of a detector that reports everything above a low score.
    ngrams
        A CSV file with the columns phrase and score; triples whose phrase scores low are dropped.
    ontology
        A folder with an ontology of your own.
    tallies
        A larger benchmark to count in, so that what is rare in a sample is not taken for rare.
    name
        The benchmark's name; the folder's if not said.
    force
        Replace a benchmark that is there.
    """
    given = {"edits": edits, "detections": detections, "ngrams": ngrams, "ontology": ontology}
    how = Cleaning(
        normalize.load_settings(settings), {kind: path for kind, path in given.items() if path is not None}, tallies
    )
    raw = Benchmark.open(benchmark)
    made = Output(output, name=name, replace=force)
    cleaned = clean(raw, made, how, where=Where(**asdict(execution)), progress=speech.progress)
    _tell(raw, cleaned, edits, json=speech.json)


def _tell(raw: Benchmark, cleaned: Benchmark, edits: Path | None, *, json: bool) -> None:
    rules = (
        cleaned.scan("changes")
        .group_by("what", "rule")
        .agg(count=pl.len(), dropped=pl.col("became").is_null().sum())
        .sort("what", "count", "rule", descending=[False, True, False])
        .collect(engine="streaming")
    )
    sizes = {table: [raw.rows(table), cleaned.rows(table)] for table in ("objects", "attributes", "relations")}
    unused = normalize.unused_rejections(edits, cleaned.scan("changes")) if edits is not None else []
    if json:
        changes = rules.to_dicts()
        print_json({"benchmark": str(cleaned.folder), "rows": sizes, "changes": changes, "unused_edits": unused})
        return
    print(columns([(table, *counts) for table, counts in sizes.items()], head=("table", "raw", "clean")))
    print("\n" + columns(rules.rows(), head=("changes of", "rule", "rows", "dropped")))
    for line in unused:
        print(f"\n{edits}, {line}: no change fits this rejection.")
    print(f"\n{cleaned.folder} is ready.")
