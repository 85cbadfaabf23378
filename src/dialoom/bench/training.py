"""Fits a model on an experiment's training questions, and keeps it in a file."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import check_taught, open_training
from dialoom.bench.core.making import ModelFile, choose
from dialoom.bench.core.protocol import examples
from dialoom.bench.core.run import select
from dialoom.bench.core.saved import plan_training, record, training
from dialoom.bench.evaluation import settings_for
from dialoom.corpus.processes import sharing
from dialoom.errors import UsageError
from dialoom.learn.model import Model, Sampling
from dialoom.learn.saved import TrainingRecord, save


@dataclass(frozen=True)
class Trained:
    """A fitted model, and what it learnt from."""

    model: Model
    record: TrainingRecord
    dialogues: Collection[str]
    corpus: Path

    def save(self, out: Path) -> None:
        """Write the model to a file."""
        save(self.model, out, self.record, self.dialogues)


def train(
    protocol: str,
    corpus: Path,
    train_corpora: Sequence[Path] = (),
    split: str | None = None,
    *,
    model: str | None = None,
    settings: Sequence[str] = (),
    model_settings: Sequence[str] = (),
    only: Sequence[str] = (),
    seed: int = 0,
    workers: int = 1,
    notify: Callable[[str], object] = lambda notice: None,
) -> Trained:
    """Fit a model; arguments as of `dialoom train`.

    Args:
        notify: Receives notices about the training data before the model is fitted.

    Raises:
        UsageError: The model is a file, so it is fitted already, or a setting is wrong.
    """
    experiment = PROTOCOLS.get(protocol)
    setup = settings_for(experiment, list(settings))
    make = choose(model, experiment, list(model_settings), seed)
    if isinstance(make, ModelFile):
        raise UsageError(
            f"--model {model}: is fitted already; name a model to fit", code="not-taken"
        )
    data = open_training(experiment, corpus, train_corpora, split)
    plan = select(check_taught(plan_training(experiment, data, setup)), list(only))
    for notice in plan.notices:
        notify(notice)
    targets = training(plan)
    fitted = make()
    with sharing(workers):
        fitted.fit(cases := examples(targets), plan.train_schemas)
    if isinstance(fitted, Sampling):
        sample, pairs = fitted.learnt_from(cases), zip(targets, cases, strict=True)
        targets = [target for target, each in pairs if each.question.dialogue.id in sample]
    learnt, dialogues = record(plan, targets)
    return Trained(fitted, learnt, dialogues, plan.data.corpora[-1].path)
