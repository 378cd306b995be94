"""A benchmark with new choices: decoys that need the image and the question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Literal

import numpy as np
import polars as pl

from eyechart.errors import DataError, UsageError
from eyechart.pipeline.carrying import BY_QUESTION, carried, carry, kept_only
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.registry import did_you_mean
from eyechart.remedies import (
    KINDS,
    Answers,
    Found,
    Likeness,
    Lists,
    Pool,
    Search,
    Searching,
    Triplets,
    choices_of,
    decoy_rows,
    principle_scores,
    superset_splits,
)
from eyechart.store import Benchmark, Draft
from eyechart.text import TextEncoder, text_encoder

__all__ = ["MakeDecoys"]

_BINARY = ("yes", "no")
_TRIPLETS_PER_SHARD = 50_000
_REPLACED = ("choices", "decoys", "scores")


@dataclass(frozen=True)
class MakeDecoys:
    """Search decoys for all questions that have a target; questions with like words are a shard."""

    name: ClassVar[str] = "decoys"

    benchmark: str
    kinds: tuple[str, ...] = ("qou", "iou")
    """Kinds of decoys, in the order in which they are chosen."""
    offered: tuple[str, ...] = ("iou", "qou")
    """Kinds that become choices; ``orig`` for those that were there."""
    how: Searching = field(default_factory=Searching)
    likeness: Likeness = field(default_factory=Likeness)
    encoder: str = "wordllama"
    within_split: bool = False
    """Whether decoys come from targets of the same split only."""
    yes_no: Literal["keep", "drop"] = "keep"
    """Whether questions that are answered with yes or no stay."""
    splits_of: str | None = None
    """A benchmark whose splits the new ones contain."""
    shares: tuple[tuple[str, float], ...] = ()
    """The new splits, with their shares of all images."""
    per_shard: int = _TRIPLETS_PER_SHARD

    def inputs(self) -> Sequence[Path]:
        """The benchmark, and that whose splits are taken over."""
        return [Path(self.benchmark), *([Path(self.splits_of)] if self.splits_of else [])]

    def plan(self) -> Sequence[Json]:
        """Ranges of each pool, and the parts of all other tables."""
        if unknown := [kind for kind in self.kinds if kind not in KINDS]:
            raise UsageError(f"no kind of decoys is called {unknown[0]!r}: {did_you_mean(unknown[0], KINDS)}")
        pools = self._prepared.pools
        searches = [
            ["search", number, low, high]
            for number, pool in enumerate(pools)
            for low, high in pool.bounds(self.per_shard)
        ]
        return [*searches, *carried(self._opened, self._carried)]

    def run(self, shard: Json, write: Write) -> Json:
        """Search for one range, or bring one part of a table along."""
        if shard[0] != "search":
            self._carry(shard, write)
            return
        ready = self._prepared
        pool = ready.pools[shard[1]]
        search = Search(ready.triplets, pool, range(shard[2], shard[3]), self.how)
        originals = ready.originals_of(pool.triplet[search.rows])
        decoys = pl.concat(decoy_rows(search, kind, each) for kind, each in self._found(search, originals).items())
        ids = ready.triplets.ids.gather(pool.triplet[search.rows])
        write("decoys", decoys)
        targets = pl.DataFrame({"question_id": ids, "answer": ready.triplets.said.gather(pool.triplet[search.rows])})
        old = self._opened.scan("choices").filter(pl.col("question_id").is_in(ids.implode())).collect()
        write("choices", choices_of(targets, decoys, old, self.offered, self.how.seed))

    def _found(self, search: Search, originals: tuple[np.ndarray, np.ndarray]) -> dict[str, Found]:
        """The decoys of each kind; those of the control know nothing of the others."""
        found: dict[str, Found] = {}
        paper = [kind for kind in self.kinds if kind != "random"]
        for kind in paper:
            others = [each.answer for each in found.values()]
            found[kind] = search.qou(others) if kind == "qou" else search.iou(others)
        for kind in paper:
            search.fill(found[kind], [each.answer for other, each in found.items() if other != kind], originals)
        if "random" in self.kinds:
            found["random"] = search.random([], self.how.k * max(1, len(paper)))
            search.fill(found["random"], [], originals)
        return found

    def _carry(self, shard: Json, write: Write) -> None:
        opened = self._opened
        rows = opened.part(shard[0], shard[1])
        if shard[0] == "questions" and self.yes_no == "drop":
            rows = rows.join(self._prepared.dropped, on="question_id", how="anti", maintain_order="left")
        if shard[0] in {"questions", "images"} and self.shares:
            rows = _resplit(rows, self._prepared.splits)
        if shard[0] in {"questions", "images"}:
            write(shard[0], rows)
        else:
            carry(opened, shard, write)

    @property
    def _carried(self) -> list[str]:
        dropped = set(BY_QUESTION) if self.yes_no == "drop" else set()
        return [table for table in self._opened if table not in _REPLACED and table not in dropped]

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:  # noqa: ARG002  # rows say it all
        """Score the principles of each question; bring along what is said of the questions that stay."""
        ready, opened = self._prepared, self._opened
        scores = principle_scores(draft.scan("choices").collect(), ready.targets, ready.vectors)
        draft.put(
            "scores",
            scores.unpivot(index="question_id", variable_name="metric", value_name="score").with_columns(
                metric="principle-" + pl.col("metric")
            ),
        )
        for table in BY_QUESTION if self.yes_no == "drop" else ():
            if table in opened and table not in _REPLACED:
                draft.put(table, kept_only(table, opened.scan(table), draft.scan("questions")).collect())

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)

    @property
    def _prepared(self) -> "_Prepared":
        return _prepare(self, self._opened.fingerprint)


@dataclass(frozen=True)
class _Prepared:
    """What all shards need: made once per process."""

    triplets: Triplets
    pools: list[Pool]
    originals: Lists
    """Original decoys of each triplet, as rows of ``original_answer``."""
    original_answer: np.ndarray
    targets: pl.DataFrame
    vectors: np.ndarray
    dropped: pl.DataFrame
    splits: pl.DataFrame

    def originals_of(self, triplets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Original decoys as pairs of place among these triplets and answer."""
        query, row = self.originals.of(triplets)
        return query, self.original_answer[row]


@lru_cache(maxsize=1)
def _prepare(stage: MakeDecoys, fingerprint: str) -> _Prepared:  # noqa: ARG001  # the fingerprint keys the cache
    opened = Benchmark.open(stage.benchmark)
    names = ("question_id", "image_id", "split", "question", "answer")
    questions = with_targets(opened.scan("questions").select(names).collect(), opened)
    splits = _new_splits(stage, opened)
    questions = _resplit(questions, splits) if stage.shares else questions
    is_binary = pl.col("answer").str.to_lowercase().str.strip_chars(" .").is_in(_BINARY)
    dropped = questions.filter(is_binary).select("question_id") if stage.yes_no == "drop" else questions.head(0)
    asked = questions.drop_nulls(["question", "answer"]).join(dropped, on="question_id", how="anti")
    if not asked.height:
        raise DataError(
            f"{stage.benchmark}: found no question with an answer, expected some; decoys are answers of other questions"
        )
    asked = asked.with_columns(pl.coalesce("image_id", "question " + pl.col("question_id")).alias("image_id"))
    old = opened.scan("choices").filter(~pl.col("is_target").fill_null(value=False)).select("question_id", "choice")
    originals = old.collect().join(asked.select("question_id"), on="question_id", how="semi", maintain_order="left")
    answers = Answers([*asked["answer"], *originals["choice"]], stage.likeness)
    triplets = Triplets(asked, answers)
    encoder = text_encoder(stage.encoder) if "qou" in stage.kinds else None
    pools = [Pool.of(triplets, chosen, encoder) for chosen in triplets.pools(within_split=stage.within_split)]
    number = triplets.ids.to_frame("question_id").with_row_index("triplet")
    places = originals.select("question_id").join(number, on="question_id", how="left", maintain_order="left")
    targets, vectors = _with_vectors(triplets, pools, asked, encoder)
    return _Prepared(
        triplets=triplets,
        pools=pools,
        originals=Lists.by(places["triplet"].cast(pl.Int64).to_numpy(), len(triplets)),
        original_answer=answers.coded(originals["choice"].to_list()),
        targets=targets,
        vectors=vectors,
        dropped=dropped.select("question_id"),
        splits=splits,
    )


def _with_vectors(
    triplets: Triplets, pools: list[Pool], asked: pl.DataFrame, encoder: TextEncoder | None
) -> tuple[pl.DataFrame, np.ndarray]:
    """Targets with the row of each question's vector, and the vectors of all pools."""
    starts = np.cumsum([0, *(len(pool.vectors) for pool in pools)])
    row = np.zeros(len(triplets), np.int64)
    for pool, start in zip(pools, starts, strict=False):
        row[pool.triplet] = pool.group + start
    width = max(pool.vectors.shape[1] for pool in pools)
    vectors = np.concatenate([pool.vectors for pool in pools]) if encoder else np.ones((int(starts[-1]), width))
    ordered = asked.sort("question_id").select("question_id", "image_id", "answer")
    return ordered.with_columns(group=pl.Series(row)), vectors.astype(np.float32, copy=False)


def _new_splits(stage: MakeDecoys, opened: Benchmark) -> pl.DataFrame:
    if not stage.shares:
        return pl.DataFrame(schema={"image_id": pl.String, "split": pl.String})
    images = opened.scan("images").select("image_id", "coco_id").collect()
    other = images.head(0).with_columns(split=pl.lit(None, pl.String))
    if stage.splits_of:
        other = Benchmark.open(stage.splits_of).scan("images").select("image_id", "coco_id", "split").collect()
    return superset_splits(images, other, dict(stage.shares), stage.how.seed)


def _resplit(rows: pl.DataFrame, splits: pl.DataFrame) -> pl.DataFrame:
    joined = rows.drop("split").join(splits, on="image_id", how="left", maintain_order="left")
    return joined.select(rows.columns)
