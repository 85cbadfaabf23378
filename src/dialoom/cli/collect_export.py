"""`dialoom collect export` and `dialoom serve export`: write what a study has collected."""

from __future__ import annotations

from pathlib import Path

import typer

from dialoom.cli.options import StudyDatabase
from dialoom.errors import needs_extra


def export(
    db: StudyDatabase,
    out: Path,
    to: str = "native",
    gold: bool = False,
) -> None:
    """Write the dialogues that a study has collected so far, also while it is served.

    Example: dialoom collect export --db study.sqlite --to star --out collected

    Args:
        out (--out, DIR): A new folder.
        to: native, star, frames or another format.
        gold: Also write the work on items with known answers.
    """
    from dialoom.cli.output import print_table

    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.export import export as write
        from dialoom.collect.log.store import Store
    with Store.open(db, create=False, readonly=True) as store:
        exported = write(store, to, out, gold=gold)
    many = exported.dialogues
    running = f", {exported.running} are under way" if exported.running else ""
    erased = f", {exported.erased} of erased people left out" if exported.erased else ""
    known = f", {exported.gold} answers to gold items {'written' if gold else 'left out'}"
    said = f"{running}{erased}{known if exported.gold else ''}"
    typer.echo(f"{many} dialogue{'' if many == 1 else 's'} written to {out}{said}")
    for outcome, count in exported.outcomes.items():
        typer.echo(f"  {outcome}: {count}")
    for system, count in exported.failed.items():
        typer.echo(f"  {system} failed: {count} (left out of the means)")
    for (database, person), count in sorted(exported.agreement.items(), reverse=True):
        says = ["missed", "reached"]
        typer.echo(
            f"  goal {says[database]} by the database, {says[person]} by the person: {count}"
        )
    for field, count in exported.loss.items():
        typer.echo(f"  not held by {to}: {field} ({count})")
    print_table(*exported.grades.tables())
