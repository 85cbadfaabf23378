"""Runs the command line in this process or in one of its own."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dialoom.cli import main
from dialoom.sim.presets.star import StarPlan

PROGRAM = [sys.executable, "-m", "dialoom"]
"""The command line in a process of its own, of this interpreter."""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    def refused(self, *words: str) -> bool:
        """Tell whether it ended with one line on standard error that has all of `words`."""
        assert self.err.startswith("dialoom: "), self.err
        assert self.err.count("\n") == 1, self.err
        assert self.err.endswith("\n")
        assert len(self.err) < 1100
        for word in words:
            assert word in self.err
        return self.code == 2 and not self.out


Run = Callable[..., Done]


PER_SHARD = 30
"""Dialogues in a shard, so that few of them fill several."""

SMALL = f"""
from dialoom.play.running import plan
from dialoom.sim.presets.star import StarPlan
plan.SHARD = StarPlan.__init__.__kwdefaults__["shard"] = {PER_SHARD}
"""
"""Code that makes the shards of `simulate` and `play` small in a process of its own."""


def make_shards_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the shards of `simulate` and `play` small in this process."""
    init: Any = StarPlan.__init__
    monkeypatch.setitem(init.__kwdefaults__, "shard", PER_SHARD)
    monkeypatch.setattr("dialoom.play.running.plan.SHARD", PER_SHARD)


KILLED = f"""{SMALL}
import os, signal, sys
from dialoom.cli import main
from dialoom.sim.core import run
kept, shard = run.write_synced, sys.argv.pop(1)
def write(path, data):
    if path.name.startswith(f".dialogues-{{int(shard):05d}}"):
        os.kill(os.getpid(), signal.SIGKILL)
    kept(path, data)
run.write_synced = write
main()
"""
"""The command line in a process that is killed when it writes a shard; the first argument."""


def killed(shard: int, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own; who writes a shard, it or its worker, is killed."""
    command = [sys.executable, "-c", KILLED, str(shard), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def in_process(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Yield a function that runs one command here; signal handlers are put back afterwards."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str | Path) -> Done:
        capfd.readouterr()
        return Done(code_of(*arguments), *capfd.readouterr())

    with own_signals():
        yield run


@contextmanager
def own_signals() -> Iterator[None]:
    """Put signal handlers back afterwards."""
    several = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {number: signal.getsignal(number) for number in several}
    yield
    for number, handler in handlers.items():
        signal.signal(number, handler)


def code_of(*arguments: str | Path) -> int:
    """Run one command here; return its exit code."""
    with pytest.MonkeyPatch.context() as patched, pytest.raises(SystemExit) as ended:
        patched.setattr(sys, "argv", ["dialoom", *map(str, arguments)])
        main()
    code = ended.value.code
    assert isinstance(code, int)
    return code


def alone(*arguments: str | Path, **options: Any) -> Done:
    """Run one command in a process of its own."""
    command = [*PROGRAM, *map(str, arguments)]
    settings = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    done = subprocess.run(command, text=True, check=False, **settings)
    return Done(done.returncode, done.stdout or "", done.stderr or "")


def tree(folder: Path) -> dict[str, bytes | None]:
    """Return every file below a folder with its content; None is a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }
