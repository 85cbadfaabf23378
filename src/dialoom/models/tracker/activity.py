"""Selects the active services of a turn, if turns also list frames of idle services.

A turn of SGD has frames of its active services; one of MultiWOZ has a frame of every service. A
tracker trained on the former fills slots of idle services, so it reads only the selected services.
To learn this, idle services are added to training dialogues: their own of other turns, and some of
other domains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from random import Random

import msgspec

from dialoom.dialogue import State
from dialoom.learn.trees import FittedTrees, Trees
from dialoom.models.tracker.frame_rows import NO_INTENT
from dialoom.models.tracker.history import DialogueHistory, ServiceHistory
from dialoom.models.tracker.pairs import NOTHING, best_other, two_best
from dialoom.models.tracker.turns import TrackedTurn

TREES = Trees(rounds=150, rate=0.08, least=40)
"""Settings of the boosted trees."""

MOST = 150
"""Most dialogues of a part of the training dialogues to learn from."""

DRAWN = (3, 7)
"""Least and most services of other domains that are added to a dialogue."""

_RANKED = (
    "user_slot",
    "user_accept",
    "dontcare",
    "system_request",
    "user_request",
    "user_intent",
    "system_intent",
)
"""Scores of slots and intents; the best of each is a feature."""

_FAR = 40
"""Turns since a service was active, if it never was."""

_Row = list[float]


class ActiveServices:
    """Selects the active services of turns that list more services than training's turns do."""

    def __init__(self, dialogues: Iterable[Sequence[TrackedTurn]]) -> None:
        self._most = max(len(turn.services) for dialogue in dialogues for turn in dialogue)
        self._rows: list[_Row] = []
        self._labels: list[bool] = []
        self._trees: FittedTrees | None = None

    def add(
        self,
        dialogues: Sequence[Sequence[TrackedTurn]],
        pool: Iterable[str],
        draw: Random,
        opened: Callable[[], DialogueHistory],
    ) -> None:
        """Add dialogues with located value spans to the training examples.

        Idle services are drawn from `pool`; `opened` returns an empty history.
        """
        for dialogue in draw.sample(list(dialogues), min(MOST, len(dialogues))):
            services, history = _with_idle(dialogue, pool, draw), opened()
            last: dict[str, int] = {}
            for turn in dialogue:
                rows = _rows(history, replace(turn, services=services), last)
                self._rows += rows.values()
                self._labels += [name in turn.services for name in rows]
                last |= dict.fromkeys(turn.services, turn.number)

    def fit(self, seed: int) -> None:
        """Fit the trees on the examples, and drop these."""
        if any(self._labels) and not all(self._labels):
            self._trees = TREES.fit(self._rows, self._labels, seed)
        self._rows, self._labels = [], []

    def select(self, dialogue: Iterable[TrackedTurn], history: DialogueHistory) -> None:
        """Set the services of turns that list too many to the active ones, at least the likeliest.

        The turns, with located value spans, are changed in place; `history` is empty.
        """
        last: dict[str, int] = {}
        for turn in dialogue:
            if self._trees is not None and len(turn.services) > self._most:
                rows = _rows(history, turn, last)
                chances = self._trees.chance(True, list(rows.values()))
                least = min(0.5, max(chances, default=0.0))
                turn.services = tuple(n for n, p in zip(rows, chances, strict=True) if p >= least)
            last |= dict.fromkeys(turn.services, turn.number)


def keep_idle(
    states: dict[tuple[str, int, str], State],
    id_: str,
    dialogue: Iterable[TrackedTurn],
    name_lists: Iterable[Iterable[str]],
) -> None:
    """Add the states of idle services that turns list: the states before."""
    last: dict[str, State] = {}
    for turn, services in zip(dialogue, name_lists, strict=True):
        for service in services:
            before = msgspec.structs.replace(
                last.get(service, State(intent=NO_INTENT)), requested=()
            )
            last[service] = states.setdefault((id_, turn.position, service), before)


def _with_idle(
    dialogue: Sequence[TrackedTurn], names: Iterable[str], draw: Random
) -> tuple[str, ...]:
    own = {name for turn in dialogue for name in turn.services}
    domains = set(map(_domain, own))
    others = [name for name in sorted(names) if _domain(name) not in domains]
    mixture = [*sorted(own), *draw.sample(others, min(draw.randint(*DRAWN), len(others)))]
    draw.shuffle(mixture)
    return tuple(mixture)


def _domain(service: str) -> str:
    """Return the domain in a service's name: SGD's Hotels_1 and Hotels_2 share one."""
    return service.rpartition("_")[0] or service


def _rows(history: DialogueHistory, turn: TrackedTurn, last: Mapping[str, int]) -> dict[str, _Row]:
    """Add a turn to the history; return the features of each of its services.

    They are scores of the service, their margins over the best other service, and when it was
    active. `last` maps services to the last turn in which they were active.
    """
    history.read(turn)
    names = [name for name in turn.services if name in history.services]
    scores = {name: _scores(history, history.services[name]) for name in names}
    best = [two_best(column) for column in zip(*scores.values(), strict=True)]
    acts = [*history.user_acts.tolist(), *history.system_acts.tolist()]
    latest = max(last.values(), default=-1)
    return {
        name: [
            *mine,
            *(s - best_other(two, s) for two, s in zip(best, mine, strict=True)),
            float(turn.number - last.get(name, turn.number - _FAR)),
            float(last.get(name, -2) == latest),
            float(len(last)),
            float(turn.number),
            *acts,
        ]
        for name, mine in scores.items()
    }


def _scores(history: DialogueHistory, record: ServiceHistory) -> _Row:
    """Return the best scores of a service's slots, values, intents and mentions in the last turn.

    Then the number of its listed values there, and whether its name is there: the user's and the
    system's each.
    """
    latest, view, now = record.turn_scores[-1], record.view, history.turns[-1]
    row = [float(max(each, default=NOTHING)) for each in (latest.user_value, latest.system_value)]
    row += [max(getattr(latest, name).scores, default=NOTHING) for name in _RANKED]
    spans = list(zip(history.mentions, record.scores, strict=False))
    values = [each for group in record.listed_mentions.values() for each in group]
    for user, speech in ((True, now.user), (False, now.system)):
        mine = [s for m, (s, _) in spans if m.turn == history.now and m.user == user]
        row.append(max((max(s.scores, default=NOTHING) for s in mine), default=NOTHING))
        row.append(float(sum(v.turn == history.now and v.user == user for v in values)))
        row.append(float(not view.own_roots.isdisjoint(speech.roots)))
    return row
