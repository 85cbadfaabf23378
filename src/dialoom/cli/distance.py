"""`dialoom distance`: compare simulated dialogues with real ones."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dialoom.cli.options import HtmlFile, JsonFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from dialoom.corpus import Corpus
    from dialoom.dialogue import Dialogue


def distance(
    simulated: Annotated[
        Path, typer.Argument(metavar="SIMULATED", help="A corpus folder or file.")
    ],
    real: Annotated[Path, typer.Argument(metavar="REAL", help="The corpus to compare it with.")],
    format: Annotated[
        str | None, typer.Option("--format", help="Format of SIMULATED; detected when absent.")
    ] = None,
    real_format: Annotated[
        str | None, typer.Option("--real-format", help="Format of REAL; detected when absent.")
    ] = None,
    all_tasks: Annotated[
        bool, typer.Option("--all-tasks", help="Compare dialogues about other tasks as well.")
    ] = False,
    json: JsonFile = None,
    html: HtmlFile = None,
) -> None:
    """Measure how far simulated dialogues are from real ones.

    Distances are of sequences of acts, lengths, words, the order of slots, and the use of schemas;
    beside each is the distance between two halves of REAL. A learned judge shows how well 600
    dialogues of each are told apart, by turn and by dialogue (it needs scikit-learn, which
    `pip install 'dialoom[models]'` brings). Vocabulary, repetition, glued values, agreement errors
    and perplexity, under one model of half of REAL, are measures of the wording. Any two corpora
    can be compared; if they share tasks, only dialogues about these are compared.

    Example: dialoom distance mixed corpora/star --html distance.html
    """
    from dialoom import formats
    from dialoom.cli.output import STDOUT, print_table, read_dialogues, write_json, write_out
    from dialoom.metrics.base import Signature
    from dialoom.quality.distance import CorpusProfile, common_tasks, fluency
    from dialoom.quality.distance.comparing import SETTINGS, compare, compare_wording
    from dialoom.quality.distance.report import report, tables

    corpora = formats.load(simulated, format), formats.load(real, real_format)
    shared = common_tasks(*(corpus.schemas for corpus in corpora))
    only = frozenset[str]() if all_tasks else shared
    profiles = [CorpusProfile(corpus.schemas, only) for corpus in corpora]

    def read(corpus: Corpus, profile: CorpusProfile) -> Iterator[Dialogue]:
        return filter(profile.covers, read_dialogues(corpus))

    pairs = list(zip(corpora, profiles, strict=True))
    found = compare(*(profile.add_all(read_dialogues(corpus)) for corpus, profile in pairs))
    one, other = (partial(read, *pair) for pair in pairs)
    found["fluency"] = fluency.compare(one, other)
    languages = {
        task.language
        for corpus in corpora
        for key, task in corpus.schemas.items()
        if key in only or not only
    } or {"en"}
    found |= compare_wording(one, other, languages.pop() if len(languages) == 1 else None)
    if found["judge_needs"]:
        typer.echo(found["judge_needs"], err=True)
    named = {
        f"{side}.{what}": getattr(corpus, what)
        for side, corpus in zip(("simulated", "real"), corpora, strict=True)
        for what in ("format", "digest")
    }
    if only:
        named["tasks"] = f"{len(only)} in both"
    signature = str(Signature({**SETTINGS, **fluency.SETTINGS}).extended(named))
    write_json({"signature": signature, **found}, json)
    if html is not None:
        names = simulated.resolve().name, real.resolve().name
        write_out(report(names, found, signature).encode(), html)
    if STDOUT not in (json, html):
        for table in tables(found):
            print_table(table, digits=3)
        typer.echo("--html has what differs most, with plots; --json has all of it.")
        typer.echo(signature)
