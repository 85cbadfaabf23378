"""Applies messages and commands to the study one by one, stores the changes, then sends frames.

    message -> study.handle -> store.submit -> (on the disk) -> ack, then events and state

The study in memory is changed at once, and the frames about the change are made then, but they are
queued until the store has written it. So no page shows anything that a crash could undo, and frames
are sent in the order of the log. If the store fails, the queue is dropped and the study object is
discarded; as soon as the store can write again, the log is replayed and each page gets a new
`welcome`. The same happens if a command, or a page that shows its effect, fails by a fault of ours:
its records are not written.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future, wait
from contextlib import suppress
from typing import TypeVar

from dialoom.collect.kinds.room.wizard.suggestions import SuggestionRanker
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Conflict
from dialoom.collect.message import Envelope, MessageBody, Refused
from dialoom.collect.studies import StudyHandle
from dialoom.collect.study.study import Study
from dialoom.collect.unit import SuggestionRequest
from dialoom.errors import DialoomError, clip
from dialoom.serve.connection import Connection, Frame, Pending, refused, unavailable, undone
from dialoom.serve.links import Signer
from dialoom.serve.updates import Hello, PageUpdates, Shown, guarded

log = logging.getLogger("dialoom.serve")

TICK = 1.0
"""Seconds between two calls of `Study.tick`."""

ROUND = 10
"""The most waiting people whose pages are updated at each tick."""

FIRST_RETRY, LAST_RETRY = 0.25, 5.0
"""Seconds between attempts to write after a failure: the first, and the longest."""

T = TypeVar("T")


def now_ms() -> int:
    """Return the time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class SteadyClock:
    """The time of a study: adds up the steps of the computer's clock, without those that go back.

    The log is then in the order of its times, and a clock that is set back by hours takes no time
    from anybody. Steps forward that are too long are absences (collect/study/presence.py).

    Args:
        least: The earliest time to begin with: that of the latest record in the log.
    """

    def __init__(self, read: Callable[[], int], least: int) -> None:
        self._read, self._reading = read, read()
        self._time = max(self._reading, least)

    def __call__(self) -> int:
        """Return the time (ms since 1970)."""
        reading = self._read()
        self._time += max(0, reading - self._reading)
        self._reading = reading
        return self._time


class Hub:
    """A study, its store and its connections; all of it belongs to one event loop."""

    def __init__(self, opened: StudyHandle, signer: Signer, clock: Callable[[], int]) -> None:
        self.study, self.store, self.tasks = opened.study, opened.store, opened.library.tasks
        self.failure: str | None = None
        self.watchers: list[Callable[[Iterable[int]], None]] = []
        """Functions called with the assignments that a written change is about, for bots."""
        self._replay, self._clock = opened.replay, SteadyClock(clock, self.study.state.latest)
        self._ranking = SuggestionRanker(self.tasks, self.study.settings.encoder)
        self._pending: deque[Pending] = deque()
        self._connections: dict[int, Connection] = {}
        self._generations: dict[int, int] = {}
        self._updates = PageUpdates(signer)
        self._tasks: set[asyncio.Task[None]] = set()
        self.loop: asyncio.AbstractEventLoop | None = None
        self._woken = self._stopping = False
        self._rounds: list[int] = []

    # --- start and stop -------------------------------------------------------------------------

    async def start(self) -> None:
        """Start to call `tick` each second."""
        self.loop = asyncio.get_running_loop()
        self._spawn(self._tick())

    async def stop(self) -> None:
        """Finish the writes under way, send their frames, and stop."""
        self._stopping = True
        waiting = [item.written for item in self._pending if item.written is not None]
        await asyncio.to_thread(wait, waiting)
        self._drain()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def now(self) -> int:
        """Return the time (ms since 1970), which never decreases."""
        return self._clock()

    @property
    def connections(self) -> int:
        """Number of connected pages."""
        return len(self._connections)

    # --- queries --------------------------------------------------------------------------------

    def charts(self, assignment: int) -> tuple[str, ...]:
        """Return the tasks whose flow charts an assignment may see."""
        unit, role = self.study.seat(assignment) or (None, "")
        return () if unit is None or unit.work is None else unit.kind.charts(unit.work, role)

    def _wanted(self, assignment: int, message: MessageBody) -> SuggestionRequest | None:
        unit, role = self.study.seat(assignment) or (None, "")
        if unit is None or unit.work is None:
            return None
        return unit.kind.wanted(unit.work, role, message)

    # --- commands -------------------------------------------------------------------------------

    async def act(self, command: Callable[[Study, int], tuple[T, Change]]) -> T:
        """Carry out a command; return its result once written, else raise `Refused`."""
        self.check_writable()
        now = self.now()
        with undone(self.study.state, self._undo):
            result, change = command(self.study, now)
            effects = self._shown(change, now)
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._put(change, effects, waiter=waiter)
        await waiter
        return result

    async def write(self, command: Callable[[Study, int], Change]) -> None:
        """Carry out a command without a result, as `act` does."""
        await self.act(lambda study, now: (None, command(study, now)))

    async def rebuild(
        self, command: Callable[[Study, int], Change], work: Callable[[], None]
    ) -> None:
        """Carry out a command and then `work`, and replay the log; other commands are refused.

        Raises:
            Refused: The command is not allowed, or its change cannot be written.
            DialoomError: `work` raised it; the study then goes on from the log as it is.
        """
        self.check_writable()
        now = self.now()
        with undone(self.study.state, self._undo):
            change = command(self.study, now)
        self._put(change, self._shown(change, now, safely=True))
        self.failure = "the study is being changed"
        await asyncio.shield(self._spawn(self._rebuild(work)))

    async def _rebuild(self, work: Callable[[], None]) -> None:
        futures = [item.written for item in self._pending if item.written is not None]
        await asyncio.to_thread(wait, futures)
        self._drain()
        if any(future.exception() for future in futures):  # `_drain` has begun the recovery
            raise unavailable()
        try:
            await asyncio.to_thread(work)
        finally:
            await self._recover([])

    async def handle(self, connection: Connection, envelope: Envelope) -> None:
        """Carry out a message; acknowledge it once written, else raise `Refused`."""
        self.check_writable()
        request, ranked = self._wanted(connection.assignment, envelope.message), None
        if request is not None:
            ranked = await self._ranking.rank(request)
            self.check_writable()
        now = self.now()
        with undone(self.study.state, self._undo):
            change = self.study.handle(connection.assignment, envelope, now, ranked)
            effects = self._shown(change, now)
        self._put(change, effects, sender=(connection, envelope.client))

    def refuse(self, connection: Connection, client: str | None, refusal: Refused) -> None:
        """Answer a message with a refusal, after the answers to earlier messages."""
        self._pending.append(Pending(None, [(connection, refused(client, refusal))]))
        self._drain()

    def check_writable(self) -> None:
        """Raise `Refused` (`unavailable`) if the store cannot write, or the server is stopping."""
        if self.failure is not None or self._stopping:
            raise unavailable()

    # --- connections ----------------------------------------------------------------------------

    def attach(self, connection: Connection, hello: Hello) -> bool:
        """Make a page the only one of its assignment, if it is the newest; return whether it is."""
        assignment = connection.assignment
        newest = self._generations.get(assignment, 0)
        if hello.generation is not None and hello.generation < newest:
            connection.take_over()
            return False
        connection.generation = newest + 1 if hello.generation is None else hello.generation
        self._generations[assignment] = connection.generation
        before = self._connections.get(assignment)
        self._connections[assignment] = connection
        if before is not None:
            before.take_over()
        if self.failure is None:
            self._welcome(connection, hello)
        return True

    def is_seat_token(self, connection: Connection, token: str) -> bool:
        """True if a token is of a seat that the connection's assignment has or had."""
        return self._updates.unit_of(connection.assignment, token) is not None

    def detach(self, connection: Connection) -> None:
        """Record that a page has closed its connection."""
        assignment = connection.assignment
        if self._connections.get(assignment) is not connection:
            return
        del self._connections[assignment]
        if self.failure is None and not self._stopping:
            now = self.now()
            change = self.study.disconnected(assignment, now)
            others = self._updates.others(self.study, assignment)
            self._put(change, self._shown(change, now, others, safely=True))

    def _welcome(self, connection: Connection, hello: Hello | None = None) -> None:
        assignment, now = connection.assignment, self.now()
        change = self.study.connected(assignment, now)
        with guarded(connection) as welcome:
            welcome += self._updates.welcome(connection, self.study, now, hello)
        others = self._updates.others(self.study, assignment)
        first = [(connection, frame) for frame in welcome]
        self._put(change, self._shown(change, now, others, safely=True), first)

    def _shown(
        self, change: Change, now: int, also: Iterable[int] = (), *, safely: bool = False
    ) -> Shown:
        study, connections = self.study, self._connections
        return self._updates.shown(change, study, connections, now, also, safely=safely)

    def _undo(self) -> None:
        self.failure = "the study is being restored"
        self._spawn(self._rebuild(lambda: None))

    # --- writing, then sending ------------------------------------------------------------------

    def _put(
        self,
        change: Change,
        effects: Shown,
        first: Iterable[tuple[Connection, Frame]] = (),
        *,
        sender: tuple[Connection, str] | None = None,
        waiter: asyncio.Future[None] | None = None,
    ) -> None:
        future = self.store.submit(change) if change.records or change.claims else None
        frames = list(first)
        if sender is not None:  # the ack is sent first, with the `seq` after the updates
            author, client = sender
            ack = {"type": "ack", "client_msg_id": client, "seq": author.seq}
            frames.append((author, ack))
        pending = Pending(future, frames + effects.updates, effects.touched, sender, waiter)
        self._pending.append(pending)
        if future is None:
            self._drain()
        else:
            future.add_done_callback(self._wake)

    def _wake(self, _: Future[None]) -> None:
        """Schedule `_drain`; called in the store's thread, once for a group of changes."""
        if not self._woken and self.loop is not None:
            self._woken = True
            with suppress(RuntimeError):  # the loop is closed, and with it all connections
                self.loop.call_soon_threadsafe(self._drain)

    def _drain(self) -> None:
        self._woken = False
        while self._pending:
            future = self._pending[0].written
            if future is not None:
                if not future.done():
                    return
                error = future.exception()
                if error is not None:
                    self._fail(error)
                    return
            self._deliver(self._pending.popleft())

    def _deliver(self, pending: Pending) -> None:
        for connection, frame in pending.frames:
            connection.send(frame)
        if pending.waiter is not None and not pending.waiter.done():
            pending.waiter.set_result(None)
        for watcher in self.watchers:
            watcher(pending.touched)

    # --- failure and recovery -------------------------------------------------------------------

    def _fail(self, error: BaseException) -> None:
        """Drop the pending changes, which were not written, or depend on one that was not."""
        self.failure = clip(str(error) or type(error).__name__, 300)
        log.error("the log cannot be written: %s", self.failure)
        pending, self._pending = self._pending, deque()
        for place, item in enumerate(pending):
            refusal = unavailable()
            if place == 0 and isinstance(error, Conflict):  # a repeated message would fail again
                refusal = Refused("internal", "The server could not carry this out.")
            if item.sender is not None:
                connection, client = item.sender
                connection.send(refused(client, refusal))
            if item.waiter is not None and not item.waiter.done():
                item.waiter.set_exception(refusal)
        self._spawn(self._recover([p.written for p in pending if p.written is not None]))

    async def _recover(self, submitted: list[Future[None]]) -> None:
        await asyncio.to_thread(wait, submitted)
        delay = FIRST_RETRY
        while True:
            try:
                await asyncio.to_thread(self.store.recover)
                study = await asyncio.to_thread(self._replay)
                break
            except DialoomError as error:
                self.failure = clip(str(error), 300)
            await asyncio.sleep(delay)
            delay = min(2 * delay, LAST_RETRY)
        self.study, self.failure = study, None
        log.warning("the log was replayed: %d records", study.state.records)
        connections = tuple(self._connections.values())
        for connection in connections:
            connection.state = None
        for connection in connections:
            self._welcome(connection)

    # --- clocks ---------------------------------------------------------------------------------

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            if self.failure is None:
                try:
                    self.tick()
                except Exception:  # a bug must not stop the timeouts of the whole study
                    log.exception("a tick failed")

    def tick(self) -> None:
        """Apply the study's timeouts, and send what changes."""
        now = self.now()
        change = self.study.tick(now)
        effects = self._shown(change, now, self._waiting(), safely=True)
        self._put(change, effects, self._updates.idle_warnings(self.study, self._connections, now))

    def _waiting(self) -> list[int]:
        """Return the next `ROUND` waiting assignments, whose pages show the pay so far."""
        if not self._rounds:
            self._rounds = [
                connection.assignment
                for connection in self._connections.values()
                if connection.state is not None and connection.state["step"] == "waiting"
            ]
        batch, self._rounds = self._rounds[:ROUND], self._rounds[ROUND:]
        return batch

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
