"""Files from the web: whole and verified or not at all, whatever the server, the line and the machine do."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest
from web_origin import Fault, Origin, serving

from eyechart._lib.download import Patience, Remote, fetch
from eyechart._lib.files import locked
from eyechart._lib.ranges import check_address, size_on_server
from eyechart._lib.transfer import lock_note, partial_file, version_note
from eyechart.errors import DownloadError, UsageError

CONTENT = random.Random(7).randbytes(400_000)  # any bytes will do
OTHER = random.Random(8).randbytes(300_000)
SHA256 = sha256(CONTENT).hexdigest()
HASTY = Patience(timeout=0.4, attempts=3, first_pause=0.01, longest_pause=0.02)


@pytest.fixture
def origin() -> Iterator[Origin]:
    """A server with one file."""
    with serving() as served:
        served.files["/a.zip"] = CONTENT
        yield served


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where the file goes."""
    return tmp_path / "cache" / "a.zip"


def left(target: Path) -> list[str]:
    return sorted(path.name for path in target.parent.iterdir() if path.name != ".a.zip.busy")


def test_a_file_arrives_whole_with_its_lock_note_and_nothing_else(origin: Origin, target: Path) -> None:
    """A plain download leaves the file and the note of its size and checksum."""
    got = fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert left(target) == ["a.zip", "a.zip.lock.json"]
    noted = json.loads(lock_note(target).read_bytes())
    assert noted == {"url": f"{origin.url}/a.zip", "bytes": len(CONTENT), "sha256": SHA256, "published": False}
    assert got.sha256 == SHA256


def test_a_file_that_is_there_is_not_asked_for_again(origin: Origin, target: Path) -> None:
    """The second call sends no request."""
    remote = Remote(f"{origin.url}/a.zip", len(CONTENT), SHA256)
    fetch(remote, target, patience=HASTY)
    origin.log.clear()
    assert fetch(remote, target, patience=HASTY).published
    assert origin.log == []


def test_a_dropped_connection_goes_on_where_it_was(origin: Origin, target: Path) -> None:
    """Each drop costs one more request, for the missing bytes alone."""
    origin.faults += [Fault(cut=100_000), Fault(cut=150_000)]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert origin.ranges_asked() == [None, "bytes=100000-", "bytes=250000-"]
    assert sum(seen.sent for seen in origin.gets()) == len(CONTENT)


def test_a_line_that_drops_often_but_moves_is_not_given_up(origin: Origin, target: Path) -> None:
    """Only attempts that bring nothing count."""
    origin.faults += [Fault(cut=50_000)] * 7
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert len(origin.gets()) == 8


def test_a_stalled_connection_counts_as_dropped(origin: Origin, target: Path) -> None:
    """No byte within the timeout, and the rest is asked for again."""
    origin.faults += [Fault(stall=120_000)]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert origin.ranges_asked() == [None, "bytes=120000-"]


def test_a_server_without_ranges_starts_over(origin: Origin, target: Path) -> None:
    """A server that ignores the range sends all, and all of it replaces what was there."""
    origin.ranges = False
    origin.faults += [Fault(cut=100_000)]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT


def test_a_server_without_ranges_that_always_drops_is_given_up(origin: Origin, target: Path) -> None:
    """The same bytes again are no progress."""
    origin.ranges = False
    origin.always = Fault(cut=100_000)
    with pytest.raises(DownloadError, match=r"3 attempts in a row .* ended after 100,000 of 400,000 bytes"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert len(origin.gets()) == 4


@pytest.mark.parametrize("if_range", [True, False])
def test_a_file_that_changes_between_attempts_is_begun_again(origin: Origin, target: Path, *, if_range: bool) -> None:
    """Two versions are never glued together, even by a server that does not know If-Range."""
    origin.if_range = if_range
    change = Fault(first=lambda: origin.files.update({"/a.zip": OTHER}))
    origin.faults += [Fault(cut=100_000), change]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == OTHER


def test_a_file_that_becomes_shorter_than_what_is_here_is_begun_again(origin: Origin, target: Path) -> None:
    """The server's 416 means that the bytes at hand are of another file."""
    origin.if_range = False
    origin.faults += [Fault(cut=350_000), Fault(first=lambda: origin.files.update({"/a.zip": OTHER}))]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == OTHER


def test_a_server_that_tells_no_version_is_not_resumed_unless_a_checksum_can_tell(origin: Origin, target: Path) -> None:
    """Without tag, date and checksum, bytes cannot be known to belong together."""
    origin.etags = False
    origin.faults += [Fault(cut=100_000)]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert origin.ranges_asked() == [None, None]
    target.unlink()
    origin.log.clear()
    origin.faults += [Fault(cut=100_000)]
    fetch(Remote(f"{origin.url}/a.zip", sha256=SHA256), target, patience=HASTY)
    assert origin.ranges_asked() == [None, "bytes=100000-"]


def test_a_range_beyond_the_end_means_that_all_is_here(origin: Origin, target: Path) -> None:
    """A download that was killed before it got its name is finished without another byte."""
    origin.sizes = False
    target.parent.mkdir()
    partial_file(target).write_bytes(CONTENT)
    etag = f'"{SHA256[:16]}"'
    version_note(target).write_text(json.dumps({"url": f"{origin.url}/a.zip", "etag": etag}))
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert sum(seen.sent for seen in origin.gets()) == 0


def test_a_whole_partial_file_needs_no_request(origin: Origin, target: Path) -> None:
    """Where the size is known, not even that."""
    target.parent.mkdir()
    partial_file(target).write_bytes(CONTENT)
    note = {"url": f"{origin.url}/a.zip", "etag": '"x"', "total": len(CONTENT)}
    version_note(target).write_text(json.dumps(note))
    fetch(Remote(f"{origin.url}/a.zip", sha256=SHA256), target, patience=HASTY)
    assert origin.log == []


@pytest.mark.parametrize("note", [None, "{", '{"url": "http://127.0.0.1/other.zip"}'])
def test_a_partial_file_of_unknown_origin_is_not_continued(origin: Origin, target: Path, note: str | None) -> None:
    """Without a note that fits, the bytes at hand are worth nothing."""
    target.parent.mkdir()
    partial_file(target).write_bytes(OTHER[:1000])
    if note is not None:
        version_note(target).write_text(note)
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT


def test_one_wrong_byte_costs_one_more_download(origin: Origin, target: Path) -> None:
    """A checksum that does not fit deletes the file and fetches it once more, from zero."""
    origin.faults += [Fault(flip=1234)]
    fetch(Remote(f"{origin.url}/a.zip", sha256=SHA256), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert origin.ranges_asked() == [None, None]


def test_a_byte_that_is_always_wrong_is_an_error_with_both_checksums(origin: Origin, target: Path) -> None:
    """Twice the same, and nothing is left of it."""
    origin.always = Fault(flip=1234)
    with pytest.raises(DownloadError, match=rf"found 400,000 bytes with SHA-256 \w{{64}} twice .* expected .*{SHA256}"):
        fetch(Remote(f"{origin.url}/a.zip", sha256=SHA256), target, patience=HASTY)
    assert left(target) == []
    assert len(origin.gets()) == 2


def test_the_first_download_is_what_later_ones_must_equal(origin: Origin, target: Path) -> None:
    """Where no checksum is published, the note beside the file is the judge, even after the file has gone."""
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    target.unlink()
    origin.files["/a.zip"] = CONTENT[:-1] + b"x"
    with pytest.raises(DownloadError, match=f"{SHA256}.*delete .*a.zip.lock.json"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    lock_note(target).unlink()
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT[:-1] + b"x"


def test_a_file_that_rotted_on_the_disk_is_fetched_again(origin: Origin, target: Path) -> None:
    """A file that is there is compared before it is used."""
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    target.write_bytes(OTHER)
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT


def test_a_file_of_unverified_size_is_not_trusted_for_later(origin: Origin, target: Path) -> None:
    """A server that tells no size leaves no note."""
    origin.sizes = False
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert left(target) == ["a.zip"]


def test_another_size_than_published_is_refused_before_a_byte_is_kept(origin: Origin, target: Path) -> None:
    """A gigabyte is not fetched to find out what the first line of the answer says."""
    with pytest.raises(DownloadError, match="the server offers 400,000 bytes, expected 7;"):
        fetch(Remote(f"{origin.url}/a.zip", 7), target, patience=HASTY)
    assert left(target) == []


def test_something_of_another_kind_is_never_trusted(origin: Origin, target: Path) -> None:
    """A sign-in page with status 200 does not become the file that later ones must equal."""
    origin.files["/a.zip"] = b"<html>Please sign in</html>"
    with pytest.raises(DownloadError, match=r"found 27 bytes that begin with b'<html>Please"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY, sound=lambda path: path.stat().st_size > 100)
    assert left(target) == []


@pytest.mark.parametrize("status", [401, 403, 404, 410])
def test_a_refusal_is_told_at_once(origin: Origin, target: Path, status: int) -> None:
    """What will not pass is not tried again."""
    origin.always = Fault(status=status)
    with pytest.raises(DownloadError, match=f"the server answered '{status} .*or name a mirror"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert len(origin.gets()) == 1


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
def test_a_server_in_trouble_is_tried_again(origin: Origin, target: Path, status: int) -> None:
    """Such answers pass."""
    origin.faults += [Fault(status=status), Fault(status=status, headers={"Retry-After": "0"})]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT


def test_a_server_in_lasting_trouble_is_given_up_and_what_came_is_kept(origin: Origin, target: Path) -> None:
    """After the last attempt the bytes stay for another day."""
    origin.faults += [Fault(cut=100_000)]
    origin.always = Fault(status=500)
    with pytest.raises(DownloadError, match=r"3 attempts in a row .*500 .*run the same command again"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert partial_file(target).stat().st_size == 100_000
    origin.always = None
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert origin.ranges_asked()[-1] == "bytes=100000-"


def test_pauses_grow_to_a_limit_and_heed_the_server(
    origin: Origin, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One second, two, four; longer where the server asks, but never longer than the limit."""
    pauses: list[float] = []
    monkeypatch.setattr("eyechart._lib.transfer.time.sleep", pauses.append)
    origin.faults += [Fault(status=503)] * 3 + [Fault(status=503, headers={"Retry-After": "9"})]
    origin.faults += [Fault(status=503, headers={"Retry-After": "9999"})]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=Patience(attempts=6, longest_pause=20))
    # The server paces itself with sleeps of nothing.
    assert [pause for pause in pauses if pause] == [1, 2, 4, 9, 20]


def test_redirects_are_followed_with_the_range(origin: Origin, target: Path) -> None:
    """A moved file is resumed at its new place."""
    origin.redirects["/moved.zip"] = "/a.zip"
    origin.faults += [Fault(), Fault(cut=100_000)]
    fetch(Remote(f"{origin.url}/moved.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert origin.ranges_asked() == [None, None, "bytes=100000-", "bytes=100000-"]


@pytest.mark.parametrize("place", ["ftp://127.0.0.1/a.zip", "file:///etc/passwd"])
def test_redirects_off_the_web_are_refused(origin: Origin, target: Path, place: str) -> None:
    """A server cannot make us read our own disk."""
    origin.redirects["/a.zip"] = place
    with pytest.raises((UsageError, DownloadError)):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert left(target) == []


def test_a_circle_of_redirects_ends(origin: Origin, target: Path) -> None:
    """It is an error, not a hang."""
    origin.redirects["/a.zip"] = "/a.zip"
    with pytest.raises(DownloadError, match="302"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)


def test_a_server_that_is_not_there_is_given_up(target: Path) -> None:
    """Nobody listens on port 1 of this machine."""
    with pytest.raises(DownloadError, match="3 attempts in a row brought nothing"):
        fetch(Remote("http://127.0.0.1:1/a.zip"), target, patience=HASTY)


@pytest.mark.parametrize(
    "url", ["ftp://a/b", "file:///a", "a.zip", "http://", "https:///a", "http://[", "http://a b/c"]
)
def test_only_addresses_on_the_web_are_taken(url: str) -> None:
    """Everything else is refused with the address as found."""
    with pytest.raises(UsageError, match="expected http:// or https://"):
        check_address(url)


def test_a_full_disk_is_told_and_goes_on_later(origin: Origin, target: Path) -> None:
    """Writing to /dev/full fails as a full disk does."""
    target.parent.mkdir()
    partial_file(target).symlink_to("/dev/full")
    with pytest.raises(DownloadError, match=r"No space left on device.*run the same command again"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    partial_file(target).unlink()
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT


def test_a_folder_that_cannot_be_written_is_told(origin: Origin, tmp_path: Path) -> None:
    """A file stands where the folder should be."""
    (tmp_path / "cache").write_text("")
    with pytest.raises(DownloadError, match="cannot be written"):
        fetch(Remote(f"{origin.url}/a.zip"), tmp_path / "cache" / "a.zip", patience=HASTY)
    assert origin.log == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_told(origin: Origin, tmp_path: Path) -> None:
    """Permission is part of the sentence."""
    tmp_path.chmod(0o500)
    with pytest.raises(DownloadError, match="Permission denied"):
        fetch(Remote(f"{origin.url}/a.zip"), tmp_path / "a.zip", patience=HASTY)


def test_two_processes_do_not_write_the_same_file(origin: Origin, target: Path) -> None:
    """The second is told."""
    target.parent.mkdir()
    with locked(target.with_name(".a.zip.busy")), pytest.raises(UsageError, match="another process is writing here"):
        fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)


def test_size_on_server_asks_without_fetching(origin: Origin) -> None:
    """A HEAD request, through redirects; none if the server does not tell."""
    origin.redirects["/moved.zip"] = "/a.zip"
    assert size_on_server(f"{origin.url}/moved.zip") == len(CONTENT)
    assert size_on_server(f"{origin.url}/nothing.zip") is None
    assert origin.gets() == []


def test_progress_counts_bytes_and_what_was_there(origin: Origin, target: Path) -> None:
    """The bar begins at what is here, goes back when a server starts over, and ends at the size."""
    from contextlib import contextmanager

    told: list[tuple[str, float, float]] = []

    @contextmanager
    def progress(label: str, total: float, unit: str) -> Iterator[object]:
        assert unit == "bytes"
        done: list[float] = []
        yield done.append
        told.append((label, total, sum(done)))

    origin.ranges = False
    origin.faults += [Fault(cut=100_000)]
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY, progress=progress)
    size = len(CONTENT)
    assert told == [("Fetching a.zip", size, size), ("Checking a.zip", size, size)]


FETCH = """
import sys
from pathlib import Path
from eyechart._lib.download import Remote, fetch
fetch(Remote(sys.argv[1]), Path(sys.argv[2]))
"""


def begin(origin: Origin, target: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", FETCH, f"{origin.url}/a.zip", str(target)], stderr=subprocess.PIPE)


def test_a_killed_download_fetches_only_the_missing_bytes(origin: Origin, target: Path) -> None:
    """After kill -9 the next process asks for the rest and for nothing else."""
    origin.faults += [Fault(stall=300_000)]
    process = begin(origin, target)
    deadline = time.monotonic() + 120
    try:
        while not partial_file(target).is_file() or partial_file(target).stat().st_size < 300_000:
            assert time.monotonic() < deadline
            time.sleep(0.01)
    finally:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert [(seen.range, seen.sent) for seen in origin.gets()] == [(None, 300_000), ("bytes=300000-", 100_000)]


def test_a_download_killed_again_and_again_at_any_moment_ends_whole(origin: Origin, target: Path) -> None:
    """Wherever the kill falls, what is left can be continued, and nothing that is here is fetched again."""
    origin.pace = 0.1
    chance = random.Random(3)  # moments, not secrets
    for _ in range(5):
        asked, here = len(origin.log), partial_file(target).stat().st_size if partial_file(target).is_file() else 0
        process = begin(origin, target)
        # A busy machine takes its time to begin; only what comes after counts.
        while process.poll() is None and not (
            partial_file(target).is_file() and partial_file(target).stat().st_size > here
        ):
            time.sleep(0.01)
        time.sleep(chance.random() * 0.3)
        process.kill()
        process.communicate()
        assert set(origin.ranges_asked()[asked:]) <= {f"bytes={here}-" if here else None}
    origin.pace = 0
    fetch(Remote(f"{origin.url}/a.zip"), target, patience=HASTY)
    assert target.read_bytes() == CONTENT
    assert left(target) == ["a.zip", "a.zip.lock.json"]
    assert len(origin.log) > 1
