"""`dialoom train`: fit a model on what an experiment lets it learn from, and keep it in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from dialoom.cli.options import (
    EXPERIMENT,
    ModelSettings,
    ProtocolSettings,
    Seed,
    TrainingCorpora,
    Workers,
)


def train(
    protocol: Annotated[str, EXPERIMENT],
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
        out (--out, FILE): Write the model to this file.
        split: Learn from this part of the corpus: one of its folders.
        model: Name of the model, or lm:FOLDER; default: the experiment's.
        only: Use only this hold-out's training questions; repeatable.
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
