"""Indexes corpora in processes of their own, and reports their progress."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from dialoom import formats
from dialoom.errors import DialoomError
from dialoom.studio.corpora.building import IndexState, build
from dialoom.studio.corpora.index import CorpusIndex
from dialoom.studio.corpora.recognising import format_of
from dialoom.studio.jobs import Job

SECONDS = 3.0
"""Least seconds between two looks at the files of a corpus."""

SPARED = 20
"""A corpus whose files take long to look at is left alone for so many times as long."""

RETRY = 30.0
"""Seconds until a corpus that could not be indexed is tried again."""

_STEP = 0.2
"""Least seconds between two reports of a process."""


class Indexing:
    """The indexes that are being made; one process a corpus."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._states: dict[Path, IndexState] = {}
        self._next: dict[Path, float] = {}

    def look(self, path: Path) -> IndexState:
        """Return the state of an index; start to index what is new or changed."""
        with self._lock:
            state = self._states.get(path)
            if state is not None and state.phase not in ("done", "failed"):
                return state
            if state is not None and time.monotonic() < self._next[path]:
                return state
            began = time.monotonic()
            state = self._fresh(path)
            took = time.monotonic() - began
            self._next[path] = time.monotonic() + max(SECONDS, SPARED * took)
            self._states[path] = state
            if state.phase == "opening":
                threading.Thread(target=self._follow, args=(path,), daemon=True).start()
            return state

    def _fresh(self, path: Path) -> IndexState:
        index = CorpusIndex(path)
        with index.reading() as database:
            (count,) = database.execute("SELECT count(*) FROM dialogue").fetchone()
        try:
            name = index.format()
            changed = name is None or index.changed(formats.load(path, name))
        except DialoomError:
            changed = True  # of another format by now, or gone: indexing says what is wrong
        return IndexState(phase="opening" if changed else "done", dialogues=count)

    def _follow(self, path: Path) -> None:
        last = self._states[path]
        job: Job[IndexState] = Job(_index, path, format_of(path))
        for state in job:
            last = state
            if last.phase not in ("done", "failed"):
                self._states[path] = last
        if last.phase not in ("done", "failed"):
            what = f"indexing ended with code {job.code}; it is tried again in a while"
            last = IndexState(phase="failed", dialogues=last.dialogues, what=what)
        with self._lock:
            self._next[path] = time.monotonic() + (SECONDS if last.phase == "done" else RETRY)
            self._states[path] = last


def _index(report: Callable[[IndexState], None], path: Path, format: str | None) -> None:
    last = 0.0
    try:
        for progress in build(CorpusIndex(path), formats.load(path, format)):
            if progress.phase == "done" or time.monotonic() > last + _STEP:
                last = time.monotonic()
                report(replace(progress, share=round(progress.share, 3)))
    except DialoomError as error:
        report(IndexState(phase="failed", what=str(error)))
