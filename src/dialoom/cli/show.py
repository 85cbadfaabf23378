"""`dialoom show`: one dialogue as a person would read it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import FormatName


def show(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder or file.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="The dialogue's id.")],
    format: FormatName = None,
) -> None:
    """Print one dialogue with its knowledge-base calls.

    Example: dialoom show corpora/star 12
    """
    import sys

    from dialoom import formats
    from dialoom.dialogue.transcript import lines
    from dialoom.errors import UnknownNameError
    from dialoom.render.transcript import to_rich, to_text

    known: list[str] = []
    for dialogue in formats.load(corpus, format).dialogues():
        if dialogue.id == id:
            break
        known.append(dialogue.id)
    else:
        raise UnknownNameError("dialogue", id, known)
    if sys.stdout.isatty():
        from rich.console import Console

        Console().print(to_rich(lines(dialogue)))
    else:
        typer.echo(to_text(lines(dialogue)))
