"""Counter-examples: train an explainer, let it explain, and hold it against its controls."""

import base64
import html
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from eyechart._lib.files import write_atomically
from eyechart._lib.keyed import Key, key_of
from eyechart.errors import DataError
from eyechart.metrics import clustered_means
from eyechart.models import CONTROLS, ExplainerSettings, control_scores, explain, recall_at, train_explainer
from eyechart.pipeline.answering import benchmark_examples
from eyechart.store import Benchmark

__all__ = ["Explained", "Recall", "explain_benchmark", "save_explanations", "train_on"]

_KS = (1, 5)
_SHOWN_QUESTIONS, _SHOWN_NEIGHBOURS = 40, 5


@dataclass(frozen=True, slots=True)
class Recall:
    """How often the neighbour that people chose is among the first k of a ranking."""

    ranking: str
    k: int
    value: float
    low: float | None
    high: float | None
    questions: int


@dataclass(frozen=True)
class Explained:
    """Ranked neighbours, and how good the ranking is where people chose."""

    rows: pl.DataFrame
    recalls: list[Recall]


def train_on(
    benchmark: Benchmark,
    folder: Path,
    settings: ExplainerSettings,
    *,
    splits: Sequence[str] = (),
    features: str | None = None,
    seed: int = 0,
) -> None:
    """Learn from the complements that people chose among the neighbours."""
    examples = benchmark_examples(benchmark, splits=splits, view="vector", features=features)
    train_explainer(examples, _neighbours(benchmark), _chosen(benchmark), settings, folder=folder, seed=seed)


def explain_benchmark(
    folder: Path,
    benchmark: Benchmark,
    *,
    splits: Sequence[str] = (),
    learned: Sequence[str] = (),
    features: str | None = None,
    seed: int = 0,
) -> Explained:
    """Counter-examples of every question whose picture has enough neighbours; recalls where people chose one.

    The rank-only control counts people's choices in the splits that were learned from.
    """
    examples = benchmark_examples(benchmark, splits=splits, view="vector", features=features)
    near, chosen = _neighbours(benchmark), _chosen(benchmark)
    rows = explain(folder, examples, near)
    if not chosen.height:
        return Explained(rows, [])
    known = benchmark_examples(benchmark, splits=learned).questions.select("question_id")
    picked = chosen.join(known, on="question_id", how="semi", maintain_order="left")
    rankings = {"model": rows}
    rankings |= {name: control_scores(rows, picked, name, seed) for name in CONTROLS if name != "rank-only"}
    usual = _ranked(picked, near, benchmark)
    rankings["rank-only"] = control_scores(rows, usual, "rank-only")
    rankings["shuffled neighbours"] = explain(folder, examples, _shuffled(near, seed))
    recalls = [each for name, ranked in rankings.items() for each in _recalls(name, ranked, chosen)]
    return Explained(rows, recalls)


def _neighbours(benchmark: Benchmark) -> pl.DataFrame:
    if "neighbours" not in benchmark:
        raise DataError(
            f"{benchmark.folder}: found no neighbours, expected near pictures of each; "
            "find them with `eyechart complement`"
        )
    return benchmark.scan("neighbours").select("image_id", "rank", "neighbour_id").collect()


def _chosen(benchmark: Benchmark) -> pl.DataFrame:
    """question_id, neighbour_id: the picture of the complement."""
    pictures = benchmark.scan("questions").select(complement_id="question_id", neighbour_id="image_id")
    return benchmark.scan("pairs").join(pictures, on="complement_id").select("question_id", "neighbour_id").collect()


def _ranked(chosen: pl.DataFrame, near: pl.DataFrame, benchmark: Benchmark) -> pl.DataFrame:
    """At which rank people's choices stood in the questions that were learned from: rank, one row per choice."""
    pictures = benchmark.scan("questions").select("question_id", "image_id").collect()
    placed = chosen.join(pictures, on="question_id", maintain_order="left")
    return placed.join(near, on=["image_id", "neighbour_id"], maintain_order="left").select("rank")


def _shuffled(near: pl.DataFrame, seed: int) -> pl.DataFrame:
    """The same neighbours at other ranks."""
    draw = Key(seed, "shuffled neighbours").over(key_of(pl.col("image_id")), key_of(pl.col("neighbour_id")))
    return near.with_columns(rank=draw.rank("ordinal").over("image_id").cast(pl.Int32))


def _recalls(name: str, ranked: pl.DataFrame, chosen: pl.DataFrame) -> list[Recall]:
    pictures = ranked.select("question_id", "image_id").unique(maintain_order=True)
    found = []
    for k in _KS:
        scores = recall_at(ranked, chosen, k).join(pictures, on="question_id", maintain_order="left")
        if scores.height:
            row = clustered_means(scores).row(0, named=True)
            found.append(Recall(name, k, row["value"], row["low"], row["high"], row["questions"]))
    return found


def save_explanations(found: Explained, benchmark: Benchmark, folder: Path) -> None:
    """A table (explanations.parquet), and a sheet of pictures (explanations.html)."""
    folder.mkdir(parents=True, exist_ok=True)
    found.rows.write_parquet(folder / "explanations.parquet")
    files = dict(benchmark.scan("images").select("image_id", "file").drop_nulls().collect().iter_rows())
    asked = dict(benchmark.scan("questions").select("question_id", "question").collect().iter_rows())
    write_atomically(folder / "explanations.html", _sheet(found, asked, _Files(benchmark, files)).encode())


class _Files:
    """Pictures as they stand in a page that needs nothing else."""

    def __init__(self, benchmark: Benchmark, files: Mapping[str, str]) -> None:
        self.benchmark, self.files = benchmark, files

    def data(self, image_id: str) -> str | None:
        """The picture as a data address; None where there is no file."""
        path = self.benchmark.image_file(self.files[image_id]) if image_id in self.files else None
        if path is None or not path.is_file():
            return None
        kind = mimetypes.guess_type(path.name)[0] or "image/png"
        return f"data:{kind};base64,{base64.b64encode(path.read_bytes()).decode()}"


_STYLE = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fbfaf7;--quiet:#5b636c;--accent:#1f6f8b;--warning:#b5541c}
@media(prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#14171a;--quiet:#a2a9b1;--accent:#5fb0cc;--warning:#e08a52}}
body{margin:0 auto;padding:2.5rem 1.25rem;max-width:60rem;color:var(--ink);background:var(--paper);
font:1rem/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums}
section{margin:2.5rem 0;break-inside:avoid}h2{font-size:1.2rem;margin:0 0 .6rem}p{max-width:68ch}
ol{list-style:none;margin:0;padding:0;display:flex;flex-wrap:wrap;gap:1rem}li{width:9.5rem}
img,.none{width:100%;aspect-ratio:5/4;object-fit:contain;background:#8882}figcaption{font-size:.9rem;color:var(--quiet)}
figure{margin:0}b{color:var(--accent)}.other b{color:var(--warning)}td,th{padding:.2rem 1.2rem .2rem 0;text-align:left}
"""


def _sheet(found: Explained, asked: Mapping[str, str], files: _Files) -> str:
    """One section per question: the picture with its answer, and unlike it the neighbours with another one."""
    parts = [
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Counter-examples</title><style>{_STYLE}</style>'
    ]
    parts.append('<meta name="viewport" content="width=device-width, initial-scale=1"><h1>Counter-examples</h1>')
    parts.append(_recall_table(found.recalls))
    different = found.rows.filter(pl.col("their_answer") != pl.col("answer"), pl.col("place") <= _SHOWN_NEIGHBOURS)
    groups = different.partition_by("question_id", maintain_order=True)
    for rows in groups[:_SHOWN_QUESTIONS]:
        first = rows.row(0, named=True)
        shown = [_picture(files, first["image_id"], first["answer"], "this")]
        shown += [
            _picture(files, row["neighbour_id"], row["their_answer"], "other") for row in rows.iter_rows(named=True)
        ]
        question = html.escape(asked.get(first["question_id"]) or "")
        parts.append(f"<section><h2>{question}</h2><ol>{''.join(shown)}</ol></section>")
    if not groups:
        parts.append(
            "<p>No question has a neighbour with another answer: the explainer sees no difference between them.</p>"
        )
    return "\n".join(parts)


def _picture(files: _Files, image_id: str, answer: str, kind: str) -> str:
    says = "answer" if kind == "this" else "unlike this:"
    source, name = files.data(image_id), html.escape(image_id)
    image = f'<img src="{source}" alt="picture {name}">' if source else f'<div class="none">{name}</div>'
    return (
        f'<li class="{kind}"><figure>{image}<figcaption>{says} <b>{html.escape(answer)}</b></figcaption></figure></li>'
    )


def _recall_table(recalls: Sequence[Recall]) -> str:
    if not recalls:
        return ""
    rows = "".join(
        f"<tr><td>{each.ranking}<td>{each.k}<td>{100 * each.value:.1f} %<td>{_interval(each)}" for each in recalls
    )
    return f"<table><tr><th>ranking<th>k<th>recall<th>95 %{rows}</table>"


def _interval(recall: Recall) -> str:
    if recall.low is None or recall.high is None:
        return ""
    return f"{100 * max(0.0, recall.low):.1f} to {100 * min(1.0, recall.high):.1f}"
