"""`dialoom collect export`, `results`, `signals` and `migrate`: what a study has collected."""

from __future__ import annotations

from pathlib import Path

import typer

from dialoom.cli.options import JsonFile, StudyDatabase
from dialoom.cli.output import not_held, print_table, report
from dialoom.errors import UsageError
from dialoom.render.tables import counted


def export(db: StudyDatabase, out: Path, to: str = "native", gold: bool = False) -> None:
    """Write the dialogues that a study has collected so far, also while it is served.

    Example: dialoom collect export --db study.sqlite --to star --out collected

    Args:
        out (--out, DIR): A new folder.
        to: native, star, frames or another format.
        gold: Also write the work on items with known answers.
    """
    from dialoom.collect.export import export as write
    from dialoom.collect.log.store import Store

    with Store.open(db, create=False, readonly=True) as store:
        exported = write(store, to, out, gold=gold)
    running = _units(exported.running, "under way")
    erased = _units(exported.erased, "of erased people left out")
    gold_note = f", {exported.gold} answers to gold items {'written' if gold else 'left out'}"
    notes = f"{running}{erased}{gold_note if exported.gold else ''}"
    typer.echo(f"{counted(exported.dialogues, 'dialogue')} written to {out}{notes}")
    for outcome, count in exported.outcomes.items():
        typer.echo(f"  {outcome or 'no outcome'}: {count}")
    for system, count in exported.failed.items():
        typer.echo(f"  {system} failed: {count} (left out of the means)")
    for (database, person), count in sorted(exported.agreement.items(), reverse=True):
        says = ["missed", "reached"]
        typer.echo(
            f"  goal {says[database]} by the database, {says[person]} by the person: {count}"
        )
    for line in not_held(exported.loss, to):
        typer.echo(line)
    print_table(*exported.grades.tables())


def results(corpus: Path, json: JsonFile = None) -> None:
    """Report how people graded each system of an exported study, with intervals and differences.

    Example: dialoom collect results judged --json grades.json

    Args:
        corpus (CORPUS): An exported corpus.
    """
    from dialoom import formats
    from dialoom.collect.kinds.grades import SystemGrades

    grades = SystemGrades().add_all(formats.load(corpus).dialogues())
    tables = grades.tables()
    if not tables:
        raise UsageError(f"{corpus}: nobody graded a system; export a study that rates them")
    report(grades.figures(), json, tables=tables)


def signals(db: StudyDatabase, json: JsonFile = None) -> None:
    """Report signals of careless work by worker, wizards' consistency, and agreement so far.

    Signals are hints, not verdicts (docs/how-to/quality-of-work.md). The study may be
    served meanwhile.

    Example: dialoom collect signals --db study.sqlite
    """
    from dialoom.collect.log.store import Store
    from dialoom.collect.signals import signals as found
    from dialoom.collect.signals import tables

    with Store.open(db, create=False, readonly=True) as store:
        value = found(store)
    report(value, json, tables=tables(value))


def migrate(db: StudyDatabase) -> None:
    """Move a database of an older version of dialoom to the layout of this one.

    The study must not be served meanwhile. Copy the database first.

    Example: dialoom collect migrate --db study.sqlite
    """
    from dialoom.collect.log.migration import migrate as moved

    before, after = moved(db)
    done = f"moved from layout {before} to {after}" if before != after else f"has layout {after}"
    typer.echo(f"{db}: {done}")


def _units(count: int, what: str) -> str:
    return f", {counted(count, 'unit')} of work {what}" if count else ""
