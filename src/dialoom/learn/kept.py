"""A cache of fitted models in a folder.

    with keeping(folder) as use:
        model = fitted(Follower(), examples, schemas)     # read if the cache has this fit
    use.taken                                             # how many were read

The key of a fit is the digest of its model's code, the model's name with its settings, the examples
and the schemas. Dialogues and schemas are not written with it, as the caller has them. If the fits
of a folder exceed `MOST` bytes, the least recently used ones are removed. If several processes need
the same fit at the same time, one fits the model, and the others wait and read it. A damaged file
is reported on standard error, and replaced by a new fit.
"""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import to_builtins

from dialoom.dialogue import Dialogue, digest
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.learn.code_digest import code_digest
from dialoom.learn.model import Examples, Model, Schemas, Unlearnt, settings_of
from dialoom.learn.saved import TrainingRecord, load, save

M = TypeVar("M", bound=Model)

CACHE_HOME = "XDG_CACHE_HOME"

MOST = 4_000_000_000
"""Most bytes of the fits of a folder: sixty of the tracker on all of SGD, which are the largest."""


@dataclass
class CacheUse:
    """The use of a cache in a block; `folder` is None without one, `taken` counts the fits read."""

    folder: Path | None
    taken: int = 0


_USED: ContextVar[CacheUse | None] = ContextVar("used", default=None)


@contextmanager
def keeping(folder: Path | None) -> Iterator[CacheUse]:
    """Cache the fits of a `with` block in a folder, those inside models too; None caches none."""
    use = CacheUse(folder)
    token = _USED.set(use)
    try:
        yield use
    finally:
        _USED.reset(token)


def cache_folder() -> Path | None:
    """Return $XDG_CACHE_HOME/dialoom or ~/.cache/dialoom; None if it cannot be written."""
    base = Path(os.environ.get(CACHE_HOME) or "")
    folder = (base if base.is_absolute() else Path.home() / ".cache") / "dialoom"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def fitted(model: M, examples: Examples, schemas: Schemas) -> M:
    """Return this model, fitted, or an equal one from the cache.

    `UsageError` if the model cannot be fitted, `OutputError` if the fit cannot be written.
    """
    use = _USED.get()
    if use is None or use.folder is None or isinstance(model, Unlearnt):
        model.fit(examples, schemas)
        return model
    dialogues = list({id(e.question.dialogue): e.question.dialogue for e in examples}.values())
    learnt = _digest(examples, dialogues), dict(schemas)
    settings = settings_of(model)
    code = code_digest(type(model).__module__)
    about = code, model.name, settings, *learnt
    file = use.folder / f"{digest(about)}.model"
    outside: list[Any] = [schemas, *dialogues]
    with alone(file):
        copy = _read(file, model, outside)
        if copy is not None:
            use.taken += 1
            return copy
        model.fit(examples, schemas)
        with suppress(UsageError):  # a model that no file may hold is fitted again the next time
            save(model, file, TrainingRecord(examples=len(examples)), outside=outside)
            _remove_oldest(use.folder)
    return model


def _read(file: Path, model: M, outside: list[Any]) -> M | None:
    try:
        os.utime(file)
        return cast(M, load(file, lambda _: type(model), outside=outside).model)
    except (FileNotFoundError, MissingDataError):
        return None
    except FormatError as error:
        print(f"dialoom: {error}: fitted again", file=sys.stderr)
        return None


@contextmanager
def alone(file: Path) -> Iterator[None]:
    """Wait for other processes that make the same file; the lock ends with the process.

    The lock's file is removed while it is held. A process that then locks another file of the name
    finds the result there, so that nothing but time is lost. Without locks, as on some network
    drives, processes may make the same file at a time.
    """
    lock = file.with_suffix(".lock")
    with ExitStack() as stack:
        with suppress(OSError):
            lock.parent.mkdir(parents=True, exist_ok=True)
            handle = stack.enter_context(lock.open("wb"))
            fcntl.flock(handle, fcntl.LOCK_EX)
            # closing alone would not end it while a process forked during the fit has the file open
            stack.callback(fcntl.flock, handle, fcntl.LOCK_UN)
            stack.callback(lock.unlink, missing_ok=True)
        yield


def _remove_oldest(folder: Path) -> None:
    """Remove the least recently used fits of a folder, down to `MOST` bytes.

    The newest stays, however large it is; concurrent runs may remove the same files.
    """
    entries = []
    for file in folder.glob("*.model"):
        with suppress(FileNotFoundError):
            status = file.stat()
            entries.append((status.st_mtime_ns, status.st_size, file))
    total = 0
    for number, (_, size, file) in enumerate(sorted(entries, reverse=True)):
        total += size
        if number and total > MOST:
            file.unlink(missing_ok=True)


def _digest(examples: Examples, dialogues: list[Dialogue]) -> str:
    """Return the digest of examples; each dialogue and each kind of question occurs once in it."""
    number = {id(dialogue): n for n, dialogue in enumerate(dialogues)}
    kinds = {id(e.question.asked): e.question.asked for e in examples}
    place = {each: n for n, each in enumerate(kinds)}
    rows = (
        (number[id(e.question.dialogue)], e.question.event, place[id(e.question.asked)], e.answer)
        for e in examples
    )
    # answers may have frames' numbers for keys, which a digest takes as text only
    return digest((dialogues, to_builtins((list(kinds.values()), list(rows)), str_keys=True)))
