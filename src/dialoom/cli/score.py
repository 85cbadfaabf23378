"""`dialoom score`: score the files that other systems wrote, as `bench` scores models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dialoom.cli.options import Experiment, ExperimentCorpus, JsonFile, Metrics, ProtocolSettings
from dialoom.cli.output import STDOUT, json_text, print_table, write_together
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.bench.core.results import Result
    from dialoom.render.tables import ResultTable


def score(
    protocol: Experiment,
    predictions: list[Path],
    corpus: ExperimentCorpus = None,
    split: str | None = None,
    setting: ProtocolSettings = None,
    metric: Metrics = None,
    partial: bool = False,
    json: JsonFile = None,
    lines: Path | None = None,
    rating: Path | None = None,
    reference: bool = False,
) -> None:
    """Score files that other people's systems wrote: no model is run.

    The questions, scores, intervals and signatures are those of `bench`. Several systems come in
    one table, with a paired test of each two. An answer to no question, two answers to one, or a
    question without an answer (unless --partial) is an error.

    Example: dialoom score sgd-tracking theirs/dev --corpus corpora --split dev

    Example: dialoom score calls BFCL_v4_parallel_result.json --corpus bfcl/BFCL_v4_parallel.json

    Example: dialoom score dstc6 one.json other.json --corpus corpora --json scores.json

    Example: dialoom score dstc6 one.json other.json --corpus corpora --rating replies.jsonl

    Args:
        predictions (PREDICTIONS…): A system's file or folder of answers, each.
        split: The part of the corpus with the questions: one of its folders.
        partial: Score the answered questions where others are missing.
        lines (--predictions): Write the answers of one system as bench does; - is stdout.
        rating: Write replies for a study's raters (`outputs` of a stage).
        reference: With --rating: let people rate the corpus's reply too.
    """
    from dataclasses import replace
    from functools import partial as bound

    from dialoom.bench import PROTOCOLS
    from dialoom.bench.answers import matched, rated, read
    from dialoom.bench.answers import score as scored
    from dialoom.bench.core.data import open_data
    from dialoom.bench.core.predictions import write_predictions
    from dialoom.bench.core.run import with_metrics
    from dialoom.bench.evaluation import settings_for
    from dialoom.render.tables import distinct

    if corpus is None:
        raise UsageError(
            "--corpus is missing: name the corpus with the right answers", code="not-given"
        )
    if lines is not None and len(predictions) > 1:
        raise UsageError("--predictions writes the answers of one system; name one file to score")
    if reference and rating is None:
        raise UsageError("--reference adds to the file of --rating; name that file")
    experiment = PROTOCOLS.get(protocol)
    settings = settings_for(experiment, setting or [])
    plan = experiment.plan(open_data(experiment, corpus, (), split), settings)
    plan = with_metrics(plan, metric or [])
    systems = [matched(plan, read(path, plan), path, partial=partial) for path in predictions]
    names = distinct([system.name for system in systems], predictions)
    systems = [replace(each, name=name) for each, name in zip(systems, names, strict=True)]
    results = scored(plan, systems)
    content = results[0] if len(results) == 1 else results
    answered = systems[0].plan(plan)
    outcomes = systems[0].outcomes(answered)
    write_together(
        [
            (json, bound(json_text, content)),
            (lines, bound(write_predictions, answered, outcomes)),
            (rating, bound(rated, plan, systems, reference=reference)),
        ]
    )
    err = STDOUT in (json, lines, rating)
    print_table(*_tables(results), more=_notes(results), err=err)


def _tables(results: Sequence[Result]) -> list[ResultTable]:
    from dialoom.bench.core.table import comparisons, figures, overview, side_by_side, slices

    if len(results) > 1:
        tables = [*side_by_side(results), *map(comparisons, results), figures(results[0])]
    else:
        tables = [overview(results[0]), slices(results[0]), figures(results[0])]
    return [table for table in tables if table is not None]


def _notes(results: Sequence[Result]) -> list[str]:
    from dialoom.bench.core.table import notes

    remarks = dict.fromkeys(note for result in results for note in notes(result))
    most = None if len(results) == 1 else 1  # of several systems only the main score's
    signed = [
        figure.signature for result in results for figure in list(result.scores.values())[:most]
    ]
    return [*remarks, *signed]
