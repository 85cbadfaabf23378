"""A bad line between people and a server: it holds bytes back, hands out halves, and is cut.

Each connection carries so many bytes either way and is cut then, most often in the middle of a
frame: half of what was under way arrives. Half of the cuts are clean ends, the others resets.
"""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import suppress

LEAST, MOST = 2.0, 5.0
"""Powers of ten between which the bytes lie that a direction carries."""

HELD = 0.005
"""Seconds that bytes are held back at most."""

RESET = struct.pack("ii", 1, 0)
"""The linger of a socket that is closed with a reset."""


class Proxy:
    """A port whose connections go on to a server's.

    Args:
        port: The server's, on this machine.
        seed: Chooses the moments.

    Attributes:
        cuts: How many connections were cut.
    """

    def __init__(self, port: int, seed: float) -> None:
        self.cuts = 0
        self._to, self._dice = port, random.Random(seed)
        self._listening = socket.create_server(("127.0.0.1", 0), backlog=128)
        self._listening.setblocking(False)
        self._accepted: list[socket.socket] = []
        self._lines: list[asyncio.Task[None]] = []
        self._writers: list[asyncio.StreamWriter] = []

    async def start(self) -> int:
        """Listen; return the port."""
        asyncio.get_running_loop().add_reader(self._listening, self._accept)
        port: int = self._listening.getsockname()[1]
        return port

    async def stop(self) -> None:
        """End all connections."""
        asyncio.get_running_loop().remove_reader(self._listening)
        for line in self._lines:
            line.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(0)  # in the loop's next round they are let go of
        for accepted in (self._listening, *self._accepted):
            accepted.close()

    def _accept(self) -> None:
        accepted, _ = self._listening.accept()
        self._accepted.append(accepted)
        self._lines.append(asyncio.create_task(self._line(accepted)))

    async def _line(self, accepted: socket.socket) -> None:
        reader, writer = await asyncio.open_connection(sock=accepted)
        self._writers.append(writer)
        host = writer.get_extra_info("peername")[0]  # the server has a rate for each
        try:
            upstream = await asyncio.open_connection("127.0.0.1", self._to, local_addr=(host, 0))
        except OSError:  # the server is gone
            writer.close()
            return
        self._writers.append(upstream[1])
        ways = [
            asyncio.create_task(self._carry(reader, upstream[1])),
            asyncio.create_task(self._carry(upstream[0], writer)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            self._end(writer, upstream[1])

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry bytes one way until there are no more, or the line is cut."""
        dice = self._dice
        left = int(10 ** dice.uniform(LEAST, MOST))
        with suppress(OSError):
            while data := await reader.read(dice.randint(1, 1 << 16)):
                split = dice.randint(0, len(data))
                for piece in (data[: min(split, left)], data[split:left]):
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(dice.uniform(0, HELD))
                left -= len(data)
                if left <= 0:
                    self.cuts += 1
                    return

    def _end(self, *writers: asyncio.StreamWriter) -> None:
        reset = self._dice.random() < 0.5
        for writer in writers:
            if reset and not writer.is_closing():
                line = writer.get_extra_info("socket")
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                writer.transport.abort()
            writer.close()
