"""A cache in memory of features of single training dialogues, for the fits of a run.

    with remembering():                  # around each fit of a run, which ends with `forget`
        ...
        rows = recall(key)               # inside a model, where `remembers()`
        if rows is None:
            rows = read(dialogue)
            hold(key, rows, rows.nbytes)

The hold-outs of an experiment share most of their training dialogues, so values that depend on one
dialogue need not be computed for each of them. A value must depend on its key alone, and must
not be changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

MOST = 1_500_000_000
"""Most bytes that a process holds; values that would exceed them are not held."""

_ALLOWED: ContextVar[bool] = ContextVar("allowed", default=False)


class _Held:
    """The values that this process holds, and their size in bytes."""

    values: dict[Hashable, Any] = {}
    size = 0


@contextmanager
def remembering() -> Iterator[None]:
    """Let values be held and recalled in a `with` block."""
    token = _ALLOWED.set(True)
    try:
        yield
    finally:
        _ALLOWED.reset(token)


def remembers() -> bool:
    """True if values may be held and recalled here."""
    return _ALLOWED.get()


def recall(key: Hashable) -> Any:
    """Return the value that is held for a key, or None."""
    return _Held.values.get(key)


def hold(key: Hashable, value: Any, size: int) -> None:
    """Hold a value of `size` bytes, if `MOST` is not exceeded."""
    if key not in _Held.values and _Held.size + size <= MOST:
        _Held.values[key] = value
        _Held.size += size


def forget() -> None:
    """Free the values of this process."""
    _Held.values.clear()
    _Held.size = 0
