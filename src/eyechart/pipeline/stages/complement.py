"""A balanced benchmark: for each question a similar picture where it has another answer, found, made or picked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar, Literal

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.complements_found import Pick, picked, printed_answers, scene_graphs
from eyechart.pipeline.complements_made import edited, with_splits, world_of
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.questions import Program
from eyechart.remedies import PICK_COLUMNS, Complements, complements, design_splits, read_picks
from eyechart.scenes import generate
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES

__all__ = ["MakeComplements"]

How = Literal["graphs", "edits", "picks"]

_QUESTIONS_PER_SHARD = 500
_ORIGINS = {"graphs": "executor", "edits": "editor", "picks": "people"}
_JOINED = ("questions", "answers", "pairs", "unpaired", "splits")
"""Tables to which the reduction adds."""


@dataclass(frozen=True)
class MakeComplements:
    """Look for another picture for each question; some hundred questions are a shard."""

    name: ClassVar[str] = "complement"

    benchmark: str
    how: How
    neighbours: str | None = None
    """The benchmark with the table of neighbours, where pictures are looked for."""
    candidates: int = 24
    """So many of the nearest pictures are tried."""
    picks: str | None = None
    """A file of picks of people (.csv or .jsonl)."""
    answers: str | None = None
    """A file of answers to the new questions (.csv or .jsonl): question_id, worker_id, answer."""
    seed: int = 0

    def inputs(self) -> Sequence[Path]:
        """The benchmark, the neighbours and people's files."""
        given = (self.benchmark, self.neighbours, self.picks, self.answers)
        return [Path(each) for each in given if each is not None]

    def plan(self) -> Sequence[Json]:
        """Ranges of questions, and parts of the tables that are brought along."""
        opened = self._opened
        if "questions" not in opened:
            raise DataError(f"{self.benchmark}: found no questions, expected some; ask or import some first")
        searched = range(0, opened.rows("questions"), _QUESTIONS_PER_SHARD) if self.how != "picks" else []
        kept = [table for table in opened if table != "neighbours" or self._near_are_its_own]
        near = [] if self._near_are_its_own else carried(self._source, ["neighbours"])
        return [*(["search", first] for first in searched), *carried(opened, kept), *(["near", *part] for part in near)]

    def run(self, shard: Json, write: Write) -> Json:
        """Find pictures for some questions: the picks are what the shard notes; or bring a part along."""
        if shard[0] == "near":  # whoever learns from the pairs wants to know among which pictures they were found
            carry(self._source, shard[1:], write)
            return None
        if shard[0] != "search":
            carry(self._opened, shard, write)
            return None
        questions = self._questions.slice(shard[1], _QUESTIONS_PER_SHARD)
        if self.how == "edits":
            picks, compositions = edited(questions, self._opened)
            if compositions:
                world = world_of(self._opened).world
                for table, rows in generate.edited_rows(world, compositions).items():
                    write(table, with_splits(rows, picks, questions) if table == "images" else rows)
        else:
            picks = list(self._neighbouring(questions))
        return picks

    def _neighbouring(self, questions: pl.DataFrame) -> Iterator[Pick]:
        """Picks among the nearest pictures, by the questions' programs on their graphs."""
        near = self._near.join(questions.select("image_id").unique(), on="image_id", how="semi")
        lists = dict(near.group_by("image_id", maintain_order=True).agg("neighbour_id").iter_rows())
        graphs = scene_graphs(self._opened, [*questions["image_id"], *near["neighbour_id"]])
        printed = printed_answers(questions, graphs)
        for row in questions.iter_rows(named=True):
            yield picked(row, lists.get(row["image_id"], []), graphs, printed)

    def reduce(self, draft: Draft, statistics: Mapping[int, Json]) -> None:
        """New questions, their answers, pairs, and which sets they belong to."""
        rows = [row for noted in statistics.values() for row in noted or ()]
        picks = self._picked if self.how == "picks" else pl.DataFrame(rows, schema=PICK_COLUMNS)
        answers = self._answers
        questions = self._questions
        told = picks.join(_most_said(answers), on="question_id", how="left", maintain_order="left")
        told = told.with_columns(pl.coalesce("said", "answer").alias("answer")).drop("said")
        made = complements(questions, told, _ORIGINS[self.how])
        if self.how != "picks":
            made = made._replace(questions=_with_programs(made, questions))
        self._put(draft, made, answers)

    def _put(self, draft: Draft, made: Complements, answers: pl.DataFrame) -> None:
        whole = pl.concat([draft.scan("questions").collect(), TABLES["questions"].conform(made.questions)])
        draft.put("questions", whole)
        new_ids = made.pairs.select("question_id", "complement_id")
        second = answers.join(new_ids, on="question_id", maintain_order="left")
        second = second.with_columns(question_id="complement_id").drop("complement_id")
        added = {"answers": second, "pairs": made.pairs, "unpaired": made.unpaired}
        splits = whole.select("question_id", "split")
        added["splits"] = design_splits(splits, made.pairs, self.seed)
        for table, rows in added.items():
            before = draft.scan(table).collect()
            if rows.height:
                draft.put(table, pl.concat([TABLES[table].conform(before), TABLES[table].conform(rows)]))

    @property
    def _picked(self) -> pl.DataFrame:
        if self.picks is None:
            raise DataError("picks: found no file, expected the picks of people; name one with --picks")
        picks = read_picks(_read(Path(self.picks)), self.picks)
        known = self._opened.scan("images").select("image_id").collect()["image_id"]
        strange = picks.drop_nulls("image_id").filter(~pl.col("image_id").is_in(known.implode()))
        if strange.height:
            raise DataError(
                f"{self.picks}: found the image {strange['image_id'][0]!r}, expected images of {self.benchmark}; "
                "correct it"
            )
        if not self.neighbours:
            return picks
        ranks = self._near.select(own="image_id", image_id="neighbour_id", near="rank")
        own = self._questions.select("question_id", own="image_id")
        ranked = picks.join(own, on="question_id", how="left", maintain_order="left").join(
            ranks, on=["own", "image_id"], how="left", maintain_order="left"
        )
        return ranked.with_columns(rank=pl.coalesce("rank", "near")).select(picks.columns)

    @property
    def _answers(self) -> pl.DataFrame:
        names = ("question_id", "worker_id", "answer", "confidence", "shown")
        schema = dict.fromkeys(names, pl.String)
        if self.answers is None:
            return pl.DataFrame(schema=schema)
        rows = _read(Path(self.answers))
        absent = [name for name in names if name not in rows.columns]
        if "question_id" in absent or "answer" in absent:
            raise DataError(
                f"{self.answers}: found columns {', '.join(rows.columns)}, expected question_id and answer; add them"
            )
        whole = rows.with_columns(pl.lit(None, pl.String).alias(name) for name in absent)
        shown = pl.col("shown").fill_null("image")
        # Answers may name the new question or the one that it was made of.
        return whole.select(names).with_columns(shown, pl.col("question_id").cast(pl.String).str.strip_suffix("-c"))

    @cached_property
    def _questions(self) -> pl.DataFrame:
        opened = self._opened
        return with_targets(opened.read("questions"), opened)

    @property
    def _near(self) -> pl.DataFrame:
        source = self._source
        return _near_pictures(str(source.folder), source.fingerprint, self.candidates)

    @property
    def _near_are_its_own(self) -> bool:
        """Whether the table of neighbours is that of the benchmark itself, if there is one."""
        return self.neighbours is None or Path(self.neighbours).resolve() == Path(self.benchmark).resolve()

    @cached_property
    def _source(self) -> Benchmark:
        """Where the neighbours are."""
        return Benchmark.open(self.neighbours or self.benchmark)

    @cached_property
    def _opened(self) -> Benchmark:
        return Benchmark.open(self.benchmark)


@lru_cache(1)  # shards that one process does share it
def _near_pictures(folder: str, fingerprint: str, candidates: int) -> pl.DataFrame:  # noqa: ARG001  # the key
    near = Benchmark.open(folder).scan("neighbours").filter(pl.col("rank") <= candidates)
    return near.sort("image_id", "rank").collect()


def _read(path: Path) -> pl.DataFrame:
    """Rows of strings of a .csv or .jsonl file."""
    if path.suffix == ".jsonl":
        return pl.read_ndjson(path).with_columns(pl.all().cast(pl.String))
    return pl.read_csv(path, infer_schema=False)


def _most_said(answers: pl.DataFrame) -> pl.DataFrame:
    counted = answers.group_by("question_id", "answer").len()
    first = counted.sort("question_id", "len", "answer", descending=[False, True, False])
    return first.unique("question_id", keep="first").select("question_id", said="answer")


def _with_programs(made: Complements, questions: pl.DataFrame) -> pl.DataFrame:
    """New questions with the program of the old one, without the ids of its things."""
    programs = [None if row is None else Program.read(row).canonical.rows for row in questions["program"]]
    known = questions.select("question_id", program=pl.Series(programs, dtype=questions.schema["program"]))
    origin = made.pairs.select("complement_id", old="question_id")
    joined = made.questions.drop("program").join(
        origin, left_on="question_id", right_on="complement_id", maintain_order="left"
    )
    whole = joined.join(known, left_on="old", right_on="question_id", maintain_order="left")
    return whole.select(made.questions.columns)
