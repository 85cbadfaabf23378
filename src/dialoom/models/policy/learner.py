"""Trees that choose the acts of a turn, then the slots of each act.

The acts of a turn are one of the training patterns ("OFFER+INFORM_COUNT"; for a user who turns to
another service "SELECT/INFORM_INTENT"). Each slot of an act is then classified by itself, from
features that slots of any service have.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dialoom.dialogue import Act, Argument, ServiceAct
from dialoom.dialogue.annotation import Value
from dialoom.learn.trees import FittedTrees, Floats, Row, Trees
from dialoom.schema.service import ACTS

PATTERN_TREES, SLOT_TREES = Trees(rounds=40), Trees(rounds=120)
"""Settings of the trees that choose patterns, and of those that choose slots."""

LIKELY = 0.5
"""The probability above which an act has a slot."""

RARE = 3
"""Least occurrences of a pattern in training; fewer if all patterns are rarer."""

HERE, THERE = 0, 1
"""Indices of the current service, and of the one that a user turns to."""


class ActSlot(NamedTuple):
    """A slot that an act may have, with values and features (empty if the act always has it)."""

    slot: str
    row: Row
    values: tuple[Value, ...] = ()


class Situation(NamedTuple):
    """One turn of a dialogue whose acts a model has to choose.

    `services` are the current one, and the one that the user may turn to; empty for none.
    `candidates` maps (`HERE` or `THERE`, act) to the slots that the act may have; others have none.
    """

    services: tuple[str, str]
    row: Row
    candidates: Mapping[tuple[int, str], Sequence[ActSlot]]


Pattern = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of the acts of the current service, and of the next one."""


def pattern_of(acts: Sequence[ServiceAct], services: tuple[str, str]) -> Pattern:
    """Return the pattern of acts for the current service and the next one."""
    there = [each.act.name for each in acts if each.service == services[THERE] != services[HERE]]
    here = [
        each.act.name for each in acts if each.service != services[THERE] or not any(services[1:])
    ]
    return tuple(dict.fromkeys(here)), tuple(dict.fromkeys(there))


class PolicyLearner:
    """Chooses the acts of situations by patterns, in alphabetical order."""

    def __init__(self) -> None:
        self.patterns: list[Pattern] = []
        self._turns = self._slots = FittedTrees(None, [])

    def fit(
        self, situations: Sequence[Situation], answers: Sequence[Sequence[ServiceAct]], seed: int
    ) -> None:
        """Fit the trees on at least one situation with its acts."""
        targets = [pattern_of(a, s.services) for s, a in zip(situations, answers, strict=True)]
        counts = Counter(targets)
        often = min(RARE, max(counts.values()))
        self.patterns = sorted(each for each, n in counts.items() if n >= often)
        place = {each: n for n, each in enumerate(self.patterns)}
        indices = [n for n, each in enumerate(targets) if each in place]
        rows = [situations[n].row for n in indices]
        self._turns = PATTERN_TREES.fit(rows, [place[targets[n]] for n in indices], seed)
        slot_rows: list[Row] = []
        labels: list[int] = []
        for situation, acts, pattern in zip(situations, answers, targets, strict=True):
            triples = {(a.service, a.act.name, g.slot) for a in acts for g in a.act.arguments}
            for (at, name), slot, row in self._possible(situation, pattern):
                if row:
                    slot_rows.append(row)
                    labels.append((situation.services[at], name, slot.slot) in triples)
        self._slots = SLOT_TREES.fit(slot_rows, labels, seed)

    def _possible(
        self, situation: Situation, pattern: Pattern
    ) -> Iterator[tuple[tuple[int, str], ActSlot, Row]]:
        """Yield each slot that an act of a pattern may have; no features if it always has it."""
        both = float(all(pattern))
        for (at, name), candidates in situation.candidates.items():
            if name in pattern[at]:
                marks = [float(each in pattern[at]) for each in ACTS]
                about = [float(at), both, float(ACTS.index(name)), *marks]
                for each in candidates:
                    yield (at, name), each, about + each.row if each.row else []

    def _chances(self, situations: Sequence[Situation]) -> Floats:
        """Return the probability of each pattern: shape (situations, patterns)."""
        return self._turns.chances([each.row for each in situations])

    def drawn(
        self, situation: Situation, possible: Callable[[Pattern], bool], share: float
    ) -> tuple[ServiceAct, ...]:
        """Return the acts of one situation, with a pattern drawn among `possible` ones.

        `share`, from 0 to 1, selects by the inverse of the cumulative distribution. There are no
        acts if no pattern is possible.
        """
        marks = np.array([possible(each) for each in self.patterns])
        weights = np.cumsum(np.where(marks, self._chances([situation])[0], 0.0))
        if not weights[-1]:
            return ()
        place = int(np.searchsorted(weights, share * weights[-1], side="right"))
        pattern = self.patterns[min(place, len(self.patterns) - 1)]
        return self.choose([situation], [pattern])[0]

    def choose(
        self, situations: Sequence[Situation], patterns: Sequence[Pattern] | None = None
    ) -> list[tuple[ServiceAct, ...]]:
        """Return the acts of each situation, by default with the likeliest pattern."""
        if patterns is None:
            best = self._chances(situations).argmax(axis=1)
            patterns = [self.patterns[n] for n in best]
        slots = [list(self._possible(*pair)) for pair in zip(situations, patterns, strict=True)]
        rows = [row for each in slots for *_, row in each if row]
        chances = iter(self._slots.chance(True, rows).tolist())
        choices = []
        for situation, pattern, possible in zip(situations, patterns, slots, strict=True):
            judged: dict[tuple[int, str], list[tuple[ActSlot, float]]] = {}
            for key, slot, row in possible:
                judged.setdefault(key, []).append((slot, next(chances) if row else 1.0))
            choices.append(tuple(_acts(situation, pattern, judged)))
        return choices


def _acts(
    situation: Situation,
    pattern: Pattern,
    judged: Mapping[tuple[int, str], Sequence[tuple[ActSlot, float]]],
) -> Iterator[ServiceAct]:
    """Yield the acts of a pattern with their likely slots, or the likeliest one."""
    for at in (HERE, THERE):
        for name in pattern[at]:
            slots = judged.get((at, name), ())
            likely = [slot for slot, chance in slots if chance > LIKELY]
            if slots and not likely:
                likely = [max(slots, key=lambda pair: pair[1])[0]]
            acts = [Act(name, (Argument(each.slot, each.values),)) for each in likely]
            yield from (ServiceAct(act, situation.services[at]) for act in acts or [Act(name)])
