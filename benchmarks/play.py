"""What share of the time the simulator takes where many slow agents are asked at once.

python benchmarks/play.py [--quick] [--json FILE]

An agent behind a web hook answers after two seconds, each time in other words; 64 dialogues are
played at a time. The floor is the time that the answers alone take. The parts:
  wall  seconds that the dialogues take; the ratio also falls with what else the machine does
  cpu   the same without that: the answers' time, and the simulator's own processor time
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection

from _measure import Figure, options_parser, report

from dialoom.play.running.plan import plan_of
from dialoom.schema import pack

AT_ONCE = 64
BODY = b'{"say": "One moment, please, this is number %d."}'
ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s"


def serve(delay: float, ready: Connection) -> None:
    """Answer every request after some seconds, until this process is ended."""

    number = 0

    async def turn(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal number
        with suppress(asyncio.IncompleteReadError):  # whoever asked is gone
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length:")[2].split(b"\r\n", 1)[0]
                await reader.readexactly(int(length))
                await asyncio.sleep(delay)
                number += 1
                body = BODY % number
                writer.write(ANSWER % (len(body), body))
                await writer.drain()

    async def run() -> None:
        server = await asyncio.start_server(turn, "127.0.0.1", 0, backlog=256)
        ready.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(run())


@contextmanager
def slow_agent(delay: float) -> Iterator[int]:
    """Serve in a process of its own; yield its port."""
    context = get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=serve, args=(delay, there), daemon=True)
    process.start()
    yield here.recv()
    process.terminate()
    process.join()


def waiting(delay: float, rounds: int) -> dict[str, Figure]:
    """Return how much of the dialogues' time is spent waiting for their agents."""
    with slow_agent(delay) as port:
        agent = f"http:http://127.0.0.1:{port}/turn"
        plan = plan_of(
            (pack.load("weather"),), agent, "simulated", AT_ONCE * rounds, 1, 7, at_once=AT_ONCE
        )
        play, lock, spent, waited = plan.source(), threading.Lock(), 0.0, 0.0

        def timed(index: int) -> None:
            nonlocal spent, waited
            began = time.perf_counter()
            dialogue = play(index)
            with lock:
                spent += time.perf_counter() - began
                waited += delay * dialogue.extra["play"]["spent"]["agent"]["calls"]

        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(timed, range(AT_ONCE)))  # makes each thread's task ready
            spent = waited = 0.0
            began = time.process_time()
            list(pool.map(timed, range(AT_ONCE * (rounds - 1))))
            own = time.process_time() - began
    return {
        "wall": Figure(spent, "s in dialogues", waited, waited / spent),
        "cpu": Figure(waited + own, "s in dialogues", waited, waited / (waited + own)),
    }


def main() -> None:
    """Measure and report."""
    parser = options_parser(__doc__, quick="one round")
    options = parser.parse_args()
    report(waiting(2.0, 2 if options.quick else 4), options.json)


if __name__ == "__main__":
    main()
