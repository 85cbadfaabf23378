"""A WebSocket client (RFC 6455) that costs little: the load must not be what is measured.

Text frames in one piece only, which is all that the server sends (docs/reference/wire-protocol.md).
"""

from __future__ import annotations

import asyncio
import json
import re
import struct
from collections.abc import Callable, Mapping
from typing import Any

Frame = dict[str, Any]

TEXT, CLOSE, PING, PONG = 0x1, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80
LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)
NO_MASK = bytes(4)
"""Frames of clients are masked; a mask of zeros leaves them as they are."""


class Wire(asyncio.Protocol):
    """One connection.

    Args:
        request: The head of the request that opens it.
        hello: The first frame.
        received: Called with every frame.
        lost: Called once, when the connection is over or was refused.

    Attributes:
        code: What the server closed it with; None where it did not.
    """

    def __init__(
        self,
        request: bytes,
        hello: Frame,
        received: Callable[[Frame], None],
        lost: Callable[[], None],
    ) -> None:
        self._request, self._hello = request, hello
        self._received, self._lost = received, lost
        self._transport: asyncio.Transport | None = None
        self._data = bytearray()
        self._open = False
        self.code: int | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(self._request)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._lost()

    def send(self, frame: Frame) -> None:
        """Send a frame, unless the connection is over or not open yet."""
        if self._open:
            self._write(TEXT, json.dumps(frame).encode())

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()

    def _write(self, kind: int, payload: bytes) -> None:
        if self._transport is None:
            return
        size = len(payload)
        if size < 126:
            head = bytes((FINAL | kind, MASKED | size))
        else:
            head = struct.pack("!BBH", FINAL | kind, MASKED | 126, size)
        self._transport.write(head + NO_MASK + payload)

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._open:
            head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head[:16]:
                self.close()
                return
            self._open, self._data = True, rest
            self.send(self._hello)
        while self._take():
            pass

    def _take(self) -> bool:
        """Take a frame from the data; return whether there was a whole one."""
        data = self._data
        if len(data) < 2:
            return False
        size, start = data[1], 2
        if size == 126:
            size, start = int.from_bytes(data[2:4]), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10]), 10
        if len(data) < start + size:
            return False
        kind, payload = data[0] & 0x0F, bytes(data[start : start + size])
        del data[: start + size]
        if kind == TEXT:
            self._received(json.loads(payload))
        elif kind == PING:
            self._write(PONG, payload)
        elif kind == CLOSE:
            self.code = int.from_bytes(payload[:2])
            self.close()
        return True


async def ask(
    address: tuple[str, int], line: str, host: str, content: bytes, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    """Send a request ("POST /path") from one of this machine's addresses; return the answer whole.

    The first is its status, 0 of an answer that did not come whole; the second has its head.
    """
    reader, writer = await asyncio.open_connection(*address, local_addr=(host, 0))
    head = f"{line} HTTP/1.1\r\nHost: {address[0]}:{address[1]}\r\nConnection: close\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    head += f"Content-Length: {len(content)}\r\n\r\n"
    try:
        writer.write(head.encode() + content)
        answer = await reader.read()
    finally:
        writer.close()
    preamble, _, rest = answer.partition(b"\r\n\r\n")
    length = LENGTH.search(preamble)
    whole = length is not None and len(rest) == int(length[1])
    return int(answer[9:12]) if whole else 0, answer
