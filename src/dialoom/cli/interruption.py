"""Signals that end a command, as an exception: Ctrl-C and a request to terminate."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn


class Interrupted(BaseException):
    """A signal to end, as an exception that the command framework leaves to us."""


def raise_on_signals() -> None:
    """Raise `Interrupted` in the main thread from now on when SIGINT or SIGTERM comes."""
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, _interrupt)


def _interrupt(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise Interrupted
