"""What trees see of a slot of a service and of a value that it may take now."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from dialoom.models.tracker.listening import SYSTEM_ACTS, Listener
from dialoom.models.tracker.memory import Heard, Memory, ServiceMemory
from dialoom.models.tracker.pairs import Floats, Targets
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import Said
from dialoom.models.tracker.words import normal_text
from dialoom.schema.service import ANYTHING

KINDS = ("short text", "date", "time", "integer", "amount", "category", "boolean")
_GIVES = ("OFFER", "CONFIRM", "INFORM")
NOTHING = -50.0
"""Stands for a score that there is none of."""

_BACK = 10
"""How many turns back known acts are looked at."""

_FAR = 40.0
"""Turns since something that never was."""

Row = list[float]


@dataclass(slots=True)
class Candidate:
    """A value that a slot may take.

    Attributes:
        slot: The slot's name.
        value: What the state would hold.
        norm: The value as it is compared.
        choice: Its place among the listed values, -1 where it is none.
        seen: Where it stood: (turn, by the user, score for each slot).
        kind: Its kind.
    """

    slot: str
    value: str
    norm: str
    choice: int
    seen: list[tuple[int, bool, Floats]]
    kind: str


class Weigher:
    """Makes the rows of features of one service at the last turn of a dialogue.

    Args:
        memory: The dialogue.
        held: The service.
        idf: How telling each stem of a name or description is.
        known: Whether the service was trained on.
        listener: Scores a slot having the value of another service's slot.
        acts: Whether the system's acts are known.
    """

    def __init__(
        self,
        memory: Memory,
        held: ServiceMemory,
        idf: dict[str, float],
        known: bool,
        listener: Listener,
        acts: bool,
    ) -> None:
        self.memory, self.held, self.view = memory, held, held.view
        self.now, self.heard = memory.now, held.heard[-1]
        self._idf, self._listener = idf, listener
        turn = memory.turns[-1]
        self._user, self._system = set(turn.user.stems), set(turn.system.stems)
        self._acted = acts
        self._acts = memory.told(self.view.name) if acts else []
        self._others = self._elsewhere()
        self.shared = self._frame(known)

    def _elsewhere(self) -> dict[str, list[tuple[ServiceMemory, str]]]:
        """Return value to the slots of other services that hold it."""
        found: dict[str, list[tuple[ServiceMemory, str]]] = {}
        for other in self.memory.services.values():
            if other is not self.held:
                for slot, value in other.values.items():
                    found.setdefault(normal_text(value), []).append((other, slot))
        return found

    def _frame(self, known: bool) -> Row:
        memory, held, turn = self.memory, self.held, self.memory.turns[-1]
        names = [act.act for act in self._acts]
        return [
            *memory.user_acts.tolist(),
            *memory.system_acts.tolist(),
            *(float(name in names) if self._acted else NOTHING for name in SYSTEM_ACTS),
            float(known),
            float(self.now - held.first),
            float(held.frames),
            float(len(memory.services)),
            float(len(turn.services)),
            float(turn.services.index(self.view.name)),
            float(len(memory.turns) > 1 and self.view.name in memory.turns[-2].services),
            float(len(held.values)),
            float(len(self.view.inputs)),
            float(len(turn.user.words)),
            float("?" in turn.user.words),
            float(sum(1 for m in memory.mentions if m.turn == self.now and m.user)),
            float(self.now),
        ]

    def candidates(self, slot: SlotView) -> list[Candidate]:
        """Return what a slot may take, apart from what it has."""
        mine = self.held.values.get(slot.name)
        found: list[Candidate] = []
        if slot.listed:
            for value in slot.values:
                if value != mine:
                    choice = self.view.of_choice[slot.name, value]
                    seen = self.held.picked.get(choice, [])
                    norm = self.view.normal_choices[choice]
                    found.append(Candidate(slot.name, value, norm, choice, seen, slot.kind))
        else:
            found = self._free(slot, normal_text(mine) if mine else "")
        if mine != ANYTHING:
            place = self.view.place[slot.name]
            if self.heard.anything[place] > -6:
                found.append(Candidate(slot.name, ANYTHING, ANYTHING, -1, [], ANYTHING))
        return found

    def _free(self, slot: SlotView, mine: str) -> list[Candidate]:
        values: dict[str, Candidate] = {}
        for mention, score in zip(self.memory.mentions, self.held.scores, strict=True):
            if mention.norm == mine or (mention.kind != slot.kind and slot.kind in _STRICT):
                continue
            at = values.get(mention.norm)
            if at is None:
                at = values[mention.norm] = Candidate(
                    slot.name, mention.text, mention.norm, -1, [], mention.kind
                )
            at.seen.append((mention.turn, mention.user, score))
            at.value, at.kind = mention.text, mention.kind
        return list(values.values())

    def rows(self, slot: SlotView, found: Sequence[Candidate]) -> Iterator[Row]:
        """Yield the features of each candidate of a slot."""
        place = self.view.place[slot.name]
        seen = [self._seen(place, each.seen) for each in found]
        about = self._slot(slot, place, found)
        best_said = _best([each[0] for each in seen])
        best_told = _best([each[4] for each in seen])
        heard = self.held.heard
        wanted, offered = (
            _of(slot, self.view, self.heard.wants),
            _of(slot, self.view, self.heard.offers),
        )
        mine = self.held.values.get(slot.name, "")
        latest = self._latest(place, found)
        last_offer = self._last_offer(slot, heard) if slot.listed else {}
        for n, (each, row) in enumerate(zip(found, seen, strict=True)):
            yield [
                *row,
                row[0] - _second(best_said, row[0]),
                row[4] - _second(best_told, row[4]),
                float(n == latest),
                float(len(found)),
                float(KINDS.index(each.kind)) if each.kind in KINDS else -1.0,
                float(each.kind == slot.kind),
                *self._listed(slot, each, wanted, offered),
                *last_offer.get(each.choice, (NOTHING, _FAR)),
                *self._acts_on(slot, each),
                *self._carried(slot, each),
                fuzz.ratio(mine.lower(), each.value.lower()) if mine else NOTHING,
                *about,
                *self.shared,
            ]

    def _seen(self, place: int, seen: Sequence[tuple[int, bool, Floats]]) -> Row:
        """Scores of a value for a slot where it stood: user and system, now and before."""
        row = [NOTHING, NOTHING, NOTHING, _FAR, NOTHING, NOTHING, NOTHING, _FAR, NOTHING, NOTHING]
        inputs = len(self.view.inputs)
        for turn, user, scores in seen:
            mine = float(scores[place])
            rest = scores[:inputs] if user else scores
            margin = mine - _rest(rest, place)
            first = 0 if user else 4
            if turn == self.now:
                if not mine <= row[first]:
                    row[first], row[first + 1] = mine, margin
            else:
                if not mine <= row[first + 2]:
                    row[first + 2] = mine
                    row[8 if user else 9] = margin
                row[first + 3] = float(self.now - turn)
        return row

    def _latest(self, place: int, found: Sequence[Candidate]) -> int:
        """Return which candidate the system told last for a slot."""
        best, place_ = (-1, -9.0), -1
        for n, each in enumerate(found):
            for turn, user, scores in each.seen:
                at = (turn, float(scores[place]))
                if not user and scores[place] > -1 and at > best:
                    best, place_ = at, n
        return place_

    def _listed(self, slot: SlotView, each: Candidate, wanted: Row, offered: Row) -> Row:
        if each.choice < 0:
            return [NOTHING] * 9
        n = slot.values.index(each.value)
        stems = each.norm.split()
        return [
            wanted[n],
            wanted[n] - _rest(wanted, n),
            float(wanted[n] - max(self.heard.wants)),
            offered[n],
            offered[n] - _rest(offered, n),
            self._share(stems, self._user),
            self._share(stems, self._system),
            float(n),
            float(each.value.lower() == "true") if slot.kind == "boolean" else -1.0,
        ]

    def _last_offer(self, slot: SlotView, heard: Sequence[Heard]) -> dict[int, tuple[float, float]]:
        """Return, for each listed value, its best score of an earlier offer and how long ago."""
        if len(heard) < 2:
            return {}
        first = self.view.of_choice[slot.name, slot.values[0]]
        table = np.array([each.offers[first : first + len(slot.values)] for each in heard[:-1]])
        at = table.argmax(axis=0)
        return {
            first + n: (float(table[m, n]), float(self.now - m)) for n, m in enumerate(at.tolist())
        }

    def _acts_on(self, slot: SlotView, each: Candidate) -> Row:
        """What known acts of the system say of a slot and a value: now, and when last before."""
        if not self._acted:
            return [NOTHING] * 8
        row = [0.0] * 6
        for act in self._acts:
            same = _gives(act, each)
            if act.slot != slot.name:
                row[5] = max(row[5], float(same))
            elif act.act == "REQUEST":
                row[3] = 1.0 + same
            elif act.act in _GIVES:
                row[_GIVES.index(act.act) if same else 4] = 1.0
        for ago, act in self._earlier():
            if act.slot == slot.name and _gives(act, each):
                return [*row, ago, 1.0 + _GIVES.index(act.act)]
        return [*row, _FAR, 0.0]

    def _earlier(self) -> Iterator[tuple[float, Said]]:
        """Yield known acts by which the system gave slots of the service values, the last first."""
        for n, turn in enumerate(reversed(self.memory.turns[-_BACK:-1])):
            for act in turn.system.acts or ():
                if act.service == self.view.name and act.act in _GIVES:
                    yield n + 1.0, act

    def _carried(self, slot: SlotView, each: Candidate) -> Row:
        """What slots hold the value already: of this service, and of others."""
        used = [name for name, value in self.held.values.items() if normal_text(value) == each.norm]
        same = any(self.view.slots[self.view.place[name]].kind == slot.kind for name in used)
        best = [NOTHING, NOTHING, _FAR, NOTHING]
        for other, name in self._others.get(each.norm, ()):
            about = other.view.slots[other.view.place[name]]
            like = self._alike(slot.stems, about.stems)
            if not like <= best[0]:
                score = self._listener.score("carries", Targets.of([slot.words]), about.words)
                ago = float(self.now - other.filled.get(name, 0))
                best = [like, float(score[0]), ago, float(about.name == slot.name)]
        return [float(len(used)), float(same), *best]

    def _slot(self, slot: SlotView, place: int, found: Sequence[Candidate]) -> Row:
        heard, view, held = self.heard, self.view, self.held
        inputs = len(view.inputs)
        service = view.service
        wanted = service.intent(held.intent)
        stems = slot.stems
        return [
            float(KINDS.index(slot.kind)) if slot.kind in KINDS else -1.0,
            float(view.kinds[slot.kind]),
            float(len(slot.values)),
            float(heard.informs[place]),
            float(heard.informs[place]) - _rest(heard.informs[:inputs], place),
            float(heard.anything[place]),
            float(heard.asks[place]),
            float(heard.asks[place]) - _rest(heard.asks, place),
            float(heard.requested[place]),
            self._share(stems, self._user),
            self._share(stems, self._system),
            float(slot.name in held.values),
            float(self.now - held.filled.get(slot.name, -40)),
            float(any(slot.name in i.required and not i.transactional for i in service.intents)),
            float(any(slot.name in i.required and i.transactional for i in service.intents)),
            float(any(slot.name in i.optional for i in service.intents)),
            float(any(slot.name in i.results for i in service.intents)),
            NOTHING
            if wanted is None
            else 2.0 * (slot.name in wanted.required) + (slot.name in wanted.optional),
            NOTHING if wanted is None else float(wanted.transactional),
            float(sum(1 for each in found if each.kind == slot.kind)),
        ]

    def intents(self) -> list[Row]:
        """Return the features of each intent, and of none."""
        heard, held, view = self.heard, self.held, self.view
        offered = {v for act in self._acts if act.act == "OFFER_INTENT" for v in act.values}
        rows = []
        for n, intent in enumerate((*view.service.intents, None)):
            if intent is None:
                own = [NOTHING] * 8
            else:
                filled = sum(name in held.values for name in intent.required)
                own = [
                    float(heard.intends[n]),
                    float(heard.intends[n]) - _rest(heard.intends, n),
                    float(heard.proposes[n]),
                    float(heard.proposes[n]) - _rest(heard.proposes, n),
                    float(intent.name in offered) if self._acted else NOTHING,
                    float(intent.transactional),
                    float(len(intent.required) - filled),
                    float(max((h.intends[n] for h in held.heard[:-1]), default=NOTHING)),
                ]
            now = intent.name if intent else "NONE"
            rows.append(
                [
                    *own,
                    float(intent is None),
                    float(now == held.intent),
                    float(held.intent == "NONE"),
                    float(max(heard.intends, default=NOTHING)),
                    float(max(heard.proposes, default=NOTHING)),
                    float(len(view.intents)),
                    *self.shared,
                ]
            )
        return rows

    def requests(self) -> list[Row]:
        """Return the features of each slot's being asked for by the user."""
        heard, held, view = self.heard, self.held, self.view
        return [
            [
                float(heard.requested[n]),
                float(heard.requested[n]) - _rest(heard.requested, n),
                float(heard.informs[n]),
                self._share(slot.stems, self._user),
                float(slot.name in held.values),
                float(n < len(view.inputs)),
                float(any(slot.name in i.results for i in view.service.intents)),
                float(KINDS.index(slot.kind)) if slot.kind in KINDS else -1.0,
                *self.shared,
            ]
            for n, slot in enumerate(view.slots)
        ]

    def _share(self, stems: Sequence[str], said: set[str]) -> float:
        """Return how much of a description was said: the share of its telling words."""
        if not stems:
            return 0.0
        whole = sum(self._idf.get(stem, 5.0) for stem in stems)
        return sum(self._idf.get(stem, 5.0) for stem in stems if stem in said) / (whole or 1.0)

    def _alike(self, one: Sequence[str], other: Sequence[str]) -> float:
        """Return the cosine of two descriptions."""
        shared = sum(self._idf.get(stem, 5.0) ** 2 for stem in one if stem in other)
        norms = (
            sum(self._idf.get(s, 5.0) ** 2 for s in one),
            sum(self._idf.get(s, 5.0) ** 2 for s in other),
        )
        return shared / (sqrt(norms[0] * norms[1]) or 1.0)


_STRICT = frozenset({"date", "time"})
"""Kinds of slots that take nothing of another kind."""


def telling(views: Sequence[ServiceView]) -> dict[str, float]:
    """Return how telling each stem is: the logarithm of how few slots have it."""
    slots = [slot for view in views for slot in view.slots]
    count: dict[str, int] = {}
    for slot in slots:
        for stem in set(slot.stems):
            count[stem] = count.get(stem, 0) + 1
    return {stem: log(1 + len(slots) / n) for stem, n in count.items()}


def _gives(act: Said, each: Candidate) -> bool:
    """Return whether an act names a value."""
    return each.value in act.values or each.norm in map(normal_text, act.values)


def _of(slot: SlotView, view: ServiceView, scores: Floats) -> Row:
    """Return the scores of a slot's listed values."""
    if not slot.listed:
        return []
    first = view.of_choice[slot.name, slot.values[0]]
    found: Any = scores[first : first + len(slot.values)].tolist()
    return list(found)


def _rest(scores: Any, place: int) -> float:
    """Return the best of the other scores."""
    return max((float(s) for n, s in enumerate(scores) if n != place), default=-10.0)


def _best(scores: Sequence[float]) -> tuple[float, float]:
    """Return the two best scores."""
    found = sorted((s for s in scores if s > NOTHING), reverse=True)
    return (found[0] if found else NOTHING, found[1] if len(found) > 1 else NOTHING)


def _second(best: tuple[float, float], score: float) -> float:
    """Return the best of the others."""
    return best[1] if score == best[0] else best[0]
