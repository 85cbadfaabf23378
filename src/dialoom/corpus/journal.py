"""The dialogues of a shard that is not finished yet: kept one by one, for runs that cost money.

    with ShardJournal(folder, number=3) as journal:
        journal.kept                 # {17: b'{"id": …}'}: made before the run was interrupted
        journal.add(18, line)        # as soon as it is made, by any thread
    journal.remove()

The lines are in `unfinished-00003.jsonl`, which can be shown like any file of dialogues; their
indices are in a file next to it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Self

from dialoom.corpus.files import writing

NAME = "unfinished-{:05d}.jsonl"
"""The name of the file with the finished dialogues of a shard, by its number."""


class ShardJournal:
    """The finished dialogues of one unfinished shard; `kept` has their lines by index."""

    def __init__(self, folder: Path, number: int) -> None:
        self._file = folder / NAME.format(number)
        self._places = self._file.with_suffix(".index")
        self._lock = threading.Lock()
        self._open: tuple[IO[bytes], IO[bytes]] | None = None
        self.kept: dict[int, bytes] = {}

    def __enter__(self) -> Self:
        with writing(self._file):
            self.kept = dict(self._read())
            self._open = self._file.open("wb"), self._places.open("wb")
        for place, line in self.kept.items():  # without what a crash cut off
            self.add(place, line)
        return self

    def __exit__(self, *failure: object) -> None:
        with self._lock:
            for file in self._open or ():
                file.close()
            self._open = None

    def _read(self) -> Iterable[tuple[int, bytes]]:
        """Yield the whole lines; the last one may be cut off, in either file."""
        if not (self._file.is_file() and self._places.is_file()):
            return
        lines = self._file.read_bytes().split(b"\n")[:-1]
        places = self._places.read_bytes().split(b"\n")[:-1]
        yield from ((int(place), line) for place, line in zip(places, lines, strict=False))

    def add(self, place: int, line: bytes) -> None:
        """Keep a finished dialogue; one that is finished after the end of the block is not kept."""
        with self._lock, writing(self._file):
            for file, data in zip(self._open or (), (line, b"%d" % place), strict=False):
                file.write(data + b"\n")
                file.flush()

    def remove(self) -> None:
        """Remove the files, once the shard is written."""
        self._file.unlink(missing_ok=True)
        self._places.unlink(missing_ok=True)
