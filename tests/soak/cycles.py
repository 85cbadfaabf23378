"""The soak: people talk, the server is killed, what was acknowledged is looked for; again.

In turn the server is killed at a random moment, before a commit, after a commit, after an
acknowledgement, and after its disk was full or its database read-only for a while. People go on
where they were, on the server that is started next.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.soak.invariants import violations
from tests.soak.people import Person, World
from tests.soak.server import Server

KINDS = (
    "kill",
    "before_commit",
    "after_commit",
    "after_acknowledgement",
    "full_disk",
    "read_only",
)
"""What happens to the server, in turn: see dialoom.collect.log.faults for all but the first."""

COUPLES = 12
"""Users, and wizards."""

MOST = 100
"""Groups, or acknowledgements, after which the fault has come at the latest."""

PATIENCE = 300.0
"""Seconds after which a cycle in which nothing comes to an end has failed."""

SETTINGS = """
tasks: [hotel_book]
purpose: a soak
guard: "off"
scenarios: 10
target: 100000
"""


class Soak:
    """A study that lives through cycles.

    Args:
        folder: Where settings are written, and the study without `db`.
        db: Where the study is: a path or a URL.
        seed: Chooses the moments.
    """

    def __init__(self, folder: Path, db: str | None = None, seed: int = 0) -> None:
        self.db = db or str(folder / "study.sqlite")
        self.world = World(turns=3, seed=seed)
        self.records = 0
        self._settings = folder / "settings.yaml"
        self._settings.write_text(SETTINGS, encoding="utf-8")
        self._random = random.Random(seed)

    async def run(self, cycles: int, tell: Callable[[str], object] = print) -> list[str]:
        """Run so many cycles, or up to the first in which something does not hold.

        Returns:
            What does not hold.
        """
        with self._people():
            for number in range(cycles):
                kind = KINDS[number % len(KINDS)]
                before = len(self.world.acknowledged)
                log = await asyncio.wait_for(self._cycle(kind), PATIENCE)
                found = [*self.world.faults, *self._check()]
                new = len(self.world.acknowledged) - before
                tell(f"{number + 1:4} {kind:22} {new:4} acknowledged, {self.records} records")
                if found:
                    return [f"cycle {number + 1}, {kind}: {what}" for what in found] + [log]
        return []

    @contextmanager
    def _people(self) -> Iterator[None]:
        tasks = [
            asyncio.create_task(Person(self.world, role).live())
            for _ in range(COUPLES)
            for role in ("user", "wizard")
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()

    async def _cycle(self, kind: str) -> str:
        """Let a server live and die; return what it logged."""
        at = self._random.randint(1, MOST)
        server = await Server.start(
            self.db, self._settings, "" if kind == "kill" else f"{kind}:{at}"
        )
        self.world.up(server.user, server.wizard)
        killing = asyncio.create_task(self._kill(server, kind, at))
        try:
            code = await server.over()
        finally:
            server.kill()
            killing.cancel()
            self.world.down()
            with suppress(asyncio.CancelledError):
                await killing
        if code != -9:
            self.world.faults.append(f"the server ended by itself, with {code}")
        return server.log

    async def _kill(self, server: Server, kind: str, count: int) -> None:
        """Kill the server after so many acknowledgements, where its fault does not."""
        if kind in ("full_disk", "read_only"):
            await server.recovered.wait()
        elif kind != "kill":
            return
        enough, wanted = asyncio.Event(), len(self.world.acknowledged) + count

        def watch() -> None:
            if len(self.world.acknowledged) >= wanted:
                enough.set()

        self.world.watch = watch
        await enough.wait()
        server.kill()

    def _check(self) -> list[str]:
        found, self.records = violations(self.db, self.world.acknowledged)
        return found
