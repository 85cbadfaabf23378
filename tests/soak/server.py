"""The server of a soak: `dialoom collect` in a process of its own, with a fault that awaits it.

Each is forked from a process that has imported the program: imports take most of a start.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from tests.collect.log import faults

RECENT = 500
"""Records at the end of the log that the server starts from, whatever they are: a soak has less
of them than a study, and passes over what was said before all the same."""

RECOVERED = "the log was replayed"
"""What the server logs when it has recovered."""

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    ["dialoom.cli.app", "dialoom.cli.collect", "dialoom.serve.app", "dialoom.serve.server"]
)


def _serve(pipes: Sequence[Connection], arguments: Sequence[str], fault: str) -> None:
    """Be the server, with standard output and error in two pipes."""
    for number, pipe in enumerate(pipes, start=1):
        os.dup2(pipe.fileno(), number)
    faults.install(fault)
    sys.argv = ["dialoom", *arguments]
    from dialoom.cli import main
    from dialoom.collect.log import reader

    reader.RECENT = RECENT
    main()


class Server:
    """A running server.

    Attributes:
        pid: Its process.
        user: The user's link.
        wizard: The wizard's link.
        port: Where it listens.
        recovered: Set when the store had failed, and works again.
        log: What it wrote to standard error.
    """

    def __init__(self, db: str, settings: Path, fault: str = "") -> None:
        self.user, self.wizard, self.port = "", "", 0
        self.recovered, self.log, self._over = asyncio.Event(), "", asyncio.Event()
        arguments = ("collect", "--db", db, "--settings", str(settings), "--port", "0")
        (self._output, output), (errors, error) = (FORKS.Pipe(duplex=False) for _ in range(2))
        self._process = FORKS.Process(target=_serve, args=((output, error), arguments, fault))
        self._process.start()
        output.close()
        error.close()
        assert self._process.pid is not None
        self.pid = self._process.pid
        self._reading = asyncio.create_task(self._read(errors))
        loop = asyncio.get_running_loop()
        loop.add_reader(self._process.sentinel, self._ended, loop)

    async def started(self) -> None:
        """Wait until the server has printed its links.

        Raises:
            RuntimeError: It did not.
        """
        reader = await _reader(self._output)
        lines = [(await reader.readline()).decode().split() for _ in range(3)]
        if [line[:1] for line in lines] != [["user"], ["wizard"], ["admin"]]:
            code = await self.over()
            raise RuntimeError(f"the server did not start: {code}, {lines}, {self.log}")
        self.user, self.wizard = lines[0][1], lines[1][1]
        self.port = int(self.user.split(":")[2].partition("/")[0])

    async def _read(self, errors: Connection) -> None:
        async for line in await _reader(errors):
            self.log = (self.log + line.decode())[-10_000:]
            if RECOVERED in self.log:
                self.recovered.set()

    def _ended(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_reader(self._process.sentinel)
        self._over.set()

    def stop(self) -> None:
        """Let it sleep."""
        os.kill(self.pid, signal.SIGSTOP)

    def wake(self) -> int:
        """Let it go on; return when (ms since 1970)."""
        now = time.time_ns() // 1_000_000
        os.kill(self.pid, signal.SIGCONT)
        return now

    def kill(self) -> None:
        """End it as `kill -9` does, unless it is over."""
        if not self._over.is_set():
            self._process.kill()

    async def over(self) -> int:
        """Wait for the end; return the exit status."""
        await self._over.wait()
        await self._reading
        self._process.join()
        assert self._process.exitcode is not None
        return self._process.exitcode


async def _reader(pipe: Connection) -> asyncio.StreamReader:
    """Return what reads the bytes of a pipe."""
    reader = asyncio.StreamReader()
    file = os.fdopen(os.dup(pipe.fileno()), "rb")
    pipe.close()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), file
    )
    return reader
