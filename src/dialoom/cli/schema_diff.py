"""`dialoom schema diff`: what changed between two schemas, and what it means for a corpus."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from dialoom.schema.diff import Change
    from dialoom.schema.impact import Effect
    from dialoom.schema.task import TaskSchema

SHOWN = 20
"""Lines of one kind that are printed; --json has all."""

_SCHEMA_HELP = (
    "A task file, a bundled task, `all` of those, or a folder or file of published schemas."
)


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help=_SCHEMA_HELP)],
    new: Annotated[str, typer.Argument(metavar="NEW", help=_SCHEMA_HELP)],
    corpus: Annotated[
        Path | None,
        typer.Argument(metavar="[CORPUS]", help="Dialogues that were annotated under OLD."),
    ] = None,
    format_: Annotated[
        str | None, typer.Option("--format", help="The corpus's format; detected when absent.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option("--json", help="Write everything there; - is stdout.")
    ] = None,
) -> None:
    """Tell what changed between two schemas, and which annotations of a corpus that breaks.

    Added, removed, changed and (probably) renamed slots, values, intents, calls and steps of the
    flow. With a corpus: the annotated actions that OLD permits and NEW does not, and what only NEW
    has and no dialogue shows. Exits 1 if an annotation became illegal.

    Example: dialoom schema diff old_hotel.yaml hotel_book corpora/dialogues

    Example: dialoom schema diff corpora/sgd/dev new/schema.json corpora/sgd/dev --json diff.json
    """
    from dialoom.cli.output import STDOUT, write_json
    from dialoom.cli.schema_exchange import several
    from dialoom.schema.diff import compare

    before, after = several([old]), several([new])
    changes = compare(before, after)
    effect = None if corpus is None else _effect(corpus, format_, before, after)
    if json is not None:
        report: dict[str, Any] = {"changes": changes}
        if effect is not None:
            report |= effect.data()
        write_json(report, json)
    if json != STDOUT:
        _show(changes, effect)
    if effect is not None and effect.illegal:
        raise typer.Exit(1)


def _effect(
    path: Path, format_: str | None, old: dict[str, TaskSchema], new: dict[str, TaskSchema]
) -> Effect:
    from dialoom import formats
    from dialoom.render.progress import track
    from dialoom.schema.impact import weigh

    corpus = formats.load(path, format_)
    return weigh(track(corpus.dialogues(), "dialogues", len(corpus.files)), old, new)


def _show(changes: list[Change], effect: Effect | None) -> None:
    kinds: dict[str, list[Change]] = {}
    for change in changes:
        kinds.setdefault(f"{change.what} {change.how}", []).append(change)
    for found in kinds.values():
        _listed(map(str, found))
    typer.echo("1 change" if len(changes) == 1 else f"{len(changes) or 'no'} changes")
    if effect is None:
        return
    _listed(f"illegal now: {tally}" for tally in effect.illegal)
    _listed(f"missing now: {tally}" for tally in effect.missing)
    broken = sum(tally.count for tally in effect.illegal)
    typer.echo(
        f"{effect.dialogues} dialogues: {broken} annotated actions became illegal, "
        f"{len(effect.missing)} things of the new schema never occur"
    )


def _listed(lines: Iterable[str]) -> None:
    from dialoom.render.transcript import clean

    found = list(lines)
    for line in found[:SHOWN]:
        typer.echo(clean(line))
    if len(found) > SHOWN:
        typer.echo(f"  … and {len(found) - SHOWN} more of this kind; --json lists all")
