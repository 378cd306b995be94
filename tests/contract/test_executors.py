"""One contract for all executors: the same job gives the same bytes, whoever does it, whoever is killed meanwhile."""

import dataclasses
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from eyechart._lib.hashing import sha256_of_file
from eyechart.errors import ExecutionError, FormatError, UnfinishedBenchmarkError, UsageError
from eyechart.pipeline import Output, Where, run
from eyechart.pipeline.stages.import_files import ImportFiles
from eyechart.store import Benchmark

# Read by Ray when it is imported: stay on the loopback interface, write no token, tell nobody.
os.environ |= {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}

STAGES = Path(__file__).parents[1] / "stages"
SHARDS, ROWS = 8, 1000


@pytest.fixture(autouse=True)
def _stages_importable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers find the test's stage, spawned ones by sys.path and Ray's by the environment."""
    monkeypatch.syspath_prepend(STAGES)
    monkeypatch.setenv("PYTHONPATH", str(STAGES))


@pytest.fixture(scope="session")
def cluster() -> Iterator[str]:
    """A Ray cluster of two nodes on the loopback interface; gives its address."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'eyechart[cluster]'")
    from ray.cluster_utils import Cluster

    before = dict(os.environ)
    os.environ |= {"PYTHONPATH": str(STAGES)}
    node = {"num_cpus": 1, "node_ip_address": "127.0.0.1", "include_dashboard": False, "object_store_memory": 10**8}
    try:
        started = Cluster(initialize_head=True, head_node_args=node)
    except SystemExit as stopped:
        # Ray ends the process if its server does not come up; one failed test says so, and the others go on.
        pytest.fail(f"Ray did not start: {stopped}")
    started.add_node(**{k: v for k, v in node.items() if k != "include_dashboard"})
    yield started.address
    started.shutdown()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(
    params=[
        "local",
        "pool",
        "ray on two nodes",
        pytest.param("ray on this machine", marks=pytest.mark.slow),  # starts a cluster for each run
    ]
)
def where(request: pytest.FixtureRequest) -> Where:
    """Each way to run a stage."""
    if request.param == "ray on two nodes":
        return Where("ray", address=request.getfixturevalue("cluster"))
    if request.param == "ray on this machine":
        pytest.importorskip("ray", reason="Ray is not installed: pip install 'eyechart[cluster]'")
    return Where(request.param.split()[0], workers=2)


def counting(folder: Path, *, deadly: int | None = None) -> Any:
    """The job, with an empty log."""
    from counting_stage import Counting

    log = folder / "log"
    log.mkdir(parents=True)
    return Counting(SHARDS, ROWS, str(log), deadly)


def content(folder: Path) -> dict[str, str]:
    """The hash of every table file."""
    tables = folder / "tables"
    return {str(path.relative_to(tables)): sha256_of_file(path) for path in sorted(tables.rglob("*.parquet"))}


def tries(folder: Path) -> list[int]:
    """How often each shard was tried."""
    return [len((folder / "log" / f"{number}.tries").read_text()) for number in range(SHARDS)]


@pytest.fixture
def expected(tmp_path: Path) -> dict[str, str]:
    """What the plain loop makes."""
    folder = tmp_path / "expected"
    run(counting(folder), Output(folder / "made"))
    return content(folder / "made")


def test_same_bytes_everywhere(where: Where, expected: dict[str, str], tmp_path: Path) -> None:
    """Every executor gives the same files, and does every shard once."""
    run(counting(tmp_path), Output(tmp_path / "made"), where=where)
    assert content(tmp_path / "made") == expected
    assert tries(tmp_path) == [1] * SHARDS


def test_killed_worker(where: Where, expected: dict[str, str], tmp_path: Path) -> None:
    """A worker killed half-way through a shard changes nothing; its shard is done again."""
    if where.executor == "local":
        pytest.skip("the local executor has no worker but the run itself: see test_killed_run")
    run(counting(tmp_path, deadly=3), Output(tmp_path / "made"), where=where)
    assert content(tmp_path / "made") == expected
    assert tries(tmp_path)[3] == 2


def test_killed_run(where: Where, expected: dict[str, str], tmp_path: Path) -> None:
    """A run killed half-way goes on at the missing shards, on any executor."""
    stage = counting(tmp_path, deadly=3)
    program = (
        "from pathlib import Path; from counting_stage import Counting; from eyechart.pipeline import Output, run;"
        f"run(Counting({SHARDS}, {ROWS}, {stage.log!r}, 3), Output(Path({str(tmp_path / 'made')!r})))"
    )
    killed = subprocess.run([sys.executable, "-c", program], check=False)
    assert killed.returncode == -9
    assert not (tmp_path / "made").exists()
    run(stage, Output(tmp_path / "made"), where=where)
    assert content(tmp_path / "made") == expected
    assert tries(tmp_path) == [1, 1, 1, 2, 1, 1, 1, 1]


def test_import_in_slices(where: Where, tmp_path: Path) -> None:
    """A real stage: files imported in slices give the same tables on every executor."""
    results = tmp_path / "results.json"
    results.write_text("[" + ",".join(f'{{"question_id": {i}, "answer": "a{i % 7}"}}' for i in range(5000)) + "]")
    stage = ImportFiles("vqa", {"results": [str(results)]}, shard_bytes=30_000)
    assert len(stage.plan()) > 3
    run(stage, Output(tmp_path / "plain"))
    run(stage, Output(tmp_path / "made"), where=where)
    assert content(tmp_path / "made") == content(tmp_path / "plain")


def test_mistakes_are_told_alike(where: Where, tmp_path: Path) -> None:
    """What is wrong in a shard is the same sentence wherever the shard was done."""
    results = tmp_path / "results.json"
    results.write_text(
        "[" + ",".join(f'{{"question_id": {i}, "answer": "yes"}}' for i in range(99)) + ',{"answer": 5}]'
    )
    with pytest.raises(FormatError) as told:
        run(ImportFiles("vqa", {"results": [str(results)]}), Output(tmp_path / "made"), where=where)
    assert str(told.value).startswith(f"{results}: record 100")
    assert len(str(told.value).splitlines()) == 1


def test_wrong_places_are_told(tmp_path: Path) -> None:
    """A number of workers or an address that cannot be is refused at once."""
    with pytest.raises(UsageError, match="--workers: found 0, expected 1 or more"):
        Where("pool", workers=0)
    with pytest.raises(UsageError, match="--address: found it with --executor pool"):
        Where("pool", address="127.0.0.1:6379")
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'eyechart[cluster]'")
    for address in ("127.0.0.1:1", "nonsense"):
        with pytest.raises(ExecutionError, match=f"--address {address}: found no Ray cluster"):
            run(counting(tmp_path / address), Output(tmp_path / "made"), where=Where("ray", address=address))


def test_gives_up(where: Where, tmp_path: Path) -> None:
    """Workers that die again and again end in one sentence that names the missing shards; the others are kept."""
    if where.executor == "local":
        pytest.skip("the local executor has no worker but the run itself: see test_killed_run")
    stage = dataclasses.replace(counting(tmp_path, deadly=3), always=True)
    with pytest.raises(ExecutionError, match=r"shards 3 are missing; .* run the same command again"):
        run(stage, Output(tmp_path / "made"), where=where)
    with pytest.raises(UnfinishedBenchmarkError, match="it goes on where it was"):
        Benchmark.open(tmp_path / "made")


def test_done_is_done(tmp_path: Path) -> None:
    """Running a finished job again does nothing and needs no leave to replace."""
    stage = counting(tmp_path)
    first = run(stage, Output(tmp_path / "made"))
    assert run(stage, Output(tmp_path / "made")).fingerprint == first.fingerprint
    assert tries(tmp_path) == [1] * SHARDS
    assert Benchmark.open(tmp_path / "made").rows("questions") == SHARDS * ROWS
