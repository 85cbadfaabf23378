"""`dialoom train` and `bench`: fit models for an experiment, and run it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dialoom.cli.options import (
    EXPERIMENT,
    Experiment,
    ExperimentCorpus,
    JsonFile,
    Metrics,
    ModelSettings,
    ProtocolSettings,
    Seed,
    TrainingCorpora,
    Workers,
)
from dialoom.cli.output import (
    STDOUT,
    check_new,
    json_text,
    print_lines,
    print_table,
    write_json,
    write_out,
    write_together,
)
from dialoom.errors import UsageError
from dialoom.render.progress import progress_bar
from dialoom.render.tables import counted

if TYPE_CHECKING:
    from dialoom.bench.core.protocol import Outcome, Plan


def train(
    protocol: Experiment,
    corpus: Path,
    out: Path,
    train_corpus: TrainingCorpora = None,
    split: str | None = None,
    setting: ProtocolSettings = None,
    model: str | None = None,
    model_setting: ModelSettings = None,
    only: list[str] | None = None,
    seed: Seed = 0,
    workers: Workers = 1,
) -> None:
    """Fit a model on an experiment's training questions, and write it to a file.

    The questions are those of all hold-outs; with --only, those of one, without the hold-out.
    `dialoom bench --model FILE` asks the model, and prints its training data. Load only model
    files of people whom you trust.

    Example: dialoom train star-zero-shot-domain --corpus corpora --out follower.model

    Example: dialoom train star-zero-shot-domain --corpus corpora --only ride --out no-ride.model

    Example: dialoom bench star-zero-shot-domain --corpus corpora --only ride --model no-ride.model

    Args:
        corpus (--corpus): Corpus root, folder of the experiment's format, or native corpus.
        out (--out, FILE): Write the model to this new file.
        split: Learn from this part of the corpus: one of its folders.
        model: Name of the model, or lm:FOLDER; default: the experiment's.
        only: Use only this hold-out's training questions; repeatable.
    """
    from dialoom.bench.training import train
    from dialoom.corpus.files import check_writable

    check_writable(out)
    check_new(out, f"--out {out}")
    trained = train(
        protocol,
        corpus,
        train_corpus or (),
        split,
        model=model,
        settings=setting or (),
        model_settings=model_setting or (),
        only=only or (),
        seed=seed,
        workers=workers,
        notify=lambda notice: typer.echo(f"dialoom: {notice}", err=True),
    )
    trained.save(out)
    learnt = trained.record
    tasks = f"{len(learnt.tasks)} tasks or services, " if learnt.tasks else ""
    typer.echo(
        f"{out}: {trained.model.name}, fitted on {learnt.examples:,} questions, {tasks}"
        f"{len(trained.dialogues):,} dialogues of {trained.corpus}"
    )


OF_ALL = ("only", "workers", "engine")
"""The options of a run that go with --all."""

SPELLED = {
    "protocol": "the name of an experiment",
    "settings": "-P",
    "model_settings": "-M",
    "metrics": "--metric",
}
"""Arguments of a run whose options have other names."""


@dataclass(frozen=True)
class RunOptions:
    """Options of a run (arguments of `dialoom.bench.evaluation.evaluate`).

    Attributes:
        split: The part of the corpus with the questions: one of its folders.
        model (NAME_OR_FILE): Name of the model, a file that `train` wrote, openai:NAME@URL,
            transformers:FOLDER or lm:FOLDER; default: the experiment's.
        only: Run only this hold-out, or with --all this experiment; repeatable.
        limit: Number of questions to ask, drawn by --seed, evenly over hold-outs.
        engine: Fit in processes of this machine, or on a ray cluster.
        nested: Choose settings by leaving out one training hold-out at a time.
        cache: Folder for answers, so that an interrupted run can be continued.
        against: Paired test against this file of predictions; repeatable.
    """

    train_corpus: TrainingCorpora = None
    split: str | None = None
    settings: ProtocolSettings = None
    model: str | None = None
    model_settings: ModelSettings = None
    metrics: Metrics = None
    only: list[str] | None = None
    limit: int | None = None
    seed: Seed = 0
    workers: Workers = 1
    engine: str = "processes"
    nested: bool = False
    cache: Path | None = None
    against: list[Path] | None = None

    def given(self) -> dict[str, Any]:
        """Return the arguments; `UsageError` if the cache is a file."""
        if self.cache is not None and self.cache.is_file():
            raise UsageError(f"--cache {self.cache}: is a file; name a folder", code="not-a-file")
        several = ("train_corpus", "settings", "model_settings", "metrics", "only", "against")
        return {**vars(self), **{name: getattr(self, name) or () for name in several}}


@dataclass(frozen=True)
class SuiteOptions:
    """Options of a run of all experiments.

    Attributes:
        every (--all): Run every experiment that the data allow; results go to --out.
        out (DIR): Folder for the results and pages of --all.
        quick: With --all: only a few experiments, on small simulated corpora.
    """

    every: bool = False
    out: Path | None = None
    quick: bool = False
    seeds: Annotated[
        int,
        typer.Option(
            "--seeds",
            min=1,
            help="With --all: train each model that has a seed this many times; report the spread.",
        ),
    ] = 1


def bench(
    protocol: Annotated[str | None, typer.Argument(help=EXPERIMENT)] = None,
    corpus: ExperimentCorpus = None,
    *,
    options: RunOptions,
    suite: SuiteOptions,
    json: JsonFile = None,
    predictions: Path | None = None,
    official: Path | None = None,
) -> None:
    """Run an experiment: fit a model on the training questions, ask it those of each hold-out.

    Scores are in percent; the mean over hold-outs weighs them equally. With --all, all experiments
    are run one after the other; run again, those whose result is up to date are skipped.

    Example: dialoom bench star-zero-shot-domain --corpus corpora --json run.json

    Example: dialoom bench star-zero-shot-domain --corpus corpora -P test=unhappy -M members=5

    Example: dialoom bench star-next-action --corpus corpora --model majority --only happy

    Example: dialoom bench sim-zero-shot --corpus dialogues --only hotel_book

    Example: dialoom bench --all --corpora corpora --out results --workers 2

    Args:
        predictions: Write a JSON line for each answer to this file; - is stdout.
        official (FILE): Write predictions for the corpus's published script (frames-tracking).
    """
    if suite.every:
        _check_alone(options, protocol=protocol, predictions=predictions, official=official)
        _all(corpus, suite, options, json)
        return
    protocol, corpus = _named(protocol, corpus, suite)
    from dialoom.bench.core.predictions import write_predictions
    from dialoom.bench.evaluation import evaluate

    writer = _official(protocol) if official else None
    run = evaluate(
        protocol,
        corpus,
        **options.given(),
        notify=lambda notice: typer.echo(f"dialoom: {notice}", err=True),
    )
    files: list[tuple[Path | None, Callable[[], bytes]]] = [
        (json, partial(json_text, run.result)),
        (predictions, partial(write_predictions, run.plan, run.outcomes)),
    ]
    if writer is not None:
        files.append((official, partial(writer, run.plan, run.outcomes)))
    write_together(files)
    remarks = [note for note in run.notes if note not in run.result.notices]  # printed before
    print_table(*run.tables, more=remarks, err=STDOUT in (json, predictions))


def _named(protocol: str | None, corpus: Path | None, suite: SuiteOptions) -> tuple[str, Path]:
    if protocol is None or corpus is None:
        missing = "an experiment" if protocol is None else "--corpus"
        raise UsageError(f"{missing} is missing: name it, or ask for --all", code="not-given")
    if suite.out is not None or suite.quick or suite.seeds > 1:
        option = "--quick" if suite.quick else "--out" if suite.out else "--seeds"
        raise UsageError(f"{option} goes with --all")
    return protocol, corpus


def _check_alone(options: RunOptions, **others: Any) -> None:
    """Raise `UsageError` for an option of a single experiment."""
    usual = dict.fromkeys(others) | vars(RunOptions())
    for name, value in (others | vars(options)).items():
        if name not in OF_ALL and value != usual[name]:
            option = SPELLED.get(name, f"--{name.replace('_', '-')}")
            raise UsageError(f"{option} does not go with --all", code="not-taken")


def _official(protocol: str) -> Callable[[Plan, Iterable[Outcome]], bytes]:
    from dialoom.bench import PROTOCOLS

    if (official := PROTOCOLS.get(protocol).official) is not None:
        return official
    raise UsageError(
        f"{protocol} has no official file of predictions: leave out --official", code="not-taken"
    )


def _all(corpora: Path | None, setup: SuiteOptions, options: RunOptions, json: Path | None) -> None:
    from dialoom.bench.suite.experiments import experiments, repeated, suite
    from dialoom.bench.suite.page import page
    from dialoom.bench.suite.running import (
        Done,
        Sources,
        cheapest_first,
        check_sources,
        earlier,
        estimate,
        run_all,
    )

    out, quick = setup.out, setup.quick
    if out is None or (corpora is None and not quick):
        raise UsageError(f"--all needs {'--corpora' if out else '--out'}")
    selection, results = experiments(options.only or (), quick=quick), []
    queue = cheapest_first(repeated(selection, setup.seeds))
    catalogue, usual = repeated(suite().experiments, setup.seeds), experiments(quick=quick)
    sources, expected = Sources(None if quick else corpora, out), estimate(queue, out)
    check_sources(sources)
    typer.echo(f"dialoom: {expected}", err=True)
    with progress_bar("experiments", len(queue)) as bar:
        running = run_all(
            queue, sources, workers=options.workers, engine=options.engine, notify=bar.now
        )
        for each in running:
            results.append(each)
            entries = {one.experiment.name: one for one in (*earlier(catalogue, out), *results)}
            ordered = [entries[one.name] for one in catalogue if one.name in entries]
            waiting = [one for one in usual if one.name not in entries]
            html = page(ordered, suite().unavailable, waiting, expected)
            write_out(html.encode(), out / "index.html")
            bar.advance()
    done = [each for each in results if isinstance(each, Done)]
    write_json({each.experiment.name: each.result.scores for each in done}, json)
    again = sum(each.again for each in done)
    summary = f"{counted(again, 'experiment')} run, {len(done) - again} as they were"
    print_lines([f"{summary}, {len(results) - len(done)} not possible: {out / 'index.html'}"], json)
