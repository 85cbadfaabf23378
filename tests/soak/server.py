"""The server of a soak: `dialoom collect` in a process of its own, with a fault that awaits it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

from dialoom.collect.log.faults import VARIABLE

RECENT = 500
"""Records at the end of the log that the server starts from, whatever they are: a soak has less
of them than a study, and passes over what was said before all the same."""

PROGRAM = (
    sys.executable,
    "-c",
    "import sys; from dialoom.collect.log import reader; from dialoom.cli import main; "
    f"reader.RECENT = {RECENT}; sys.exit(main())",
)

RECOVERED = "the log was replayed"
"""What the server logs when it has recovered."""


class Server:
    """A running server.

    Attributes:
        user: The user's link.
        wizard: The wizard's link.
        port: Where it listens.
        recovered: Set when the store had failed, and works again.
        log: What it wrote to standard error.
    """

    def __init__(self, process: asyncio.subprocess.Process, user: str, wizard: str) -> None:
        self.user, self.wizard = user, wizard
        self.port = int(user.split(":")[2].partition("/")[0])
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
            told = f"{process.returncode}, {lines}, {errors.decode()[-2000:]}"
            raise RuntimeError(f"the server did not start: {told}")
        return cls(process, lines[0][1], lines[1][1])

    async def _read(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            self.log = (self.log + line.decode())[-10_000:]
            if RECOVERED in self.log:
                self.recovered.set()

    def stop(self) -> None:
        """Let it sleep."""
        self._process.send_signal(signal.SIGSTOP)

    def wake(self) -> int:
        """Let it go on; return when (ms since 1970)."""
        now = time.time_ns() // 1_000_000
        self._process.send_signal(signal.SIGCONT)
        return now

    def kill(self) -> None:
        """End it as `kill -9` does, unless it is over."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)

    async def over(self) -> int:
        """Wait for the end; return the exit status."""
        code = await self._process.wait()
        await self._reading
        return code
