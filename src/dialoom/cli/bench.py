"""`dialoom bench`: run a named experiment and print its scores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.options import (
    ExperimentCorpus,
    JsonFile,
    ModelSettings,
    ProtocolSettings,
    Seed,
    TrainingCorpora,
    Workers,
)
from dialoom.errors import UsageError

if TYPE_CHECKING:
    from dialoom.bench.core.making import ModelFile, NamedModel
    from dialoom.bench.core.protocol import Outcome, Plan, Protocol, WritesOfficial
    from dialoom.bench.core.results import Result

STDOUT = Path("-")


def bench(
    protocol: Annotated[
        str | None, typer.Argument(help="Name of the experiment; `dialoom protocols` lists them.")
    ] = None,
    corpus: ExperimentCorpus = None,
    train_corpus: TrainingCorpora = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="Ask about this part of the corpus: one of its folders."),
    ] = None,
    setting: ProtocolSettings = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="NAME_OR_FILE",
            help="Name of the model, or a file that `train` wrote; default: the experiment's.",
        ),
    ] = None,
    model_setting: ModelSettings = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="Score by this metric as well; repeatable."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--form", help="Short for -P form=…: coded, noleak, mask or published (STAR)."
        ),
    ] = None,
    test: Annotated[
        str | None,
        typer.Option(
            "--test", metavar="STAGES", help="Short for -P test=…: ask about these stages (STAR)."
        ),
    ] = None,
    train: Annotated[
        str | None,
        typer.Option(
            "--train",
            metavar="STAGES",
            help="Short for -P train=…: learn from these stages (STAR).",
        ),
    ] = None,
    split_by_id: Annotated[
        bool, typer.Option("--split-by-id", help="Short for -P split_by_id=yes (star-next-action).")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            help="Run only this hold-out, or with --all this experiment; repeatable.",
        ),
    ] = None,
    seed: Seed = 0,
    workers: Workers = 1,
    engine: Annotated[
        str, typer.Option("--engine", help="Fit in processes of this machine, or on a ray cluster.")
    ] = "processes",
    nested: Annotated[
        bool,
        typer.Option(
            "--nested", help="Choose settings by leaving out one training hold-out at a time."
        ),
    ] = False,
    cache: Annotated[
        Path | None,
        typer.Option(
            "--cache", help="Folder for answers, so that an interrupted run can be continued."
        ),
    ] = None,
    against: Annotated[
        list[Path] | None,
        typer.Option("--against", help="Paired test against this file of predictions; repeatable."),
    ] = None,
    json: JsonFile = None,
    predictions: Annotated[
        Path | None,
        typer.Option(
            "--predictions", help="Write a JSON line for each answer to this file; - is stdout."
        ),
    ] = None,
    official: Annotated[
        Path | None,
        typer.Option(
            "--official",
            metavar="FILE",
            help="Write predictions for the corpus's published script (frames-tracking).",
        ),
    ] = None,
    every: Annotated[
        bool,
        typer.Option(
            "--all", help="Run every experiment that the data allow; results go to --out."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Folder for the results and pages of --all."),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="With --all: only a few experiments, on small simulated corpora."
        ),
    ] = False,
) -> None:
    """Run an experiment: fit a model on the training questions, ask it those of each hold-out.

    Scores are in percent; the mean over hold-outs weighs them equally. With --all, all experiments
    are run one after the other; run again, those whose result is up to date are skipped.

    Example: dialoom bench star-zero-shot-domain --corpus corpora --json run.json

    Example: dialoom bench star-zero-shot-domain --corpus corpora --test unhappy -M encoder=minilm

    Example: dialoom bench star-next-action --corpus corpora --model majority --only happy

    Example: dialoom bench sim-zero-shot --corpus dialogues --only hotel_book

    Example: dialoom bench --all --corpora corpora --out results --workers 2
    """
    if every:
        _all(corpus, out, json, only or [], quick=quick, workers=workers, engine=engine)
        return
    protocol, corpus = _named(protocol, corpus, out, quick=quick)
    from dialoom.bench import PROTOCOLS
    from dialoom.bench.core import settings
    from dialoom.bench.core.data import open_data
    from dialoom.bench.core.making import ModelFile, choose
    from dialoom.bench.core.overlap import with_overlap
    from dialoom.bench.core.predictions import write_predictions
    from dialoom.bench.core.run import select, with_metrics
    from dialoom.bench.core.saved import asked_of
    from dialoom.bench.core.significance import read_baselines, with_comparisons
    from dialoom.cli.output import json_text, write_together
    from dialoom.models import load
    from dialoom.render.progress import track

    if cache is not None and cache.is_file():
        raise UsageError(f"--cache {cache}: is a file; name a folder")
    experiment = PROTOCOLS.get(protocol)
    named = {"form": form, "test": test, "train": train, "split_by_id": split_by_id and "yes"}
    pairs = [f"{name}={value}" for name, value in named.items() if value] + (setting or [])
    chosen = settings.read(experiment.settings, pairs, f"setting of {protocol}")
    make = choose(model, experiment, model_setting or [], seed)
    writer = _official(experiment) if official else None
    baselines = [found for file in against or () for found in read_baselines(file, protocol)]
    data = open_data(experiment, corpus, train_corpus or (), split)
    plan = with_metrics(experiment.plan(data, experiment.settings(**chosen)), metric or [])
    plan = select(plan, only or [])
    fitted = load(make.path) if isinstance(make, ModelFile) else None
    plan = asked_of(plan, fitted) if fitted else with_overlap(plan)
    for notice in plan.notices:
        typer.echo(f"dialoom: {notice}", err=True)
    execute = _nested if nested else _execute
    options = {"workers": workers, "engine": engine, "cache": cache}
    outcomes, result = execute(plan, make, options)
    result = with_comparisons(plan, outcomes, result, track(baselines, "paired tests"))
    files: list[tuple[Path | None, Callable[[], bytes]]] = [
        (json, partial(json_text, result)),
        (predictions, partial(write_predictions, plan, outcomes)),
    ]
    if writer is not None:
        files.append((official, partial(writer.write_official, plan, outcomes)))
    write_together(files)
    _print(result, err=STDOUT in (json, predictions))


def _named(
    protocol: str | None, corpus: Path | None, out: Path | None, *, quick: bool
) -> tuple[str, Path]:
    """Check that one experiment and its corpus are named, and nothing that only --all takes."""
    if protocol is None or corpus is None:
        missing = "an experiment" if protocol is None else "--corpus"
        raise UsageError(f"{missing} is missing: name it, or ask for --all")
    if out is not None or quick:
        raise UsageError(f"{'--quick' if quick else '--out'} goes with --all")
    return protocol, corpus


def _official(experiment: Protocol) -> WritesOfficial:
    """Check that an experiment can write predictions for its corpus's published script."""
    from dialoom.bench.core.protocol import WritesOfficial

    if isinstance(experiment, WritesOfficial):
        return experiment
    raise UsageError(f"{experiment.name} has no official file of predictions: leave out --official")


def _all(
    corpora: Path | None,
    out: Path | None,
    json: Path | None,
    only: Sequence[str],
    *,
    quick: bool,
    workers: int,
    engine: str,
) -> None:
    """Tell how long it may take, run every experiment behind a bar, and write the page after each.

    The page has the results that other runs left in the folder as well, and those that run now.
    """
    from dialoom.bench.suite import (
        Done,
        Sources,
        cheapest_first,
        check_sources,
        earlier,
        estimate,
        experiments,
        page,
        run_all,
        suite,
    )
    from dialoom.cli.output import print_lines, write_json, write_out
    from dialoom.render.progress import progress_bar
    from dialoom.render.tables import counted

    if out is None or (corpora is None and not quick):
        raise UsageError(f"--all needs {'--corpora' if out else '--out'}")
    wanted, found = cheapest_first(experiments(only, quick=quick)), []
    listed, usual = suite().experiments, experiments(quick=quick)
    sources, expected = Sources(None if quick else corpora, out), estimate(wanted, out)
    check_sources(sources)
    typer.echo(f"dialoom: {expected}", err=True)
    with progress_bar("experiments", len(wanted)) as bar:
        for each in run_all(wanted, sources, workers=workers, engine=engine, tell=bar.now):
            found.append(each)
            shown = {one.experiment.name: one for one in (*earlier(listed, out), *found)}
            ordered = [shown[one.name] for one in listed if one.name in shown]
            waiting = [one for one in usual if one.name not in shown]
            html = page(ordered, suite().unavailable, waiting, expected)
            write_out(html.encode(), out / "index.html")
            bar.advance()
    done = [each for each in found if isinstance(each, Done)]
    write_json({each.experiment.name: each.result.scores for each in done}, json)
    again = sum(each.again for each in done)
    told = f"{counted(again, 'experiment')} run, {len(done) - again} as they were"
    print_lines([f"{told}, {len(found) - len(done)} not possible: {out / 'index.html'}"], json)


def _execute(
    plan: Plan, make: NamedModel | ModelFile, options: Mapping[str, Any]
) -> tuple[list[Outcome], Result]:
    """Run the plan behind a bar, and score it."""
    from dialoom.bench.core.results import summarise
    from dialoom.bench.core.run import run

    built = make()  # before any process starts, so that a wrong setting is one line
    outcomes = _tracked(plan, partial(run, plan, make, **options))
    return outcomes, summarise(plan, outcomes, built)


def _nested(
    plan: Plan, make: NamedModel | ModelFile, options: Mapping[str, Any]
) -> tuple[list[Outcome], Result]:
    """Choose settings for each hold-out on its training part, then run and score the plan."""
    import msgspec

    from dialoom.bench.core import nested
    from dialoom.bench.core.making import NamedModel, variants
    from dialoom.bench.core.results import summarise
    from dialoom.models import settings_of
    from dialoom.render.progress import progress_bar

    if not isinstance(make, NamedModel):
        raise UsageError("--nested chooses settings to fit with; a model file is fitted already")
    makes = variants(make)
    names = [settings_of(make()) for make in makes]
    plan = nested.with_variants(plan, len(makes))
    with progress_bar("fits to choose by", len(nested.folds(plan)) * len(makes)) as bar:
        choices = nested.choose(plan, makes, done=bar.advance, tell=bar.now, **options)
    chosen = partial(nested.run_chosen, plan, makes, choices, **options)
    outcomes = _tracked(plan, chosen)
    result = summarise(plan, outcomes, make())
    return outcomes, msgspec.structs.replace(result, nested=nested.describe(choices, names))


def _tracked(plan: Plan, running: Callable[..., Iterable[Outcome]]) -> list[Outcome]:
    """Run a plan behind a bar that says which hold-outs are being fitted."""
    from dialoom.render.progress import progress_bar

    outcomes = []
    with progress_bar("hold-outs", len(plan.holdouts)) as bar:
        for outcome in running(tell=bar.now):
            outcomes.append(outcome)
            bar.advance()
    return outcomes


def _print(result: Result, *, err: bool) -> None:
    from dialoom.bench.core.table import comparisons, figures, notes, overview, slices
    from dialoom.cli.output import console_for

    shown = (overview(result), slices(result), comparisons(result), figures(result))
    tables = [table for table in shown if table is not None]
    console = console_for(tables, err=err)
    for table in tables:
        console.print(table)
    for note in notes(result):
        console.print(note, markup=False, soft_wrap=True)
    for figure in result.scores.values():
        console.print(figure.signature, markup=False, soft_wrap=True)
