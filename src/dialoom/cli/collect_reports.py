"""`dialoom collect results`, `signals` and `migrate`: figures of a study, and its database."""

from __future__ import annotations

from pathlib import Path

import typer

from dialoom.cli.options import JsonFile, StudyDatabase
from dialoom.errors import UsageError, needs_extra


def results(
    corpus: Path,
    json: JsonFile = None,
) -> None:
    """Report how people graded each system of an exported study, with intervals and differences.

    Example: dialoom collect results judged --json grades.json

    Args:
        corpus (CORPUS): An exported corpus.
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, print_table, write_json

    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.kinds.grades import SystemGrades
    grades = SystemGrades().add_all(formats.load(corpus).dialogues())
    tables = grades.tables()
    if not tables:
        raise UsageError(f"{corpus}: nobody graded a system; export a study that rates them")
    write_json(grades.figures(), json)
    if json != STDOUT:
        print_table(*tables)


def signals(
    db: StudyDatabase,
    json: JsonFile = None,
) -> None:
    """Report signals of careless work by worker, wizards' consistency, and agreement so far.

    Signals are hints where to look, not verdicts (docs/how-to/quality-of-work.md). The study may be
    served meanwhile.

    Example: dialoom collect signals --db study.sqlite
    """
    from dialoom.cli.output import STDOUT, print_table, write_json

    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.log.store import Store
        from dialoom.collect.signals import signals as found
        from dialoom.collect.signals import tables
    with Store.open(db, create=False, readonly=True) as store:
        value = found(store)
    write_json(value, json)
    if json != STDOUT:
        print_table(*tables(value))


def migrate(
    db: StudyDatabase,
) -> None:
    """Move a database of an older version of dialoom to the layout of this one.

    The study must not be served meanwhile. Copy the database first.

    Example: dialoom collect migrate --db study.sqlite
    """
    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.log.migration import migrate as moved
    before, after = moved(db)
    done = f"moved from layout {before} to {after}" if before != after else f"has layout {after}"
    typer.echo(f"{db}: {done}")
