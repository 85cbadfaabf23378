"""`dialoom card`: a data card with its counts filled in."""

from __future__ import annotations

from pathlib import Path

import typer

from dialoom.cli.options import FormatName, OwnCorpus
from dialoom.cli.output import STDOUT, write_out
from dialoom.render.progress import track


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
