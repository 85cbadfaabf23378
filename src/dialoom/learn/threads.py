"""Numerical libraries in one thread: processes share a busy machine better than threads do."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit the threads of numerical libraries to one in a `with` block."""
    with _controller(len(sys.modules)).limit(limits=1):
        yield


@lru_cache(maxsize=1)
def _controller(modules: int) -> ThreadpoolController:
    """Return the controller of the libraries that so many imported modules have loaded.

    Finding the libraries takes a millisecond; only imports load others.
    """
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
