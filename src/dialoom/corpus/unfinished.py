"""A corpus that takes long to write: built in a hidden folder next to its place, resumed if killed.

    work = begin(target, settings)      # the same folder again if the settings are the same
    ...                                 # write whole shards into it, leave out those that are there
    publish(work, target)               # one rename; before it there is no `target` at all

The folder of an interrupted run stays hidden; that of a failed run is discarded.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from dialoom.corpus.files import check_vacant, sync_folder, umask, write_atomic, writing
from dialoom.corpus.shards import MANIFEST
from dialoom.errors import OutputError

SETTINGS = ".settings.json"
"""The file with the settings of an unfinished corpus."""


def work_folder(target: Path) -> Path:
    """Return the folder to build in: next to `target`, or inside it if it cannot be moved."""
    target = target.resolve()
    if target.is_mount() or target == Path.cwd():
        return target / ".unfinished"
    return target.parent / f".{target.name[:200]}.unfinished"


def begin(target: Path, settings: bytes) -> Path:
    """Return the folder to build a corpus in; `OutputError` if another build is there."""
    work = work_folder(target)
    with writing(target):
        check_vacant(target, but=work.name)
        noted = work / SETTINGS
        if noted.is_file():
            if noted.read_bytes() != settings:
                raise OutputError(
                    f"{target}: a run with other settings is unfinished there; give the same ones "
                    f"to go on with it, name another folder, or remove {work}",
                    code="mismatch",
                )
            return work
        discard(work)  # without its settings it cannot be resumed
        work.mkdir(parents=True)
        write_atomic(noted, settings)
    return work


def publish(work: Path, target: Path) -> None:
    """Put a finished corpus in its place, or raise `OutputError`."""
    with writing(target):
        (work / SETTINGS).unlink()
        work.chmod(0o777 & ~umask())
        target = target.resolve()
        if work.parent == target:
            for entry in sorted(work.iterdir(), key=lambda entry: entry.name == MANIFEST):
                entry.rename(target / entry.name)
            work.rmdir()
        else:
            work.rename(target)
        sync_folder(target.parent)


def discard(work: Path) -> None:
    """Remove what was built so far."""
    shutil.rmtree(work, ignore_errors=True)
