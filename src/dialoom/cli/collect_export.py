"""`dialoom collect export` and `dialoom serve export`: write what a study has collected."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.errors import needs_extra


def export(
    db: Annotated[str, typer.Option("--db", metavar="FILE", help="The study's database.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new folder.")],
    to: Annotated[
        str, typer.Option("--to", help="native, star, frames or another format.")
    ] = "native",
) -> None:
    """Write the dialogues that a study has collected so far, also while it is served.

    Example: dialoom collect export --db study.sqlite --to star --out collected
    """
    with needs_extra("dialoom collect", "collect"):
        from dialoom.collect.export import export as write
        from dialoom.collect.log.store import Store
    with Store.open(db, create=False, readonly=True) as store:
        exported = write(store, to, out)
    many = exported.dialogues
    running = f", {exported.running} are under way" if exported.running else ""
    erased = f", {exported.erased} of erased people left out" if exported.erased else ""
    typer.echo(f"{many} dialogue{'' if many == 1 else 's'} written to {out}{running}{erased}")
    for outcome, count in exported.outcomes.items():
        typer.echo(f"  {outcome}: {count}")
    for (system, criterion), grades in exported.grades.items():
        mean = sum(grades) / len(grades)
        typer.echo(f"  {criterion}: {system} {mean:.2f} (mean of {len(grades)})")
    for system, count in exported.failed.items():
        typer.echo(f"  {system} failed: {count} (left out of the means)")
    for (database, person), count in sorted(exported.agreement.items(), reverse=True):
        says = ["missed", "reached"]
        typer.echo(
            f"  goal {says[database]} by the database, {says[person]} by the person: {count}"
        )
    for field, count in exported.loss.items():
        typer.echo(f"  not held by {to}: {field} ({count})")
