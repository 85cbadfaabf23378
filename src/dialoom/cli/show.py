"""`dialoom show`: the dialogues of a corpus as a list, or one of them as a person would read it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import FilterOptions, FormatName, JsonLines
from dialoom.cli.output import print_table, staged_output
from dialoom.errors import UsageError
from dialoom.render.tables import ResultTable, Row, counted
from dialoom.render.transcript import to_rich, to_text

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.corpus.filters import Facts
    from dialoom.dialogue import Dialogue


def show(
    corpus: Path,
    filters: FilterOptions,
    id: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A dialogue's id; without it, dialogues are listed."),
    ] = None,
    format: FormatName = None,
    page: Annotated[int, Bounds(1, 10**6)] = 1,
    rows: Annotated[int, Bounds(1, 10**6)] = 20,
    json: JsonLines = None,
) -> None:
    """List the dialogues of a corpus with their properties, or print one of them.

    The list shows a page of the dialogues that meet all options; --json has all of them.

    Example: dialoom show examples/sample 12

    Example: dialoom show examples/sample --task museum_tour --where 'turns >= 10'

    Args:
        corpus (CORPUS): A corpus folder or file.
        page: Number of the page of the list, from 1.
        rows: Dialogues per page.
    """
    from dialoom import formats

    selection = filters.of(formats.load(corpus, format))
    if id is not None:
        _print(selection[id])
    elif json is not None:
        _write(selection, json)
    else:
        _list(selection, page, rows)


def _print(dialogue: Dialogue) -> None:
    import sys

    from dialoom.dialogue.transcript import lines

    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(to_rich(lines(dialogue)))
    else:
        typer.echo(to_text(lines(dialogue)))


def _facts(corpus: Corpus) -> Iterator[Facts]:

    from dialoom.corpus.filters import facts

    return map(facts, corpus.tracked())


def _write(corpus: Corpus, file: Path) -> None:
    import msgspec

    with staged_output(file) as stage:
        for each in _facts(corpus):
            stage.write(msgspec.json.encode(each) + b"\n")


def _list(corpus: Corpus, page: int, rows: int) -> None:
    stream = _facts(corpus)
    first = (page - 1) * rows
    skipped = sum(1 for _ in islice(stream, first))
    entries: list[Row] = [
        [each.id, each.split, ", ".join(each.tasks), each.stage, each.outcome, each.turns]
        for each in islice(stream, rows)
    ]
    total = skipped + len(entries) + sum(1 for _ in stream)
    if page > 1 and not entries:
        raise UsageError(
            f"--page {page}: there are {counted(-(-total // rows), 'page')}", code="out-of-range"
        )
    if entries:
        header = ("id", "part", "tasks", "stage", "outcome", "turns")
        print_table(ResultTable("", header, entries))
    of = f", {first + 1:,} to {first + len(entries):,} shown" if len(entries) < total else ""
    typer.echo(f"{counted(total, 'dialogue')}{of}")
