"""`dialoom train`: fit a model on what an experiment lets it learn from, and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import ModelSettings, ProtocolSettings, Seed, TrainingCorpora, Workers

Experiment = Annotated[
    str, typer.Argument(help="Name of the experiment; `dialoom protocols` lists them.")
]
Learnt = Annotated[
    Path,
    typer.Option(
        "--corpus",
        help="Corpus root, folder of the experiment's format, or native corpus.",
    ),
]
ModelOut = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Write the model to this file.")
]
Part = Annotated[
    str | None,
    typer.Option("--split", help="Learn from this part of the corpus: one of its folders."),
]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="Name of the model, or lm:FOLDER; default: the experiment's."),
]


def train(
    protocol: Experiment,
    corpus: Learnt,
    out: ModelOut,
    train_corpus: TrainingCorpora = None,
    split: Part = None,
    setting: ProtocolSettings = None,
    model: ModelName = None,
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
    from dialoom.bench.training import train
    from dialoom.corpus.files import check_writable

    check_writable(out)
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
