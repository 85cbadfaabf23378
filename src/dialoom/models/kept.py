"""A cache of fitted models in a folder.

    with keeping(folder):
        model = fitted(Follower(), examples, schemas)     # read where the same fit was kept

The key of a fit is the digest of its model's code, the model's name with its settings, the examples
and the schemas. Dialogues and schemas are not written with it, as the caller has them. Where the
fits of a folder exceed `MOST` bytes, the least recently used ones are removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import to_builtins

from dialoom.dialogue import Dialogue, digest
from dialoom.errors import UsageError
from dialoom.models.base import Examples, Model, Schemas, Unlearnt, settings_of
from dialoom.models.code_digest import code_digest
from dialoom.models.saved import TrainingRecord, load, save

M = TypeVar("M", bound=Model)

CACHE_HOME = "XDG_CACHE_HOME"
"""The environment variable that names the user's folder for caches (XDG base directories)."""

MOST = 4_000_000_000
"""Most bytes of the fits of a folder: sixty of the tracker on all of SGD, which are the largest."""

_KEPT: ContextVar[Path | None] = ContextVar("kept", default=None)


@contextmanager
def keeping(folder: Path | None) -> Iterator[None]:
    """Cache the fits of a `with` block in a folder, those inside models too; None caches none."""
    token = _KEPT.set(folder)
    try:
        yield
    finally:
        _KEPT.reset(token)


def cache_folder() -> Path | None:
    """Return the user's folder for fits, $XDG_CACHE_HOME/dialoom or ~/.cache/dialoom.

    None where the folder cannot be written.
    """
    base = Path(os.environ.get(CACHE_HOME) or "")
    folder = (base if base.is_absolute() else Path.home() / ".cache") / "dialoom"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def fitted(model: M, examples: Examples, schemas: Schemas) -> M:
    """Return a model fitted on examples: this one, or an equal one from the cache.

    Raises:
        UsageError: The model cannot be fitted on them.
        FormatError: What was kept is damaged.
        OutputError: The fit cannot be kept.
    """
    folder = _KEPT.get()
    if folder is None or isinstance(model, Unlearnt):
        model.fit(examples, schemas)
        return model
    dialogues = list({id(e.question.dialogue): e.question.dialogue for e in examples}.values())
    learnt = _digest(examples, dialogues), dict(schemas)
    about = code_digest(type(model).__module__), model.name, settings_of(model), *learnt
    file = folder / f"{digest(about)}.model"
    outside: list[Any] = [schemas, *dialogues]
    with suppress(FileNotFoundError):
        os.utime(file)
        return cast(M, load(file, model=type(model), outside=outside).model)
    model.fit(examples, schemas)
    with suppress(UsageError):  # a model that no file may hold is fitted again the next time
        save(model, file, TrainingRecord(examples=len(examples)), outside=outside)
        _remove_oldest(folder)
    return model


def _remove_oldest(folder: Path) -> None:
    """Remove the least recently used fits of a folder, down to `MOST` bytes.

    The newest stays, however large it is; concurrent runs may remove the same files.
    """
    found = []
    for file in folder.glob("*.model"):
        with suppress(FileNotFoundError):
            known = file.stat()
            found.append((known.st_mtime_ns, known.st_size, file))
    total = 0
    for number, (_, size, file) in enumerate(sorted(found, reverse=True)):
        total += size
        if number and total > MOST:
            file.unlink(missing_ok=True)


def _digest(examples: Examples, dialogues: list[Dialogue]) -> str:
    """Return the digest of examples, in which each dialogue and each `asked` occurs once."""
    number = {id(dialogue): n for n, dialogue in enumerate(dialogues)}
    kinds = {id(e.question.asked): e.question.asked for e in examples}
    place = {each: n for n, each in enumerate(kinds)}
    asked = (
        (number[id(e.question.dialogue)], e.question.event, place[id(e.question.asked)], e.answer)
        for e in examples
    )
    # answers may have frames' numbers for keys, which a digest takes as text only
    return digest((dialogues, to_builtins((list(kinds.values()), list(asked)), str_keys=True)))
