"""Files are written whole or not at all, whatever happens."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dialoom.corpus.files import (
    MAX_DEPTH,
    check_depth,
    exists,
    parse_json,
    read_bytes,
    read_json,
    staged_folder,
    write_atomic,
)
from dialoom.errors import FormatError, MissingDataError, OutputError
from tests.full_disk import full_disk
from tests.make import refuses


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB."""
    yield from full_disk(tmp_path / "disk")


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_pipe_or_device_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    for path in (tmp_path / "pipe.json", Path("/dev/zero")):
        with refuses(MissingDataError, "not-a-file"):
            read_bytes(path)


def test_write_atomic(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "down" / "file.json"
    write_atomic(file, b"1")
    write_atomic(file, b"2")
    assert file.read_bytes() == b"2"
    assert names(file.parent) == ["file.json"]
    mask = os.umask(0)
    os.umask(mask)
    assert file.stat().st_mode & 0o777 == 0o666 & ~mask


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file.json"
    file.write_bytes(b"old")

    def fail(handle: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with refuses(OutputError, "unwritable", "Input/output error", "file.json"):
        write_atomic(file, b"new")
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["file.json"]


def test_a_full_disk_leaves_the_old_file(small_disk: Path) -> None:
    file = small_disk / "file.json"
    write_atomic(file, b"old")
    with refuses(OutputError, "unwritable", "No space left on device"):
        write_atomic(file, bytes(200_000))
    assert file.read_bytes() == b"old"
    assert names(small_disk) == ["file.json"]


@pytest.mark.parametrize("target", ["file/below.json", "/proc/below.json", f"{'x' * 300}.json"])
def test_where_nothing_can_be_written(tmp_path: Path, target: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with refuses(OutputError, "unwritable"):
        write_atomic(tmp_path / target, b"")
    with pytest.raises(OutputError), staged_folder(tmp_path / target):
        pass
    assert names(tmp_path) == ["file"]


@pytest.mark.parametrize("there", [False, True])
def test_a_staged_folder_appears_when_it_is_done(tmp_path: Path, there: bool) -> None:
    target = tmp_path / "out"
    if there:
        target.mkdir()
    with staged_folder(target) as stage:
        (stage / "a").write_bytes(b"a")
        assert target.exists() == there
    assert names(tmp_path) == ["out"]
    assert names(target) == ["a"]


class Stop(BaseException):
    """Ends a block as Ctrl-C does."""


def test_a_staged_folder_disappears_on_any_error(tmp_path: Path) -> None:
    for error in (Stop, ValueError, OSError):
        with pytest.raises((Stop, ValueError, OutputError)), staged_folder(tmp_path / "out") as out:
            (out / "a").write_bytes(b"a")
            raise error
        assert names(tmp_path) == []


def test_a_staged_folder_on_a_full_disk(small_disk: Path) -> None:
    for target in (small_disk / "out", small_disk):
        with (
            refuses(OutputError, "unwritable", "No space left on device"),
            staged_folder(target) as out,
        ):
            (out / "a").write_bytes(bytes(200_000))
        assert names(small_disk) == []


def test_a_mount_point_is_filled_in_place(small_disk: Path) -> None:
    with staged_folder(small_disk) as out:
        (out / "a").write_bytes(b"a")
    assert names(small_disk) == ["a"]


def test_the_working_folder_is_filled_in_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with staged_folder(Path()) as out:
        (out / "a").write_bytes(b"a")
    assert names(Path()) == ["a"]


def test_a_link_to_an_empty_folder_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    with staged_folder(tmp_path / "link") as out:
        (out / "a").write_bytes(b"a")
    assert names(tmp_path / "real") == ["a"]
    assert (tmp_path / "link").is_symlink()


def test_what_is_there_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_bytes(b"a")
    (tmp_path / "file").write_bytes(b"b")
    (tmp_path / "dangling").symlink_to("nowhere")
    for name in ("full", "full/a", "file", "dangling"):
        with refuses(OutputError, "taken"), staged_folder(tmp_path / name):
            pass
    assert names(tmp_path) == ["dangling", "file", "full"]
    assert (tmp_path / "full" / "a").read_bytes() == b"a"


KILLED = """
import os, signal, sys
from pathlib import Path
from dialoom.corpus import files

def die(handle):
    if sys.argv[2] == "sync":
        os.kill(os.getpid(), signal.SIGKILL)

os_fsync, os.fsync = os.fsync, die
target = Path(sys.argv[1])
if target.suffix:
    files.write_atomic(target, b"new" * 1000)
else:
    with files.staged_folder(target) as stage:
        files.write_synced(stage / "a", b"a")
"""


@pytest.mark.parametrize("name", ["file.json", "folder"])
@pytest.mark.parametrize("when", ["sync", "never"])
def test_killed_in_mid_write(tmp_path: Path, name: str, when: str) -> None:
    target = tmp_path / name
    done = subprocess.run([sys.executable, "-c", KILLED, str(target), when], check=False)
    assert done.returncode == (0 if when == "never" else -signal.SIGKILL)
    assert target.exists() == (when == "never")


def test_reading_what_is_not_there(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-file"):
        read_bytes(tmp_path / "nowhere")
    with refuses(MissingDataError, "unreadable", "Is a directory"):
        read_json(tmp_path)
    assert not exists(tmp_path / "nowhere")
    assert exists(tmp_path)
    with refuses(MissingDataError, "unreadable", "File name too long"):
        exists(tmp_path / ("x" * 300))


def test_depth() -> None:
    path = Path("a.json")
    assert parse_json(b"[" * MAX_DEPTH + b"]" * MAX_DEPTH, path)
    for depth in (MAX_DEPTH + 1, 500, 5_000, 100_000):
        with refuses(FormatError, "too-deep", str(MAX_DEPTH)):
            parse_json(b'{"a":' * depth + b"1" + b"}" * depth, path)
    check_depth("flat")
