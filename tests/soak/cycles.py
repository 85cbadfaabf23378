"""The soak: people talk, the server is killed, what was acknowledged is looked for; again.

In turn the server is killed at a random moment, before a commit, after a commit, after an
acknowledgement, and after its disk was full or its database read-only for a while, after it was
stopped for longer than people are waited for, and while lines are cut in the middle of frames.
People go on where they were, on the server that is started next.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from dialoom.collect.log.store import Store
from dialoom.serve.hub import TICK
from dialoom.serve.links import Signer
from tests.soak import spoken_people
from tests.soak.document_people import DocumentPerson, stages, written
from tests.soak.invariants import violations
from tests.soak.patience import patiently
from tests.soak.people import Person
from tests.soak.proxy import Proxy
from tests.soak.replays import differences
from tests.soak.server import Server
from tests.soak.spoken_people import SpokenPerson
from tests.soak.world import World

FAULTS = (
    "before_commit",
    "after_commit",
    "after_acknowledgement",
    "full_disk",
    "read_only",
)
"""What goes wrong within the server: see tests.collect.log.faults."""

KINDS = ("kill", *FAULTS, "stopped", "cut")
"""What happens, in turn."""

COUPLES = 12
"""Users, and wizards."""

MOST = 100
"""Groups, or acknowledgements, after which a long soak has its fault at the latest."""

CUTS = 5
"""Lines that are cut at least, where they are."""

GONE = 4
"""Users who are gone at the moment when the server is stopped."""

GRACE, LONGEST = 2, 4
"""Seconds that people of the study are waited for: those who are gone, and all others."""

ASLEEP = 6.0
"""Seconds for which a server is stopped: longer than anybody is waited for."""

PAUSE = 0.2
"""Seconds that people think where the server is to be stopped: it has to live for a while first."""

HEARTBEAT = 1.0
"""Seconds of silence after which people give a connection up, while the server is stopped: a
server that runs may be slow."""

WRITERS = 7
"""People who work on documents."""

SPEAKERS = 2
"""Users who speak, and their wizards."""

EVERYBODY = 2 * (COUPLES + SPEAKERS) + WRITERS

TARGET = 100_000
"""Units of each item: a soak does not come to their end."""


def settings(outputs: Path) -> bytes:
    """Return the settings of a study with every kind of work; a file of outputs is written."""
    outputs.write_bytes(written())
    times = {"idle_warning": 3, "grace": GRACE, "idle": LONGEST, "wait": LONGEST}
    return msgspec.json.encode(
        {
            "tasks": ["hotel_book"],
            "purpose": "a soak",
            "guard": "off",
            "scenarios": 10,
            "target": TARGET,
            "per_address": EVERYBODY,
            "times": times,
            "stages": [
                {"name": "single"},
                spoken_people.stage(),
                *stages(str(outputs), TARGET),
            ],
            "speech": {"recogniser": spoken_people.RECOGNISER},
        }
    )


class Soak:
    """A study that lives through cycles.

    Args:
        folder: Where settings are written, and the study without `db`.
        db: Where the study is: a path or a URL.
        seed: Chooses the moments.
        most: Groups, or acknowledgements, after which the fault has come at the latest.
    """

    def __init__(
        self, folder: Path, db: str | None = None, seed: int = 0, most: int = MOST
    ) -> None:
        self.db = db or str(folder / "study.sqlite")
        self.world = World(turns=3, seed=seed)
        self.cycles = self.records = self.cuts = 0
        self._settings = folder / "settings.yaml"
        self._settings.write_bytes(settings(folder / "outputs.jsonl"))
        self._random, self._most = random.Random(seed), most
        self._spared = range(0)
        self._server: Server | None = None

    async def run(self, cycles: int, tell: Callable[[str], object] = print) -> list[str]:
        """Run so many cycles, or up to the first in which something does not hold.

        The ways to replay the log are compared once in a round of kinds: that takes a while.

        Returns:
            What does not hold.
        """
        async with self._people():
            for number in range(cycles):
                kind = KINDS[number % len(KINDS)]
                before = len(self.world.acknowledged)
                log = await patiently(self._cycle(kind), self._progress, self._processes)
                self.cycles += 1
                faults = [*self.world.faults, *self._check()]
                if (number + 1) % len(KINDS) == 0 or number + 1 == cycles:
                    faults += differences(self.db)
                new = len(self.world.acknowledged) - before
                summary = f"{new:4} acknowledged, {self.records} records, {self.cuts} lines cut"
                tell(f"{number + 1:4} {kind:22} {summary}")
                if faults:
                    return [f"cycle {number + 1}, {kind}: {what}" for what in faults] + [log]
        return []

    @asynccontextmanager
    async def _people(self) -> AsyncIterator[None]:
        self._users = [Person(self.world, "user") for _ in range(COUPLES)]
        self._wizards = [Person(self.world, "wizard") for _ in range(COUPLES)]
        names = itertools.count()
        writers = [DocumentPerson(self.world, names) for _ in range(WRITERS)]
        spoken = [
            SpokenPerson(self.world, role, numbers)
            for role, numbers in (("user", itertools.count()), ("wizard", itertools.count()))
            for _ in range(SPEAKERS)
        ]
        people = self._users + self._wizards + spoken + writers
        tasks = [asyncio.create_task(person.live()) for person in people]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _progress(self) -> object:
        world = self.world
        return self._server, len(world.acknowledged), len(world.silent)

    def _processes(self) -> list[int]:
        return [] if self._server is None else [self._server.pid]

    async def _cycle(self, kind: str) -> str:
        """Let a server live and die; return what it logged."""
        at = self._random.randint(1, self._most)
        fault = f"{kind}:{at}" if kind in FAULTS else ""
        server = self._server = Server(self.db, self._settings, fault)
        await server.started()
        with Store.open(self.db, create=False, readonly=True) as store:
            self.world.signer = Signer(store.secret())
        self._spared = range(0)
        self.world.think = lambda: PAUSE if kind == "stopped" else 0.0
        async with self._line(server, kind) as cuts:
            killing = asyncio.create_task(self._kill(server, kind, at, cuts))
            try:
                code = await server.over()
            finally:
                server.kill()
                killing.cancel()
                self.world.down()
                with suppress(asyncio.CancelledError):
                    await killing
        self.cuts += cuts()
        if code != -9:
            self.world.faults.append(f"the server ended by itself, with {code}")
        return server.log

    @asynccontextmanager
    async def _line(self, server: Server, kind: str) -> AsyncIterator[Callable[[], int]]:
        """Tell people where the server is; give what counts the lines that were cut."""
        if kind != "cut":
            self.world.up(server.user, server.wizard)
            yield lambda: 0
            return
        proxy = Proxy(server.port, self._random.random())
        port = await proxy.start()
        user, wizard = (
            link.replace(f":{server.port}/", f":{port}/") for link in (server.user, server.wizard)
        )
        self.world.up(user, wizard)
        try:
            yield lambda: proxy.cuts
        finally:
            await proxy.stop()

    async def _kill(self, server: Server, kind: str, count: int, cuts: Callable[[], int]) -> None:
        """Kill the server after so many acknowledgements, where its fault does not."""
        if kind in ("full_disk", "read_only"):
            await server.recovered.wait()
        elif kind in FAULTS:
            return
        await self._acknowledged(count)
        if kind == "stopped":
            await self._sleep(server)
            await self._acknowledged(count)
        elif kind == "cut":
            await self._until(lambda: cuts() >= CUTS)
        server.kill()

    async def _acknowledged(self, count: int) -> None:
        """Wait until so many messages more are acknowledged."""
        target = len(self.world.acknowledged) + count
        await self._until(lambda: len(self.world.acknowledged) >= target)

    async def _sleep(self, server: Server) -> None:
        """Let the server sleep until everybody has found it silent, and for long enough.

        It has looked at its clocks before. Some people were gone then, and cannot come back now.
        """
        ticked = time.monotonic() + 2 * TICK
        await self._until(lambda: time.monotonic() > ticked)
        await self._until(lambda: sum(user.room > 0 for user in self._users) >= GONE)
        leavers = {user.room: user for user in self._users if user.room}
        for room in tuple(leavers)[GONE:]:
            del leavers[room]
        for user in leavers.values():
            user.go()
        await self._until(
            lambda: all(wizard.alone for wizard in self._wizards if wizard.room in leavers)
        )
        server.stop()
        self.world.silent.clear()
        self.world.listen(HEARTBEAT)
        for user in leavers.values():
            user.come()
        long = asyncio.create_task(asyncio.sleep(ASLEEP))
        await self._until(lambda: len(self.world.silent) == EVERYBODY)
        await long
        self.world.listen(None)
        woken = server.wake()
        self._spared = range(woken, woken + GRACE * 1000)

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Wait until something holds of the world."""
        event = asyncio.Event()

        def watch() -> None:
            if holds():
                event.set()

        self.world.watch = watch
        watch()
        await event.wait()

    def _check(self) -> list[str]:
        faults, self.records = violations(self.db, self.world, self._spared)
        return faults
