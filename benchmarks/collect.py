"""How fast the collection server writes, answers and starts, against what the disk can do.

python benchmarks/collect.py [--quick] [--json FILE] [--only PART,PART]

The parts:
  store   changes a second that 200 submitters get written, each waiting for its own; the floor is
          SQLite alone: the same rows, as many to a commit
  server  messages a second through `dialoom collect` and WebSockets, everybody answering at once;
          the floor is SQLite alone with rows in groups of 100
  pace    from sending to acknowledgement in 500 rooms at STAR's pace; the floor is one commit alone
  boot    from the start of the command to its links, with a million records in ten thousand rooms
          (what was said in rooms that are over is not read again); the floor is reading all rows
          and decoding their JSON
  erase   erasing one worker of ten thousand, looked for afterwards: every other record has to be
          as it was, and nothing of theirs in the files after a VACUUM; the floor is one read of
          all records, which is what the check takes

The load runs in a process of its own on this machine, and its share of the processors is told.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _grown import grow
from _measure import Figure, options_parser, report
from sqlalchemy import Connection

from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Record, encode_body
from dialoom.collect.log.store import Point, Store
from dialoom.dialogue import Utterance

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = (sys.executable, "-c", "import sys; from dialoom.cli import main; sys.exit(main())")

SUBMITTERS = 200
GROUP = 100
RECORDS = 30
"""Records of each room from which somebody is erased: a room has two workers."""

MEMORY = 500.0
"""Megabytes a server of a million records may take."""

SETTINGS = """
tasks: [hotel_book]
purpose: a benchmark
guard: "off"
scenarios: 10
target: 100000
"""


@dataclass(frozen=True)
class Scale:
    """How much is measured."""

    changes: int
    rooms: int
    seconds: float
    pace_rooms: int
    pace_seconds: float
    pace: float
    """Messages a second of all rooms (STAR: the median answer takes 7 s, so 500 rooms say 50)."""
    grown_rooms: int
    grown_records: int
    erased_rooms: int


FULL = Scale(20_000, 200, 20.0, 500, 30.0, 50.0, 10_000, 1_000_000, 5000)
QUICK = Scale(1000, 5, 1.0, 5, 2.0, 20.0, 20, 2000, 10)


def main() -> None:
    parser = options_parser(__doc__, quick="less work, rougher figures")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas between")
    options = parser.parse_args()
    scale = QUICK if options.quick else FULL
    figures: dict[str, Figure] = {}
    names = options.only.split(",")
    for name in names:
        if name not in PARTS:
            parser.error(f"there is no part {name!r}; there are {', '.join(PARTS)}")
    for name in names:
        with tempfile.TemporaryDirectory(prefix="bench-", dir=Path.cwd()) as folder:
            figures |= PARTS[name](Path(folder), scale)
    report(figures, options.json)


# --- the store ------------------------------------------------------------------------------------


class Counting:
    """Counts transactions."""

    groups = 0

    def __call__(self, point: Point, connection: Connection | None = None) -> None:
        self.groups += point == "begin"


def store(folder: Path, scale: Scale) -> dict[str, Figure]:
    """Let many submit, each their next change when the last is written; then SQLite alone."""
    counting, each = Counting(), scale.changes // SUBMITTERS
    over = threading.Semaphore(0)
    with Store.open(folder / "store.sqlite") as opened:
        opened.reached = counting

        def submit(number: int, seq: int) -> None:
            if seq > each:
                over.release()
                return
            future = opened.submit(Change((_line(f"unit/{number}", seq),)))
            future.add_done_callback(lambda _: submit(number, seq + 1))

        counting.groups, start = 0, time.perf_counter()
        for number in range(SUBMITTERS):
            submit(number, 1)
        for _ in range(SUBMITTERS):
            over.acquire()
        taken = time.perf_counter() - start
        written = sum(1 for _ in opened.records())
    if written != each * SUBMITTERS:
        sys.exit(f"collect: {written} records were written, not {each * SUBMITTERS}")
    rate, size = each * SUBMITTERS / taken, each * SUBMITTERS / counting.groups
    floor = raw(folder / "raw.sqlite", round(size), counting.groups)
    return {
        "store": Figure(rate, "changes/s", floor, rate / floor),
        "group": Figure(size, "changes a commit", SUBMITTERS, size / SUBMITTERS),
    }


def _line(stream: str, seq: int) -> Record:
    text = "I am looking for a place to eat tonight, for four people, near the river."
    client = f"{stream}-{seq}"
    said, worker = Utterance(agent="user", text=text), f"worker-of-{stream}"
    return Record(stream, seq, 1_700_000_000_000, "user", client, said, (worker,))


def raw(path: Path, size: int, groups: int) -> float:
    """Return the rows a second that SQLite alone gets on the disk, so many to a commit."""
    seconds = _commits(path, size, groups)
    return size * len(seconds) / sum(seconds)


def _commits(path: Path, size: int, groups: int) -> list[float]:
    """Return the seconds that each of so many commits takes."""
    seconds = []
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        columns = "id INTEGER PRIMARY KEY, stream TEXT, seq INT, time INT, author TEXT, client TEXT"
        connection.execute(f"CREATE TABLE record ({columns}, body TEXT, UNIQUE (stream, seq))")
        insert = "INSERT INTO record (stream, seq, time, author, client, body) VALUES (?,?,?,?,?,?)"
        for number in range(groups):
            lines = [_line(f"unit/{place}", number) for place in range(size)]
            rows = [
                (r.stream, r.seq, r.time, r.author, r.client, encode_body(r.body).decode())
                for r in lines
            ]
            start = time.perf_counter()
            connection.execute("BEGIN")
            connection.executemany(insert, rows)
            connection.execute("COMMIT")
            seconds.append(time.perf_counter() - start)
    return seconds


# --- the server -----------------------------------------------------------------------------------


@dataclass
class Server:
    """`dialoom collect` under way."""

    process: subprocess.Popen[str]
    links: list[str]
    seconds: float
    """From its start to its links."""

    def cpu(self) -> float:
        """Return the seconds of processor time it has taken."""
        text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8")
        times = text.rpartition(")")[2].split()
        return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Return the megabytes it has taken at most."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1000


@contextlib.contextmanager
def served(folder: Path, *arguments: str | Path) -> Iterator[Server]:
    """Start the command; end it at the end."""
    command = [*PROGRAM, "collect", "--port", "0", "--db", folder / "study.sqlite", *arguments]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        links: list[str] = []
        while "/admin#" not in "".join(links[-1:]):
            name, _, link = process.stdout.readline().strip().partition(" ")
            if not name:
                sys.exit("collect: the server did not start")
            links.append(link.strip())
        yield Server(process, links, time.perf_counter() - start)
    finally:
        process.terminate()
        process.wait()


def load(server: Server, *arguments: str) -> dict[str, Any]:
    """Return the figures of a load on a server."""
    program = [sys.executable, "-m", "tests.soak.load", *server.links[:2]]
    pid = ["--pid", str(server.process.pid)]
    done = subprocess.run(
        [*program, *pid, *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    if figures["faults"]:
        sys.exit(f"collect: the load saw what may not be: {figures['faults']}")
    return figures


def _settings(folder: Path) -> Path:
    path = folder / "settings.yaml"
    path.write_text(SETTINGS, encoding="utf-8")
    return path


def throughput(folder: Path, scale: Scale) -> dict[str, Figure]:
    """Measure what the server gets written when everybody answers at once."""
    with served(folder, "--settings", _settings(folder)) as server:
        found = load(server, f"--rooms={scale.rooms}", f"--seconds={scale.seconds}")
    rate = found["per_second"]
    floor = raw(folder / "raw.sqlite", GROUP, 50)
    cpu = found["server_cpu"] / rate * 1000
    return {
        "messages": Figure(rate, "messages/s", floor, rate / floor),
        "of the server": Figure(cpu, "CPU ms a message", 1.0, 1 / cpu),
        "of the load": Figure(found["generator_cpu"], "processors", found["server_cpu"], 1.0),
    }


def pace(folder: Path, scale: Scale) -> dict[str, Figure]:
    """Measure how long acknowledgements take at the pace of people."""
    arguments = (f"--rooms={scale.pace_rooms}", f"--seconds={scale.pace_seconds}")
    with served(folder, "--settings", _settings(folder)) as server:
        found = load(server, *arguments, f"--pace={scale.pace}")
        memory = server.memory()
    alone = sorted(_commits(folder / "raw.sqlite", 1, 200))
    floors = {"p50": statistics.median(alone), "p99": alone[int(len(alone) * 0.99)]}
    figures = {"messages at pace": Figure(found["per_second"], "messages/s", scale.pace, 1.0)}
    for name, floor in floors.items():
        taken = found[f"{name}_ms"]
        figures[f"acknowledged, {name}"] = Figure(taken, "ms", floor * 1000, floor * 1000 / taken)
    figures["seating"] = Figure(found["seated_s"], "s", 1.0, 1 / found["seated_s"])
    figures["memory at pace"] = Figure(memory, "MB", MEMORY, MEMORY / memory)
    return figures


def boot(folder: Path, scale: Scale) -> dict[str, Figure]:
    """Measure how long a server takes to replay a study that has grown."""
    path = folder / "study.sqlite"
    count = grow(path, scale.grown_rooms, scale.grown_records)
    with served(folder) as server:
        seconds, cpu, memory = server.seconds, server.cpu(), server.memory()
    start = time.process_time()
    floor = _read(path)
    least = time.process_time() - start
    return {
        "boot": Figure(seconds, "s", floor, floor / seconds),
        "boot, processor": Figure(cpu, "CPU s", least, least / cpu),
        "replayed": Figure(count / seconds, "records/s", count / floor, floor / seconds),
        "memory": Figure(memory, "MB", MEMORY, MEMORY / memory),
    }


def _read(path: Path) -> float:
    """Return the seconds that the rows and their JSON take."""
    start = time.perf_counter()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        for row in connection.execute("SELECT body, * FROM record ORDER BY id"):
            json.loads(row[0])
    return time.perf_counter() - start


def erase(folder: Path, scale: Scale) -> dict[str, Figure]:
    """Measure how long it takes to erase one worker, and check that only theirs is gone."""
    path, one = folder / "study.sqlite", f"anna-{scale.erased_rooms // 3}"
    grow(path, scale.erased_rooms, scale.erased_rooms * RECORDS)
    with Store.open(path) as store:
        start = time.perf_counter()
        before = list(store.records())
        floor = time.perf_counter() - start
        theirs = {(record.stream, record.seq) for record in before if one in record.of}
        keys = _keys(path)
        start = time.perf_counter()
        store.erase([one]).result()
        taken = time.perf_counter() - start
        kept = [record for record in store.records() if (record.stream, record.seq) not in theirs]
    [secret] = keys - _keys(path)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("VACUUM")
    if kept != [record for record in before if (record.stream, record.seq) not in theirs]:
        sys.exit("collect: erasing one worker changed what is another's")
    held = b"".join(file.read_bytes() for file in folder.glob("study.sqlite*"))
    if not theirs or any(trace in held for trace in (secret, one.encode())):
        sys.exit("collect: a trace of who was erased is left")
    return {
        "erased": Figure(taken, "s", floor, floor / taken),
        "records of others": Figure(len(kept), "records", len(before), len(kept) / len(before)),
    }


def _keys(path: Path) -> set[bytes]:
    """Return the keys of all who are there."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT key FROM person WHERE key IS NOT NULL")
        return {key for (key,) in rows}


PARTS: dict[str, Callable[[Path, Scale], dict[str, Figure]]] = {
    "store": store,
    "server": throughput,
    "pace": pace,
    "boot": boot,
    "erase": erase,
}


if __name__ == "__main__":
    main()
