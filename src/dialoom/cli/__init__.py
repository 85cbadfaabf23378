"""The command line: `dialoom COMMAND`, one module a command.

Exit codes, everywhere the same: 0 done; 1 a check found something; 2 bad input or usage; 130
interrupted. Errors of ours are one line on standard error; a bug keeps its traceback.
"""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import NoReturn

BAD_INPUT, INTERRUPTED = 2, 130


class Interrupted(BaseException):
    """Ctrl-C, as an exception that the command framework leaves to us."""


def _interrupt(signal_number: int, frame: FrameType | None) -> NoReturn:
    raise Interrupted


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    from dialoom.cli.app import app
    from dialoom.errors import DialoomError, clip

    signal.signal(signal.SIGINT, _interrupt)
    try:
        app()
    except DialoomError as error:
        print(f"dialoom: {clip(str(error), 1000)}", file=sys.stderr)
        sys.exit(BAD_INPUT)
    except Interrupted:
        print("dialoom: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)
    sys.exit(0)
