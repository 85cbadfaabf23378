"""`dialoom data`: the catalogue of public corpora, and your copies of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Commands
from dialoom.cli.options import FormatName, JsonFile

if TYPE_CHECKING:
    from dialoom.quality.catalogue import Checked, Copy, Entry

data_app = Commands("data", "The catalogue of public corpora, and your copies of them.")


@data_app.command("list")
def list_corpora(json: JsonFile = None) -> None:
    """List the public corpora dialoom reads, and the copies that were added.

    Example: dialoom data list
    """
    from dialoom.cli.output import report
    from dialoom.quality.catalogue import copies, entries

    known, held = entries(), copies()
    report({"corpora": known, "copies": held}, json, _list(known, held))


def _list(known: Mapping[str, Entry], held: Mapping[str, Copy]) -> Iterator[str]:
    wide = max(map(len, [*known, *held]))
    for name, entry in known.items():
        yield f"{name:<{wide}}  {entry.licence or 'see its page'}  {entry.home}"
    yield "\ncopies:" if held else "\nno copies; register one with: dialoom data add PATH"
    for name, copy in held.items():
        state = {True: "whole", False: "partial", None: "of unknown size"}[copy.whole]
        absent = "" if Path(copy.path).exists() else ", not there any more"
        dialogues = copy.counts.get("dialogues", 0)
        yield f"{name:<{wide}}  {copy.path} ({dialogues:,} dialogues, {state}{absent})"


@data_app.command()
def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A corpus of the catalogue.")],
    json: JsonFile = None,
) -> None:
    """Show a public corpus: where it is, its licence, citation and size.

    Example: dialoom data show sgd
    """
    from dialoom.cli.output import report
    from dialoom.quality.catalogue import copies, entry

    found = entry(name)
    own = (f"your copy {key}: {each.path}" for key, each in copies().items() if each.corpus == name)
    report(found, json, (*_describe(found), *own))


@data_app.command()
def add(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="A corpus folder or file.")],
    name: Annotated[
        str | None,
        typer.Option("--name", help="Name of the copy; default: its name in the catalogue."),
    ] = None,
    format: FormatName = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit 1 if a count differs from a whole copy's.")
    ] = False,
    json: JsonFile = None,
) -> None:
    """Register your copy of a public corpus, and check it against the counts of the whole corpus.

    Example: dialoom data add corpora/sgd
    """
    from dialoom import formats
    from dialoom.cli.output import report
    from dialoom.quality.catalogue import Copy, copies, count, entries
    from dialoom.quality.catalogue import add as note
    from dialoom.render.progress import track

    corpus = formats.load(path, format)
    known = name if name in entries() and corpus.format in entries()[name].formats else None
    checked = count(corpus, track, known)
    name = name or checked.corpus or corpus.path.resolve().stem
    place, before = str(path.resolve()), copies().get(name)
    copy = Copy(place, corpus.format, checked.corpus, checked.totals, checked.whole)
    file = note(name, copy)
    totals = ", ".join(f"{n:,} {what}" for what, n in checked.totals.items())
    moved = before is not None and before.path != place
    instead = f", in place of the copy at {before.path}" if before and moved else ""
    lines = (
        f"{name}: {corpus.format}, {totals}",
        *(f"  {check}" for check in checked.checks if checked.corpus),
        f"noted in {file}{instead}",
    )
    report({"name": name, "copy": copy, "parts": _parts(checked)}, json, lines)
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
