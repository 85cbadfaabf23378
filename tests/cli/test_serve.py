"""`dialoom serve` in a process of its own: started, stopped, started again; and its export."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.cli.runner import PROGRAM, Run


@contextmanager
def server(*options: str | Path) -> Iterator[str]:
    """Start the command; yield the address of its page."""
    pipe = subprocess.PIPE
    command = [*PROGRAM, "serve", "--port", "0", *map(str, options)]
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().split() for _ in range(4)]
        names = ["page", "api", "openai", "admin"]
        assert [line[0] for line in lines] == names, process.communicate()
        yield lines[0][1]
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("", "")
        assert process.returncode in (0, -signal.SIGINT)


def test_chats_outlast_the_server_and_are_exported(run: Run, tmp_path: Path) -> None:
    db = tmp_path / "chats.sqlite"
    with server("--tasks", "weather", "--seed", "7", "--db", db) as base:
        chat = httpx.post(f"{base}api/chats", json={}).json()["chat"]
        message = {"text": "The weather in Velmora on Monday?"}
        assert httpx.post(f"{base}api/chats/{chat}/say", json=message).status_code == 200
        assert run("serve", "--port", 0, "--db", db).refused("another", "stop it first")
    with server("--db", db) as base:
        rated = {"rating": 4, "reached": True}
        assert httpx.post(f"{base}api/chats/{chat}/end", json=rated).json()["reached"]
        assert "data-link" in httpx.get(base).text
    assert run("serve", "--db", db, "--agent", "silent", "--port", 0).refused(
        "--agent silent: the chats in this database were held with flow"
    )
    done = run("serve", "export", "--db", db, "--out", tmp_path / "out", "--to", "star")
    assert "1 dialogue written" in done.out
    assert any("rating" in row and "4.00" in row for row in done.out.splitlines())
    assert "goal missed by the database, reached by the person: 1" in done.out
