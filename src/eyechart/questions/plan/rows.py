"""Questions as rows of tables: texts, ids, programs, labels, mentions; in one order, each text once per picture."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from eyechart._lib.keyed import Key
from eyechart.questions.arrays.ragged import Ints, Keys, Ragged, joined, stacked
from eyechart.questions.bind.frames import Frame, Shard
from eyechart.questions.patterns.model import Group
from eyechart.questions.plan.ledger import Ledger
from eyechart.questions.plan.mentions import mentions, texts_of
from eyechart.questions.plan.speaking import PHRASE
from eyechart.questions.plan.steps import Programs, Steps
from eyechart.questions.plan.wording import Wording

__all__ = ["Asked", "Part", "Rows"]

_LABELS = ("group_local", "group_global", "detailed")
_YES_NO = ("yes", "no")
_DIGITS = 1 << 16


@dataclass(frozen=True)
class Asked:
    """The questions of a shard, and what there is to say about them."""

    questions: pl.DataFrame
    mentions: pl.DataFrame
    ledger: Ledger
    coverage: pl.DataFrame
    """What was used how often: what is counted, its name, the count."""


@dataclass(frozen=True)
class Part:
    """The questions of one group."""

    group: Group
    frame: Frame
    asked: Wording
    question: Ragged
    full_answer: Ragged
    answer: Ragged
    programs: Programs
    labels: Sequence[Ragged]
    starts: Ints
    """Where the surface forms of each pattern begin."""

    def __len__(self) -> int:
        return len(self.frame)


class Rows:
    """The questions of all groups as tables."""

    def __init__(self, shard: Shard, steps: Steps, phrase_keys: Keys, parts: Sequence[Part]) -> None:
        self.shard, self.steps, self.phrase_keys, self.parts = shard, steps, phrase_keys, parts
        self.image = self._over(lambda part: part.frame.image)
        self.key = self._over(lambda part: part.frame.key).astype(np.uint64)
        self.group = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        # By picture, group and fact, wherever in the tables the rows of a picture stood.
        self.order = np.lexsort((self.key, self.group, self.image))

    def asked(self, ledger: Ledger) -> Asked:
        """The tables, without questions that are asked twice or whose answer stands in them."""
        cells = {
            name: stacked([getattr(part, name) for part in self.parts]).take(self.order)
            for name in ("question", "full_answer", "answer")
        }
        table = self._table(cells)
        kept = self._kept(table, ledger)
        rows = kept["row"].to_numpy().astype(np.int64)
        programs = self._programs().take(self.order[rows])
        questions = kept.with_columns(program=self.steps.texts(programs), **self._labels(rows)).drop("row", "group")
        ledger.asked(kept["group"])
        return Asked(questions, self._mentions(cells, kept), ledger, self._coverage(rows, kept, programs))

    # ------------------------------------------------------------------ texts

    def _table(self, cells: dict[str, Ragged]) -> pl.DataFrame:
        """Texts and what the groups say of all their questions."""
        phrases = self.shard.forms.phrases
        texts, count = phrases.texts(), len(phrases)
        answers = Ragged((cells["answer"].values & PHRASE) + 2 * count, cells["answer"].offsets)
        group = self.group[self.order]
        names = {
            "group": [part.group.name for part in self.parts],
            "structural": [part.group.structural for part in self.parts],
            "semantic": [part.group.semantic for part in self.parts],
            "sort": [_sort(part.group) for part in self.parts],
        }
        said = {name: pl.Series(values, dtype=pl.String).gather(group) for name, values in names.items()}
        return pl.DataFrame(
            {
                "row": np.arange(len(group), dtype=np.uint32),
                "question_id": self._ids(cells["question"]),
                "image_id": self.shard.world.image_ids.gather(self.image[self.order]),
                "question": joined(texts, texts_of(cells["question"], count)),
                "answer": joined(texts, answers),
                "full_answer": joined(texts, texts_of(cells["full_answer"], count)),
                **said,
                "pattern": self._patterns(),
            }
        ).rename({"sort": "answer_type"})

    def _ids(self, question: Ragged) -> pl.Series:
        """Ids from what is asked about which picture: the same wherever and whenever it is asked."""
        place = np.arange(len(question.values)) - question.offsets[question.rows]
        letters = Key(0, "phrase").array(self.phrase_keys[question.values & PHRASE], place.astype(np.uint64))
        sums = np.add.reduceat(letters, question.offsets[:-1]) if len(letters) else letters
        keys = Key(0, "question").array(self.shard.world.image_keys[self.image[self.order]], sums)
        words = _hexadecimal()
        quarters = [words.gather((keys >> np.uint64(shift)) & np.uint64(_DIGITS - 1)) for shift in (48, 32, 16, 0)]
        return pl.DataFrame(quarters, schema=list("abcd")).select(pl.concat_str(pl.all())).to_series()

    def _patterns(self) -> pl.Series:
        names = [pattern.name for part in self.parts for pattern in part.group.asked.patterns]
        bases = np.cumsum([0, *(len(part.group.asked.patterns) for part in self.parts)])[:-1]
        pattern = np.concatenate(
            [
                np.zeros(0, dtype=np.int64),
                *(part.asked.pattern + base for part, base in zip(self.parts, bases, strict=True)),
            ]
        )
        return pl.Series(names, dtype=pl.String).gather(pattern[self.order])

    # ------------------------------------------------------------------ what is left out

    def _kept(self, table: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
        """The questions that are asked."""
        padded = pl.format(" {} ", pl.col("question").str.to_lowercase().str.strip_chars_end("?.!"))
        told = (pl.col("structural") == "query") & padded.str.contains(
            pl.format(" {} ", pl.col("answer").str.to_lowercase()), literal=True
        )
        marked = table.with_columns(
            told=told,
            again=~pl.struct("image_id", "question").is_first_distinct(),
            disputed=pl.col("answer").n_unique().over("image_id", "question") > 1,
        )
        reasons = {
            "told": "the answer stands in the question",
            "disputed": "asked twice with different answers",
            "again": "asked already",
        }
        for column, reason in reasons.items():
            for group, number in marked.filter(column).group_by("group", maintain_order=True).len().iter_rows():
                ledger.refused(group, reason, number)
            marked = marked.filter(~pl.col(column))
        return marked.drop(*reasons)

    # ------------------------------------------------------------------ programs, labels, mentions

    def _programs(self) -> Programs:
        steps = stacked([part.programs.steps for part in self.parts])
        nothing = np.zeros(0, dtype=np.int64)
        first = np.concatenate([nothing, *(part.programs.first for part in self.parts)])
        second = np.concatenate([nothing, *(part.programs.second for part in self.parts)])
        return Programs(steps, first, second)

    def _labels(self, rows: Ints) -> dict[str, pl.Expr]:
        words = self.steps.words.with_things(self.shard.world.thing_ids)
        found: dict[str, pl.Expr] = {}
        for number, name in enumerate(_LABELS):
            label = stacked([part.labels[number] for part in self.parts]).take(self.order[rows])
            text = pl.lit(joined(words, label))
            found[name] = pl.when(text != "").then(text)
        return found

    def _mentions(self, cells: dict[str, Ragged], kept: pl.DataFrame) -> pl.DataFrame:
        rows = kept["row"].to_numpy().astype(np.int64)
        breaks, things = self.shard.forms.phrases.breaks(), self.shard.world.thing_ids
        found = []
        for where, column in cells.items():
            row, thing, words = mentions(column.take(rows), breaks)
            ids = {"question_id": kept["question_id"].gather(row), "object_id": things.gather(thing)}
            found.append(pl.DataFrame(ids).with_columns(where=pl.lit(where), words=words))
        return pl.concat(found)

    # ------------------------------------------------------------------ coverage

    def _over(self, column: Callable[[Part], np.ndarray]) -> np.ndarray:
        empty = np.zeros(0, dtype=np.int64)
        parts = [column(part) for part in self.parts]
        return np.concatenate(parts) if parts else empty

    def _coverage(self, rows: Ints, kept: pl.DataFrame, programs: Programs) -> pl.DataFrame:
        """How often questions used each group, pattern and wording, answer, object, attribute and relation."""
        codes, words, counts = self.shard.codes, self.steps.words, self.steps.counted(programs)
        names = {"object": codes.kinds, "attribute": codes.values, "relation": codes.relations}
        blocks = {"object": "kind", "attribute": "value", "relation": "relation"}
        used = [
            _listed(what, words.block(counts, blocks[what], names[what].names))
            for what in ("object", "attribute", "relation")
        ]
        surfaces = self._over(lambda part: part.asked.surface - part.starts[part.asked.pattern])[self.order[rows]]
        wording = pl.select(pl.format("{}:{}", kept["pattern"], pl.Series(surfaces + 1))).to_series()
        columns = {"group": kept["group"], "pattern": kept["pattern"], "wording": wording, "answer": kept["answer"]}
        return pl.concat([*used, *(_counted(what, column) for what, column in columns.items())])


def _listed(what: str, counts: dict[str, int]) -> pl.DataFrame:
    names = {"name": list(counts), "count": list(counts.values())}
    schema = {"name": pl.String, "count": pl.Int64}
    return pl.DataFrame(names, schema=schema).select(pl.lit(what).alias("what"), "name", "count")


def _counted(what: str, names: pl.Series) -> pl.DataFrame:
    counts = names.rename("name").drop_nulls().value_counts(name="count", sort=False)
    return counts.select(what=pl.lit(what), name="name", count=pl.col("count").cast(pl.Int64)).sort("name")


def _sort(group: Group) -> str:
    """The kind of answer as VQA sorts it."""
    if group.entry.answer in _YES_NO:
        return "yes/no"
    return "number" if group.scope.variables.get(group.entry.answer) == "number" else "other"


def _hexadecimal() -> pl.Series:
    return pl.Series([f"{number:04x}" for number in range(_DIGITS)], dtype=pl.String)
