"""One question to a trained model about one picture: what it answers, and whether it looked.

With the answer come those that it would give without looking, where it looked, and near pictures that it answers
otherwise: the counter-examples of VQA v2 (section 5), ranked by distance.
"""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from PIL import Image

from eyechart.errors import UsageError
from eyechart.features import FeatureStore, Rows, nearest_by_distance
from eyechart.models import Examples, examples_of, load_run, under_condition
from eyechart.pipeline.encoding import encode_like
from eyechart.store import Benchmark

__all__ = ["Answer", "Interview", "Near", "Reply"]

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

_SHOWN = 5
_NEAR = 24
"""So many near pictures are looked at, as by the people who chose complementary ones."""
_MOST_LOOKED_AT = 50_000
"""Of a benchmark's pictures, for near ones."""
_ASKED = "asked"
"""The id of the question, and of a picture that is in no benchmark."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model says, and how sure it is."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Near:
    """A near picture, and what the model says about it."""

    image_id: str
    distance: float
    answer: Answer


@dataclass(frozen=True)
class Reply:
    """Everything that a model says."""

    answers: Sequence[Answer]
    """The best first."""
    blind: Sequence[Answer]
    """To an empty picture."""
    unlike: Sequence[Near] = ()
    """Near pictures that it answers otherwise, the nearest first."""
    looked_at: int = 0
    """Of how many near pictures."""
    boxes: Sequence[Sequence[float]] = ()
    grid: Sequence[Sequence[float]] = ()


@dataclass
class Interview:
    """A trained model that can be asked, and the benchmark whose pictures and features it knows.

    A model that sees nothing needs no benchmark.
    """

    folder: Path
    benchmark: Benchmark | None = None
    store: FeatureStore | None = None

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self.run = load_run(self.folder)
        recipe = self.run.config.recipe
        if recipe.words.source == "program":
            raise UsageError(f"{self.folder}: found a model that reads programs, expected one that reads words")
        if recipe.view and self.store is None:
            raise UsageError(
                f"{self.folder}: found no features of {self.run.config.pictures}, expected those that it was trained "
                "on; name the benchmark that has them, too"
            )

    @classmethod
    def among(cls, folder: Path, benchmarks: Sequence[Benchmark], features: Sequence[Path] = ()) -> "Interview":
        """A model with the first of the benchmarks that has its features, or with features that are named."""
        wanted = load_run(folder).config.pictures
        for benchmark in benchmarks if wanted else ():
            for path in [*sorted((benchmark.folder / "features").glob("*/features.json")), *features]:
                store = FeatureStore.open(path.parent if path.name == "features.json" else path)
                if store.source == wanted and _has_pictures_of(store, benchmark):
                    return cls(folder, benchmark, store)
        return cls(folder, next(iter(benchmarks), None) if not wanted else None)

    @property
    def looks(self) -> bool:
        """Whether it looks at pictures."""
        return self.store is not None

    def ask(
        self,
        question: str,
        *,
        picture: Image.Image | None = None,
        image_id: str | None = None,
        choices: Sequence[str] = (),
    ) -> Reply:
        """Ask about a picture of one's own, about one of the benchmark, or about none."""
        with self._lock:  # a network is not asked by two at once
            return self._ask(question.strip(), picture, image_id, choices)

    def _ask(self, question: str, picture: Image.Image | None, image_id: str | None, choices: Sequence[str]) -> Reply:
        if not question:
            raise UsageError("question: found none, expected a few words; ask something")
        own = None
        if self.store is not None and picture is not None:
            own = _One(self.store, encode_like(self.store, picture))
        shown = _ASKED if own is not None else image_id if self.store is not None else None
        examples = self._examples([shown], question, choices)
        examples = replace(examples, pictures=own or self.store)
        answers = self._answers(examples)
        looked = self.run.predict(examples).row(0, named=True)
        reply = Reply(
            answers=answers[_ASKED],
            blind=self._answers(under_condition(examples, "blank-image"))[_ASKED],
            boxes=looked.get("attention_boxes") or (),
            grid=looked.get("attention_grid") or (),
        )
        return self._with_near(reply, own, image_id, question, choices) if self.store is not None else reply

    def _examples(self, images: Sequence[str | None], question: str, choices: Sequence[str]) -> Examples:
        ids = [_ASKED if number == 0 else f"{_ASKED} {number}" for number in range(len(images))]
        asked = pl.DataFrame(
            {"question_id": ids, "image_id": pl.Series(list(images), dtype=pl.String), "question": question}
        )
        tables = {"questions": asked.lazy()}
        if choices:
            offered = pl.DataFrame({"choice": list(choices)}).with_row_index("position")
            tables["choices"] = asked.select("question_id").join(offered, how="cross").lazy()
        if self.benchmark is not None:
            tables["captions"] = self.benchmark.scan("captions")
        return examples_of(tables, pictures=self.store)

    def _answers(self, examples: Examples) -> dict[str, list[Answer]]:
        """The best answers of each question."""
        if examples.choices.height:
            return _by_choice(self.run.predict(examples), examples.choices)
        found: dict[str, list[Answer]] = {}
        for question, _, answer, share in self.run.ranked(examples, _SHOWN).sort("question_id", "rank").iter_rows():
            found.setdefault(question, []).append(Answer(answer or "", share))
        return found

    def _with_near(
        self, reply: Reply, own: "_One | None", image_id: str | None, question: str, choices: Sequence[str]
    ) -> Reply:
        """The reply with near pictures that are answered otherwise."""
        near = self._near(own, image_id)
        if not near:
            return reply
        examples = self._examples([each for each, _ in near], question, choices)
        said = self._answers(examples)
        first = reply.answers[0].text
        answered = [
            Near(image, distance, said[question_id][0])
            for (image, distance), question_id in zip(near, examples.questions["question_id"], strict=True)
        ]
        return replace(reply, unlike=[each for each in answered if each.answer.text != first], looked_at=len(answered))

    def _near(self, own: "_One | None", image_id: str | None) -> list[tuple[str, float]]:
        """Pictures of the benchmark by distance of their mean features, without the one itself."""
        if self.store is None or (own is None and image_id is None):
            return []
        ids, vectors = self._vectors
        query = own.rows if own is not None else _rows(self.store, self.store.places(pl.Series([image_id])))[0]
        found = nearest_by_distance(query.mean(axis=0, keepdims=True), vectors, min(_NEAR + 1, len(ids)))
        listed = [(ids[place], float(how)) for place, how in zip(found.places[0], found.scores[0], strict=True)]
        return [each for each in listed if each[0] != image_id][:_NEAR]

    @cached_property
    def _vectors(self) -> tuple[list[str], Floats]:
        """The mean row of each picture, and the picture's id."""
        assert self.store is not None  # noqa: S101 - asked only where there is one
        ids = self.store.index["image_id"].drop_nulls().head(_MOST_LOOKED_AT)
        places = self.store.places(ids)
        means = [_means(self.store, places[begin : begin + 1024]) for begin in range(0, len(places), 1024)]
        return ids.to_list(), np.concatenate(means)


@dataclass(frozen=True)
class _One:
    """A picture of its own among those of a store, whose blank picture stays what it was."""

    store: FeatureStore
    rows: Floats

    @property
    def width(self) -> int:
        return self.store.width

    @property
    def most(self) -> int:
        return self.store.most

    @property
    def source(self) -> str:
        return self.store.source

    def places(self, image_ids: pl.Series) -> Places:
        """The picture is the first; none is the last, which is the blank one."""
        places: Places = np.where(image_ids.is_null().to_numpy(), -1, 0).astype(np.int64)
        return places

    def take(self, places: Places) -> Rows:
        blank = self.store.take(np.array([-1]))
        both = np.zeros((2, *blank.rows.shape[1:]), np.float16)
        both[0, : len(self.rows)], both[1] = self.rows, blank.rows[0]
        return Rows(both[places], np.array([len(self.rows), blank.counts[0]])[places])

    def counts(self, places: Places) -> Places:
        return self.take(places).counts

    def boxes(self, places: Places) -> Floats | None:  # noqa: ARG002 - the cells of a grid have no boxes
        return None


def _has_pictures_of(store: FeatureStore, benchmark: Benchmark) -> bool:
    some = benchmark.scan("images").select("image_id").head(1).collect()["image_id"]
    return bool(len(some)) and bool(store.index["image_id"].is_in(some.implode()).any())


def _rows(store: FeatureStore, places: Places) -> list[Floats]:
    found = store.take(places)
    return [rows[:count].astype(np.float32) for rows, count in zip(found.rows, found.counts, strict=True)]


def _means(store: FeatureStore, places: Places) -> Floats:
    return np.stack(
        [rows.mean(axis=0) if len(rows) else np.zeros(store.width, np.float32) for rows in _rows(store, places)]
    )


def _by_choice(predicted: pl.DataFrame, choices: pl.DataFrame) -> dict[str, list[Answer]]:
    """Choices by their scores; the share of the first is what the model gives for it, others have none of their own."""
    listed = {key[0]: part["choice"].to_list() for key, part in choices.group_by(["question_id"], maintain_order=True)}
    found = {}
    for row in predicted.iter_rows(named=True):
        offered, scores = listed[row["question_id"]], row["scores"] or []
        ranked = sorted(zip(scores, offered, strict=False), key=lambda each: -each[0])
        rest = [Answer(text, 0.0) for _, text in ranked if text != row["answer"]]
        found[row["question_id"]] = [Answer(row["answer"] or "", row["confidence"] or 0.0), *rest]
    return found
