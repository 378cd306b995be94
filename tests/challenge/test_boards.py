"""Boards: missing values are never ranked, ties are settled alike every time, and history leaves no trace."""

import json
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_challenge import SmallChallenge, results
from sqlalchemy import insert, update

from eyechart.challenge import Worker, boards, finding, hosting, submitting
from eyechart.challenge.boards import Column, Entry
from eyechart.challenge.viewing import Score
from eyechart.database import Database
from eyechart.database import challenges as t
from eyechart.errors import UnknownNameError

RANKING = Column("standard", "vqa", "overall", "overall")
MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


def entry(number: int, team: str, value: float | None, kind: str = "entry", metric: str = "vqa") -> Entry:
    score = Score("standard", metric, "overall", "overall", value, None, None, 10, "percent", None)
    cells = {} if value is None and number % 2 else {f"standard.{metric}": score}
    return Entry(number, None, kind, team, f"method {number}", "", "", MOMENT + timedelta(minutes=number), cells)


def literal(entries: list[Entry], keeps: str) -> list[tuple[int, int | None]]:
    """The board as one would write it by hand: (submission, rank)."""
    shown = []
    for each in entries:
        others = [o for o in entries if o.team == each.team and o.kind == "entry"]
        if each.kind != "entry" or keeps == "all":
            shown.append(each)
        elif keeps == "last":
            shown += [each] if each is others[-1] else []
        else:
            known = [o for o in others if o.value(RANKING) is not None]
            best = max(known, key=lambda o: o.value(RANKING) or 0.0) if known else others[0]
            shown += [each] if each is best else []
    ranks = []
    for each in shown:
        value = each.value(RANKING)
        better = [o for o in shown if o.kind == "entry" and (o.value(RANKING) or -1) > (value or 0)]
        ranks.append(None if value is None or each.kind != "entry" else 1 + len(better))
    order = sorted(
        range(len(shown)), key=lambda i: (shown[i].value(RANKING) is None, -(shown[i].value(RANKING) or 0.0), i)
    )
    return [(shown[i].submission_id, ranks[i]) for i in order]


ENTRIES = st.lists(
    st.tuples(
        st.sampled_from("abcde"),
        st.one_of(st.none(), st.sampled_from([0.0, 12.5, 50.0, 50.0, 99.99, 100.0])),
        st.sampled_from(["entry", "entry", "entry", "baseline", "human"]),
    ),
    max_size=12,
)


@given(ENTRIES, st.sampled_from(["best", "last", "all"]))
@settings(max_examples=500)
def test_ranks_are_those_of_the_literal_board(drawn: list[tuple[str, float | None, str]], keeps: str) -> None:
    """Any values, any kinds, any rule: the same rows with the same ranks in the same order."""
    entries = [entry(number, team, value, kind) for number, (team, value, kind) in enumerate(drawn, 1)]
    ranked = boards._ranked(boards._kept(entries, RANKING, keeps), RANKING)  # noqa: SLF001 - the pure middle
    shown = boards._sorted(ranked, [RANKING], RANKING, sort="", ascending=False)  # noqa: SLF001 - as above
    assert [(each.submission_id, each.rank) for each in shown] == literal(entries, keeps)


@given(drawn=ENTRIES, ascending=st.booleans())
def test_missing_values_stand_last_either_way(drawn: list[tuple[str, float | None, str]], *, ascending: bool) -> None:
    """Sorted up or down, what has no number comes behind what has one, and equal numbers keep their order."""
    entries = [entry(number, team, value, kind) for number, (team, value, kind) in enumerate(drawn, 1)]
    shown = boards._sorted(entries, [RANKING], RANKING, sort="standard.vqa", ascending=ascending)  # noqa: SLF001 - as above
    values = [each.value(RANKING) for each in shown]
    known = [value for value in values if value is not None]
    assert values == known + [None] * (len(values) - len(known))
    assert known == sorted(known, reverse=not ascending)
    for one, other in pairwise(shown):
        assert one.value(RANKING) != other.value(RANKING) or one.submission_id < other.submission_id


def test_where_less_is_better_less_ranks_higher() -> None:
    """A metric says which way it counts."""
    column = Column("standard", "calibration-error", "overall", "overall")
    entries = [entry(2, "a", 30.0, metric=column.metric), entry(4, "b", 10.0, metric=column.metric)]
    ranked = boards._ranked(entries, column)  # noqa: SLF001 - as above
    assert [(each.team, each.rank) for each in ranked] == [("a", 2), ("b", 1)]


@dataclass
class _History:
    """Events on a challenge, remembered so that they can be told again from the start."""

    cats: SmallChallenge
    numbers: list[int] = field(default_factory=list)

    def board(self) -> Any:
        with self.cats.database.reading() as rows:
            track = finding.find_track(rows, self.cats.id, "open")
            phase = finding.find_phase(rows, track["track_id"], "test")
            return boards.board(rows, phase, track)


def test_a_board_after_any_history_is_the_board_of_what_is_there(cats: SmallChallenge, tmp_path: Path) -> None:
    """Hand in, fail, cancel, hide, bar, score again in any order; computing anew from the rows changes nothing."""
    draw, worker, history = random.Random(7), Worker(cats.database, cats.files), _History(cats)
    (tmp_path / "broken.json").write_text("{")
    files = [results(tmp_path / f"{wrong}.json", wrong=wrong) for wrong in (0, 5, 5, 20, 60)]
    with cats.database.writing() as rows:
        rows.execute(update(t.PHASES).values(per_day=None, total=None, failed_per_day=1000))
    for _ in range(25):
        event = draw.choice(["file", "file", "file", "broken", "cancel", "hide", "show", "bar", "admit", "rerun"])
        number = draw.choice(history.numbers) if history.numbers else 0
        if event in {"file", "broken"}:
            file = tmp_path / "broken.json" if event == "broken" else draw.choice(files)
            history.numbers.append(cats.hand_in(file, method=f"m{draw.randrange(3)}"))
        elif number:
            with cats.database.writing() as rows:
                found = submitting.submission(rows, number)
                assert found is not None
                if event == "cancel" and draw.random() < 0.5:
                    submitting.withdraw(rows, number, by_host=True)
                elif event in {"hide", "show"}:
                    submitting.show(rows, number, public=event == "show")
                elif event in {"bar", "admit"}:
                    hosting.bar(rows, cats.team, None, barred=event == "bar")
                elif event == "rerun" and found["state"] != "cancelled":
                    hosting.rerun(rows, number, None)
        worker.run(idle=False)
    with cats.database.writing() as rows:
        hosting.bar(rows, cats.team, None, barred=False)
        before = {row["submission_id"]: row["state"] for row in hosting.submissions_of(rows, cats.id)}
    incremental = history.board()
    with cats.database.writing() as rows:
        hosting.rerun_all(rows, cats.id, None)
    worker.run(idle=False)
    assert history.board() == incremental
    with cats.database.reading() as rows:
        assert {row["submission_id"]: row["state"] for row in hosting.submissions_of(rows, cats.id)} == before
    on_board = {each.submission_id for each in incremental.entries if each.kind == "entry"}
    assert all(before[number] == "scored" for number in on_board)


def test_what_is_not_scored_is_not_there(cats: SmallChallenge, worker: Worker, tmp_path: Path) -> None:
    """A withdrawn best gives its place to the team's next best; failed and private ones are nowhere."""
    (tmp_path / "broken.json").write_text("{")
    best = cats.hand_in(results(tmp_path / "a.json"), method="best")
    cats.hand_in(results(tmp_path / "b.json", wrong=10), method="next")
    cats.hand_in(results(tmp_path / "c.json", wrong=1), method="private", public=False)
    cats.hand_in(tmp_path / "broken.json", method="broken")
    worker.run(idle=False)
    history = _History(cats)
    assert [each.method for each in history.board().entries] == ["best", "People"]
    with cats.database.writing() as rows:
        submitting.withdraw(rows, best, by_host=False)
    assert [(each.method, each.rank) for each in history.board().entries if each.kind == "entry"] == [("next", 1)]


def test_unknown_columns_and_groupings_are_named(cats: SmallChallenge) -> None:
    """In a sentence, not by an empty board."""
    with cats.database.reading() as rows:
        track = finding.find_track(rows, cats.id, "open")
        phase = finding.find_phase(rows, track["track_id"], "test")
        with pytest.raises(UnknownNameError, match="no column 'test-reserve.vqa'"):
            boards.board(rows, phase, track, sort="test-reserve.vqa")
        with pytest.raises(UnknownNameError, match="not told apart by 'image_id'"):
            boards.board(rows, phase, track, by="image_id")


def test_a_board_of_many_entries_is_one_query_of_scores(cats: SmallChallenge, tmp_path: Path) -> None:
    """Two thousand entries: the number of statements does not grow with them."""
    cats.hand_in(results(tmp_path / "r.json"))
    Worker(cats.database, cats.files).run(idle=False)
    database: Database = cats.database
    with database.writing() as rows:
        model = dict(rows.execute(t.SUBMISSIONS.select().where(t.SUBMISSIONS.c.kind == "entry")).mappings().one())
        scores = [
            dict(row)
            for row in rows.execute(t.SCORES.select()).mappings()
            if row["submission_id"] == model["submission_id"]
        ]
        made = [model | {"submission_id": 1000 + n, "once": None, "kind": "baseline"} for n in range(2000)]
        rows.execute(insert(t.SUBMISSIONS), [each | {"problems": json.loads("[]")} for each in made])
        rows.execute(insert(t.SCORES), [each | {"submission_id": 1000 + n} for n in range(2000) for each in scores])
    assert len(_History(cats).board().entries) == 2002
