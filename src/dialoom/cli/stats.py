"""`dialoom stats`, `distance` and `agreement`: figures of corpora."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.command import Bounds
from dialoom.cli.options import FormatName, HtmlFile, JsonFile, RejectsFile, Seed
from dialoom.cli.output import STDOUT, print_table, rejecting, report, write_json, write_out
from dialoom.errors import UsageError, check_name
from dialoom.render.tables import distinct, in_blocks
from dialoom.render.transcript import clean

if TYPE_CHECKING:
    from dialoom.quality.agreement import Ratings


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
    from dialoom.quality.stats.report import report as page
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
        write_out(page(pairs).encode(), html)
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


def agreement(
    corpus: Path,
    only: list[str] | None = None,
    samples: Annotated[int, Bounds(1, 100000)] = 1000,
    seed: Seed = 0,
    most: Annotated[int, Bounds(0, 10000)] = 20,
    format: FormatName = None,
    json: JsonFile = None,
) -> None:
    """Measure the agreement of a corpus's annotators, and list where they disagree.

    Each layer of an utterance is an annotator's; Taskmaster-1 has two annotators in one layer.
    Figures are Krippendorff's alpha, Fleiss' and Cohen's kappa and F1 with 95 % intervals, of spans
    (by words; F1 of exact spans), acts, their arguments, intents, states, active frames and grades,
    also by label and by pair. Pre-labels are counted as kept, changed, removed or added.

    Example: dialoom agreement corpora/taskmaster1 --json agreement.json

    Args:
        corpus (CORPUS): A corpus folder or file.
        only (--annotator, NAME): Compare only these annotators; repeatable.
        samples: Bootstrap resamples for each interval.
        most: Most disagreements to print of each kind.
    """
    from dialoom import formats
    from dialoom.quality.agreement import Ratings, compare
    from dialoom.quality.agreement.comparing import signature, tables

    read = formats.load(corpus, format)
    ratings = Ratings(formats.get(read.format).traits, only or ()).add_all(read.tracked())
    _check(ratings, corpus, only or [])
    figures = compare(ratings, samples=samples, seed=seed)
    signed = signature(samples, seed, {"format": read.format, "digest": read.digest})
    report({"signature": signed, **figures}, json, [signed], tables(figures, most), digits=3)


def _check(ratings: Ratings, corpus: Path, only: list[str]) -> None:
    for name in only:
        check_name("annotator", name, ratings.annotators)
    if not ratings.counts and not ratings.fates.counts:
        names = ", ".join(sorted(ratings.annotators)) or "none"
        raise UsageError(
            f"{corpus}: no utterance has two annotators (annotators: {names}); agreement is "
            "between the layers of one utterance",
            code="too-few",
        )
