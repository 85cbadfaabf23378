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
from dialoom.sim.core import run
from dialoom.sim.core.engines import DEFAULT, ENGINES
from tests.cli.runner import alone, tree
from tests.sim.core.runs import content, make, plan

WITH_RAY = importlib.util.find_spec("ray") is not None

needs_ray = pytest.mark.skipif(not WITH_RAY, reason="Ray is not installed: dialoom[scale]")


def test_the_default_is_processes_of_this_machine() -> None:
    assert ENGINES.get(DEFAULT) is run.WorkerPool
    assert list(ENGINES) == ["processes", "ray"]


def test_an_unknown_engine() -> None:
    with pytest.raises(UnknownNameError, match="did you mean ray"):
        ENGINES.get("rey")


@pytest.mark.skipif(WITH_RAY, reason="Ray is installed")
def test_without_ray_it_is_said_what_to_install() -> None:
    with pytest.raises(MissingExtraError, match=r"dialoom\[scale\]"):
        ENGINES.get("ray")


ON_RAY = """
import logging, sys
from pathlib import Path
import ray
from dialoom.corpus.cluster import STORE
from dialoom.bench.core.engines import ENGINES as FITTING
from dialoom.errors import MissingExtraError
from dialoom.sim.core.engines import ENGINES
from tests.sim.core.runs import double, plan
ray.init("local", num_cpus=2, object_store_memory=STORE, include_dashboard=False,
         log_to_driver=False, logging_level=logging.ERROR)
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
"""
"""Both engines on one cluster: to start one takes 8 seconds of a processor."""


@needs_ray
@pytest.mark.long
def test_ray_makes_the_same_bytes_does_every_job_and_gives_errors_back(tmp_path: Path) -> None:
    one, two, begun = folders = [tmp_path / name for name in ("one", "two", "begun")]
    one.mkdir()
    two.mkdir()
    make(begun, 2)
    (begun / "dialogues-00003.jsonl").unlink()
    wanted = [word for folder in folders for word in (folder, "1" if folder == one else "2")]
    subprocess.run([sys.executable, "-c", ON_RAY, *wanted], check=True)
    make(tmp_path / "whole", 1)
    assert content(one) == content(two) == content(begun) == content(tmp_path / "whole")


KILLED = """
import os, signal, sys
from pathlib import Path
from dialoom.sim.core.engines import ENGINES
from tests.sim.core.runs import plan
with ENGINES.get("ray")(plan(), Path(sys.argv[1]), 2) as pool:
    for number, done in enumerate(pool):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_ray
def test_a_run_on_ray_that_was_killed_goes_on(tmp_path: Path) -> None:
    (tmp_path / "killed").mkdir()
    command = [sys.executable, "-c", KILLED, str(tmp_path / "killed")]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    make(tmp_path / "killed", 2)
    make(tmp_path / "whole", 1)
    found = content(tmp_path / "killed")
    assert {n: b for n, b in found.items() if not n.startswith(".")} == content(tmp_path / "whole")


@needs_ray
@pytest.mark.long
def test_ray_from_the_command_line(tmp_path: Path) -> None:
    settings = ("simulate", "--tasks", "weather", "-n", "1010", "--workers", "2")
    for engine in ("ray", "processes"):
        done = alone(*settings, "--engine", engine, "--out", tmp_path / engine)
        assert done.code == 0, done.err
    assert tree(tmp_path / "ray") == tree(tmp_path / "processes")


@needs_ray
def test_a_cluster_that_is_not_there(tmp_path: Path) -> None:
    environment = {**os.environ, "RAY_ADDRESS": "127.0.0.1:1"}
    settings = ("--tasks", "weather", "-n", "3", "--engine", "ray", "--out", tmp_path / "out")
    done = alone("simulate", *settings, env=environment)
    assert done.refused("no Ray cluster", "RAY_ADDRESS")


@needs_ray
def test_no_workers_on_ray() -> None:
    with pytest.raises(UsageError, match="0 workers"):
        ENGINES.get("ray")(plan(), Path(), 0)
