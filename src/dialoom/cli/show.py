"""`dialoom show`: one dialogue as a person would read it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def show(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="A corpus folder or file.")],
    id: Annotated[str, typer.Argument(metavar="ID", help="The dialogue's id.")],
    format: Annotated[
        str | None, typer.Option("--format", help="Its format; detected when absent.")
    ] = None,
) -> None:
    """Print one dialogue with its knowledge-base calls.

    Example: dialoom show corpora/star 12
    """
    from rich.console import Console

    from dialoom import formats
    from dialoom.dialogue.transcript import lines
    from dialoom.errors import UnknownNameError
    from dialoom.render.transcript import to_rich

    opened = formats.load(corpus, format)
    known: list[str] = []
    for dialogue in opened.dialogues():
        if dialogue.id == id:
            Console().print(to_rich(lines(dialogue)))
            return
        known.append(dialogue.id)
    raise UnknownNameError("dialogue", id, known if len(known) <= 20 else [])
