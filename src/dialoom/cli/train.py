"""`dialoom train`: fit a model on what an experiment lets it learn from, and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import ModelSettings, ProtocolSettings, Seed, TrainingCorpora, Workers
from dialoom.errors import UsageError


def train(
    protocol: Annotated[
        str, typer.Argument(help="The experiment's name; a wrong one lists those there are.")
    ],
    corpus: Annotated[
        Path,
        typer.Option(
            "--corpus", help="Corpus root, folder of its format or native corpus to learn from."
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Write the model there.")],
    train_corpus: TrainingCorpora = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="Learn from this part of the corpus: a folder of it."),
    ] = None,
    setting: ProtocolSettings = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="The model's name; the experiment's own when absent."),
    ] = None,
    model_setting: ModelSettings = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only", help="Learn only from what this hold-out learns from; may be repeated."
        ),
    ] = None,
    seed: Seed = 0,
    workers: Workers = 1,
) -> None:
    """Fit a model on the questions that an experiment learns from, and keep it in a file.

    All hold-outs together learn from all of the corpus that the experiment lets be learnt from;
    with --only, what is held out stays out. `bench --model FILE` asks the model; its card says what
    it learnt from. Load model files of people you trust alone.

    Example: dialoom train star-zero-shot-domain --corpus corpora --out follower.model

    Example: dialoom train star-zero-shot-domain --corpus corpora --only ride --out no-ride.model

    Example: dialoom bench star-zero-shot-domain --corpus corpora --only ride --model no-ride.model
    """
    from dialoom.bench import PROTOCOLS
    from dialoom.bench.core import settings
    from dialoom.bench.core.data import open_training
    from dialoom.bench.core.making import ModelFile, choose
    from dialoom.bench.core.protocol import examples
    from dialoom.bench.core.run import select
    from dialoom.bench.core.saved import plan_training, record, training
    from dialoom.corpus.files import check_writable
    from dialoom.corpus.processes import sharing
    from dialoom.models.saved import save

    check_writable(out)
    experiment = PROTOCOLS.get(protocol)
    chosen = settings.read(experiment.settings, setting or [], f"setting of {protocol}")
    make = choose(model, experiment, model_setting or [], seed)
    if isinstance(make, ModelFile):
        raise UsageError(f"--model {model}: is fitted already; name a model to fit")
    data = open_training(experiment, corpus, train_corpus or (), split)
    plan = select(plan_training(experiment, data, experiment.settings(**chosen)), only or [])
    for notice in plan.notices:
        typer.echo(f"dialoom: {notice}", err=True)
    targets = training(plan)
    fitted = make()
    with sharing(workers):
        fitted.fit(examples(targets), plan.train_schemas)
    told, dialogues = record(plan, targets)
    save(fitted, out, told, dialogues)
    tasks = f"{len(told.tasks)} tasks or services, " if told.tasks else ""
    typer.echo(
        f"{out}: {fitted.name}, fitted on {told.examples:,} questions, {tasks}"
        f"{len(dialogues):,} dialogues of {plan.data.corpora[-1].path}"
    )
