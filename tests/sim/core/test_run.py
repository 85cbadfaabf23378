"""Runs: the same bytes at any number of workers, whole shards, resumed after a kill."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from dialoom.corpus.files import write_synced
from dialoom.corpus.shards import line_digest
from dialoom.dialogue import Dialogue, decode
from dialoom.errors import DialoomError, OutputError, SchemaError, UnknownNameError, UsageError
from dialoom.http.metering import Meter
from dialoom.schema.task import TaskSchema
from dialoom.sim.core import run as module
from dialoom.sim.core.run import Maker, WorkerPool
from dialoom.sim.presets.star import StarPlan
from tests.full_disk import full_disk
from tests.make import refuses
from tests.sim.core.runs import TASKS, content, make, plan
from tests.sim.designs import boat


def test_same_bytes_at_any_number_of_workers(tmp_path: Path) -> None:
    runs = {workers: make(tmp_path / str(workers), workers) for workers in (1, 2, 4)}
    assert runs[1] == runs[2] == runs[4]
    assert content(tmp_path / "1") == content(tmp_path / "2") == content(tmp_path / "4")


def test_shards_are_what_they_say(tmp_path: Path) -> None:
    shards = make(tmp_path, 1)
    assert [shard.dialogues for shard in shards] == [8] * 6 + [2]
    lines = [(tmp_path / shard.name).read_bytes() for shard in shards]
    assert [line_digest(data) for data in lines] == [shard.digest for shard in shards]
    dialogues = [decode(line) for data in lines for line in data.splitlines()]
    assert [dialogue.id for dialogue in dialogues] == [str(n) for n in range(1, 51)]
    services = [d.scenario.capabilities[0].task for d in dialogues if d.scenario]
    assert services == ["boat_hire", "garden_tour"] * 25


def test_shards_do_not_depend_on_their_number_of_dialogues(tmp_path: Path) -> None:
    few, many = make(tmp_path / "few", 1), make(tmp_path / "many", 1, plan(shard=1000))
    joined = b"".join((tmp_path / "few" / shard.name).read_bytes() for shard in few)
    assert joined == (tmp_path / "many" / many[0].name).read_bytes()


def test_what_is_there_is_left_alone(tmp_path: Path) -> None:
    make(tmp_path / "whole", 1)
    make(tmp_path / "again", 1)
    for name in ("dialogues-00001.jsonl", "dialogues-00004.jsonl"):
        (tmp_path / "again" / name).unlink()
    stamp = (tmp_path / "again" / "dialogues-00000.jsonl").stat().st_mtime_ns
    make(tmp_path / "again", 2)
    assert content(tmp_path / "again") == content(tmp_path / "whole")
    assert (tmp_path / "again" / "dialogues-00000.jsonl").stat().st_mtime_ns == stamp


KILLED = """
import os, signal, sys
from pathlib import Path
from dialoom.sim.core.run import WorkerPool
from tests.sim.core.runs import plan
with WorkerPool(plan(), Path(sys.argv[1]), int(sys.argv[2])) as pool:
    for number, done in enumerate(pool):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_killed_run_goes_on_to_the_same_bytes(tmp_path: Path, workers: str) -> None:
    (tmp_path / "killed").mkdir()
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed"), workers]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    make(tmp_path / "killed", 2)
    make(tmp_path / "whole", 1)
    files = content(tmp_path / "killed")
    assert {n: b for n, b in files.items() if not n.startswith(".")} == content(tmp_path / "whole")


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"dialogues": 0}, UsageError, ("out-of-range", "0")),
        ({"dialogues": -3}, UsageError, ("out-of-range", "-3")),
        ({"seed": -1}, UsageError, ("out-of-range", "seed", "-1")),
        ({"seed": 2**63}, UsageError, ("out-of-range", "seed")),
        ({"scenario": "stormy"}, UnknownNameError, ("unknown-name", "stormy")),
        ({"tasks": ()}, UsageError, ("no-task",)),
    ],
)
def test_plans_that_cannot_be(
    settings: dict[str, object], error: type[DialoomError], message: tuple[str, ...]
) -> None:
    with refuses(error, *message):
        StarPlan(**{"tasks": TASKS, "seed": 1, "dialogues": 1, **settings})  # type: ignore[arg-type]


def test_no_workers(tmp_path: Path) -> None:
    with refuses(UsageError, "out-of-range", "0"):
        WorkerPool(plan(), tmp_path, 0)


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_task_ends_the_run(tmp_path: Path, workers: int) -> None:
    broken = StarPlan(tasks=(boat(), TaskSchema(id="old")), seed=1, dialogues=40, shard=8)
    with refuses(DialoomError, "no-flow", "old") as raised:
        make(tmp_path, workers, broken)
    assert workers > 1 or isinstance(raised.value, SchemaError)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_full_disk_leaves_no_half_of_a_shard(tmp_path: Path, workers: int) -> None:
    for folder in full_disk(tmp_path / "disk"):
        with refuses(OutputError, "unwritable", "No space left"):
            make(folder, workers)
        whole = content(folder)
        assert all(data.endswith(b"}\n") and data.count(b"\n") == 8 for data in whole.values())


def test_a_worker_that_dies_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def die(path: Path, data: bytes) -> None:
        write_synced(path, data)
        signal.raise_signal(signal.SIGKILL)

    monkeypatch.setattr(module, "write_synced", die)
    with refuses(DialoomError, "worker-lost", "-9"):
        make(tmp_path, 2)


def test_dialogues_do_not_depend_on_those_made_before() -> None:
    one, other = Maker(plan()), Maker(plan())
    for index in (4, 2, 9, 3):
        one.dialogue(index)
    assert one.dialogue(7) == other.dialogue(7)


class Endless(StarPlan):
    """The first dialogue is interrupted by the user; the others make requests without an end."""

    def source(self) -> Callable[[int], Dialogue]:
        def dialogue(index: int) -> Dialogue:
            if not index:
                raise KeyboardInterrupt
            while True:
                with Meter().request():
                    threading.Event().wait(0.01)

        return dialogue


def test_an_interrupted_run_makes_no_more_requests(tmp_path: Path) -> None:
    endless = Endless(tasks=TASKS, seed=1, dialogues=9, at_once=4)
    before = {*threading.enumerate()}
    with pytest.raises(KeyboardInterrupt):
        list(Maker(endless).shard(0, tmp_path))
    threads = {*threading.enumerate()} - before
    for thread in threads:
        thread.join(5)
    assert not any(thread.is_alive() for thread in threads)
    assert all(thread.daemon for thread in threads)  # the process does not wait for them
