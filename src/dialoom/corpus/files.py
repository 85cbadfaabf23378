"""Reading and writing files so that bad input is one line and nothing is ever half-written."""

from __future__ import annotations

import codecs
import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from dialoom.errors import DialoomError, FormatError, MissingDataError, OutputError

MAX_DEPTH = 100
"""Levels of lists and objects that a file may have; published files have ten at most."""

BOM = codecs.BOM_UTF8
"""The byte order mark with which some programs begin a text; readers ignore it."""

NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""The errors of decoding what is not JSON, too deep, or of another type."""

TOO_DEEP = f"nested more than {MAX_DEPTH} deep"
_NESTING = (dict, list)

_STANDARD = ("/dev/stdin", "/dev/fd")
"""The names of pipes that the shell opens for reading, as `<(...)` does."""

_DESCRIPTORS = ("/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd")
"""The folders of files that the shell has opened, such as the pipe of `--out >(gzip)`."""


@contextlib.contextmanager
def reading(path: Path) -> Iterator[None]:
    """Turn a failure of the operating system to read `path` into one line for the user."""
    try:
        yield
    except DialoomError:  # some are failures of the system as well
        raise
    except FileNotFoundError as error:
        raise MissingDataError(f"{path}: no such file") from error
    except OSError as error:
        raise MissingDataError(
            f"{path}: cannot be read: {error.strerror}", code="unreadable"
        ) from error


def exists(path: Path) -> bool:
    """True if `path` exists; `MissingDataError` if it is impossible or forbidden."""
    with reading(path):
        try:
            path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        return True


def read_bytes(path: Path) -> bytes:
    """Return a file's content; `MissingDataError` if it cannot be read."""
    with reading(path):
        check_finite(path)
        return path.read_bytes()


def check_finite(path: Path) -> None:
    """Refuse pipes, sockets and devices, which may never end, unless the shell opened them."""
    mode = path.stat().st_mode
    pipe = stat.S_ISFIFO(mode) and not any(map(path.is_relative_to, _STANDARD))
    if pipe or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode):
        raise MissingDataError(f"{path}: is a pipe or a device, not a file", code="not-a-file")


def parse_json(data: bytes, path: Path) -> Any:
    """Return a JSON text's value, without byte order mark; `FormatError` names `path`."""
    data = data.removeprefix(BOM)
    if not data.strip():
        raise FormatError(path, "empty file; expected JSON", code="empty")
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FormatError(path, f"not JSON: {error}", code="not-json") from error
    except RecursionError as error:
        raise FormatError(path, TOO_DEEP, code="too-deep") from error
    try:
        check_depth(value)
    except RecursionError as error:
        raise FormatError(path, TOO_DEEP, code="too-deep") from error
    return value


def check_depth(value: Any) -> None:
    """Raise `RecursionError` for a JSON value of over MAX_DEPTH levels."""
    level = [value] if isinstance(value, _NESTING) else []
    for _ in range(MAX_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _NESTING)
        ]
        if not level:
            return
    raise RecursionError(TOO_DEEP)


def read_json(path: Path) -> Any:
    """Return a JSON file's value; `MissingDataError` or `FormatError` if that fails."""
    return parse_json(read_bytes(path), path)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn a failure of the operating system under `path` into one line for the user."""
    try:
        yield
    except DialoomError:  # of what is read meanwhile, too: some are failures of the system as well
        raise
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep out other threads and processes that lock the same folder."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some network drives have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def write_synced(path: Path, data: bytes) -> None:
    """Write a file of a staged folder, with its folders, and wait until the disk has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def is_stream(path: Path) -> bool:
    """True if `path` is a stream: a pipe, a device, or `/dev/stdout`."""
    if any(path.is_relative_to(place) for place in _DESCRIPTORS):
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _followed(path: Path) -> Path:
    place = Path(os.path.realpath(path))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return place


def check_writable(path: Path) -> None:
    """Raise `OutputError` if no file can be written at a place; to be used before long work."""
    if is_stream(path):
        return
    with writing(path):
        if path.is_dir():
            raise OutputError(f"{path}: cannot be written: it is a folder; name a file")
        folder = next(parent for parent in _followed(path).parents if exists(parent))
        with tempfile.TemporaryFile(dir=folder):
            pass


@contextlib.contextmanager
def staged_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file to fill that becomes `path` when the block ends without an error.

    The file is a hidden sibling, synced and renamed in one step; a link is followed. A pipe or a
    device is no file to replace: it is written to, all at the end.

    Raises:
        OutputError: It could not be written; the earlier content is unchanged.
    """
    with writing(path), contextlib.ExitStack() as stack:
        if is_stream(path):
            file = stack.enter_context(tempfile.TemporaryFile())
            yield file
            file.seek(0)
            with path.open("wb") as stream:
                shutil.copyfileobj(file, stream)
        else:
            yield stack.enter_context(_sibling(_followed(path)))


@contextlib.contextmanager
def _sibling(path: Path) -> Iterator[BinaryIO]:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:50]}.", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask()
        temporary.chmod(mode)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    sync_folder(path.parent)


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file whole, or raise `OutputError` and leave the earlier content."""
    with staged_file(path) as file:
        file.write(data)


@contextlib.contextmanager
def staged_folder(target: Path) -> Iterator[Path]:
    """Yield a folder to fill that becomes `target` when the block ends without an error.

    The stage is a hidden sibling, renamed in one step. A `target` that is a mount point or the
    working folder is filled in place, from a stage inside it. On any error the stage is
    removed.

    Raises:
        OutputError: `target` holds something already, or could not be written.
    """
    with writing(target):
        check_vacant(target)
        target = target.resolve()
        inside = target.is_mount() or target == Path.cwd()
        base = target if inside else target.parent
        base.mkdir(parents=True, exist_ok=True)
        stage = Path(tempfile.mkdtemp(prefix=f".{target.name[:50]}.partial-", dir=base))
        try:
            yield stage
            stage.chmod(0o777 & ~umask())
            if inside:
                for entry in list(stage.iterdir()):
                    entry.rename(target / entry.name)
            else:
                stage.rename(target)
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        sync_folder(base)


def check_vacant(target: Path, *, but: str = "") -> None:
    """Raise `OutputError` unless a folder is empty; our own file `but` does not count."""
    if target.is_dir():
        if any(entry.name not in ("lost+found", but) for entry in target.iterdir()):
            raise OutputError(f"{target}: is not empty; name a new folder", code="taken")
    elif target.exists() or target.is_symlink():
        raise OutputError(f"{target}: exists and is not a folder; name a new folder", code="taken")


def umask() -> int:
    """Return the umask: the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def sync_folder(folder: Path) -> None:
    """Wait until a folder's list of files is on the disk (fsync)."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
