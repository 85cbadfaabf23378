"""Paired tests with another system's predictions on the same questions.

Two kinds of file are read: our own prediction lines, and the released turn predictions of the
Schema Attention Model (SAM), which hold two systems. Rows of the latter that could not be placed
with certainty (`exact` is false) are left out first, and put in again in a second comparison.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from dialoom.bench import sam
from dialoom.bench.protocol import Plan
from dialoom.bench.results import DIGITS, F1, Bounds, values
from dialoom.bench.run import Outcome
from dialoom.corpus.files import read_bytes
from dialoom.errors import FormatError, UsageError
from dialoom.metrics import Counts, compare
from dialoom.metrics.bootstrap import SAMPLES
from dialoom.metrics.paired import Pair

Key = tuple[str, str, int]
"""Hold-out, dialogue, event."""


class Line(msgspec.Struct, frozen=True):
    """One line of a prediction file."""

    holdout: str
    dialogue: int | str
    event: int
    task: str
    gold: str
    predicted: str


class Comparison(msgspec.Struct, frozen=True):
    """Ours against another system, as means over the hold-outs both answered.

    Attributes:
        system: The other system.
        rows: Which of its rows were taken: "exact" or "all".
        n: Questions compared.
        holdouts: Hold-outs compared.
        ours: Our mean F1 there.
        theirs: Theirs.
        difference: Ours less theirs.
        interval: The 95 % interval of the difference.
        p: Two-sided p value of there being no difference.
    """

    system: str
    rows: str
    n: int
    holdouts: int
    ours: float
    theirs: float
    difference: float
    interval: Bounds
    p: float


@dataclass(frozen=True, slots=True)
class Rival:
    """Another system's answers: question to (gold, predicted)."""

    system: str
    answers: Mapping[Key, tuple[str, str]]
    rows: str = "all"


def read_rivals(path: Path, protocol: str) -> list[Rival]:
    """Read another system's predictions, in either kind of file.

    Raises:
        FormatError: It is neither.
        UsageError: SAM's predictions, and the protocol is not the one they were made for.
    """
    first = read_bytes(path).lstrip().split(b"\n", 1)[0]
    if b'"dialog_id"' in first:
        if protocol != "star-zero-shot-domain":
            raise UsageError(f"{path}: SAM's predictions are of star-zero-shot-domain")
        return sam_rivals(sam.read_predictions(path))
    answers = {
        (line.holdout, str(line.dialogue), line.event): (line.gold, line.predicted)
        for line in read_lines(path)
    }
    return [Rival(path.name, answers)]


def read_lines(path: Path) -> list[Line]:
    """Read a prediction file of ours.

    Raises:
        FormatError: A line is not a prediction, or there is none.
    """
    decoder = msgspec.json.Decoder(Line)
    found = []
    for number, text in enumerate(read_bytes(path).splitlines(), 1):
        try:
            found.append(decoder.decode(text))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise FormatError(f"{path}, line {number}", f"not a prediction: {error}") from error
    if not found:
        raise FormatError(path, "empty file; expected prediction lines")
    return found


def sam_rivals(rows: Iterable[sam.SamRow]) -> list[Rival]:
    """Return SAM's file as rivals: each system on the rows placed with certainty, then on all."""
    rows = list(rows)
    return [
        Rival(
            system,
            {
                (row.domain, str(row.dialog_id), row.event): (row.gold, getattr(row, name))
                for row in rows
                if row.exact or kind == "all"
            },
            kind,
        )
        for name, system in sam.SYSTEMS.items()
        for kind in ("exact", "all")
    ]


def contest(
    plan: Plan, outcomes: Iterable[Outcome], rival: Rival, *, samples: int = SAMPLES
) -> Comparison:
    """Compare a run with a rival on the questions both answered.

    Raises:
        UsageError: They have no question in common, or disagree on what is right.
    """
    groups = _pairs(plan, outcomes, rival)
    found = compare(F1, groups, samples=samples)
    return Comparison(
        system=rival.system,
        rows=rival.rows,
        n=sum(ours.total() for pairs in groups.values() for ours, _ in pairs),
        holdouts=len(groups),
        ours=round(found.first, DIGITS),
        theirs=round(found.second, DIGITS),
        difference=round(found.difference, DIGITS),
        interval=(round(found.interval.low, DIGITS), round(found.interval.high, DIGITS)),
        p=round(found.p, 5),
    )


def beside(plan: Plan) -> dict[str, Any] | None:
    """Return SAM's F1 on each hold-out, where its predictions lie in a corpus folder.

    Only where they answer every question: other forms of the protocol ask others.
    """
    folders = [c.root for c in (plan.sources.corpus, plan.sources.train_corpus) if c is not None]
    path = sam.find(folders, sam.PREDICTIONS_FILE)
    if path is None or plan.protocol != "star-zero-shot-domain":
        return None
    rival = next(r for r in sam_rivals(sam.read_predictions(path)) if r.rows == "all")
    scores = {}
    for holdout in plan.holdouts:
        keys = [(holdout.name, target.source, target.event) for target in holdout.test]
        if all(key in rival.answers for key in keys):
            counts: Counts = Counter(rival.answers[key] for key in keys)
            scores[holdout.name] = round(F1.value(counts), DIGITS)
    if not scores:
        return None
    return {"system": rival.system, "source": sam.PREDICTIONS_FILE, "f1": scores}


def _pairs(plan: Plan, outcomes: Iterable[Outcome], rival: Rival) -> dict[str, list[Pair]]:
    predicted = {outcome.holdout: values(outcome) for outcome in outcomes}
    groups: dict[str, list[Pair]] = {}
    for holdout in plan.holdouts:
        dialogues: dict[str, Pair] = {}
        for target, ours in zip(holdout.test, predicted[holdout.name], strict=True):
            answer = rival.answers.get((holdout.name, target.source, target.event))
            if answer is None:
                continue
            if answer[0] != target.label:
                raise UsageError(
                    f"{rival.system} has another right answer for dialogue {target.source}, event "
                    f"{target.event}: {answer[0]!r}, not {target.label!r}"
                )
            pair = dialogues.setdefault(target.source, (Counter(), Counter()))
            pair[0][target.label, ours] += 1
            pair[1][answer] += 1
        if dialogues:
            groups[holdout.name] = list(dialogues.values())
    if not groups:
        raise UsageError(f"{rival.system}: no question in common with this run")
    return groups
