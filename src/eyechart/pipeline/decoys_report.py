"""What new decoys are like: shortfalls, neutrality and the principles, of one benchmark or of several variants."""

from typing import Any

import polars as pl

from eyechart.pipeline.targets import with_targets
from eyechart.remedies import ambiguity_sheet, likelihoods, neutrality
from eyechart.store import Benchmark

__all__ = ["report_decoys", "sheet_of", "variant_report"]

Json = Any  # numbers and names, as they are printed

_MOST_ANSWERS = 20


def report_decoys(benchmark: Benchmark, k: int) -> Json:
    """Shortfalls of each kind, and the mean of each principle's scores.

    >>> import tempfile; from pathlib import Path
    >>> with Benchmark.create(Path(tempfile.mkdtemp()) / "tiny") as draft:
    ...     draft.write("images", pl.DataFrame({"image_id": ["1"]}))
    >>> report_decoys(Benchmark.open(draft.target), 3)
    {'shortfalls': {}, 'principles': {}}
    """
    counted = benchmark.scan("decoys").group_by("kind", "origin").agg(n=pl.len()).collect()
    asked = benchmark.scan("decoys").select(pl.col("question_id").n_unique()).collect().item()
    shortfalls = {}
    for (kind,), rows in counted.sort("kind").group_by("kind", maintain_order=True):
        origins = dict(rows.select("origin", "n").iter_rows())
        made = sum(origins.values())
        wanted = asked * (k if kind != "random" else k * max(1, counted["kind"].n_unique() - 1))
        shortfalls[str(kind)] = {
            "wanted": wanted,
            "found": origins.get(str(kind), 0),
            "from originals": origins.get("orig", 0),
            "from popular": origins.get("popular", 0),
            "missing": wanted - made,
        }
    means = benchmark.scan("scores").group_by("metric").agg(mean=pl.col("score").mean()).sort("metric").collect()
    principles = {name.removeprefix("principle-"): mean for name, mean in means.iter_rows()}
    return {"shortfalls": shortfalls, "principles": principles}


def variant_report(benchmark: Benchmark) -> Json:
    """How many choices a variant offers, what the answers alone give away, and the counts that tell."""
    choices = benchmark.scan("choices").select("question_id", "choice", "is_target").collect()
    questions = benchmark.scan("questions").select("question_id", "image_id", "split").collect()
    asked = max(1, choices["question_id"].n_unique())
    found = neutrality(choices, questions)
    return {
        "questions": asked,
        "choices": choices.height / asked,
        "chance": found.chance,
        "eq. 2 accuracy": found.accuracy,
        "decoys that are targets": found.targets_as_decoys,
        "answers": _counts(choices),
    }


def _counts(choices: pl.DataFrame) -> Json:
    """The answers that are most often targets: how often they are, how often decoys, and how likely then right."""
    counted = likelihoods(choices.drop_nulls("is_target")).sort("targets", "choice", descending=[True, False])
    return counted.head(_MOST_ANSWERS).to_dicts()


def sheet_of(benchmark: Benchmark, most: int, seed: int) -> pl.DataFrame:
    """A sample of the decoys for people or a model to judge."""
    names = ("question_id", "image_id", "question", "answer")
    asked = with_targets(benchmark.scan("questions").select(names).collect(), benchmark)
    pictures = benchmark.scan("images").select("image_id", picture=pl.coalesce("file", "url")).collect()
    questions = asked.join(pictures, on="image_id", how="left", maintain_order="left")
    decoys = benchmark.scan("decoys").filter(pl.col("kind") != "random").select("question_id", "kind", "decoy")
    return ambiguity_sheet(questions, decoys.collect(), most, seed)
