"""Compressed input: the content of a .gz file, and the folder in an archive.

    data = inflate(path, raw)          # of corpus.json.gz
    folder = opened(Path("corpus.zip"))

Neither may grow beyond reason: an archive that would is refused before it fills disk or memory.
"""

from __future__ import annotations

import atexit
import bz2
import io
import lzma
import os
import shutil
import stat
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import lru_cache, partial
from gzip import GzipFile
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, Literal, TypeAlias

from dialoom.corpus.files import reading
from dialoom.errors import DialoomError, FormatError

GROWTH = 100
"""Upper limit of an archive's unpacked size by its own; that of indented JSON is 10 to 40."""

FLOOR = 256 << 20
"""Unpacked size (bytes) that any archive may have, however small it is."""

MEMBERS = 100_000
"""Most files of an archive; the largest published corpus has 16 thousand."""

DIRECTORY = 32 << 20
"""Most bytes of an archive's list of files: some 300 a file."""

SUFFIXES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.bz2", ".tar.xz", ".txz", ".xz", ".bz2")
"""The ends of the names of archives, and of single files that are unpacked as archives are."""

_SINGLE: dict[str, Callable[[Path, Literal["rb"]], IO[bytes]]] = {
    ".xz": lzma.LZMAFile,
    ".bz2": bz2.BZ2File,
}

_Member: TypeAlias = tuple[str, Callable[[], IO[bytes]] | None]
"""The name of a file in an archive, and how it is opened; None for a link or device."""

_places: dict[str, str] = {}
"""The folder of each unpacked archive to the archive's path, as it was named."""

_END, _END_SIZE = b"PK\5\6", 22

_CHUNK = 1 << 20

_DAMAGED = (
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""The errors of reading a damaged archive; NotImplementedError is how `zipfile` refuses a
method of compression that it does not know."""


def inflate(path: Path, data: bytes) -> bytes:
    """Return a gzip file's content; `FormatError` if damaged, or growing beyond reason."""
    limit = _limit(len(data))
    content = inflated(path, io.BytesIO(data), limit + 1)
    if len(content) > limit:
        raise FormatError(path, _bomb(limit), code="too-large")
    return content


def inflated(path: Path, source: IO[bytes], size: int) -> bytes:
    """Return the first bytes of a gzip stream's content; `FormatError` if damaged."""
    try:
        with GzipFile(fileobj=source) as stream:
            return stream.read(size)
    except (OSError, EOFError, zlib.error) as error:
        raise FormatError(path, f"cannot be decompressed: {error}", code="damaged") from error


def opened(path: Path) -> Path:
    """Return the unpacked folder of an archive; it is removed when this process ends.

    An archive that holds one folder is read as that folder, and that as the only one in it as long
    as it is no mere folder of files. macOS's own files, and hidden files, are left out.

    Raises:
        MissingDataError: It cannot be read.
        FormatError: It is no archive, is damaged, has unsafe names or would grow beyond reason.
    """
    with reading(path):
        status = path.stat()
    folder = _opened(path.resolve(), status.st_size, status.st_mtime_ns)
    around = next(each for each in (folder, *folder.parents) if each.name == path.resolve().name)
    _places[str(around)] = str(path)
    return folder


def is_archive(path: Path) -> bool:
    """True if a path has the name of an archive that `opened` unpacks."""
    return path.name.lower().endswith(SUFFIXES) and path.is_file()


def named(text: str) -> str:
    """Return a text in which the folders of unpacked archives are named as the archives are."""
    for folder, path in _places.items():
        text = text.replace(folder, path)
    return text


@lru_cache(maxsize=64)
def _opened(path: Path, size: int, changed: int) -> Path:
    around = Path(tempfile.mkdtemp(prefix="dialoom-"))
    atexit.register(shutil.rmtree, around, ignore_errors=True)
    folder = around / path.name  # messages about its files will say whose they are
    try:
        folder.mkdir()
        _unpack(path, folder, _limit(size))
    except DialoomError:  # some are a ValueError or OSError as well
        raise
    except (*_DAMAGED, OSError) as error:
        what = error.strerror if isinstance(error, OSError) else None
        kind = path.suffix.removeprefix(".")
        raise FormatError(
            path, f"not a {kind} archive that can be read: {what or error}", code="damaged"
        ) from error
    only = _only(folder)
    if only is None:
        files = list(islice(folder.iterdir(), 2))
        return files[0] if len(files) == 1 and path.suffix.lower() in _SINGLE else folder
    while (deeper := _only(only)) and any(entry.is_dir() for entry in deeper.iterdir()):
        only = deeper
    return only


def _only(folder: Path) -> Path | None:
    entries = list(islice(folder.iterdir(), 2))
    return entries[0] if len(entries) == 1 and entries[0].is_dir() else None


def _check_directory(path: Path) -> None:
    """Refuse a list of files that is too long, by its size at the end of the archive."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _END_SIZE - 0xFFFF))
        tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) - at < _END_SIZE:
        return  # zipfile says what is wrong
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    if length > DIRECTORY:  # 0xFFFFFFFF where there are too many for the field
        raise FormatError(
            path, f"lists more files than the {MEMBERS} that are opened at most", code="too-large"
        )


def _unpack(path: Path, folder: Path, limit: int) -> None:
    with closing(_members(path, limit)) as members:
        _write(members, path, folder, limit)


def _write(members: Iterable[_Member], path: Path, folder: Path, left: int) -> None:
    for number, (member, source) in enumerate(members, start=1):
        name = PurePosixPath(member)
        if number > MEMBERS:
            raise FormatError(
                path, f"holds more than {MEMBERS} files, which are opened at most", code="too-large"
            )
        if source is None or name.is_absolute() or ".." in name.parts:
            raise FormatError(
                path, f"{member!r} would lie outside the archive's folder", code="outside"
            )
        if not any(part.startswith(".") or part == "__MACOSX" for part in name.parts):
            place = folder.joinpath(*name.parts)
            place.parent.mkdir(parents=True, exist_ok=True)
            with source() as opened, place.open("wb") as target:
                left -= _copy(opened, target, left, path)


def _members(path: Path, limit: int) -> Generator[_Member, None, None]:
    suffix = path.suffix.lower()
    if suffix == ".zip":
        _check_directory(path)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            if len(members) > MEMBERS:
                raise FormatError(
                    path,
                    f"holds {len(members)} files; {MEMBERS} at most are opened",
                    code="too-large",
                )
            if sum(member.file_size for member in members) > limit:
                raise FormatError(path, _bomb(limit), code="too-large")
            for member in members:
                link = stat.S_IFMT(member.external_attr >> 16) == stat.S_IFLNK
                if not member.is_dir():
                    yield member.filename, None if link else partial(archive.open, member)
    elif suffix in _SINGLE and Path(path.stem).suffix.lower() != ".tar":
        yield path.stem, partial(_SINGLE[suffix], path, "rb")
    else:
        with tarfile.open(path) as tar:
            for each in tar:
                if not each.isdir():
                    yield each.name, partial(_extracted, tar, each) if each.isfile() else None


def _extracted(tar: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes]:
    file = tar.extractfile(member)
    assert file is not None  # it is a file
    return file


def _copy(source: IO[bytes], target: IO[bytes], left: int, path: Path) -> int:
    """Copy a member, counting its bytes, since the size in its header may be wrong."""
    copied = 0
    while chunk := source.read(_CHUNK):
        copied += len(chunk)
        if copied > left:
            raise FormatError(path, _bomb(left), code="too-large")
        target.write(chunk)
    return copied


def _limit(size: int) -> int:
    return max(FLOOR, GROWTH * size)


def _bomb(limit: int) -> str:
    return f"would grow beyond {limit >> 20} MiB when unpacked; it was refused"
