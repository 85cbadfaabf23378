"""`dialoom train`: fit a model on what an experiment lets it learn from, and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import ModelSettings, ProtocolSettings, Seed, TrainingCorpora, Workers
from dialoom.errors import UsageError


def train(
    protocol: Annotated[
        str, typer.Argument(help="Name of the experiment; `dialoom protocols` lists them.")
    ],
    corpus: Annotated[
        Path,
        typer.Option(
            "--corpus",
            help="Corpus root, folder of the experiment's format, or native corpus.",
        ),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the model to this file.")
    ],
    train_corpus: TrainingCorpora = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="Learn from this part of the corpus: one of its folders."),
    ] = None,
    setting: ProtocolSettings = None,
    model: Annotated[
        str | None,
        typer.Option("--model", help="Name of the model, or lm:FOLDER; default: the experiment's."),
    ] = None,
    model_setting: ModelSettings = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="Use only this hold-out's training questions; repeatable."),
    ] = None,
    seed: Seed = 0,
    workers: Workers = 1,
) -> None:
    """Fit a model on an experiment's training questions, and write it to a file.

    The questions are those of all hold-outs; with --only, those of one, without what is held out.
    `dialoom bench --model FILE` asks the model, and prints what it learnt from. Load only model
    files of people whom you trust.

    Example: dialoom train star-zero-shot-domain --corpus corpora --out follower.model

    Example: dialoom train star-zero-shot-domain --corpus corpora --only ride --out no-ride.model

    Example: dialoom bench star-zero-shot-domain --corpus corpora --only ride --model no-ride.model
    """
    from dialoom.bench import PROTOCOLS
    from dialoom.bench.core.data import open_training
    from dialoom.bench.core.making import ModelFile, choose
    from dialoom.bench.core.protocol import examples
    from dialoom.bench.core.run import select
    from dialoom.bench.core.saved import plan_training, record, training
    from dialoom.bench.evaluation import settings_for
    from dialoom.corpus.files import check_writable
    from dialoom.corpus.processes import sharing
    from dialoom.learn.model import Sampling
    from dialoom.learn.saved import save

    check_writable(out)
    experiment = PROTOCOLS.get(protocol)
    chosen = settings_for(experiment, setting or [])
    make = choose(model, experiment, model_setting or [], seed)
    if isinstance(make, ModelFile):
        raise UsageError(f"--model {model}: is fitted already; name a model to fit")
    data = open_training(experiment, corpus, train_corpus or (), split)
    plan = select(plan_training(experiment, data, chosen), only or [])
    for notice in plan.notices:
        typer.echo(f"dialoom: {notice}", err=True)
    targets = training(plan)
    fitted = make()
    with sharing(workers):
        fitted.fit(given := examples(targets), plan.train_schemas)
    if isinstance(fitted, Sampling):
        drawn, pairs = fitted.learnt_from(given), zip(targets, given, strict=True)
        targets = [target for target, each in pairs if each.question.dialogue.id in drawn]
    learnt, dialogues = record(plan, targets)
    save(fitted, out, learnt, dialogues)
    tasks = f"{len(learnt.tasks)} tasks or services, " if learnt.tasks else ""
    typer.echo(
        f"{out}: {fitted.name}, fitted on {learnt.examples:,} questions, {tasks}"
        f"{len(dialogues):,} dialogues of {plan.data.corpora[-1].path}"
    )
