"""`dialoom distance`: compare simulated dialogues with real ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.options import HtmlFile, JsonFile

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
    json: JsonFile = None,
    html: HtmlFile = None,
) -> None:
    """Tell how far simulated dialogues are from real ones.

    Acts in sequence, lengths, words, the order of slots, and what of the schemas is used; beside
    each distance stands that of two halves of REAL. How natural users' turns read is told by their
    perplexity under a model of one half of REAL, beside that of the other half. Any two corpora can
    be compared.

    Example: dialoom distance mixed corpora/star --html distance.html
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, print_table, read_dialogues, write_json, write_out
    from dialoom.metrics.base import Signature
    from dialoom.quality.distance import fluency
    from dialoom.quality.distance.comparing import SETTINGS, compare
    from dialoom.quality.distance.report import report, tables

    corpora = formats.load(simulated, format), formats.load(real, real_format)
    found = compare(*map(_profile, corpora))
    found["fluency"] = fluency.compare(*(partial(read_dialogues, corpus) for corpus in corpora))
    named = {
        f"{side}.{what}": getattr(corpus, what)
        for side, corpus in zip(("simulated", "real"), corpora, strict=True)
        for what in ("format", "digest")
    }
    signature = str(Signature({**SETTINGS, **fluency.SETTINGS}).extended(named))
    if json is not None:
        write_json({"signature": signature, **found}, json)
    if html is not None:
        names = simulated.resolve().name, real.resolve().name
        write_out(report(names, found, signature).encode(), html)
    if STDOUT not in (json, html):
        for table in tables(found):
            print_table(table, digits=3)
        typer.echo("--html has what differs most, with plots; --json has all of it.")
        typer.echo(signature)


def _profile(corpus: Corpus) -> CorpusProfile:
    from dialoom.cli.output import read_dialogues
    from dialoom.quality.distance import CorpusProfile

    return CorpusProfile(corpus.schemas).add_all(read_dialogues(corpus))
