"""Engines: other hands, the same bytes; Ray on a cluster of its own on this machine."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from dialoom.errors import MissingExtraError, UnknownNameError, UsageError
from dialoom.sim.core.plan import DEFAULT, ENGINES
from dialoom.sim.core.run import WorkerPool
from tests.cli.runner import PER_SHARD, SMALL, Run, alone, make_shards_small, tree
from tests.make import refuses
from tests.sim.core.runs import content, make, plan

WITH_RAY = importlib.util.find_spec("ray") is not None

needs_ray = pytest.mark.skipif(not WITH_RAY, reason="Ray is not installed: dialoom[scale]")


def test_the_default_is_processes_of_this_machine() -> None:
    assert ENGINES.get(DEFAULT) is WorkerPool
    assert list(ENGINES) == ["processes", "ray"]


def test_an_unknown_engine() -> None:
    with refuses(UnknownNameError, "unknown-name", "ray"):
        ENGINES.get("rey")


@pytest.mark.skipif(WITH_RAY, reason="Ray is installed")
def test_without_ray_it_is_said_what_to_install() -> None:
    with refuses(MissingExtraError, "no-library", "dialoom[scale]"):
        ENGINES.get("ray")


ON_RAY = """
import logging, os, signal, sys
from pathlib import Path
import ray
from dialoom.corpus.cluster import STORE
from dialoom.bench.core.engines import ENGINES as FITTING
from dialoom.errors import MissingExtraError
from dialoom.sim.core.plan import ENGINES
from tests.sim.core.runs import double, plan
ray.init("local", num_cpus=2, object_store_memory=STORE, include_dashboard=False,
         log_to_driver=False, logging_level=logging.ERROR)
killed = Path(sys.argv.pop(1))
for folder, workers in zip(sys.argv[1::2], map(int, sys.argv[2::2]), strict=True):
    with ENGINES.get("ray")(plan(), Path(folder), workers) as pool:
        done = list(pool)
    assert sum(one for one in done if isinstance(one, int)) == 50, done
    assert ray.is_initialized()
begun = []
found = list(FITTING.get("ray")(double, [1, 2, 3], 2, lambda now: begun.append(list(now))))
assert sorted(found) == [2, 4, 6] and begun[0] == [1, 2], (found, begun)
try:
    list(FITTING.get("ray")(double, [1, -1], 2, print))
except MissingExtraError as error:
    assert "dialoom[negative]" in str(error)
else:
    raise SystemExit("no error came back")
with ENGINES.get("ray")(plan(), killed, 2) as pool:
    for number, done in enumerate(pool):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
"""
"""Both engines on one cluster, and the end of a run that is killed: to start a cluster takes 8
seconds of a processor."""


@needs_ray
@pytest.mark.long
def test_ray_makes_the_same_bytes_does_every_job_gives_errors_back_and_goes_on(
    tmp_path: Path,
) -> None:
    one, two, partial = folders = [tmp_path / name for name in ("one", "two", "begun")]
    one.mkdir()
    two.mkdir()
    make(partial, 2)
    (partial / "dialogues-00003.jsonl").unlink()
    arguments = [word for folder in folders for word in (folder, "1" if folder == one else "2")]
    (tmp_path / "killed").mkdir()
    command = [sys.executable, "-c", ON_RAY, str(tmp_path / "killed"), *map(str, arguments)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    make(tmp_path / "whole", 1)
    assert content(one) == content(two) == content(partial) == content(tmp_path / "whole")
    make(tmp_path / "killed", 2)
    files = content(tmp_path / "killed")
    assert {n: b for n, b in files.items() if not n.startswith(".")} == content(tmp_path / "whole")


@needs_ray
@pytest.mark.long
def test_ray_from_the_command_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    number = str(PER_SHARD + 10)
    settings = ("simulate", "--tasks", "weather", "-n", number, "--workers", "2", "--engine")
    assert run(*settings, "processes", "--out", tmp_path / "processes").code == 0
    program = f"{SMALL}\nfrom dialoom.cli import main\nmain()"
    command = [sys.executable, "-c", program, *settings, "ray", "--out", str(tmp_path / "ray")]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert tree(tmp_path / "ray") == tree(tmp_path / "processes")


@needs_ray
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    environment = {**os.environ, "RAY_ADDRESS": "127.0.0.1:1"}
    settings = ("--tasks", "weather", "-n", "3", "--engine", "ray", "--out", tmp_path / "out")
    done = alone("simulate", *settings, env=environment)
    assert done.refused("no Ray cluster", "RAY_ADDRESS")


@needs_ray
def test_no_workers_on_ray() -> None:
    with refuses(UsageError, "out-of-range", "0"):
        ENGINES.get("ray")(plan(), Path(), 0)
