"""Matches answers with the questions of a plan, and scores several systems side by side."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, cast

import msgspec

from dialoom.bench.core.protocol import HoldOut, Outcome, Plan, Target
from dialoom.bench.core.results import Comparison, Result, answers, summarise
from dialoom.bench.core.significance import check_gold, comparison, with_comparisons
from dialoom.corpus.files import read_bytes
from dialoom.dialogue import Prediction, Realise, StateOf
from dialoom.errors import FormatError, UsageError
from dialoom.learn.model import Unlearnt
from dialoom.models import Model

Place = tuple[str, int, str]
"""Identifies a question in its hold-out: dialogue, event or turn, and service or challenge set."""


class GivenAnswer(NamedTuple):
    """An answer of a file; one that could not be read (`unread` says why) is wrong.

    `gold` is the right answer according to the file, which need not have any.
    """

    place: Place
    answer: Prediction[Any]
    holdout: str = ""
    unread: str = ""
    gold: str | None = None


@dataclass
class AnswerFile(Unlearnt):
    """The model of a result: the system's name, and the digest of its file as a setting."""

    sha256: str
    name: str = field(default="", init=False)


@dataclass(frozen=True, slots=True)
class AnsweringSystem:
    """A system with its answers; `sha256` has 16 hex digits."""

    name: str
    sha256: str
    answers: dict[tuple[str, Place], Prediction[Any]]
    unread: tuple[str, ...] = ()

    def outcomes(self, plan: Plan) -> list[Outcome]:
        """Return the answers to a plan's questions, all of which have one."""
        return [
            Outcome(each.name, [self.answers[each.name, place_of(t)] for t in each.test], 0.0)
            for each in plan.holdouts
        ]

    def plan(self, plan: Plan) -> Plan:
        """Return the plan with the questions that the system answered."""
        total = sum(_counts(target) for each in plan.holdouts for target in each.test)
        subsets = [
            HoldOut(
                each.name, [], [t for t in each.test if (each.name, place_of(t)) in self.answers]
            )
            for each in plan.holdouts
        ]
        survivors = [each for each in subsets if any(map(_counts, each.test))]
        number = sum(_counts(target) for each in survivors for target in each.test)
        lost = [each.name for each in subsets if each not in survivors]
        partial = {"answered": f"{number}-of-{total}"} if number < total else {}
        note = [f"{total - number} of {total} questions were not answered, and are not scored"]
        bad = [
            f"unreadable answers: {len(self.unread)}, such as: {each}" for each in self.unread[:1]
        ]
        return replace(
            plan,
            holdouts=survivors,
            missing=[*plan.missing, *lost],
            options=plan.options | partial,
            notes=[*plan.notes, *(note if partial else []), *bad],
        )


def _counts(target: Target) -> bool:
    return not target.aside


def place_of(target: Target) -> Place:
    """Return the place of a question."""
    question, label = target.asked, ""
    if isinstance(question, StateOf):
        label = ",".join(question.services)
    elif isinstance(question, Realise) and target.aside:
        label = target.slices[0]
    return target.source, target.event, label


def matched(
    plan: Plan, answers: Iterable[GivenAnswer], path: Path, *, partial: bool
) -> AnsweringSystem:
    """Return a system with a file's answers.

    `FormatError` for answers to other questions or given twice; `UsageError` for other right
    answers, or if answers are missing, all or (unless `partial`) some.
    """
    homes = defaultdict[Place, dict[str, Target]](dict)
    for each in plan.holdouts:
        for target in each.test:
            homes[place_of(target)][each.name] = target
    predictions: dict[tuple[str, Place], Prediction[Any]] = {}
    unread = []
    for one in answers:
        names = [name for name in homes.get(one.place, ()) if one.holdout in ("", name)]
        _check_asked(one, names, homes, path)
        for name in names:
            if (name, one.place) in predictions:
                raise FormatError(path, f"answers {_spelled(one)} twice", code="twice")
            check_gold(str(path), homes[one.place][name], one.gold)
            predictions[name, one.place] = one.answer
        unread += [one.unread] if one.unread else []
    questions = [(each.name, t) for each in plan.holdouts for t in each.test if _counts(t)]
    lacking = [t for name, t in questions if (name, place_of(t)) not in predictions]
    if lacking and (not partial or len(lacking) == len(questions)):
        first = lacking[0]
        raise UsageError(
            f"{path}: {len(lacking)} of {len(questions)} questions are unanswered, the first of "
            f"dialogue {first.source}, turn or event {first.event}"
            + ("" if partial else "; --partial scores the others"),
            code="unanswered",
        )
    return AnsweringSystem(
        path.stem if path.is_file() else path.name, _digest(path), predictions, tuple(unread)
    )


def _spelled(one: GivenAnswer) -> str:
    source, event, label = one.place
    about = f", {label}" if label else ""
    return f"dialogue {source}, turn or event {event}{about}"


def _check_asked(
    one: GivenAnswer, names: Sequence[str], homes: Mapping[Place, Iterable[str]], path: Path
) -> None:
    if names:
        return
    if one.place in homes:
        there = ", ".join(homes[one.place])
        what = f"{_spelled(one)} is not in hold-out {one.holdout}; it is in {there}"
    elif all(source != one.place[0] for source, _, _ in homes):
        what = f"answers dialogue {one.place[0]}, about which nothing is asked"
    else:
        what = f"answers {_spelled(one)}, about which nothing is asked"
    raise FormatError(path, what, code="not-asked")


def _digest(path: Path) -> str:
    files = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        digest.update(read_bytes(file))
    return digest.hexdigest()[:16]


def score(plan: Plan, systems: Sequence[AnsweringSystem]) -> list[Result]:
    """Return the result of each system, with paired tests against those after it."""
    results = []
    for system in systems:
        own = system.plan(plan)
        model = AnswerFile(system.sha256)
        model.name = system.name
        outcomes = system.outcomes(own)
        result = summarise(own, outcomes, cast(Model, model))
        results.append(with_comparisons(own, outcomes, result))
    for one, other in combinations(range(len(systems)), 2):
        tested = compared(plan, systems[one], systems[other])
        against = [*results[one].against, *tested]
        results[one] = msgspec.structs.replace(results[one], against=against)
    return results


def compared(plan: Plan, one: AnsweringSystem, other: AnsweringSystem) -> list[Comparison]:
    """Return the paired test on the questions that both systems answered; none without any."""
    both = other.plan(one.plan(plan))
    ours, theirs = (answers(both, each.outcomes(both)) for each in (one, other))
    pairs = ((a, b.counts[0]) for a, b in zip(ours, theirs, strict=True) if not a.target.aside)
    verdict = comparison(both, other.name, "all", pairs)
    return [verdict] if verdict is not None else []
