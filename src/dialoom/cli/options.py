"""Arguments and options that several commands share, so that they are everywhere the same."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

CorpusPath = Annotated[Path, typer.Argument(metavar="PATH", help="A corpus folder or file.")]
SourcePath = Annotated[Path, typer.Argument(metavar="SRC", help="A corpus folder or file.")]
TargetFolder = Annotated[Path, typer.Argument(metavar="DST", help="A new folder.")]
FormatName = Annotated[
    str | None, typer.Option("--format", help="Its format; detected when absent.")
]
SourceFormat = Annotated[
    str | None, typer.Option("--from", help="Format of SRC; detected when absent.")
]
TargetFormat = Annotated[
    str | None, typer.Option("--to", help="Format of DST; that of SRC when absent.")
]

TaskName = Annotated[
    str,
    typer.Argument(metavar="FILE_OR_TASK", help="A task file, or the name of a bundled task."),
]
TaskNames = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE_OR_TASK…", help="Task files, names of bundled tasks, or `all` of those."
    ),
]

Seed = Annotated[int, typer.Option("--seed", help="What all randomness comes from.")]
Agent = Annotated[str, typer.Option("--agent", help="Whose utterances: user, system or all.")]

JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write the result there; - is stdout.")
]
JsonLines = Annotated[
    Path | None,
    typer.Option("--json", help="Write the findings there, one a line; - is stdout."),
]
HtmlFile = Annotated[Path | None, typer.Option("--html", help="Write a page there; - is stdout.")]
OutFile = Annotated[
    Path | None, typer.Option("--out", help="Write it there instead of to standard output.")
]
