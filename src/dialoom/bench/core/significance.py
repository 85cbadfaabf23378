"""Paired tests with another system's predictions on the same questions: labels, candidates, calls.

Two kinds of file are read: our own prediction lines, and the released turn predictions of the
Schema Attention Model (SAM), which hold two systems. Rows of the latter that could not be placed
with certainty (`exact` is false) are left out first, and put in again in a second comparison.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import msgspec

from dialoom.bench import PROTOCOLS
from dialoom.bench.core import published, sam
from dialoom.bench.core.predictions import EMPTY, CallLine, Key, PredictionLine
from dialoom.bench.core.protocol import Outcome, Plan, Target
from dialoom.bench.core.results import (
    Comparison,
    PublishedPredictions,
    Result,
    Scored,
    answers,
    main_score,
)
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Choice, NextAction, NextCall, NextReply
from dialoom.dialogue.annotation import Struct
from dialoom.dialogue.question import kind_name
from dialoom.errors import FormatError, UsageError, clip
from dialoom.metrics import Counts, compare
from dialoom.metrics.bootstrap import SAMPLES, Pair
from dialoom.metrics.lists import DIGITS
from dialoom.metrics.ranking import RankOfRight
from dialoom.quality.catalogue import recognised

LINES: dict[type[Struct], type[PredictionLine | CallLine]] = {
    **dict.fromkeys((NextAction, NextReply, Choice), PredictionLine),
    NextCall: CallLine,
}
"""Kind of question to the lines of its predictions, for the kinds that have paired tests."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Another system's predictions; `rows` is "exact" for SAM's certain rows, else "all"."""

    system: str
    answers: Mapping[Key, PredictionLine | CallLine]
    rows: str = "all"


def read_baselines(path: Path, protocol: str, name: str = "") -> list[Baseline]:
    """Read our prediction lines, or SAM's file for its protocol; `FormatError` for others.

    `name` is that of the system, by default the file's.

    `UsageError` for protocols whose questions have no paired tests.
    """
    kind = PROTOCOLS.get(protocol).kind
    if kind not in LINES:
        what = f"{protocol} asks questions of the kind {kind_name(kind)}"
        kinds = ", ".join(map(kind_name, LINES))
        raise UsageError(f"--against: {what}; paired tests are for {kinds}", code="wrong-kind")
    first = read_bytes(path).lstrip().split(b"\n", 1)[0]
    if b'"dialog_id"' in first:
        if protocol != sam.PREDICTED:
            raise UsageError(f"{path}: SAM's predictions are of {sam.PREDICTED}", code="mismatch")
        return sam_baselines(sam.read_predictions(path))
    lines = sam.decode_lines(path, LINES[kind], f"a prediction of the kind {kind_name(kind)}")
    if not lines:
        raise FormatError(path, EMPTY, code="empty")
    return [Baseline(name or path.name, {line.key: line for line in lines})]


def check_questions(plan: Plan, baseline: Baseline) -> None:
    """Raise `UsageError` if a baseline answers other questions, or has other right answers."""
    shared = [
        (target, line)
        for each in plan.holdouts
        for target in each.test
        if not target.aside
        and (line := baseline.answers.get((each.name, target.source, target.event)))
    ]
    if not shared:
        raise UsageError(f"{baseline.system}: no question in common with this run", code="mismatch")
    ranks = isinstance(plan.metrics[0], RankOfRight)
    for target, line in shared:
        check_gold(baseline.system, target, line.gold)
        if ranks and isinstance(line, PredictionLine) and line.ranking is None:
            raise UsageError(
                f"{baseline.system} has no `ranking` for dialogue {target.source}, event "
                f"{target.event}, and ranks are scored; bench --predictions writes them",
                code="no-key",
            )


def check_gold(system: str, target: Target, gold: str | None) -> None:
    """Raise `UsageError` if a system's file has another right answer; None is no right answer."""
    if gold not in (None, target.gold):
        raise UsageError(
            f"{system} has another right answer for dialogue {target.source}, "
            f"event {target.event}: {clip(repr(gold))}, not {clip(repr(target.gold))}",
            code="mismatch",
        )


def sam_baselines(rows: Iterable[sam.SamRow]) -> list[Baseline]:
    """Return the baselines of SAM's file: each system on the certain rows, then on all."""
    baselines, rows = [], list(rows)
    for name, system in sam.SYSTEMS.items():
        lines = [
            PredictionLine(row.domain, row.dialog_id, row.event, row.gold, getattr(row, name))
            for row in rows
        ]
        certain = {line.key: line for line, row in zip(lines, rows, strict=True) if row.exact}
        baselines.append(Baseline(system, certain, "exact"))
        baselines.append(Baseline(system, {line.key: line for line in lines}))
    return baselines


def compare_with(
    plan: Plan, outcomes: Iterable[Outcome], baseline: Baseline, *, samples: int = SAMPLES
) -> Comparison:
    """Compare a run with a baseline by the main score; `UsageError` for other questions."""
    check_questions(plan, baseline)
    both = _both(plan, outcomes, baseline)
    verdict = comparison(plan, baseline.system, baseline.rows, both, samples=samples)
    return cast(Comparison, verdict)  # there are questions in common


def comparison(
    plan: Plan,
    system: str,
    rows: str,
    both: Iterable[tuple[Scored, Counts]],
    *,
    samples: int = SAMPLES,
) -> Comparison | None:
    """Return the paired test of the main score on questions that two systems answered.

    `both` are our answers, each with the other system's counts; None without any.
    """
    n, groups = 0, defaultdict[str, dict[str, Pair]](dict)
    for ours, theirs in both:
        n += 1
        pair = groups[ours.holdout].setdefault(ours.target.source, (Counter(), Counter()))
        pair[0].update(ours.counts[0])
        pair[1].update(theirs)
    if not n:
        return None
    metric = plan.metrics[0]
    score = next(iter(metric.scores(Counter())))
    pairs = {name: list(dialogues.values()) for name, dialogues in groups.items()}
    test = compare(metric, score, pairs, samples=samples)
    return Comparison(
        system=system,
        rows=rows,
        n=n,
        holdouts=len(groups),
        ours=round(test.first, DIGITS),
        theirs=round(test.second, DIGITS),
        difference=round(test.difference, DIGITS),
        interval=test.interval.bounds,
        p=round(test.p, 5),
        samples=test.samples,
        across=test.across.bounds if test.across and plan.population else None,
    )


UNRECOGNISED = (
    "published figures are left out: these dialogues are not recognised as those of a public corpus"
)
"""The note instead of published figures for another corpus."""


def with_comparisons(
    plan: Plan, outcomes: list[Outcome], result: Result, baselines: Iterable[Baseline] = ()
) -> Result:
    """Return a result with published figures, SAM's predictions and paired tests."""
    figures = published.of(plan.protocol, plan.options)
    other = bool(figures) and recognised(plan.data.corpus) is None
    return msgspec.structs.replace(
        result,
        published=[] if other else figures,
        notes=[*result.notes, UNRECOGNISED] if other else result.notes,
        beside=published_predictions(plan),
        against=[compare_with(plan, outcomes, baseline) for baseline in baselines],
    )


def _both(
    plan: Plan, outcomes: Iterable[Outcome], baseline: Baseline
) -> Iterator[tuple[Scored, Counts]]:
    for ours in answers(plan, outcomes):
        target = ours.target
        line = baseline.answers.get((ours.holdout, target.source, target.event))
        if line is not None and not target.aside:
            theirs = line.prediction(plan.schemas)
            yield ours, plan.metrics[0].statistics(ours.question, target.gold, theirs)


def published_predictions(plan: Plan) -> PublishedPredictions | None:
    """Return SAM's main score on each hold-out, from the predictions in a corpus folder.

    None where there is no such file or the protocol is another. Hold-outs with a question that SAM
    did not answer are left out: some forms of the protocol ask more.
    """
    path = sam.find([corpus.root for corpus in plan.data.corpora], sam.PREDICTIONS_FILE)
    if path is None or plan.protocol != sam.PREDICTED:
        return None
    baseline = next(b for b in sam_baselines(sam.read_predictions(path)) if b.rows == "all")
    scores = {}
    for holdout in plan.holdouts:
        keys = [(holdout.name, target.source, target.event) for target in holdout.test]
        if all(key in baseline.answers for key in keys):
            theirs_all = [baseline.answers[key].prediction({}) for key in keys]
            theirs = Outcome(holdout.name, theirs_all, 0.0)
            replies = answers(replace(plan, holdouts=[holdout]), [theirs])
            scores[holdout.name] = round(main_score(plan, replies), DIGITS)
    return PublishedPredictions(baseline.system, path.name, scores) if scores else None
