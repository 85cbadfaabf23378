"""Fixtures that every test may use."""

from __future__ import annotations

import gc
import os
import ssl
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import disk_usage

import pytest
import typer.main
from hypothesis import HealthCheck, settings

from tests.cli.runner import Run, in_process

settings.register_profile(
    "unhurried",
    max_examples=int(os.environ.get("DIALOOM_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("unhurried")  # that the machine is busy is no finding of any property


MEMORY = Path("/dev/shm")
"""Linux's file system in memory."""

ROOM = 4_000_000_000
"""Least bytes of room in memory for files of tests: a container may have no more than 64 MB."""


def pytest_configure(config: pytest.Config) -> None:
    """Look for garbage as seldom as the command line does, and build that once in a process.

    All that is imported makes garbage slow to find. Typer takes a seventh of a second to build the
    commands, for each that a test runs, and each HTTP client as long to read the certificates of
    the world, which no test needs. What programs keep to use again is kept for one run of
    all tests, by all of its processes. The package has a plugin, so pytest would rewrite the
    assertions of each of its modules; there are none, and each process would take 15 seconds.
    """
    gc.set_threshold(100_000, 20, 20)
    rewritten: set[str] = getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set())
    rewritten.discard("dialoom")
    typer.main.get_command = cache(typer.main.get_command)
    ssl.create_default_context = cache(ssl.create_default_context)  # type: ignore[assignment]
    if not hasattr(config, "workerinput"):
        _write_to_memory()
        root = os.environ.get("PYTEST_DEBUG_TEMPROOT")
        folder = tempfile.TemporaryDirectory(prefix="dialoom-cache-", dir=root)
        config.add_cleanup(folder.cleanup)
        os.environ["XDG_CACHE_HOME"] = folder.name


def _write_to_memory() -> None:
    """Put the tests' folders in memory if there is room.

    Studies and corpora sync what they write, and a disk takes milliseconds for each sync.
    """
    if MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def pytest_collection_finish() -> None:
    """Never look for garbage in what is imported and collected: it stays to the end."""
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark properties for `make fuzz`; run long tests first, so that none is left for the end."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("fuzz")
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


@pytest.fixture(scope="session")
def shared() -> Path:
    """A folder that all processes of this run of the tests share."""
    return Path(os.environ["XDG_CACHE_HOME"]) / "shared"


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of the real corpora: skips without DIALOOM_CORPORA, fails if that is no folder."""
    folder = os.environ.get("DIALOOM_CORPORA")
    if not folder:
        pytest.skip("needs the real corpora: set DIALOOM_CORPORA to their folder")
    if not Path(folder).is_dir():
        pytest.fail(f"DIALOOM_CORPORA names no folder: {folder}")
    return Path(folder)


@pytest.fixture(scope="session")
def star(corpora: Path) -> Path:
    """The real STAR folder."""
    return corpora / "star"


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs one command in this process and returns how it ended."""
    yield from in_process(capfd, monkeypatch)


@pytest.fixture(scope="session", autouse=True)
def few_lessons() -> Iterator[None]:
    """Trains the followers of studies on a fourth of the dialogues: enough to serve one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("dialoom.collect.bots.LESSONS", 30)
        yield
