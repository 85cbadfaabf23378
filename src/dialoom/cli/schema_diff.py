"""`dialoom schema diff`: what changed between two schemas, and what it means for a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.options import JsonFile
from dialoom.cli.output import report
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from dialoom.quality.impact import Effect
    from dialoom.schema.diff import Change

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
    format_: str | None = None,
    json: JsonFile = None,
) -> None:
    """List the differences of two schemas, and the annotations of a corpus that they break.

    Lists added, removed, changed and (probably) renamed slots, values, intents, calls and steps of
    the flow. With a corpus, also the annotated actions that OLD permits and NEW does not, and parts
    of NEW that no dialogue uses. Exits 1 if an annotation became illegal.

    Example: dialoom schema diff old_hotel.yaml hotel_book corpora/dialogues

    Example: dialoom schema diff corpora/sgd/dev new/schema.json corpora/sgd/dev --json diff.json

    Args:
        format_: The corpus's format; detected when absent.
    """
    from dialoom import formats
    from dialoom.cli.schema_exchange import several
    from dialoom.quality.impact import weigh
    from dialoom.schema.diff import compare

    before, after = several([old]), several([new])
    changes = compare(before, after)
    effect = None
    if corpus is not None:
        effect = weigh(formats.load(corpus, format_).tracked(), before, after)
    summary: dict[str, Any] = {"changes": changes} | (effect.data() if effect else {})
    report(summary, json, _lines(changes, effect))
    if effect is not None and effect.illegal:
        raise typer.Exit(1)


def _lines(changes: list[Change], effect: Effect | None) -> Iterator[str]:
    kinds: dict[str, list[Change]] = {}
    for change in changes:
        kinds.setdefault(f"{change.what} {change.how}", []).append(change)
    for group in kinds.values():
        yield from _listed(map(str, group))
    yield "1 change" if len(changes) == 1 else f"{len(changes) or 'no'} changes"
    if effect is None:
        return
    yield from _listed(f"illegal now: {tally}" for tally in effect.illegal)
    yield from _listed(f"missing now: {tally}" for tally in effect.missing)
    broken = sum(tally.count for tally in effect.illegal)
    yield (
        f"{effect.dialogues} dialogues: {broken} annotated actions became illegal, "
        f"{len(effect.missing)} things of the new schema never occur"
    )


def _listed(lines: Iterable[str]) -> Iterator[str]:
    texts = list(lines)
    yield from map(clean, texts[:SHOWN])
    if len(texts) > SHOWN:
        yield f"  … and {len(texts) - SHOWN} more of this kind; --json lists all"
