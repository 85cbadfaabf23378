"""A corpus that takes long to write: built in a hidden folder next to its place, resumed if killed.

    work = begin(target, settings)      # the same folder again if the settings are the same
    ...                                 # write whole shards into it, leave out those that are there
    publish(work, target)               # one rename; before it there is no `target` at all

The folder of an interrupted run stays hidden; that of a failed run is discarded. In runs that cost
money, the dialogues of a shard that is not finished yet are kept one by one:

    with ShardJournal(folder, number=3) as journal:
        journal.kept                 # {17: b'{"id": …}'}: made before the run was interrupted
        journal.add(18, line)        # as soon as it is made, by any thread
    journal.remove()

The lines are in `unfinished-00003.jsonl`, which can be shown like any file of dialogues; their
indices are in a file next to it.
"""

from __future__ import annotations

import shutil
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Self

from dialoom.corpus.files import check_vacant, sync_folder, umask, write_atomic, writing
from dialoom.corpus.shards import MANIFEST
from dialoom.errors import OutputError

SETTINGS = ".settings.json"
"""The file with the settings of an unfinished corpus."""


def work_folder(target: Path) -> Path:
    """Return the folder to build in: next to `target`, or inside it if it cannot be moved."""
    target = target.resolve()
    if target.is_mount() or target == Path.cwd():
        return target / ".unfinished"
    return target.parent / f".{target.name[:200]}.unfinished"


def begin(target: Path, settings: bytes) -> Path:
    """Return the folder to build a corpus in; `OutputError` if another build is there."""
    work = work_folder(target)
    with writing(target):
        check_vacant(target, but=work.name)
        noted = work / SETTINGS
        if noted.is_file():
            if noted.read_bytes() != settings:
                raise OutputError(
                    f"{target}: a run with other settings is unfinished there; give the same ones "
                    f"to go on with it, name another folder, or remove {work}",
                    code="mismatch",
                )
            return work
        discard(work)  # without its settings it cannot be resumed
        work.mkdir(parents=True)
        write_atomic(noted, settings)
    return work


def publish(work: Path, target: Path) -> None:
    """Put a finished corpus in its place, or raise `OutputError`."""
    with writing(target):
        (work / SETTINGS).unlink()
        work.chmod(0o777 & ~umask())
        target = target.resolve()
        if work.parent == target:
            for entry in sorted(work.iterdir(), key=lambda entry: entry.name == MANIFEST):
                entry.rename(target / entry.name)
            work.rmdir()
        else:
            work.rename(target)
        sync_folder(target.parent)


def discard(work: Path) -> None:
    """Remove what was built so far."""
    shutil.rmtree(work, ignore_errors=True)


JOURNAL = "unfinished-{:05d}.jsonl"
"""The name of the file with the finished dialogues of a shard, by its number."""


class ShardJournal:
    """The finished dialogues of one unfinished shard; `kept` has their lines by index."""

    def __init__(self, folder: Path, number: int) -> None:
        self._file = folder / JOURNAL.format(number)
        self._places = self._file.with_suffix(".index")
        self._lock = threading.Lock()
        self._open: tuple[IO[bytes], IO[bytes]] | None = None
        self.kept: dict[int, bytes] = {}

    def __enter__(self) -> Self:
        with writing(self._file):
            pairs = self._read()
            self._open = self._file.open("ab"), self._places.open("ab")
            for column, file in enumerate(self._open):  # without what a crash cut off
                file.truncate(sum(len(pair[column]) + 1 for pair in pairs))
        self.kept = {int(place): line for line, place in pairs}
        return self

    def __exit__(self, *failure: object) -> None:
        with self._lock:
            self._close()

    def _close(self) -> None:
        for file in self._open or ():
            with suppress(OSError):
                file.close()
        self._open = None

    def _read(self) -> list[tuple[bytes, bytes]]:
        """Return the whole lines and their places; the last may be cut off, in either file."""
        files = self._file, self._places
        if not all(file.is_file() for file in files):
            return []
        lines, places = (file.read_bytes().split(b"\n")[:-1] for file in files)
        return list(zip(lines, places, strict=False))

    def add(self, place: int, line: bytes) -> None:
        """Keep a finished dialogue; one that is finished after the end of the block is not kept."""
        with self._lock, writing(self._file):
            try:
                for file, data in zip(self._open or (), (line, b"%d" % place), strict=False):
                    file.write(data + b"\n")
                    file.flush()
            except OSError:
                self._close()  # a later line would get the place of this one
                raise

    def remove(self) -> None:
        """Remove the files, once the shard is written."""
        self._file.unlink(missing_ok=True)
        self._places.unlink(missing_ok=True)
