"""A PostgreSQL server of our own, from Debian's package, for as long as tests need one."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

BINARIES = Path("/usr/lib/postgresql")
NEW = ("--no-sync", "--encoding=UTF8", "--locale=C")
USER, PASSWORD = "dialoom", "by-the-sea"


class Server:
    """A server that listens on a socket in a folder and asks for a password."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._numbers = count(1)

    def url(self, database: str = "postgres", password: str = PASSWORD) -> str:
        return f"postgresql://{USER}:{password}@/{database}?host={self.folder}"

    def create(self) -> str:
        """Make room for a study and return its URL: a schema, which is cheaper than a database."""
        name = f"study{next(self._numbers)}"
        self.run(f"CREATE SCHEMA {name}")
        return f"{self.url()}&options=-csearch_path%3D{name}"

    def run(self, sql: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.encode())


def binaries() -> Path:
    """Return the folder of the newest server's programs; skips without one, fails under CI."""
    servers = sorted(BINARIES.glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    if servers:
        return servers[-1].parent
    reason = "needs PostgreSQL: apt-get install postgresql"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def serve() -> Iterator[Server]:
    """Yield a running server; it ends with its files."""
    programs = binaries()
    # a socket's path has 107 characters at most, and pytest's folders are root's alone
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))
    data, prefix = folder / "data", _unprivileged(folder)

    def run(program: str, *arguments: str | Path) -> None:
        command = [*prefix, programs / program, "-D", data, *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)

    try:
        secret = folder / "password"
        secret.write_text(PASSWORD, encoding="utf-8")
        secret.chmod(0o644)
        run("initdb", "-U", USER, "-A", "scram-sha-256", f"--pwfile={secret}", *NEW)
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
        run("pg_ctl", "-w", "-l", folder / "log", "-o", settings, "start")
        try:
            yield Server(folder)
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _unprivileged(folder: Path) -> list[str]:
    """Return what a command begins with that may not run as root; the folder becomes theirs."""
    if os.getuid():
        return []
    names = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, name)
    folder.chmod(0o755)
    return ["runuser", "-u", name, "--"]
