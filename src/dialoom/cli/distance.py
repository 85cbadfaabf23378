"""`dialoom distance`: compare simulated dialogues with real ones."""

from __future__ import annotations

from pathlib import Path

import typer

from dialoom.cli.options import HtmlFile, JsonFile
from dialoom.cli.output import STDOUT, print_table, write_json, write_out


def distance(
    simulated: Path,
    real: Path,
    format: str | None = None,
    real_format: str | None = None,
    all_tasks: bool = False,
    json: JsonFile = None,
    html: HtmlFile = None,
) -> None:
    """Measure how far simulated dialogues are from real ones.

    Distances are of sequences of acts, lengths, words, the order of slots, and the use of schemas;
    each is listed with the distance between two halves of REAL. A learned judge shows how well 600
    dialogues of each are classified, by turn and by dialogue (it needs scikit-learn, which
    `pip install 'dialoom[models]'` brings). Vocabulary, repetition, glued values, agreement errors
    and perplexity, under one model of half of REAL, are measures of the wording. Any two corpora
    can be compared; if they share tasks, only dialogues about these are compared.

    Example: dialoom distance mixed corpora/star --html distance.html

    Args:
        simulated (SIMULATED): A corpus folder or file.
        real (REAL): The corpus to compare it with.
        format: Format of SIMULATED; detected when absent.
        real_format: Format of REAL; detected when absent.
        all_tasks: Compare dialogues about other tasks as well.
    """
    from dialoom.workbench import load

    one, other = load(simulated, format), load(real, real_format)
    comparison = one.distance(other, all_tasks=all_tasks)
    if comparison.figures["judge_needs"]:
        typer.echo(comparison.figures["judge_needs"], err=True)
    write_json({"signature": comparison.signature, **comparison.figures}, json)
    if html is not None:
        write_out(comparison.page().encode(), html)
    if STDOUT not in (json, html):
        for table in comparison.tables:
            print_table(table, digits=3)
        typer.echo("--html has what differs most, with plots; --json has all of it.")
        typer.echo(comparison.signature)
