"""`dialoom stats`: count corpora and compare them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from dialoom.cli.options import FormatName, HtmlFile, JsonFile, RejectsFile
from dialoom.cli.output import STDOUT, print_table, rejecting, write_json, write_out
from dialoom.render.tables import distinct, in_blocks
from dialoom.render.transcript import clean


def stats(
    paths: list[Path],
    format: FormatName = None,
    rejects: RejectsFile = None,
    json: JsonFile = None,
    html: HtmlFile = None,
) -> None:
    """Count dialogues, turns, acts, slots and more in corpora, with the published figures.

    Several corpora are shown side by side; --json and --html have all figures of each.

    Example: dialoom stats corpora/star --json stats.json

    Example: dialoom stats corpora/star corpora/sgd --html stats.html

    Args:
        paths (PATH...): Corpus folders or files.
    """
    from dialoom.quality.stats.report import report
    from dialoom.quality.stats.tables import PROPERTIES, TABLE_1

    with rejecting(rejects) as load:
        corpora = [load(path, format) for path in paths]  # a wrong path is reported at once
        results = [corpus.stats().figures for corpus in corpora]
    names = distinct([path.resolve().name for path in paths], paths)
    pairs = list(zip(names, results, strict=True))
    if json is not None:
        rows = {
            row: {name: result.get("table_1", {}).get(row) for name, result in pairs}
            for row in TABLE_1 | PROPERTIES
        }
        several = {"corpora": [{"name": name, **result} for name, result in pairs], "table_1": rows}
        write_json(results[0] if len(results) == 1 else several, json)
    if html is not None:
        write_out(report(pairs).encode(), html)
    if STDOUT not in (json, html):
        _print(pairs)


def _print(pairs: list[tuple[str, dict[str, Any]]]) -> None:
    from rich.console import Console

    from dialoom.quality.stats.tables import table_1, tables

    if len(pairs) == 1:
        result = pairs[0][1]
        _print_counts(result)
        for table in tables(result):
            print_table(table)
    for table in table_1(pairs):
        for block in in_blocks(table, Console().width):
            print_table(block)


def _print_counts(result: dict[str, Any]) -> None:
    from dialoom.quality.stats import ANALYSES

    for name, value in result.items():
        title = name.replace("_", " ")
        if name in ANALYSES or value == {}:
            continue
        if isinstance(value, dict):
            entries = list(value.items())[:12]
            rest = len(value) - len(entries)
            typer.echo(f"{title}:")
            for key, count in entries:
                typer.echo(f"  {count:>9,}  {clean(key)}")
            if rest:
                typer.echo(f"  {'':>9}  … and {rest} more (--json has all)")
        elif value is not None:
            typer.echo(f"{title}: {value if isinstance(value, str) else f'{value:,}'}")
