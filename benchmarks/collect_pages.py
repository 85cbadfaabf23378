"""How fast a study's server answers its admin and its workers, against a small answer of the same.

python benchmarks/collect_pages.py [--quick] [--json FILE]

The study has 10,000 items that are rated and 1,000 workers, who have handed in five items each and
wait for their review. Each page is asked for again and again by one client, beside nothing else:

  admin    what the pages live, review, workers, figures, pay, links and settings show (they are
           one answer), the page of items, the accounts, a dialogue, and the signals of careless
           work, which a button counts from the whole log
  worker   the page of a link, the way from it to the first item, a saved grade, the next item

The value is the wall time of a request, its median and its 99th percentile, and the processor time
that the server takes for one; people should not wait longer than 300 ms. The floor is what cannot
be saved: a request for a page of a few bytes to the same server (for processor time its own), and
for the admin's answers also the time in which their JSON is written once more.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from statistics import median

import httpx
import msgspec
from _measure import Figure, options_parser, report

from collect import Server, served

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.serve.page import Page

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.log.change import Change
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Envelope
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.studies import open_study
from dialoom.serve.links import Signer

EACH = 5
"""Items of an assignment."""

SIGNALS, COUNTED = "admin, signals", 3
"""What a button counts from the whole log, no page; it is asked for so often."""

START = 1_700_000_000_000
SYSTEMS = 2


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    items: int
    workers: int
    repetitions: int


FULL, QUICK = Size(10_000, 1_000, 40), Size(50, 5, 2)


@dataclass
class Clock:
    """Wall and processor time of requests, one after the other.

    Args:
        server: The server, whose threads count.
    """

    server: Server
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @contextmanager
    def request(self) -> Iterator[None]:
        """Time what is asked inside."""
        cpu, start = self._cpu(), time.perf_counter()
        yield
        self.wall.append(1000 * (time.perf_counter() - start))
        self.cpu.append(1000 * (self._cpu() - cpu))

    def _cpu(self) -> float:
        """Return the seconds that all threads of the server have run."""
        seconds = 0
        for thread in Path(f"/proc/{self.server.process.pid}/task").iterdir():
            with suppress(FileNotFoundError):
                seconds += int((thread / "schedstat").read_text(encoding="ascii").split()[0])
        return seconds / 1e9

    def p99(self) -> float:
        """Return the 99th percentile of wall times."""
        return sorted(self.wall)[int(len(self.wall) * 0.99)]


def main() -> None:
    options = options_parser(__doc__, quick="fewer items and workers").parse_args()
    size = QUICK if options.quick else FULL
    with tempfile.TemporaryDirectory(prefix="bench-", dir=Path.cwd()) as folder:
        report(measure(Path(folder), size), options.json)


def measure(folder: Path, size: Size) -> dict[str, Figure]:
    """Return the figures of all pages of a study."""
    path = folder / "study.sqlite"
    play(path, folder / "outputs.jsonl", size)
    with Store.open(path, readonly=True) as store:
        signer = Signer(store.secret())
    with served(folder) as server, httpx.Client(timeout=600) as web:
        base, token = server.links[-1].split("/admin#")
        web.base_url = base
        web.post("/api/admin/login", json={"token": token}).raise_for_status()
        floor = Clock(server)
        for _ in range(size.repetitions * 5):
            with floor.request():
                web.get("/no-such-page")
        figures: dict[str, Figure] = {}
        for name, address in pages(signer).items():
            clock, content = Clock(server), b""
            for _ in range(COUNTED if name == SIGNALS else size.repetitions):
                with clock.request():
                    content = web.get(address).raise_for_status().content
            figures |= compared(name, clock, floor, encoding(content))
        for name, clock in work(server, size.repetitions).items():
            figures |= compared(name, clock, floor, 0.0)
    return figures


def pages(signer: Signer) -> dict[str, str]:
    """Return the name of each page to the address that it asks for."""
    return {
        "admin": "/admin",
        "admin, all lists": "/api/admin/dashboard",
        "admin, items": "/api/admin/items",
        SIGNALS: "/api/admin/signals",
        "admin, bonuses": "/api/admin/bonuses",
        "admin, accounts": "/api/admin/accounts.csv",
        "admin, a dialogue": "/api/admin/rooms/1",
        "worker, link": f"/join/{signer.study_link(None)}",
    }


def encoding(content: bytes) -> float:
    """Return the milliseconds in which an answer of JSON is written; 0 for one without."""
    try:
        value = msgspec.json.decode(content)
    except msgspec.DecodeError:
        return 0.0
    start = time.process_time()
    msgspec.json.encode(value)
    return 1000 * (time.process_time() - start)


def compared(name: str, clock: Clock, floor: Clock, least: float) -> dict[str, Figure]:
    """Return the figures of a page next to those of the floor."""
    values = {
        "p50": (median(clock.wall), median(floor.wall)),
        "p99": (clock.p99(), floor.p99()),
        "CPU": (median(clock.cpu), median(floor.cpu)),
    }
    return {
        f"{name}, {what}": Figure.cost(value, bottom + least, "CPU ms" if what == "CPU" else "ms")
        for what, (value, bottom) in values.items()
    }


def work(server: Server, repetitions: int) -> dict[str, Clock]:
    """Let new workers come and rate; return the clocks of their steps."""
    steps = ("worker, to the first item", "worker, a saved grade", "worker, the next item")
    clocks = {name: Clock(server) for name in steps}
    arrival, saving, handing_in = clocks.values()
    for number in range(repetitions):
        page = Page(server.links[0], worker=f"new-{number}")
        with arrival.request():
            page.enter()
            page.do("consent")
            page.until_step("room")
        for place in range(SYSTEMS):
            with saving.request():
                page.do("save", part=f"0.{place}", rev=0, value=3)
        with handing_in.request():
            before = page.room
            page.do("submit")
            while page.room == before:
                page.receive()
        page.shut()
    return clocks


def play(path: Path, outputs: Path, size: Size) -> None:
    """Write a study in which every worker has handed in an assignment."""
    lines = [
        {
            "id": str(number),
            "context": [{"agent": "user", "text": f"A table for {number}, please."}],
            "outputs": {f"system-{one}": f"At what time, {number}?" for one in range(SYSTEMS)},
        }
        for number in range(size.items)
    ]
    outputs.write_bytes(msgspec.json.Encoder().encode_lines(lines))
    stage = Stage(name="judge", kind="rating", outputs=str(outputs), workers=3, items=EACH, pay=10)
    settings = Settings(stages=(stage,), scenarios=size.items, seed=3, purpose="a benchmark")
    numbers, now = count(1), START
    with open_study(path, settings, START) as opened:
        study = opened.study

        def take(change: Change) -> None:
            nonlocal now
            now += 2000
            if change.records or change.claims:
                opened.store.submit(change)

        def send(one: int, message: ClientMessage) -> None:
            take(study.handle(one, Envelope(f"c-{next(numbers)}", 0, message), now))

        for worker in range(size.workers):
            one, entered = study.enter(f"w-{worker}", now)
            take(entered)
            take(study.connected(one, now))
            send(one, Consent())
            while study.assignment(one).outcome is None:
                for place in range(SYSTEMS):
                    send(one, Save(f"0.{place}", 0, 3 + place))
                send(one, Submit())


if __name__ == "__main__":
    main()
