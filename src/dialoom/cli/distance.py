"""`dialoom distance`: simulated dialogues beside real ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.options import CountsFile

if TYPE_CHECKING:
    from dialoom.corpus import Corpus
    from dialoom.quality.distance import CorpusProfile


def distance(
    simulated: Annotated[
        Path, typer.Argument(metavar="SIMULATED", help="A corpus folder or file.")
    ],
    real: Annotated[Path, typer.Argument(metavar="REAL", help="The corpus it should be like.")],
    format: Annotated[
        str | None, typer.Option("--format", help="Format of SIMULATED; detected when absent.")
    ] = None,
    real_format: Annotated[
        str | None, typer.Option("--real-format", help="Format of REAL; detected when absent.")
    ] = None,
    json: CountsFile = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write a page with plots there; - is stdout.")
    ] = None,
) -> None:
    """Tell how far simulated dialogues are from real ones.

    Acts in sequence, lengths, words, the order of slots, and what of the schemas is used; beside
    each distance stands that of two halves of REAL. Any two corpora can be compared.

    Example: dialoom distance mixed corpora/star --html distance.html
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, one_on_stdout, write_json, write_out
    from dialoom.metrics.base import Signature
    from dialoom.quality.distance.comparing import SETTINGS, compare
    from dialoom.quality.distance.report import report

    one_on_stdout(json=json, html=html)
    corpora = formats.load(simulated, format), formats.load(real, real_format)
    found = compare(*map(_profile, corpora))
    signature = str(Signature(SETTINGS).extended(dict(_named(*corpora))))
    if json is not None:
        write_json({"signature": signature, **found}, json)
    if html is not None:
        names = simulated.resolve().name, real.resolve().name
        write_out(report(names, found, signature).encode(), html)
    if STDOUT not in (json, html):
        _print(found, signature)


def _profile(corpus: Corpus) -> CorpusProfile:
    from dialoom.quality.distance import CorpusProfile
    from dialoom.render.progress import track

    profile = CorpusProfile(corpus.schemas)
    return profile.add_all(track(corpus.dialogues(), "dialogues", len(corpus.files)))


def _named(simulated: Corpus, real: Corpus) -> list[tuple[str, str]]:
    return [
        (f"{side}.{what}", getattr(corpus, what))
        for side, corpus in (("simulated", simulated), ("real", real))
        for what in ("format", "digest")
    ]


def _print(found: dict[str, Any], signature: str) -> None:
    from rich.console import Console

    from dialoom.quality.distance.report import shown
    from dialoom.render.tables import to_rich
    from dialoom.render.transcript import clean

    console = Console()
    for each in shown(found):
        console.print(to_rich(each.header, each.rows, title=each.title, thousands=True, digits=3))
        for note in each.notes:
            typer.echo(clean(note))
    typer.echo("--html has what differs most, with plots; --json has all of it.")
    typer.echo(signature)
