"""Many people at once: answers a second, how long a claim and a submission take, and that nothing is counted twice.

    python benchmarks/bench_collection.py              # everything, about five minutes
    python benchmarks/bench_collection.py saturation   # no thinking: how many answers a second
    python benchmarks/bench_collection.py thinking     # a hundred people who think two seconds
    python benchmarks/bench_collection.py small        # eight people, 120 items, one answer each

Each is done on SQLite (a sync with every commit) and PostgreSQL (likewise), on ``Work`` directly with one and with two
processes, and over HTTP against ``eyechart serve`` with one and with two servers on one database. What must hold is
counted afterwards in the database: slots and pairs of item and worker that have two accepted answers, answers of those
who asked. For PostgreSQL, its programs have to be installed.
"""

import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from sqlalchemy import func, select

from eyechart.collection import Item, Nothing, Settings, Work
from eyechart.database import Database, accounts
from eyechart.database import work as t

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
SYNCED = "-c max_connections=200 -c listen_addresses=''"
STUDY = "pilot"


@dataclass(frozen=True)
class Load:
    """Who does what for how long."""

    people: int
    think_s: float
    seconds: float
    items: int
    k: int = 10


LOADS = {
    "small": Load(8, 0.2, 60, 120, k=1),
    "saturation": Load(50, 0, 12, 1500),
    "thinking": Load(100, 2, 30, 1000),
}


@dataclass
class Taken:
    """How long things took, in seconds."""

    claims: list[float] = field(default_factory=list)
    submissions: list[float] = field(default_factory=list)


def main(wanted: list[str]) -> None:
    """Every load on every database, directly and over HTTP."""
    for name in wanted or list(LOADS):
        load = LOADS[name]
        print(f"{name}: {load.people} people, {load.think_s:g} s of thinking, {load.items:,} items x {load.k}")
        for kind in ("sqlite", "postgresql"):
            for door, processes in (("work", 1), ("work", 2), ("http", 1), ("http", 2)):
                with database(kind) as url:
                    study(url, load)
                    wall, taken = (direct if door == "work" else over_http)(url, load, processes)
                    told(f"{kind}, {door}, {processes} process{'es' * (processes > 1)}", wall, taken, url)


@contextmanager
def database(kind: str) -> Iterator[str]:
    """An empty database that syncs every commit."""
    with ExitStack() as stack:
        if kind == "sqlite":
            yield f"sqlite:///{stack.enter_context(tempfile.TemporaryDirectory())}/work.db"
            return
        from postgres import fresh, server

        yield fresh(stack.enter_context(server(SYNCED)), "bench")


def study(url: str, load: Load) -> None:
    """Questions that a tenth of the people asked, and answers wanted of the others."""
    work = Work(Database(url))
    names = [worker_name(work, number) for number in range(load.people)]
    work.create_study(STUDY, "answer", settings=Settings(k=load.k))
    items = [
        Item(
            key=str(number),
            question_id=str(number),
            content={"question": f"Is thing {number} red?"},
            seen_by=(names[number % max(1, load.people // 10)],),
        )
        for number in range(load.items)
    ]
    work.add_items(STUDY, items)
    work.database.close()


def worker_name(work: Work, number: int) -> str:
    """The pseudonym of the n-th account, which is made if it is not there."""
    login = f"person-{number}"
    with work.database.writing() as rows:
        there = select(accounts.ACCOUNTS.c.account_id).where(accounts.ACCOUNTS.c.login == login)
        account = rows.execute(there).scalar_one_or_none()
        if account is None:
            from eyechart.web import accounts as signing

            account = signing.create_account(rows, login, "worker").account_id
    return work.worker("account", str(account))


# ---------------------------------------------------------------------- on Work itself


def direct(url: str, load: Load, processes: int) -> tuple[float, Taken]:
    """Threads of one or more processes."""
    context = get_context("spawn")
    with context.Pool(processes) as pool:
        numbers = [list(range(first, load.people, processes)) for first in range(processes)]
        results = pool.starmap(_threads, [(url, load, mine) for mine in numbers])
    together = Taken()
    for _, taken in results:
        together.claims += taken.claims
        together.submissions += taken.submissions
    return max(wall for wall, _ in results), together


def _threads(url: str, load: Load, numbers: list[int]) -> tuple[float, Taken]:
    work = Work(Database(url))
    names = [worker_name(work, number) for number in numbers]
    taken = Taken()

    def person(name: str, until: float) -> None:
        while time.monotonic() < until:
            found = timed(taken.claims, work.claim, STUDY, name)
            if isinstance(found, Nothing):
                return
            time.sleep(load.think_s)
            timed(taken.submissions, work.submit, found.token, "once", {0: {"answer": "yes", "confidence": "yes"}})

    wall = together([lambda until, name=name: person(name, until) for name in names], load)
    work.database.close()
    return wall, taken


def together(people: list[Callable[[float], None]], load: Load) -> float:
    """Let everybody work at once; how long it took."""
    started = time.monotonic()
    until = started + load.seconds
    threads = [threading.Thread(target=person, args=(until,)) for person in people]
    for number, thread in enumerate(threads):
        thread.start()
        time.sleep(load.think_s / len(threads) if number < len(threads) - 1 else 0)  # people do not come in step
    for thread in threads:
        thread.join()
    return time.monotonic() - started


def timed(into: list[float], run: Callable[..., Any], *given: object, **named: object) -> Any:
    """Do it, and note how long it took."""
    started = time.perf_counter()
    result = run(*given, **named)
    into.append(time.perf_counter() - started)
    return result


# ---------------------------------------------------------------------- over HTTP


def over_http(url: str, load: Load, processes: int) -> tuple[float, Taken]:
    """People with cookies, who post forms to one or more servers on one database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        hosts = [stack.enter_context(server_of(url, folder)) for _ in range(processes)]
        sessions = _sessions(url, load.people)
        taken = Taken()
        people = [
            lambda until, number=number: _browser(hosts[number % processes], sessions[number], load, until, taken)
            for number in range(load.people)
        ]
        return together(people, load), taken


@contextmanager
def server_of(url: str, folder: Path) -> Iterator[str]:
    """A server on a free port of this machine."""
    command = [str(Path(sys.executable).parent / "eyechart"), "serve", "--port", "0", "--data", str(folder)]
    command += ["--database", url]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        address = next(line for line in process.stdout or () if line.startswith("Eyechart is at")).split()[-1]
        yield urlsplit(address).netloc
    finally:
        process.terminate()
        process.wait()


def _sessions(url: str, people: int) -> list[str]:
    from eyechart.web import accounts as signing

    opened = Database(url)
    with opened.writing() as rows:
        found = [signing.find_account(rows, f"person-{number}") for number in range(people)]
        cookies = [signing.start_session(rows, each[0]) for each in found if each is not None]
    opened.close()
    return cookies


def _browser(host: str, session: str, load: Load, until: float, taken: Taken) -> None:
    connection = http.client.HTTPConnection(host, timeout=60)
    headers = {"Cookie": f"eyechart_session={session}", "Content-Type": "application/x-www-form-urlencoded"}

    def ask(method: str, path: str, **fields: str) -> tuple[int, str, str]:
        connection.request(method, path, urlencode(fields) if fields else None, headers)
        answer = connection.getresponse()
        body = answer.read().decode()
        return answer.status, answer.getheader("location") or "", body

    _, _, page = ask("GET", f"/work/{STUDY}")
    csrf = _field(page, "csrf")
    while time.monotonic() < until:
        _, place, _ = timed(taken.claims, ask, "POST", f"/work/{STUDY}/claim", csrf=csrf)
        if "/tasks/" not in place:
            return
        _, _, page = ask("GET", place)
        time.sleep(load.think_s)
        said = {"0.answer": "yes", "0.confidence": "yes", "then": "stop", "csrf": csrf, "key": _field(page, "key")}
        path = place.partition("?")[0]
        status, _, page = timed(taken.submissions, ask, "POST", path, **said)
        if status != http.HTTPStatus.SEE_OTHER:
            raise SystemExit(f"{path}: {status}\n{page}")
    connection.close()


def _field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    return found.group(1) if found is not None else ""


# ---------------------------------------------------------------------- what came of it


def told(what: str, wall: float, taken: Taken, url: str) -> None:
    """A line of numbers, and what must be 0."""
    rate = len(taken.submissions) / wall
    shares = [f"{name} {_parts(times)}" for name, times in (("claim", taken.claims), ("submit", taken.submissions))]
    print(f"  {what:28} {rate:6.0f} answers/s  {'  '.join(shares)}  {json.dumps(wrong(url))}")


def _parts(times: list[float]) -> str:
    ordered = sorted(times)
    parts = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] * 1000 for share in (0.5, 0.95, 0.99)]
    return "p50/p95/p99 " + "/".join(f"{part:.0f}" for part in parts) + " ms"


def wrong(url: str) -> dict[str, int]:
    """What must not be: two accepted answers in a slot, or of a worker to an item; answers of who asked."""
    opened = Database(url)
    response, item, met = t.RESPONSES.c, t.ITEMS.c, t.ENGAGEMENTS.c
    accepted = select(func.count()).where(response.state == "accepted")
    with opened.reading() as rows:
        slots = rows.execute(accepted.group_by(response.slot_id).having(func.count() > 1)).all()
        pairs = rows.execute(accepted.group_by(response.worker_id, response.item_id).having(func.count() > 1)).all()
        asked = select(met.worker_id, met.lineage).where(met.item_id.is_(None))
        askers = set(map(tuple, rows.execute(asked)))
        answered = select(response.worker_id, item.lineage).join(t.ITEMS, item.item_id == response.item_id)
        own = askers & set(map(tuple, rows.execute(answered)))
    opened.close()
    return {"slots twice": len(slots), "items twice": len(pairs), "own questions": len(own)}


if __name__ == "__main__":
    main(sys.argv[1:])
