"""`dialoom data`: the catalogue of public corpora."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from dialoom.cli.command import Commands
from dialoom.cli.options import FormatName, JsonFile
from dialoom.cli.output import report
from dialoom.render.progress import track

if TYPE_CHECKING:
    from dialoom.quality.catalogue import Checked, Entry

data_app = Commands("data", "The catalogue of public corpora.")


@data_app.command("list")
def list_corpora(json: JsonFile = None) -> None:
    """List the public corpora dialoom reads.

    Example: dialoom data list
    """
    from dialoom.quality.catalogue import entries

    corpora = entries()
    wide = max(map(len, corpora))
    lines = (f"{n:<{wide}}  {e.licence or 'see its page'}  {e.home}" for n, e in corpora.items())
    report({"corpora": corpora}, json, lines)


@data_app.command()
def show(name: str, json: JsonFile = None) -> None:
    """Show a public corpus: where it is, its licence, citation and size.

    Example: dialoom data show sgd

    Args:
        name (NAME): A corpus of the catalogue.
    """
    from dialoom.quality.catalogue import entry

    corpus = entry(name)
    report(corpus, json, _describe(corpus))


@data_app.command()
def check(
    path: Path,
    name: str | None = None,
    format: FormatName = None,
    strict: bool = False,
    json: JsonFile = None,
) -> None:
    """Check your copy of a public corpus against the counts of the whole corpus.

    Example: dialoom data check corpora/sgd

    Args:
        path (PATH): A corpus folder or file.
        name: A corpus of the catalogue; by default recognised.
        strict: Exit 1 if a count differs from a whole copy's.
    """
    from dialoom import formats
    from dialoom.quality.catalogue import count, entry

    if name is not None:
        entry(name)
    corpus = formats.load(path, format)
    checked = count(corpus, track, name)
    totals = ", ".join(f"{n:,} {what}" for what, n in checked.totals.items())
    lines = (
        f"{checked.corpus or 'not in the catalogue'}: {corpus.format}, {totals}",
        *(f"  {check}" for check in checked.checks if checked.corpus),
    )
    about = {"corpus": checked.corpus, "format": corpus.format, "whole": checked.whole}
    report({**about, "counts": checked.totals, "parts": _parts(checked)}, json, lines)
    if strict and checked.whole is False:
        raise typer.Exit(1)


def _parts(checked: Checked) -> list[dict[str, Any]]:
    return [
        {
            "part": check.part,
            "verdict": check.verdict,
            "found": check.found,
            "expected": check.expected,
        }
        for check in checked.checks
    ]


def _describe(entry: Entry) -> list[str]:
    fields = [
        ("where", entry.home),
        ("paper", entry.paper),
        ("licence", entry.licence or "see its page"),
        ("by", entry.creators),
        ("for", entry.organisations),
        ("formats", ", ".join(entry.formats)),
        ("schemas", None if entry.schemas is None else f"{entry.schemas:,}"),
    ]
    lines = [entry.title, entry.about, ""]
    lines += [f"{what}: {value}" for what, value in fields if value]
    for name, part in entry.parts.items():
        counts = ", ".join(f"{n:,} {what}" for what, n in part.expected().items())
        lines.append(f"part {name}: {counts or 'no published counts'}")
    return [*lines, "", entry.citation.rstrip()]
