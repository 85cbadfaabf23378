"""Shared by commands: reading a corpus with a progress bar, and writing and printing results."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import typer

from dialoom.errors import UsageError
from dialoom.render.tables import to_rich
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from dialoom.render.tables import ResultTable
    from dialoom.workbench import OpenCorpus

STDOUT = Path("-")
WIDE = 160
"""The most characters of a line of a table in a file or pipe."""


@contextmanager
def rejecting(file: Path | None) -> Iterator[Callable[[Path, str | None], OpenCorpus]]:
    """Yield a function that opens a corpus and collects faulty dialogues for `file`, if any."""
    import msgspec

    from dialoom.formats.base.tolerant import Rejects
    from dialoom.workbench import load

    if file is None:
        yield load
        return
    rejects = Rejects()
    with staged_output(file) as lines:
        yield lambda path, name: load(path, name, rejects)
        lines.writelines(msgspec.json.encode(each) + b"\n" for each in rejects)
    typer.echo(f"dialoom: {len(rejects):,} set aside in {file}", err=True)


def not_held(loss: Mapping[str, int], format: str) -> Iterator[str]:
    """Yield a line for each field that a format cannot hold."""
    for field, count in loss.items():
        yield f"  not held by {format}: {field} ({count})"


def report(
    value: Any,
    json: Path | None,
    lines: Iterable[str] = (),
    tables: Iterable[ResultTable] = (),
    digits: int = 2,
) -> None:
    """Write a result where `--json` says; print tables and lines unless that is standard output."""
    write_json(value, json)
    if json != STDOUT:
        print_table(*tables, digits=digits)
    print_lines(lines, json)


def print_lines(lines: Iterable[str], json: Path | None) -> None:
    """Print lines for people, unless `--json` has standard output."""
    if json != STDOUT:
        for line in lines:
            typer.echo(line)


def write_json(value: Any, file: Path | None) -> None:
    """Write a JSON value to a file, whole or not at all; `-` is standard output, None nowhere."""
    if file is not None:
        write_out(json_text(value), file)


def json_text(value: Any) -> bytes:
    """Return a JSON value as a file of its own."""
    import msgspec

    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def write_lines(values: Iterable[Any], file: Path) -> None:
    """Write values as JSON lines to a file, whole or not at all; `-` is standard output."""
    import msgspec

    with staged_output(file) as lines:
        lines.writelines(msgspec.json.encode(each) + b"\n" for each in values)


def write_text(text: str, out: Path | None, *, fresh: bool = False) -> None:
    """Write a text to a file or standard output; with `fresh` never over another file."""
    out = out or STDOUT
    if fresh and out != STDOUT:
        check_new(out, f"--out {out}")
    write_out(text.encode(), out)


def check_new(file: Path, named: str) -> None:
    """Raise `UsageError` for a file that exists, called `named` in the message."""
    from dialoom.corpus.files import exists

    if exists(file):
        raise UsageError(f"{named}: exists already; name a new file", code="taken")


def write_out(data: bytes, file: Path) -> None:
    """Write bytes to a file, whole or not at all; `-` is standard output."""
    with staged_output(file) as stage:
        stage.write(data)


def write_together(files: Iterable[tuple[Path | None, Callable[[], bytes]]]) -> None:
    """Write files together, replacing none if one fails; None for none, `-` for stdout."""
    with ExitStack() as stack:
        for file, content in files:
            if file is not None:
                stack.enter_context(staged_output(file)).write(content())


@contextmanager
def staged_output(file: Path) -> Iterator[BinaryIO]:
    """Yield a file that replaces `file` (`-`: stdout) when the block ends without an error."""
    from dialoom.corpus.files import staged_file

    if file != STDOUT:
        with staged_file(file) as stage:
            yield stage
        return
    with tempfile.TemporaryFile() as stage:
        yield stage
        stage.seek(0)
        sys.stdout.flush()
        shutil.copyfileobj(stage, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def print_table(
    *tables: ResultTable, digits: int = 2, more: Iterable[str] = (), err: bool = False
) -> None:
    """Print tables with their notes; in a file or a pipe as wide as they need, up to `WIDE`.

    Lines of `more` come below all tables, as they are.

    The width of a terminal, and one set by `COLUMNS`, are unchanged.
    """
    grids = [
        to_rich(table.header, table.rows, title=table.title, thousands=True, digits=digits)
        for table in tables
    ]
    console = _console_for(grids, err=err)
    for table, grid in zip(tables, grids, strict=True):
        console.print(grid)
        for note in table.notes:
            typer.echo(clean(note), err=err)
    for line in more:
        typer.echo(line, err=err)


def _console_for(tables: Iterable[Table], *, err: bool) -> Console:
    from rich.console import Console

    console = Console(stderr=err, highlight=False)
    if console.is_terminal or os.environ.get("COLUMNS"):
        return console
    wide = console.options.update(width=WIDE)
    widths = (console.measure(table, options=wide).maximum for table in tables)
    return Console(stderr=err, highlight=False, width=max((console.width, *widths)))
