"""Numerical libraries in one thread: processes share a busy machine better than threads do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit the threads of numerical libraries to one in a `with` block."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield
