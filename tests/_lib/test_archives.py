"""Archives taken apart: nothing leaves the folder, nothing is there half, nothing is done twice."""

import stat
import zipfile
from pathlib import Path

import pytest

from eyechart._lib.archives import unzip, zip_members
from eyechart._lib.files import locked
from eyechart.errors import DataError, DownloadError, UsageError


def make(path: Path, members: dict[str, bytes], *, kind: int = stat.S_IFREG) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (kind | 0o644) << 16
            archive.writestr(info, content)
    return path


def tree(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != ".unpacking")
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_wanted_members_keep_their_folders(tmp_path: Path) -> None:
    """What is not wanted stays in the archive; what other systems add is not a member."""
    members = {"a/1.txt": b"one", "a/2.txt": b"two", "__MACOSX/a/._1.txt": b"junk", "a/.DS_Store": b"junk"}
    archive = make(tmp_path / "a.zip", members)
    assert zip_members(archive) == ["a/1.txt", "a/2.txt"]
    places = unzip(archive, tmp_path / "out", wanted=lambda name: name.endswith("1.txt"))
    assert places == {"a/1.txt": tmp_path / "out" / "a" / "1.txt"}
    assert tree(tmp_path / "out") == {"a/1.txt": b"one"}


def test_flat_members_leave_their_folders_out(tmp_path: Path) -> None:
    """Pictures of several archives go into one folder."""
    archive = make(tmp_path / "a.zip", {"VG_100K/1.jpg": b"one", "VG_100K_2/2.jpg": b"two"})
    unzip(archive, tmp_path / "out", flat=True)
    assert tree(tmp_path / "out") == {"1.jpg": b"one", "2.jpg": b"two"}


def test_two_members_for_one_place_are_refused(tmp_path: Path) -> None:
    """One would silently replace the other."""
    archive = make(tmp_path / "a.zip", {"a/1.jpg": b"one", "b/1.jpg": b"two"})
    with pytest.raises(DataError, match=r"'a/1.jpg' and 'b/1.jpg', expected one member"):
        unzip(archive, tmp_path / "out", flat=True)


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "..\\evil", "C:\\evil", "\\evil"])
def test_a_member_that_leaves_the_folder_refuses_the_whole_archive(tmp_path: Path, name: str) -> None:
    """Even when another member is wanted, and before anything is written."""
    archive = make(tmp_path / "a.zip", {"good": b"x", name: b"evil"})
    with pytest.raises(DataError, match="leads out of the folder"):
        unzip(archive, tmp_path / "deep" / "out", wanted=lambda name: name == "good")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip"]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFCHR, stat.S_IFIFO])
def test_links_and_devices_are_refused(tmp_path: Path, kind: int) -> None:
    """A link could lead the next member out of the folder."""
    archive = make(tmp_path / "a.zip", {"link": b"/etc"}, kind=kind)
    with pytest.raises(DataError, match="a link or a device"):
        unzip(archive, tmp_path / "out")


def test_a_bomb_is_refused(tmp_path: Path) -> None:
    """Thirty megabytes of nothing from thirty kilobytes."""
    archive = make(tmp_path / "a.zip", {"bomb": bytes(30_000_000)})
    with pytest.raises(DataError, match=r"unpacks to 30,000,000 bytes from [\d,]+, expected a sane ratio"):
        unzip(archive, tmp_path / "out")


def test_many_small_bombs_are_refused(tmp_path: Path) -> None:
    """Each is harmless, together they are not."""
    archive = make(tmp_path / "a.zip", {f"{number}": bytes(5_000_000) for number in range(4)})
    with pytest.raises(DataError, match="20,000,000 bytes from"):
        unzip(archive, tmp_path / "out")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    """No published dataset asks for a password."""
    archive = make(tmp_path / "a.zip", {"secret": b"x"})
    content = bytearray(archive.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1
    archive.write_bytes(content)
    with pytest.raises(DataError, match="encrypted"):
        unzip(archive, tmp_path / "out")


def test_unpacking_again_writes_nothing(tmp_path: Path) -> None:
    """Members with the right size are left alone; others are written anew."""
    archive = make(tmp_path / "a.zip", {"1": b"one", "2": b"two"})
    unzip(archive, tmp_path / "out")
    (tmp_path / "out" / "1").write_bytes(b"eno")
    (tmp_path / "out" / "2").write_bytes(b"half a file")
    (tmp_path / "out" / ".1.partial").write_bytes(b"of a killed process")
    unzip(archive, tmp_path / "out")
    assert tree(tmp_path / "out") == {"1": b"eno", "2": b"two", ".1.partial": b"of a killed process"}


def test_a_broken_member_is_an_error_and_not_a_file(tmp_path: Path) -> None:
    """The archive's own checksum is compared before a member gets its name."""
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as made:
        made.writestr("1", b"some content")
    archive.write_bytes(archive.read_bytes().replace(b"some content", b"sOme content"))
    with pytest.raises(DataError, match="Bad CRC-32"):
        unzip(archive, tmp_path / "out")
    assert not (tmp_path / "out" / "1").exists()


@pytest.mark.parametrize("content", [b"", b"<html>", b"PK\x03\x04 and no more"])
def test_what_is_no_archive_is_told(tmp_path: Path, content: bytes) -> None:
    """The sentence names the file and what to do."""
    (tmp_path / "a.zip").write_bytes(content)
    with pytest.raises(DataError, match=r"a\.zip: found an archive that cannot be read .* fetch it again"):
        zip_members(tmp_path / "a.zip")


def test_room_is_asked_for_before_the_first_byte(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With both numbers."""
    archive = make(tmp_path / "a.zip", {"1": b"one two three"})
    monkeypatch.setattr("eyechart._lib.archives.shutil.disk_usage", lambda _path: type("Usage", (), {"free": 5}))
    with pytest.raises(DownloadError, match="unpacks to 13 bytes, found 5 free"):
        unzip(archive, tmp_path / "out")


def test_two_processes_do_not_unpack_into_one_folder(tmp_path: Path) -> None:
    """The second is told."""
    archive = make(tmp_path / "a.zip", {"1": b"one"})
    (tmp_path / "out").mkdir()
    with locked(tmp_path / "out" / ".unpacking"), pytest.raises(UsageError, match="another process"):
        unzip(archive, tmp_path / "out")
