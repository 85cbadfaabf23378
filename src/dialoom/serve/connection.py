"""One WebSocket of a participant, with a bounded queue of the frames to send.

The hub never waits for a client: it puts frames into the queue, and a task of the connection sends
them. A client that reads too slowly is disconnected; when it reconnects, it gets what it missed.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from dialoom.collect.log.record import Role
from dialoom.collect.message import Refused
from dialoom.collect.study.state import StudyState
from dialoom.collect.unit import Work
from dialoom.serve.limits import QUEUED, Bucket, Rate

TAKEN_OVER, NO_SESSION, TOO_FAST, NOT_THEIRS, NO_HELLO = 4001, 4003, 4008, 4403, 4000
TOO_SLOW, TOO_LARGE, FAULT = 1013, 1009, 1011
"""Close codes (docs/reference/wire-protocol.md, 8); those from 4000 on are ours."""

CLOSING_SECONDS = 5.0
"""Seconds that a client has to receive the frame that closes the connection."""

_encode = msgspec.json.Encoder().encode

Frame = dict[str, Any]


class Connection:
    """The connection of a page that shows an assignment.

    Args:
        acknowledged: Called after an `ack` was sent; tests inject faults there.

    Attributes:
        generation: The number of the page among those of the assignment; 0 before `hello`.
        unit: The unit whose events the page has up to `seq`, as `role` sees them.
        work: The state of that unit's work, also after the study has dropped it.
        warned_since: When the wait began that the page was warned of (ms since 1970).
        refused_in_a_row: Number of successive messages over the rate.
    """

    def __init__(
        self,
        socket: WebSocket,
        assignment: int,
        rate: Rate,
        acknowledged: Callable[[], None],
    ) -> None:
        self.assignment = assignment
        self.generation = 0
        self.unit: int | None = None
        self.token = ""
        self.role: Role | None = None
        self.work: Work | None = None
        self.seq = 0
        self.state: dict[str, Any] | None = None
        self.warned_since: int | None = None
        self.refused_in_a_row = 0
        self.bucket = Bucket(rate)
        self._socket, self._acknowledged = socket, acknowledged
        self._waiting: deque[Frame | int] = deque()
        self._more = asyncio.Event()
        self._deadline = asyncio.timeout(None)
        self.closing = False

    def send(self, frame: Frame) -> None:
        """Queue a frame; it must not be changed afterwards."""
        if self.closing:
            return
        if len(self._waiting) >= QUEUED:
            self._waiting.clear()  # the client would never read them
            self.close(TOO_SLOW)
            return
        self._waiting.append(frame)
        self._more.set()

    def close(self, code: int) -> None:
        """Close the connection after the queued frames are sent."""
        if not self.closing:
            self._waiting.append(code)
            self.left()
            self._deadline.reschedule(asyncio.get_running_loop().time() + CLOSING_SECONDS)

    def take_over(self) -> None:
        """Notify the page that a newer one replaces it, and close the connection."""
        self.send({"type": "taken_over"})
        self.close(TAKEN_OVER)

    def left(self) -> None:
        """Accept no more frames; queued ones are still sent."""
        self.closing = True
        self._more.set()

    async def write(self) -> None:
        """Send queued frames until the connection is closed."""
        try:
            async with self._deadline:
                await self._write()
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # the client is gone; starlette raises either of these
        finally:
            self.closing = True

    async def _write(self) -> None:
        while self._waiting or not self.closing:
            if not self._waiting:
                self._more.clear()
                await self._more.wait()
                continue
            item = self._waiting.popleft()
            if isinstance(item, int):
                await self._socket.close(item)
                return
            await self._socket.send_text(_encode(item).decode())
            if item["type"] == "ack":  # it goes out at the end of this round
                asyncio.get_running_loop().call_soon(self._acknowledged)


def refused(client: str | None, refusal: Refused) -> Frame:
    """Return the frame that refuses a message."""
    return {
        **refusal.detail,
        "type": "refused",
        "client_msg_id": client,
        "code": refusal.code,
        "what": refusal.what,
    }


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
