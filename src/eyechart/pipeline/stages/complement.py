"""A balanced benchmark: for each question a similar picture where it has another answer, found, made or picked."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, ClassVar, Literal

import polars as pl

from eyechart.errors import DataError
from eyechart.pipeline.carrying import carried, carry
from eyechart.pipeline.stage import Json, Write
from eyechart.pipeline.targets import with_targets
from eyechart.questions import Program, SceneGraph, Thing, interpret
from eyechart.remedies import PICK_COLUMNS, Complements, complements, design_splits, read_picks
from eyechart.scenes import generate
from eyechart.store import Benchmark, Draft
from eyechart.tables import TABLES

__all__ = ["MakeComplements", "world_of"]

How = Literal["graphs", "edits", "picks"]
Row = Mapping[str, Any]  # of a table

_QUESTIONS_PER_SHARD = 500
_GRAPH = ("objects", "attributes", "relations", "inventories")
_ORIGINS = {"graphs": "executor", "edits": "editor", "picks": "people"}
_JOINED = ("questions", "answers", "pairs", "unpaired", "splits")
"""Tables to which the reduction adds."""
_NEW = ("images", "cliparts", *_GRAPH)
"""Tables of edited pictures."""
_NO_PROGRAM, _NO_ANSWER = "the question has no program", "the executor cannot answer it about its own picture"
_NO_EDIT = "no small change of the picture changes the answer"


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
        return [*(["search", first] for first in searched), *carried(opened, list(opened))]

    def run(self, shard: Json, write: Write) -> Json:
        """Find pictures for some questions: the picks are what the shard notes; or bring a part along."""
        if shard[0] != "search":
            carry(self._opened, shard, write)
            return None
        questions = self._questions.slice(shard[1], _QUESTIONS_PER_SHARD)
        if self.how == "edits":
            picks, compositions = _edited(questions, self._opened)
            if compositions:
                world = world_of(self._opened).world
                for table, rows in generate.edited_rows(world, compositions).items():
                    write(table, _with_splits(rows, picks, questions) if table == "images" else rows)
        else:
            picks = list(self._neighbouring(questions))
        return picks

    def _neighbouring(self, questions: pl.DataFrame) -> Iterator[dict[str, Any]]:
        """Picks among the nearest pictures, by the questions' programs on their graphs."""
        near = self._near.join(questions.select("image_id").unique(), on="image_id", how="semi")
        lists = dict(near.group_by("image_id", maintain_order=True).agg("neighbour_id").iter_rows())
        graphs = _graphs(self._opened, [*questions["image_id"], *near["neighbour_id"]])
        printed = _printed(questions, graphs)
        for row in questions.iter_rows(named=True):
            yield _pick(row, lists.get(row["image_id"], []), graphs, printed)

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
        source = Benchmark.open(self.neighbours or self.benchmark)
        return _near_pictures(str(source.folder), source.fingerprint, self.candidates)

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


# ---------------------------------------------------------------------- by programs on the graphs of neighbours


def _graphs(opened: Benchmark, images: Sequence[str]) -> dict[str, SceneGraph]:
    """The scene graphs of some pictures."""
    wanted = pl.DataFrame({"image_id": sorted(set(images))})
    tables = {
        table: opened.scan(table).join(wanted.lazy(), on="image_id", how="semi", maintain_order="left").collect()
        for table in ("images", *_GRAPH)
    }
    parts = {table: rows.partition_by("image_id", as_dict=True) for table, rows in tables.items()}
    return {
        image: SceneGraph.from_tables(
            image, {table: parts[table].get((image,), rows.clear()) for table, rows in tables.items()}
        )
        for image in wanted["image_id"]
    }


def _executed(row: Row, graph: SceneGraph | None) -> str | None:
    """What the naive executor says of a question about a picture, if nothing is in doubt."""
    if graph is None or not row["program"]:
        return None
    proof = interpret(Program.read(row["program"]).canonical, graph)
    return None if proof.doubts else proof.answer


def _printed(questions: pl.DataFrame, graphs: Mapping[str, SceneGraph]) -> dict[tuple[str, str], str]:
    """How answers are written in questions of one detailed type, by what the executor calls them."""
    found: dict[tuple[str, str], str] = {}
    for row in questions.iter_rows(named=True):
        said = _executed(row, graphs.get(row["image_id"]))
        if said is not None and row["answer"] is not None:
            found.setdefault((row["detailed"] or "", said), row["answer"])
    return found


def _pick(
    row: Row, candidates: Sequence[str], graphs: Mapping[str, SceneGraph], printed: Mapping[tuple[str, str], str]
) -> dict[str, Any]:
    """The first of the nearest pictures where the question makes sense and has another answer."""
    if not row["program"]:
        return _refused(row, _NO_PROGRAM)
    own = _executed(row, graphs.get(row["image_id"]))
    if own is None:
        return _refused(row, _NO_ANSWER)
    same = 0
    for rank, image in enumerate(candidates, 1):
        said = _executed(row, graphs.get(image))
        answer = printed.get((row["detailed"] or "", said or ""), said if own == row["answer"] else None)
        if said is not None and said != own and answer is not None:
            return {"question_id": row["question_id"], "image_id": image, "rank": rank, "answer": answer}
        same += said == own
    rest = len(candidates) - same
    return _refused(
        row, f"of the {len(candidates)} nearest pictures {same} have the same answer, {rest} no certain one"
    )


def _refused(row: Row, reason: str) -> dict[str, Any]:
    return {"question_id": row["question_id"], "image_id": None, "reason": reason}


# ---------------------------------------------------------------------- by editing abstract scenes


@dataclass(frozen=True)
class _Origin:
    """The world that scenes were composed by."""

    world: generate.World
    seed: int
    composer: generate.Composer


def world_of(benchmark: Benchmark) -> _Origin:
    """The world of a benchmark of abstract scenes, which its manifest names, or that of the one it was made of."""
    made_by = benchmark.manifest.made_by
    while made_by.stage != "generate":
        source = made_by.config.get("benchmark")
        if not isinstance(source, str) or not (Path(source) / "benchmark.json").is_file():
            raise DataError(
                f"{benchmark.folder}: found no world that its scenes were composed by, expected scenes of "
                "eyechart scenes generate (with the benchmarks between still in their places); "
                "look among neighbours instead: --how graphs"
            )
        made_by = Benchmark.open(source).manifest.made_by
    world = generate.read_world(made_by.config["world"])
    if made_by.config["strength"] is not None:
        world = generate.with_strength(world, made_by.config["strength"], "world")
    return _Origin(world, made_by.config["seed"], generate.Composer(world))


def _edited(questions: pl.DataFrame, opened: Benchmark) -> tuple[list[dict[str, Any]], dict[str, generate.Composition]]:
    """Picks of pictures that are made for their questions, and what these pictures show."""
    origin = world_of(opened)
    picks: list[dict[str, Any]] = []
    made: dict[str, generate.Composition] = {}
    for row in questions.iter_rows(named=True):
        if not row["program"]:
            picks.append(_refused(row, _NO_PROGRAM))
            continue
        composition = origin.composer.compose(int(row["image_id"]), origin.seed)
        answer = partial(_answer_of, row, composition.scene.background)
        found = generate.edit(composition, answer, about=_clips(Program.read(row["program"]), composition))
        if found is None:
            picks.append(_refused(row, _NO_EDIT))
            continue
        image_id = f"{row['question_id']}-c"
        made[image_id] = found.composition
        (graph,) = generate.depict([found.composition], origin.composer.stock)
        change = f"{found.change} of {found.object_id}"
        picks.append(
            {"question_id": row["question_id"], "image_id": image_id, "answer": answer(graph), "change": change}
        )
    return picks, made


def _answer_of(row: Row, background: str, graph: generate.Graph) -> str | None:
    return _executed(row, _as_scene_graph(graph, background))


def _clips(program: Program, composition: generate.Composition) -> list[str]:
    """The clips that a question names; all if it names none."""
    there = {f"{clip.name}-{clip.instance}" for clip in composition.scene.clips}
    named = {each.partition("/")[0] for ids in program.referents for each in ids or ()}
    return sorted(named & there)


def _as_scene_graph(graph: generate.Graph, background: str) -> SceneGraph:
    """A composed graph as the executor reads it."""
    return SceneGraph(
        things={each.object_id: Thing(each.object_id, each.name, each.attributes, each.box) for each in graph.things},
        relations=frozenset((link.subject, link.predicate, link.object) for link in graph.links),
        location=graph.location,
        weather=graph.weather,
        width=graph.width,
        height=graph.height,
        inventories=frozenset(generate.complete_kinds(graph, background)),
    )


def _with_splits(images: pl.DataFrame, picks: Sequence[Row], questions: pl.DataFrame) -> pl.DataFrame:
    """Edited pictures in the splits of their questions."""
    source = pl.DataFrame(
        {"image_id": [row["image_id"] for row in picks], "question_id": [row["question_id"] for row in picks]},
        schema={"image_id": pl.String, "question_id": pl.String},
    ).join(questions.select("question_id", "split"), on="question_id")
    joined = images.drop("split").join(
        source.select("image_id", "split"), on="image_id", how="left", maintain_order="left"
    )
    return joined.select(images.columns)
