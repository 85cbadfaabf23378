"""One WebSocket of a participant, with a bounded queue of the frames to send.

The hub never waits for a client: a frame is put into the queue, and a task of the connection's own
sends it. A client that reads too slowly is disconnected; it comes back and gets what it lacks.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from dialoom.collect.log.record import Place
from dialoom.collect.message import Refused
from dialoom.collect.unit import Work
from dialoom.serve.limits import QUEUED, Bucket, Rate

TAKEN_OVER, NO_SESSION, TOO_FAST, NOT_THEIRS, NO_HELLO = 4001, 4003, 4008, 4403, 4000
TOO_SLOW, TOO_LARGE = 1013, 1009
"""Close codes (docs/wire-protocol.md, 8); those from 4000 on are ours."""

CLOSING_SECONDS = 5.0
"""How long a client is given to take what closes the connection."""

_encode = msgspec.json.Encoder().encode

Frame = dict[str, Any]


class Connection:
    """A page that shows an assignment.

    Args:
        socket: The WebSocket, accepted.
        assignment: Whose it is.
        rate: How many messages it may send.
        acknowledged: Called after an `ack` was sent, which the tests' faults wait for.

    Attributes:
        generation: Which page of the assignment it is; 0 before `hello`.
        unit: The unit whose events the page has up to `seq`, as `place` sees them.
        token: The seat's in that unit.
        work: That unit's state, also after the study has let go of it.
        state: The state the page has.
        warned_since: Since when it is waited for, where the page was told of it.
        refused_in_a_row: WebSocketProtocol over the rate, one after the other.
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
        self.place: Place | None = None
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
        """Queue a frame to be sent after those before it; nobody changes it from now on."""
        if self.closing:
            return
        if len(self._waiting) >= QUEUED:
            self._waiting.clear()  # it would never be read
            self.close(TOO_SLOW)
            return
        self._waiting.append(frame)
        self._more.set()

    def close(self, code: int) -> None:
        """Close the connection after what is to be sent."""
        if not self.closing:
            self._waiting.append(code)
            self.left()
            self._deadline.reschedule(asyncio.get_running_loop().time() + CLOSING_SECONDS)

    def take_over(self) -> None:
        """Tell the page that a younger one took its seat, and close it."""
        self.send({"type": "taken_over"})
        self.close(TAKEN_OVER)

    def left(self) -> None:
        """Take no more frames; those in the queue are still sent."""
        self.closing = True
        self._more.set()

    async def write(self) -> None:
        """Send what is to be sent until the connection is closed."""
        try:
            async with self._deadline:
                await self._write()
        except (TimeoutError, WebSocketDisconnect, RuntimeError):
            pass  # they are gone; starlette says it either way
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
