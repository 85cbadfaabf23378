"""The command line: `dialoom COMMAND`, a module for each group of commands.

Exit codes of all commands: 0 done; 1 a check found something; 2 bad input or usage; 130
interrupted; 141 whoever read standard output has gone. Errors of ours are one line on standard
error; a bug keeps its traceback.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from typing import NoReturn

from dialoom.cli.interruption import Interrupted, raise_on_signals

BAD_INPUT, INTERRUPTED, UNREAD = 2, 130, 141


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    raise_on_signals()
    _write_any_letter()
    gc.set_threshold(100_000, 20, 20)  # corpora have no cycles; looking for them takes a third
    try:
        sys.exit(_run())
    except Interrupted:
        print("dialoom: interrupted", file=sys.stderr)
        sys.exit(INTERRUPTED)


def _write_any_letter() -> None:
    """Escape the letters that the terminal's encoding lacks, instead of failing at them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _run() -> int:
    import warnings

    import typer

    from dialoom.cli.app import app
    from dialoom.errors import DialoomError, LeftOutWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", LeftOutWarning)
            warnings.showwarning = _warn
            return int(app(prog_name="dialoom", standalone_mode=False) or 0)
    except DialoomError as error:
        _complain(str(error))
    except typer.TyperException as error:
        if what := error.format_message():  # else the help has been printed
            _complain(_usage(what, error))
    except SystemExit:  # how the libraries take a closed pipe
        return 0 if {"-h", "--help"} & set(sys.argv) else UNREAD
    except OSError as error:
        if error.filename is not None:  # of a file: a bug, since reading and writing have ours
            raise
        print(f"dialoom: standard output: cannot be written: {error.strerror}", file=sys.stderr)
        # The rest of the buffer must not fail once more when the interpreter ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BAD_INPUT


def _warn(message: Warning | str, *place: object, **more: object) -> None:
    _complain(str(message))


def _complain(message: str) -> None:
    from dialoom.corpus.archive import named
    from dialoom.errors import clip

    message = named(message)
    # Names and values from files must not move the cursor of a terminal.
    line = clip(message, 1000)
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    print(f"dialoom: {line}", file=sys.stderr)


def _usage(what: str, error: Exception) -> str:
    what = what[:1].lower() + what[1:].rstrip(".").replace("Value error, ", "")
    context = getattr(error, "ctx", None)
    return f"{what}; see {context.command_path} --help" if context else what
