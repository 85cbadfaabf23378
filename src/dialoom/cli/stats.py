"""`dialoom stats`: what a corpus holds, in counts."""

from __future__ import annotations

from typing import Any

import typer

from dialoom.cli.options import CorpusPath, CountsFile, FormatName


def stats(
    path: CorpusPath,
    format: FormatName = None,
    json: CountsFile = None,
) -> None:
    """Count dialogues, turns, events, tasks and queries.

    Example: dialoom stats corpora/star --json stats.json
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, write_json
    from dialoom.quality.stats import Statistics
    from dialoom.render.progress import track

    corpus = formats.load(path, format)
    statistics = Statistics(formats.get(corpus.format).event_name)
    result = statistics.add_all(track(corpus.dialogues(), "dialogues", len(corpus.files))).result()
    result = {"format": corpus.format, "files": len(corpus.files), **result}
    if json is not None:
        write_json(result, json)
    if json != STDOUT:
        _print(result)


def _print(result: dict[str, Any]) -> None:
    for name, value in result.items():
        title = name.replace("_", " ")
        if isinstance(value, dict):
            shown = list(value.items())[:12]
            rest = len(value) - len(shown)
            typer.echo(f"{title}:")
            for key, count in shown:
                typer.echo(f"  {count:>9,}  {key}")
            if rest:
                typer.echo(f"  {'':>9}  … and {rest} more (--json has all)")
        elif value is not None:
            typer.echo(f"{title}: {value if isinstance(value, str) else f'{value:,}'}")
