"""A run: writes the dialogues of a plan in shards, by one process or several.

    plan = StarPlan(tasks=(hotel_book, weather), seed=7, dialogues=2000)
    with WorkerPool(plan, folder, workers=4) as pool:
        for done in pool: ...       # numbers of dialogues, and shards as they are finished

A shard is a function of the plan and its number; existing shards are kept, and of costly plans each
dialogue. `WorkerPool` is the engine `processes`; core/plan.py lists the others.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext
from importlib import metadata
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dialoom.corpus.files import write_synced, writing
from dialoom.corpus.shards import Shard, line_digest, shard_name, write_manifest, write_schemas
from dialoom.corpus.unfinished import ShardJournal
from dialoom.dialogue import encode
from dialoom.errors import DialoomError, UsageError
from dialoom.http.metering import STOPPED
from dialoom.sim.core.plan import Plan

if TYPE_CHECKING:
    from multiprocessing.context import ForkContext, SpawnContext

TICK = 100
"""Number of dialogues between two reports of progress; a costly plan reports each dialogue."""


class WorkerLostError(DialoomError):
    """A worker ended before its work was done; the shards written so far are whole and stay."""

    code = "worker-lost"


def record(plan: Plan) -> dict[str, Any]:
    """Return all settings that the bytes of a run depend on."""
    return {
        # Not `dialoom.__version__`: this layer may not import the package above it.
        "dialoom": metadata.version("dialoom"),
        "preset": plan.preset,
        **plan.settings,
        "number": plan.dialogues,
        "seed": plan.seed,
    }


def write_contents(plan: Plan, shards: Iterable[Shard], folder: Path) -> None:
    """Write the schemas and the manifest of a corpus next to its shards."""
    schemas = write_schemas(plan.schemas, folder)
    write_manifest(folder, shards, schemas, {plan.kind: record(plan)})


class Maker:
    """Writes the shards of a plan in this process; `dialogue` returns one by its index."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.dialogue = plan.source()

    def shard(self, number: int, folder: Path) -> Iterator[int | Shard]:
        """Write one shard, whole or not at all; yield counts of dialogues, then the shard.

        Raises `OutputError` for files, `SchemaError` if a task's flow does not end.
        """
        part = self.plan.part(number)
        name = shard_name(number)
        file = folder / name
        with writing(file):
            if file.is_file():  # made before the run was interrupted
                yield len(part)
                yield Shard(name, line_digest(file.read_bytes()), len(part))
                return
        journal = ShardJournal(folder, number) if self.plan.costly else None
        tick = 1 if self.plan.costly else TICK
        by_index: dict[int, bytes] = {}
        with _uncollected(), journal or nullcontext():
            for index, line in self._lines(part, journal):
                by_index[index] = line
                if not len(by_index) % tick:
                    yield tick
        yield len(by_index) % tick
        lines = b"\n".join((*map(by_index.__getitem__, part), b""))
        by_index.clear()
        with writing(file):
            partial = folder / f".{name}.{os.getpid()}"
            try:
                write_synced(partial, lines)
                partial.replace(file)
            finally:
                partial.unlink(missing_ok=True)
            if journal is not None:
                journal.remove()
        yield Shard(name, line_digest(lines), len(part))

    def _lines(self, part: range, journal: ShardJournal | None) -> Iterator[tuple[int, bytes]]:
        archive = journal.kept if journal is not None else {}
        yield from archive.items()
        order = [index for index in self.plan.order(part) if index not in archive]

        def line(index: int) -> bytes:
            output = encode(self.dialogue(index))
            if journal is not None:
                journal.add(index, output)
            return output

        output = self._threaded(line, order) if self.plan.at_once > 1 else map(line, order)
        yield from zip(order, output, strict=True)

    def _threaded(self, line: Callable[[int], bytes], order: list[int]) -> Iterator[bytes]:
        """Yield the lines in order, made by threads that an interrupted process leaves behind."""
        futures = {index: Future[bytes]() for index in order}
        waiting, stopped = iter(order), threading.Event()

        def work() -> None:
            STOPPED.set(stopped)
            for index in waiting:
                try:
                    futures[index].set_result(line(index))
                except BaseException as error:  # raised again where the line is awaited
                    futures[index].set_exception(error)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(self.plan.at_once)]
        for thread in threads:
            thread.start()
        try:
            for index in order:
                yield futures[index].result()
        except DialoomError:  # dialogues in progress are finished and saved
            deque(waiting, maxlen=0)
            for thread in threads:
                thread.join()
            raise
        finally:
            deque(waiting, maxlen=0)
            stopped.set()


@contextmanager
def _uncollected() -> Iterator[None]:
    """Switch off cyclic garbage collection: dialogues leave no cycles, and passes take time."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


class WorkerPool:
    """Simulates all shards of a plan with some processes, as `Engine` describes.

    `UsageError` for fewer than one worker; with one, no process is started.
    """

    def __init__(self, plan: Plan, folder: Path, workers: int) -> None:
        check_workers(workers)
        self._plan, self._folder = plan, folder
        self._workers = min(workers, len(plan.shards))
        self._processes: dict[Connection, BaseProcess] = {}

    def __enter__(self) -> WorkerPool:
        if self._workers > 1:
            context = _context()
            for worker in range(self._workers):
                self._start(context, range(worker, len(self._plan.shards), self._workers))
        return self

    def _start(self, context: ForkContext | SpawnContext, numbers: range) -> None:
        receiver, sender = context.Pipe(duplex=False)
        process = context.Process(
            target=_work, args=(self._plan, self._folder, numbers, sender), daemon=True
        )
        process.start()
        sender.close()
        self._processes[receiver] = process

    def __exit__(self, *error: object) -> None:
        for receiver, process in self._processes.items():
            process.terminate()
            process.join()
            receiver.close()
        self._processes.clear()

    def __iter__(self) -> Iterator[int | Shard]:
        if not self._processes:
            maker = Maker(self._plan)
            for number in self._plan.shards:
                yield from maker.shard(number, self._folder)
            return
        waiting = list(self._processes)
        while waiting:
            for receiver in wait(waiting):
                if not isinstance(receiver, Connection):
                    continue
                done = self._receive(receiver)
                if done is None:
                    waiting.remove(receiver)
                else:
                    yield done

    def _receive(self, receiver: Connection) -> int | Shard | None:
        try:
            done: int | Shard | DialoomError = receiver.recv()
        except EOFError:
            process = self._processes[receiver]
            process.join()
            if process.exitcode:
                raise WorkerLostError(
                    f"a worker ended with code {process.exitcode} before its work was done; "
                    "the same command goes on from here"
                ) from None
            return None
        if isinstance(done, DialoomError):
            raise done
        return done


def check_workers(workers: int) -> None:
    """Raise `UsageError` for a number of workers below 1."""
    if workers < 1:
        raise UsageError(f"{workers} workers make nothing; ask for 1 or more", code="out-of-range")


def _context() -> ForkContext | SpawnContext:
    if "fork" in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("fork")
    return multiprocessing.get_context("spawn")


def _work(plan: Plan, folder: Path, numbers: range, sender: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent gets it too, and ends its workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    maker = Maker(plan)
    try:
        for number in numbers:
            for done in maker.shard(number, folder):
                sender.send(done)
    except DialoomError as error:
        sender.send(error)
    except BrokenPipeError:  # the parent has ended
        return
    finally:
        sender.close()
