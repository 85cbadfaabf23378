"""The answers that wait in the hub until a change is on the disk, and the refusal on failure."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future

import msgspec

from dialoom.collect.message import Refused
from dialoom.serve.connection import Connection, Frame


class Pending(msgspec.Struct):
    """Frames and futures that wait until a change is on the disk."""

    written: Future[None] | None
    frames: list[tuple[Connection, Frame]]
    touched: tuple[int, ...] = ()
    sender: tuple[Connection, str] | None = None
    waiter: asyncio.Future[None] | None = None


def unavailable() -> Refused:
    """Return the refusal of a server that cannot write."""
    return Refused("unavailable", "The server cannot write at the moment; nothing is lost.")
