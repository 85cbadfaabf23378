"""The link of the admin of a study that is being served, for other programs of the study's owner.

The link is in the file of the database's lock, which only its owner can read.
"""

from __future__ import annotations

import fcntl
from pathlib import Path


def lock_of(file: Path) -> Path:
    """Return the file whose lock the writer of a SQLite file holds."""
    return Path(f"{file}.lock")


def announce(where: str | Path, link: str) -> None:
    """Note the link of the admin; nothing happens for a database that is no file."""
    lock = lock_of(Path(where).resolve())
    if lock.is_file():
        lock.write_text(link, encoding="utf-8")


def served_at(file: Path) -> str | None:
    """Return the link of the admin; None if no program serves the study."""
    try:
        with lock_of(file.resolve()).open(encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return lock.read() or None
    except OSError:
        pass
    return None
