"""`dialoom schema doctor`: task files in action."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.quality.coverage import Coverage
    from dialoom.quality.doctor import Diagnosis

ALL = "all"
"""Stands for every bundled task."""

TABLE = ("task", "goal", "nodes", "edges", "values", "templates", "findings")
"""The columns of the table of several tasks; those from goal to templates are shares in %."""


def doctor(
    tasks: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE_OR_TASK…", help="Task files, names of bundled tasks, or `all` of those."
        ),
    ],
    number: Annotated[
        int, typer.Option("-n", "--number", help="How many dialogues of each task.")
    ] = 500,
    seed: Annotated[int, typer.Option("--seed", help="What all randomness comes from.")] = 0,
    corpus: Annotated[
        Path | None,
        typer.Option(
            "--coverage",
            metavar="CORPUS",
            help="Simulate nothing: count what this corpus's dialogues use of the tasks.",
        ),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option("--json", help="Write findings and counts there; - is stdout."),
    ] = None,
) -> None:
    """Simulate dialogues of tasks and report what never happens and what should not.

    Nodes that never fire, goals that nobody reaches, templates that lack a slot, results that no
    reply speaks of, edges never taken, values never drawn; exits 1 if something is an error.

    Example: dialoom schema doctor hotel_book -n 500 --seed 7
    """
    from dialoom import formats
    from dialoom.quality.doctor import examine
    from dialoom.render.progress import track
    from dialoom.schema import pack

    wanted = [name for task in tasks for name in (pack.names() if task == ALL else (task,))]
    if corpus is not None:
        _show_coverage(_cover(wanted, formats.load(corpus)), json)
        return
    names = track(wanted, "tasks", len(wanted))
    found = [examine(pack.document(name), number, seed) for name in names]
    _write({"number": number, "seed": seed, "tasks": [d.data() for d in found]}, json)
    _show(found, json)
    if any(diagnosis.errors for diagnosis in found):
        raise typer.Exit(1)


def _write(value: dict[str, Any], json: Path | None) -> None:
    from dialoom.cli.output import write_json

    if json is not None:
        write_json(value, json)


def _show(found: list[Diagnosis], json: Path | None) -> None:
    from dialoom.cli.output import STDOUT

    if json == STDOUT:
        return
    if len(found) == 1:
        _print_coverage(found[0].coverage)
    else:
        _print(TABLE, [_row(diagnosis) for diagnosis in found])
    for diagnosis in found:
        for finding in diagnosis.findings:
            typer.echo(str(finding))
    errors = sum(diagnosis.errors for diagnosis in found)
    warnings = sum(len(diagnosis.findings) for diagnosis in found) - errors
    dialogues, ended = sum(d.dialogues for d in found), sum(d.ended for d in found)
    reached = sum(diagnosis.reached for diagnosis in found)
    typer.echo(
        f"{dialogues:,} dialogues, {ended:,} ended, {reached:,} reached their goal: "
        f"{errors} errors, {warnings} warnings"
    )


def _row(diagnosis: Diagnosis) -> list[str | int | float | None]:
    kinds = ("nodes", "edges", "values", "templates")
    shares = (diagnosis.coverage.share(kind) for kind in kinds)
    return [
        diagnosis.task,
        round(100 * diagnosis.reached / diagnosis.dialogues, 1),
        *(None if share is None else round(100 * share, 1) for share in shares),
        len(diagnosis.findings),
    ]


def _cover(names: Iterable[str], corpus: Corpus) -> list[Coverage]:
    """Count a corpus's dialogues by task, in one pass."""
    from dialoom.dialogue import views
    from dialoom.quality.coverage import Counting
    from dialoom.render.progress import track
    from dialoom.schema import pack

    countings = [Counting(pack.resolve(name)) for name in names]
    by_name = {name: held for held in countings for name in held.names}
    for dialogue in track(corpus.dialogues(), "dialogues", len(corpus.files)):
        found = (by_name.get(name) for name in views.tasks(dialogue))
        for counting in dict.fromkeys(held for held in found if held is not None):
            counting.add(dialogue)
    return [counting.result() for counting in countings]


def _show_coverage(found: list[Coverage], json: Path | None) -> None:
    from dialoom.cli.output import STDOUT

    _write({"tasks": found}, json)
    for held in found if json != STDOUT else ():
        _print_coverage(held)
        off = f", {held.off:,} events off the flow" if held.off else ""
        typer.echo(f"{held.task}: {held.dialogues:,} dialogues{off}")


def _print_coverage(held: Coverage) -> None:
    from dialoom.quality.coverage import HEADER, rows

    _print(HEADER, rows(held), held.task)


def _print(header: Iterable[str], rows: Iterable[list[Any]], title: str | None = None) -> None:
    from rich.console import Console

    from dialoom.render.tables import to_rich

    Console().print(to_rich(tuple(header), rows, title=title, digits=1))
