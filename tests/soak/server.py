"""The server of a soak: `dialoom collect` in a process of its own, with a fault that awaits it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from dialoom.collect.log.faults import VARIABLE

PROGRAM = (sys.executable, "-c", "import sys; from dialoom.cli import main; sys.exit(main())")

RECOVERED = "can be written again"
"""What the server logs when it has recovered."""


class Server:
    """A running server.

    Attributes:
        user: The user's link.
        wizard: The wizard's link.
        recovered: Set when the store had failed, and works again.
        log: What it wrote to standard error.
    """

    def __init__(self, process: asyncio.subprocess.Process, user: str, wizard: str) -> None:
        self.user, self.wizard = user, wizard
        self.recovered, self.log = asyncio.Event(), ""
        self._process = process
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def start(cls, db: str, settings: Path, fault: str = "") -> Server:
        """Start a server and return when it has printed its links.

        Raises:
            RuntimeError: It did not.
        """
        process = await asyncio.create_subprocess_exec(
            *(*PROGRAM, "collect", "--db", db, "--settings", settings, "--port", "0"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={**os.environ, VARIABLE: fault},
        )
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode().split() for _ in range(3)]
        if [line[:1] for line in lines] != [["user"], ["wizard"], ["admin"]]:
            _, errors = await process.communicate()
            raise RuntimeError(f"the server did not start: {errors.decode()[-2000:]}")
        return cls(process, lines[0][1], lines[1][1])

    async def _read(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self.log = (self.log + line.decode())[-10_000:]
            if RECOVERED in self.log:
                self.recovered.set()

    def kill(self) -> None:
        """End it as `kill -9` does, unless it is over."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)

    async def over(self) -> int:
        """Wait for the end; return the exit status."""
        code = await self._process.wait()
        await self._reading
        return code
