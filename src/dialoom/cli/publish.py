"""`dialoom publish`: a corpus as a folder for the Hugging Face Hub and readers of Croissant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.options import (
    ALL,
    FilterOptions,
    JsonFile,
    OwnCorpus,
    Seed,
    SourceFormat,
    SourcePath,
    TargetFolder,
    with_filters,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.quality.publishing import PublishReport


@with_filters
def publish(
    source: SourcePath,
    target: TargetFolder,
    name: Annotated[str | None, typer.Option("--name", help="Name of the corpus.")] = None,
    licence: Annotated[
        str | None,
        typer.Option("--licence", metavar="NAME", help="Its licence, such as cc-by-4.0."),
    ] = None,
    creators: Annotated[
        list[str] | None, typer.Option("--creator", help="Who made it; repeatable.")
    ] = None,
    home: Annotated[
        str | None, typer.Option("--url", help="The address of the page that presents it.")
    ] = None,
    release: Annotated[str, typer.Option("--release", help="Its version.")] = "1.0.0",
    date: Annotated[
        str | None,
        typer.Option("--date", metavar="DAY", help="The day it is published; today when absent."),
    ] = None,
    parts: Annotated[
        str | None,
        typer.Option(
            "--parts",
            metavar="NAME=SHARE,…",
            help="Split it at random, such as train=0.8,test=0.2; its own parts when absent.",
        ),
    ] = None,
    seed: Seed = 0,
    chat: Annotated[
        bool, typer.Option("--chat", help="Also write rows of chat messages and tools.")
    ] = False,
    own: OwnCorpus = False,
    despite: Annotated[
        bool,
        typer.Option(
            "--despite-licence", help="Publish it although a source's licence may forbid it."
        ),
    ] = False,
    filters: FilterOptions = ALL,
    from_: SourceFormat = None,
    json: JsonFile = None,
) -> None:
    """Write a corpus as a folder to publish: tables, splits, data card, Croissant, LaTeX.

    HF datasets loads it by its path. Dialogues of public corpora are recognised by their words; a
    licence that forbids passing them on is an error.

    Example: dialoom publish examples/sample out/published --licence cc-by-4.0 --parts
    train=0.8,test=0.2
    """
    from dialoom import formats
    from dialoom.cli.output import print_lines, write_json
    from dialoom.cli.select import shares_of
    from dialoom.corpus.files import staged_folder
    from dialoom.quality.publishing import Publication, write
    from dialoom.render.progress import track

    facts = {"licence": licence, "creators": ", ".join(creators or ()), "home": home}
    how = Publication(
        name=name,
        given={what: text for what, text in facts.items() if text},
        release=release,
        date=_day(date),
        catalogued=not own,
        shares=shares_of(parts) if parts else {},
        seed=seed,
        chat=chat,
        despite=despite,
    )
    with staged_folder(target) as stage:
        found = write(filters.of(formats.load(source, from_)), stage, how, track)
        write_json(found, json)
    print_lines(_lines(found, str(target)), json)


def _day(text: str | None) -> str:
    """Return a day as YYYY-MM-DD, today for None; `UsageError` for another text."""
    from datetime import date

    from dialoom.errors import UsageError

    try:
        return (date.fromisoformat(text) if text else date.today()).isoformat()
    except ValueError as error:
        raise UsageError(f"--date {text}: should be a day such as 2026-05-31") from error


def _lines(found: PublishReport, target: str) -> Iterator[str]:
    from dialoom.quality.card import PERSON
    from dialoom.render.tables import counted

    splits = ", ".join(f"{split} {number:,}" for split, number in found.splits.items())
    yield f"published in {target}: {splits} dialogues"
    for name, share in found.sources.items():
        reason = found.objections.get(name)
        yield f"  {share:.0%} of the dialogues are {name}'s" + (f": {reason}" if reason else "")
    if found.twins:
        twins = counted(found.twins, "dialogue")
        yield f"  {twins} with the words of one in an earlier split (E506)"
    yield f"  README.md has {found.asked} places for a person to fill in ({PERSON.strip('*: ')})"
