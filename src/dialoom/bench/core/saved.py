"""Fitting a model to save it, and asking a saved model a protocol's test questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import msgspec

from dialoom.bench.core.data import check_found
from dialoom.bench.core.protocol import SEEN, UNSEEN, Data, Plan, Protocol, Target, tasks_of
from dialoom.corpus import Corpus
from dialoom.dialogue import Event, Utterance, digest
from dialoom.learn.saved import SavedModel, TrainingRecord
from dialoom.schema.once import KeptById

MOST = 1_000_000
"""Most dialogues whose digests are kept."""

SHOWN = ("acts", "see", "kb", "form", "frames")
"""The settings of protocols that say what models are shown."""


def notice(overlap: int, total: int) -> str:
    """Return the notice if `overlap` of the `total` dialogues were learnt from."""
    return (
        f"{overlap:,} of the {total:,} dialogues asked about were learnt from: these scores are no "
        "test of the model"
    )


def with_overlap(plan: Plan) -> Plan:
    """Return the plan with a notice where a hold-out asks about dialogues that it learns from.

    Dialogues are the same where their words are; those asked about once more on purpose, in a slice
    of their own, do not count.
    """
    overlap = total = 0
    words = KeptById(_words, MOST)  # the questions about a dialogue share its events
    for holdout in plan.holdouts:
        tested = {t.source: t.uncut or t.seen for t in holdout.test if not t.aside}
        # not by id: several training corpora may have dialogues with the same one
        learnt = {words(target.uncut or target.seen) for target in holdout.train}
        total += len(tested)
        overlap += sum(words(events) in learnt for events in tested.values())
    if not overlap:
        return plan
    return replace(plan, notices=[*plan.notices, notice(overlap, total)])


def plan_training(protocol: Protocol, data: Data, settings: Any) -> Plan:
    """Return a protocol's plan for fitting a model to save; or `MissingDataError`.

    A protocol that learns only from a training corpus learns from the data's own by default.
    """
    plan = protocol.plan(data, settings)
    if not training(plan) and data.train_corpus is None:
        plan = protocol.plan(replace(data, train_corpus=data.corpus), settings)
    check_found(training(plan), data.corpora[-1], "nothing to learn from", "nothing-to-learn")
    return plan


def training(plan: Plan) -> list[Target]:
    """Return the training questions of all hold-outs, each once."""
    targets = {t.key: t for holdout in plan.holdouts for t in holdout.train}
    return list(targets.values())


def record(plan: Plan, targets: Iterable[Target]) -> tuple[TrainingRecord, set[str]]:
    """Return a model file's record of its training questions, and the digests of the dialogues."""
    targets = list(targets)
    learnt = TrainingRecord(
        protocol=plan.protocol,
        options=plan.options,
        digests=plan.digests,
        examples=len(targets),
        tasks=dict(sorted(Counter(name for t in targets for name in tasks_of(t)).items())),
    )
    return learnt, set(_digests(plan.data.corpora[-1], {t.source for t in targets}).values())


def asked_of(plan: Plan, saved: SavedModel) -> Plan:
    """Return the plan without training questions, for a saved model.

    Its options, for signatures, name the model's digest and how many of the test dialogues the
    model was fitted on; where there are any, a notice says that the scores are no test.
    """
    targets = [target for holdout in plan.holdouts for target in holdout.test]
    tested = _digests(plan.data.corpus, {target.source for target in targets})
    overlap = sum(each in saved.dialogues for each in tested.values())
    learnt, header = saved.header.training, saved.header
    tasks = {name for target in targets for name in tasks_of(target)}
    common = sorted(tasks & learnt.tasks.keys())
    message = (
        f"nothing was fitted: a {header.model} saved with dialoom {header.versions['dialoom']} "
        f"(sha256 {header.sha256[:16]}), learnt from {learnt.examples:,} questions of "
        f"{learnt.protocol}, {len(saved.dialogues):,} dialogues"
    )
    notes = [
        message,
        f"it learnt about {len(common)} of the {len(tasks)} tasks or services asked about",
    ]
    notices = [notice(overlap, len(tested))] if overlap else []
    if changed := _changed(learnt, plan):
        notices.append(changed)
    return replace(
        plan,
        holdouts=[
            replace(each, test=[_resliced(t, learnt) for t in each.test], train=[], leak=0)
            for each in plan.holdouts
        ],
        options={
            **plan.options,
            "file": header.sha256[:16],
            "overlap": f"{overlap}-of-{len(tested)}",
        },
        notices=[*plan.notices, *notices],
        notes=[*plan.notes, *notes],
    )


def _resliced(target: Target, learnt: TrainingRecord) -> Target:
    if SEEN not in target.slices and UNSEEN not in target.slices:
        return target
    others = [name for name in target.slices if name not in (SEEN, UNSEEN)]
    familiar = all(name in learnt.tasks for name in tasks_of(target))
    return msgspec.structs.replace(target, slices=(*others, SEEN if familiar else UNSEEN))


def _changed(learnt: TrainingRecord, plan: Plan) -> str:
    alike = learnt.protocol == plan.protocol  # else a setting may be unknown to one of the two
    names = [
        name
        for name in SHOWN
        if learnt.options.get(name) != plan.options.get(name)
        and (alike or (name in learnt.options and name in plan.options))
    ]
    before, now = (
        ", ".join(f"{name} {options.get(name, 'by default')}" for name in names)
        for options in (learnt.options, plan.options)
    )
    return f"the model learnt with {before}, and is asked with {now}" if names else ""


def _words(events: tuple[Event, ...]) -> str:
    return digest([event.text for event in events if isinstance(event, Utterance)])


def _digests(corpus: Corpus, sources: set[str]) -> dict[str, str]:
    dialogues = (each for each in corpus.dialogues() if each.id in sources)
    return {dialogue.id: _words(dialogue.events) for dialogue in dialogues}
