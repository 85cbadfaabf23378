"""Signals that end a command, as an exception: Ctrl-C, a termination, a closed terminal."""

from __future__ import annotations

import signal
from types import FrameType
from typing import NoReturn


class Interrupted(BaseException):
    """A signal to end, as an exception that the command framework leaves to us."""


def raise_on_signals() -> None:
    """Raise `Interrupted` in the main thread from now on when SIGINT, SIGTERM or SIGHUP comes."""
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if ending != signal.SIGHUP or signal.getsignal(ending) != signal.SIG_IGN:  # by nohup
            signal.signal(ending, _interrupt)


def _interrupt(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise Interrupted
