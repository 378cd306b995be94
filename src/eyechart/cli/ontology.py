"""``eyechart ontology``: whether the words of pictures are in order, and how much of a benchmark they cover."""

import os
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import polars as pl
from cyclopts import App, Parameter

from eyechart.cli.printing import columns, print_json
from eyechart.pipeline.covering import cover
from eyechart.scenes import normalize
from eyechart.scenes import ontology as words
from eyechart.store import Benchmark

__all__ = ["ontology"]

ontology = App(name="ontology", help="Check the words of pictures, and how much of a benchmark they cover.")


@ontology.command(name="check")
def ontology_check(folder: Path | None = None, /, *, json: Annotated[bool, Parameter(negative="")] = False) -> int:
    """Look for cycles, orphans, contradictions, clashing words and missing forms; the exit code is 1 if there are any.

    Parameters
    ----------
    folder
        The folder of an ontology; the packaged one if not said.
    json
        Print one JSON object for machines.
    """
    checked = words.packaged_ontology() if folder is None else words.load_ontology(folder)
    faults = words.check_ontology(checked)
    counted = Counter(fault.code for fault in faults)
    if json:
        print_json({"faults": [asdict(fault) for fault in faults], "sizes": _sizes(checked)})
        return 1 if faults else 0
    for fault in faults:
        print(f"{fault.code.ljust(max(map(len, words.FAULTS)))}  {fault.place}\n  {fault.name!r} {fault.sentence}\n")
    print(columns(list(_sizes(checked).items())))
    told = ", ".join(f"{counted[code]} {code}" for code in words.FAULTS if counted[code]) or "nothing"
    print(f"\nFound: {told}.")
    return 1 if faults else 0


def _sizes(checked: words.Ontology) -> dict[str, int]:
    return {
        "categories": len(checked.categories),
        "objects": len(checked.nouns.keys() - checked.categories.keys()),
        "attribute types": len(checked.types),
        "attributes": len(checked.attributes),
        "relations": len(checked.relations),
    }


@ontology.command(name="cover")
def ontology_cover(
    benchmark: Path,
    /,
    *,
    ontology: Path | None = None,
    top: int = 20,
    json: Annotated[bool, Parameter(negative="")] = False,
) -> None:
    """Tell how much of a benchmark's raw vocabulary an ontology maps, and which words it does not know.

    Parameters
    ----------
    benchmark
        A benchmark with scene graphs as people annotated them.
    ontology
        The folder of an ontology; the packaged one if not said.
    top
        How many of the most frequent words are listed that are not mapped, of each kind.
    json
        Print one JSON object for machines.
    """
    said = cover(Benchmark.open(benchmark), None if ontology is None else os.fspath(ontology.resolve()))
    totals = normalize.coverage(said)
    lost = said.filter(pl.col("fate") != "mapped").filter(pl.int_range(pl.len()).over("kind") < top)
    if json:
        unmapped = lost.select("kind", "word", "count", "fate", "rule").to_dicts()
        print_json({"benchmark": str(benchmark), "coverage": totals.to_dicts(), "unmapped": unmapped})
        return
    head = ("kind", "mentions", "mapped", "amorphous", "words", "mapped")
    rows = [
        (kind, mentions, _share(mapped, mentions), _share(vague, mentions), distinct, _share(known, distinct))
        for kind, mentions, mapped, vague, distinct, known in totals.iter_rows()
    ]
    print(columns(rows, head=head))
    for kind in totals["kind"]:
        listed = lost.filter(kind=kind).select("count", "word", "rule").rows()
        if listed:
            print(f"\n{kind}s that are not mapped\n{columns(listed)}")


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %"
