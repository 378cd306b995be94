"""Claim: the browser shows any view of 1.1 million questions with 11 million answers within a second.

First every kind of view over HTTP; then words alone, beside a database that has no index for parts of words either.
"""

import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl
from side_by_side import DATA, compare

from eyechart.pipeline.browsing import Shelf, Wanted
from eyechart.store import Benchmark

QUESTIONS, ANSWERS = 1_100_000, 10
FOLDER, OTHER = DATA / "browse", DATA / "browse.db"
_HEADS = ("What color is the", "How many", "Is there a", "What is the man doing near the", "Where is the")
_NOUNS = ("dog", "cat", "man", "horse", "car", "truck", "sign", "clock", "table", "cup", "zebra", "kite", "umbrella")
_ANSWERS = ("yes", "no", "red", "blue", "1", "2", "white", "left", "wood", "grass", "pizza", "nothing")


def million() -> None:
    """Make both sides' files once."""
    if (FOLDER / "benchmark.json").is_file() and OTHER.is_file():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    OTHER.unlink(missing_ok=True)
    DATA.mkdir(parents=True, exist_ok=True)
    database = sqlite3.connect(OTHER)
    database.execute("CREATE TABLE questions (question_id TEXT PRIMARY KEY, question TEXT)")
    draw = np.random.default_rng(0)
    with Benchmark.create(FOLDER, name="browse") as draft:
        for begin in range(0, QUESTIONS, 100_000):
            asked = _questions(np.arange(begin, begin + 100_000), draw)
            draft.write("questions", asked)
            draft.write("answers", _answers(asked["question_id"], draw))
            database.executemany("INSERT INTO questions VALUES (?, ?)", asked["question_id", "question"].iter_rows())
    database.commit()
    database.close()


def _questions(ids: np.ndarray, draw: np.random.Generator) -> pl.DataFrame:
    head, one, other = (np.array(words)[draw.integers(0, len(words), len(ids))] for words in (_HEADS, _NOUNS, _NOUNS))
    rows = pl.DataFrame({"id": ids, "head": head, "one": one, "other": other})
    return rows.select(
        question_id=pl.col("id").cast(pl.String),
        image_id=(pl.col("id") // 5).cast(pl.String),
        split=pl.when(pl.col("id") // 5 % 3 == 0).then(pl.lit("val")).otherwise(pl.lit("train")),
        question=pl.format("{} {} next to the {}?", "head", "one", "other"),
        question_type="head",
        answer=pl.Series(np.array(_ANSWERS)[draw.integers(0, len(_ANSWERS), len(ids))]),
    )


def _answers(ids: pl.Series, draw: np.random.Generator) -> pl.DataFrame:
    said = np.minimum(draw.zipf(1.5, len(ids) * ANSWERS) - 1, len(_ANSWERS) - 1)
    return pl.DataFrame(
        {
            "question_id": np.repeat(ids.to_numpy(), ANSWERS),
            "worker_id": np.tile(np.arange(ANSWERS).astype(str), len(ids)),
            "answer": np.array(_ANSWERS)[said],
            "confidence": "yes",
            "shown": "image",
        }
    )


def views() -> None:
    """Every kind of view, as a browser gets it."""
    from fastapi.testclient import TestClient

    from eyechart.web import Settings, application
    from eyechart.web.ui import accounts
    from eyechart.web.ui.people import SESSION_COOKIE

    with tempfile.TemporaryDirectory() as folder:
        app = application(Settings(Path(folder), benchmarks=(FOLDER,)))
        database = app.state.site.database
        with database.writing() as rows:
            account = accounts.create_account(rows, "requester", "requester", "four plain words here")
            session = accounts.start_session(rows, account)
        with TestClient(app, cookies={SESSION_COOKIE: session}, headers={"accept": "text/html"}) as browser:
            _until_warm(browser)
            for view in VIEWS:
                _timed(view, lambda view=view: browser.get(f"/browse/browse{view}").raise_for_status())


VIEWS = (
    "",
    "?after=500000",
    "?text=zebra",
    "?text=umbrella&split=val",
    "?text=pizza&within=answer",
    "?text=(dog|cat).*ze.ra&match=regex",
    "?high.agreement=0.3",
    "?order=-agreement",
    "?order=shuffled&seed=7",
    "?as=pictures&text=kite",
    "/question/777777",
)


def _until_warm(browser: object) -> None:
    """What a server works out beside its pages after it started is worked out."""
    begun = time.perf_counter()
    browser.get("/browse/browse?order=agreement")  # type: ignore[attr-defined]  # a client of tests
    print(f"  {time.perf_counter() - begun:6.2f} s  counted once after the start: how far people agree")


def _timed(view: str, get: Callable[[], object]) -> None:
    begun = time.perf_counter()
    get()
    print(f"  {1000 * (time.perf_counter() - begun):6.0f} ms  /browse/browse{view}")


_SOUGHT = ("zebra", "umbrella", "kite", "the dog next", "man doing")


def ours() -> None:
    """Eyechart: five texts, how often they occur and the first 20 questions."""
    shelf = Shelf(Benchmark.open(FOLDER))
    for words in _SOUGHT:
        shelf.page(Wanted(text=words))


def theirs() -> None:
    """SQLite: the same texts by LIKE."""
    database = sqlite3.connect(OTHER)
    for words in _SOUGHT:
        count = "SELECT count(*) FROM questions WHERE question LIKE ?"
        database.execute(count, (f"%{words}%",)).fetchone()
        database.execute("SELECT * FROM questions WHERE question LIKE ? LIMIT 20", (f"%{words}%",)).fetchall()


if __name__ == "__main__":
    million()
    if len(sys.argv) == 1:
        views()
    compare("Find five texts in 1.1 million questions", ours, theirs)
