"""Scores of a run: per hold-out and their mean, with interval and signature, and its two files.

The JSON file has a `Result`; the prediction file has one line per question:

    {"holdout":"weather","dialogue":12,"event":7,"task":"weather","gold":"query","predicted":"query"}

F1 and accuracy are in percent. `dialogue` is the source's own id (an integer in STAR), `event` the
event's index in its file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from dialoom.bench.protocol import HoldOut, Plan, Sources, actions, source_id
from dialoom.bench.run import Outcome
from dialoom.dialogue import digest
from dialoom.metrics import Accuracy, Counts, Interval, Resampled, WeightedF1, macro, resample
from dialoom.metrics.base import Score, Signature
from dialoom.metrics.bootstrap import SAMPLES, total

F1, ACCURACY = WeightedF1(), Accuracy()
METRICS = (F1, ACCURACY)
DIGITS = 4

Bounds = tuple[float, float]
"""The lower and the upper end of a 95 % interval."""


class HoldOutScore(msgspec.Struct, frozen=True):
    """One hold-out's score.

    Attributes:
        name: What was held out.
        n: Questions asked.
        f1: Weighted F1, in percent.
        accuracy: Accuracy, in percent.
        interval: The 95 % interval of F1.
        dialogues: Dialogues the questions come from.
        train: Questions fitted on.
        leak: Those of them that are of a task also tested.
    """

    name: str
    n: int
    f1: float
    accuracy: float
    interval: Bounds
    dialogues: int
    train: int
    leak: int = 0


class Result(msgspec.Struct, frozen=True):
    """What a run comes to: the JSON file.

    Attributes:
        protocol: The protocol's name.
        corpus: The corpus as it was named.
        model: The model's name.
        score: Mean over hold-outs of weighted F1 (`f1`) and of `accuracy`, in percent.
        interval: The 95 % interval of the mean F1, over dialogues.
        holdouts: In the protocol's order.
        missing: Hold-outs the protocol names and the corpus does not hold.
        signature: What reproduces the mean F1.
        form: The form of the protocol.
        settings: The model's settings; defaults left out.
        intervals: The 95 % interval of each mean.
        without_leak: The means over the hold-outs none of whose tasks was trained on, where
            there are others; with the names of those left out.
        outside_schema: The percentage of right answers that are no action of their task's schema:
            what a masked model cannot reach.
        train_corpus: Where the training questions came from, if elsewhere.
        digests: Of the corpora and of the schemas.
        seconds: Wall-clock time per hold-out.
        published: Published figures, with their source.
        beside: Another system's F1 per hold-out, on the same questions.
        against: Paired tests with other predictions.
        notices: What the user was told.
        record: What the protocol records of its split.
        nested: How settings were chosen, where they were.
        stages: Which stages of the collection were asked about (`test`) and learnt from (`train`),
            where the protocol has a choice.
    """

    protocol: str
    corpus: str
    model: str
    score: dict[str, float]
    interval: Bounds
    holdouts: list[HoldOutScore]
    missing: list[str]
    signature: str
    form: str
    settings: dict[str, Any]
    intervals: dict[str, Bounds]
    without_leak: dict[str, Any] | None
    outside_schema: float
    train_corpus: str | None
    digests: dict[str, str]
    seconds: dict[str, float]
    published: list[Any] = []
    beside: dict[str, Any] | None = None
    against: list[Any] = []
    notices: list[str] = []
    record: dict[str, Any] = {}
    nested: dict[str, Any] | None = None
    stages: dict[str, str] = {}


def summarise(
    plan: Plan,
    outcomes: Iterable[Outcome],
    *,
    model: str,
    settings: Mapping[str, Any],
    seed: int | None = None,
    samples: int = SAMPLES,
) -> Result:
    """Score a run.

    Args:
        plan: What was asked.
        outcomes: One for each of the plan's hold-outs, in any order.
        model: The model's name.
        settings: The settings that rebuild it.
        seed: The model's seed, where it has one.
        samples: Resamples behind the intervals.
    """
    by_name = {outcome.holdout: outcome for outcome in outcomes}
    groups = {
        holdout.name: by_dialogue(holdout, values(by_name[holdout.name]))
        for holdout in plan.holdouts
    }
    digests = _digests(plan.sources, plan)
    resampled = resample(METRICS, groups, samples=samples)
    context = {
        "mean": "holdouts",
        "holdouts": len(groups),
        "protocol": plan.protocol,
        **plan.options,
        "model": model,
        "settings": _spell(settings),
        "seed": seed,
        **digests,
        "interval": f"dialogues/{samples}/seed-0",
    }
    return Result(
        protocol=plan.protocol,
        corpus=str(plan.sources.corpus.path),
        model=model,
        score=means(groups),
        interval=_bounds(resampled.interval("f1")),
        holdouts=[_holdout(h, groups[h.name], resampled) for h in plan.holdouts],
        missing=plan.missing,
        signature=str(F1.signature.extended(context)),
        form=plan.form,
        settings=dict(settings),
        intervals={m.name: _bounds(resampled.interval(m.name)) for m in METRICS},
        without_leak=_without_leak(plan.holdouts, groups, resampled),
        outside_schema=round(outside_schema(plan), DIGITS),
        train_corpus=str(plan.sources.train_corpus.path) if plan.sources.train_corpus else None,
        digests=digests,
        seconds={h.name: round(by_name[h.name].seconds, 2) for h in plan.holdouts},
        notices=plan.notices,
        record=plan.record,
        stages={part: plan.options[part] for part in ("test", "train") if part in plan.options},
    )


def score(result: Result) -> Score:
    """Return the mean F1 with the signature that reproduces it."""
    fields = dict(part.split(":", 1) for part in result.signature.split("|"))
    return Score("f1", result.score["f1"], Signature(fields))


def values(outcome: Outcome) -> list[str]:
    """Return the predicted labels."""
    return [prediction.value for prediction in outcome.predictions]


def by_dialogue(holdout: HoldOut, predicted: Sequence[str]) -> list[Counts]:
    """Count pairs of gold and predicted label per dialogue of a hold-out."""
    groups: dict[str, Counts] = {}
    for target, value in zip(holdout.test, predicted, strict=True):
        groups.setdefault(target.source, Counter())[target.label, value] += 1
    return list(groups.values())


def means(groups: Mapping[str, Sequence[Counts]]) -> dict[str, float]:
    """Return the mean over hold-outs of each metric."""
    return {metric.name: round(macro(metric, groups), DIGITS) for metric in METRICS}


def lines(plan: Plan, outcomes: Iterable[Outcome]) -> bytes:
    """Return the prediction file: hold-outs in the plan's order, questions as they were asked."""
    by_name = {outcome.holdout: values(outcome) for outcome in outcomes}
    encoder = msgspec.json.Encoder()
    rows = [
        {
            "holdout": holdout.name,
            "dialogue": source_id(target.source),
            "event": target.event,
            "task": target.task,
            "gold": target.label,
            "predicted": value,
        }
        for holdout in plan.holdouts
        for target, value in zip(holdout.test, by_name[holdout.name], strict=True)
    ]
    return encoder.encode_lines(rows)


def _holdout(holdout: HoldOut, counts: Sequence[Counts], resampled: Resampled) -> HoldOutScore:
    added = total(counts)
    return HoldOutScore(
        name=holdout.name,
        n=len(holdout.test),
        f1=round(F1.value(added), DIGITS),
        accuracy=round(ACCURACY.value(added), DIGITS),
        interval=_bounds(resampled.interval("f1", [holdout.name])),
        dialogues=len(counts),
        train=len(holdout.train),
        leak=holdout.leak,
    )


def _without_leak(
    holdouts: Sequence[HoldOut], groups: Mapping[str, Sequence[Counts]], resampled: Resampled
) -> dict[str, Any] | None:
    """Score the hold-outs none of whose tasks was trained on, where some leak and some do not."""
    leaking = [holdout.name for holdout in holdouts if holdout.leak]
    clean = {name: counts for name, counts in groups.items() if name not in leaking}
    if not leaking or not clean:
        return None
    bounds = _bounds(resampled.interval("f1", list(clean)))
    return {**means(clean), "interval": bounds, "left_out": leaking}


def outside_schema(plan: Plan) -> float:
    """Return the percentage of right answers that are no action of their task's schema."""
    known = {name: actions(task) for name, task in plan.schemas.items()}
    asked = [target for holdout in plan.holdouts for target in holdout.test]
    outside = sum(target.label not in known.get(target.task, ()) for target in asked)
    return 100 * outside / len(asked) if asked else 0.0


def _digests(sources: Sources, plan: Plan) -> dict[str, str]:
    found = {"corpus": sources.corpus.digest, "schema": digest(dict(plan.schemas))}
    if sources.train_corpus is not None:
        found["train"] = sources.train_corpus.digest
        found["train-schema"] = digest(dict(plan.train_schemas))
    return found


def _bounds(found: Interval) -> Bounds:
    return round(found.low, DIGITS), round(found.high, DIGITS)


def _spell(settings: Mapping[str, Any]) -> str | None:
    """Spell settings for the signature; None, which drops out, where all are defaults."""
    if not settings:
        return None
    return msgspec.json.encode(settings, order="sorted").decode().replace("|", "/")
