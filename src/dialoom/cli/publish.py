"""`dialoom publish` and `card`: a corpus as a folder for the Hub and Croissant; its data card."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from dialoom.cli.options import (
    FilterOptions,
    FormatName,
    JsonFile,
    OwnCorpus,
    Seed,
    SourceFormat,
    SourcePath,
    TargetFolder,
)
from dialoom.cli.output import STDOUT, print_lines, write_json, write_out
from dialoom.render.progress import track
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.quality.publishing import Publication, PublishReport


@dataclass(frozen=True)
class PublishOptions:
    """The facts and parts of a published corpus.

    Attributes:
        name: Name of the corpus.
        licence (NAME): Its licence, such as cc-by-4.0.
        creators (--creator): A person who made it; repeatable.
        home (--url): The address of the page that presents it.
        release: Its version.
        date (DAY): The day it is published; today when absent.
        parts (NAME=SHARE,…): Split it at random, such as train=0.8,test=0.2; its own parts when
            absent.
        chat: Also write rows of chat messages and tools.
        despite (--despite-licence): Publish it although a source's licence may forbid it.
    """

    name: str | None = None
    licence: str | None = None
    creators: list[str] | None = None
    home: str | None = None
    release: str = "1.0.0"
    date: str | None = None
    parts: str | None = None
    seed: Seed = 0
    chat: bool = False
    own: OwnCorpus = False
    despite: bool = False

    def publication(self) -> Publication:
        """Return how the corpus is published; `UsageError` for a wrong day or share."""
        from dialoom.cli.convert import shares_of
        from dialoom.quality.publishing import Publication, facts_of

        return Publication(
            name=self.name,
            given=facts_of(self.licence, self.creators or (), self.home),
            release=self.release,
            date=self.date or "",
            catalogued=not self.own,
            shares=shares_of(self.parts) if self.parts else {},
            seed=self.seed,
            chat=self.chat,
            despite=self.despite,
        )


def publish(
    source: SourcePath,
    target: TargetFolder,
    filters: FilterOptions,
    options: PublishOptions,
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
    from dialoom.corpus.files import staged_folder
    from dialoom.quality.publishing import write

    publication = options.publication()
    with staged_folder(target) as stage:
        outcome = write(filters.of(formats.load(source, from_)), stage, publication)
        write_json(outcome, json)
    print_lines(_lines(outcome, str(target)), json)


def _lines(outcome: PublishReport, target: str) -> Iterator[str]:
    from dialoom.quality.card import PERSON

    splits = ", ".join(f"{split} {number:,}" for split, number in outcome.splits.items())
    yield f"published in {target}: {splits} dialogues"
    for name, share in outcome.sources.items():
        reason = outcome.objections.get(name)
        yield f"  {share:.0%} of the dialogues are {name}'s" + (f": {reason}" if reason else "")
    if outcome.twins:
        twins = counted(outcome.twins, "dialogue")
        yield f"  {twins} with the words of one in an earlier split (E506)"
    yield f"  README.md has {outcome.asked} places for a person to fill in ({PERSON.strip('*: ')})"


def card(
    corpus: Path,
    out: Path = Path("-"),
    name: str | None = None,
    own: OwnCorpus = False,
    format: FormatName = None,
) -> None:
    """Write a data card in Markdown, with counts filled in and marks where a person must write.

    Example: dialoom card corpora/star --out CARD.md

    Args:
        corpus (CORPUS): A corpus folder or file.
        out: Write the card to this file; - is stdout.
        name: Name of the corpus in the card.
    """
    from dialoom import formats
    from dialoom.quality.card import PERSON
    from dialoom.quality.card import card as write

    source = formats.load(corpus, format)
    text = write(source, track, name=name, catalogued=not own)
    write_out(text.encode(), out)
    if out != STDOUT:
        left = text.count(PERSON)
        typer.echo(f"card written to {out}; {left} places are for a person to fill in")
