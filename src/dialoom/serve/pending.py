"""The answers that wait in the hub until a change is on the disk, and what happens on failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager

import msgspec

from dialoom.collect.message import Refused
from dialoom.collect.study.state import StudyState
from dialoom.serve.connection import Connection, Frame

log = logging.getLogger("dialoom.serve")


class Pending(msgspec.Struct):
    """Frames and futures that wait until a change is on the disk."""

    written: Future[None] | None
    frames: list[tuple[Connection, Frame]]
    touched: tuple[int, ...] = ()
    sender: tuple[Connection, str] | None = None
    waiter: asyncio.Future[None] | None = None


@contextmanager
def undone(state: StudyState, undo: Callable[[], None]) -> Iterator[None]:
    """Call `undo` if the block changes a study and fails by our fault; raise `Refused` then."""
    records = state.records
    try:
        yield
    except Refused:
        raise
    except Exception as error:
        if state.records == records:
            raise
        log.exception("a command failed; the study is restored from its log")
        undo()
        raise Refused("internal", "The server could not carry this out.") from error


def unavailable() -> Refused:
    """Return the refusal of a server that cannot write."""
    return Refused("unavailable", "The server cannot write at the moment; nothing is lost.")
