"""Features of candidates, intents and requested slots of a service at a turn, for trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any

import numpy as np
from rapidfuzz import fuzz

from dialoom.learn.words import beginnings, normal_text, root
from dialoom.models.tracker.history import (
    DialogueHistory,
    ServiceHistory,
    SlotElsewhere,
    ValueCandidate,
)
from dialoom.models.tracker.occurrences import FAR, Row, SlotOccurrences
from dialoom.models.tracker.pairs import NOTHING, WORST, Ranked, with_margins
from dialoom.models.tracker.scorers import SYSTEM_ACTS, Scorers, TurnScores
from dialoom.models.tracker.service import SlotView
from dialoom.models.tracker.turns import SlotAct, question
from dialoom.schema.service import ANYTHING

KINDS = ("short text", "date", "time", "integer", "amount", "category", "boolean")
_GIVES = ("OFFER", "CONFIRM", "INFORM")
_BACK = 10
"""Number of last turns, the present one included, whose annotated acts are read."""


@dataclass(frozen=True)
class FeatureSources:
    """The models and statistics that features are computed with.

    `idf` is that of roots in descriptions, `known` are services of the scorers' training. `acts` is
    True if the system's acts are annotated, `canonical` if accepted values and references have
    features.
    """

    scorers: Scorers
    idf: Mapping[str, float]
    known: frozenset[str]
    acts: bool
    canonical: bool = False


class FrameFeatures:
    """The features of one service at the last turn of a dialogue."""

    def __init__(
        self, history: DialogueHistory, service: ServiceHistory, sources: FeatureSources
    ) -> None:
        self.history, self.held, self.view = history, service, service.view
        self.now, self.turn_scores = history.now, service.turn_scores[-1]
        self._idf, self._scorers = sources.idf, sources.scorers
        turn = history.turns[-1]
        self._user = {root for stem in turn.user.stems for root in beginnings(stem)}
        self._system = {root for stem in turn.system.stems for root in beginnings(stem)}
        self._texts = [f" {' '.join(s.words).lower()} " for s in (turn.user, turn.system)]
        self._acts_known, self._canonical = sources.acts, sources.canonical
        self._acts = history.acts_of(self.view.name) if sources.acts else []
        self._others: dict[str, list[SlotElsewhere]] = {}
        for norm, where in history.elsewhere(service, acts=sources.acts):
            self._others.setdefault(norm, []).append(where)
        words = turn.system.roots[question(turn.system)]
        query = {root for stem in words for root in beginnings(stem)}
        self._told = [self._shares(side) for side in (self._user, self._system, query)]
        self._own: dict[str, list[str]] = {}
        for slot, value in service.values.items():
            self._own.setdefault(normal_text(value), []).append(slot)
        self._by_vectors = self._slots_by_vectors()
        self._near_choices = [
            scores[name]
            for scores in (self.turn_scores.by_vectors, self.turn_scores.likeness)
            for name in ("user_value", "system_value")
        ]
        self.shared = self._frame(self.view.name in sources.known)

    def _slots_by_vectors(self) -> list[tuple[float, ...]]:
        """Return the log odds of each slot by vectors, and the likeness of its name, with margins.

        Margins are over inputs.
        """
        scores, likeness = self.turn_scores.by_vectors, self.turn_scores.likeness
        odds = [scores[name] for name in ("user_slot", "system_request", "user_request")]
        odds += [likeness[name] for name in ("user_slot", "system_slot")]
        return with_margins(odds, len(self.view.inputs))

    def _frame(self, is_known: bool) -> Row:
        history, record, turn = self.history, self.held, self.history.turns[-1]
        names = [act.act for act in self._acts]
        return [
            *history.user_acts.tolist(),
            *history.system_acts.tolist(),
            *(float(name in names) if self._acts_known else NOTHING for name in SYSTEM_ACTS),
            float(is_known),
            float(self.now - record.first),
            float(record.frames),
            float(len(history.services)),
            float(len(turn.services)),
            float(turn.services.index(self.view.name)),
            float(len(history.turns) > 1 and self.view.name in history.turns[-2].services),
            float(len(record.values)),
            *self._intents_of_services(),
            float(len(turn.user.words)),
            float("?" in turn.user.words),
            float(sum(1 for m in history.mentions if m.turn == self.now and m.user)),
            float(self.now),
        ]

    def _intents_of_services(self) -> Row:
        """Return the best log odds of the service's intents, and of the turn's other services.

        They are those of the user's utterance, of the system's, and of the user's one turn before;
        then turns since a slot of the service changed, and since one of the others did.
        """
        turn = self.history.turns[-1]
        there = [each for name in turn.services if (each := self.history.services.get(name))]
        row = []
        for which, back in (("user_intent", 1), ("system_intent", 1), ("user_intent", 2)):
            best = {
                each.view.name: max(getattr(each.turn_scores[-back], which).scores, default=NOTHING)
                for each in there
                if len(each.turn_scores) >= back
            }
            row += [best.pop(self.view.name, NOTHING), max(best.values(), default=NOTHING)]
        last = {each.view.name: max(each.filled.values(), default=-FAR) for each in there}
        row.append(self.now - last.pop(self.view.name))
        row.append(self.now - max(last.values(), default=-FAR))
        return row if self._canonical else row[:2]

    def rows(self, slot: SlotView, candidates: Sequence[ValueCandidate]) -> Iterator[Row]:
        """Yield the features of each candidate of a slot."""
        place = self.view.place[slot.name]
        table = SlotOccurrences(place, self.now, partial(self._share, slot.stems)).rows(candidates)
        about = self._slot(slot, place, candidates)
        turn_scores = self.held.turn_scores
        turn_log_odds = self.turn_scores
        sides = turn_log_odds.user_value, turn_log_odds.system_value
        wishes, offered = (self.view.of_choices(slot, scores) for scores in sides)
        near = [self.view.of_choices(slot, scores) for scores in self._near_choices]
        mine = self.held.values.get(slot.name, "")
        last_offer = self._last_offer(slot, turn_scores) if slot.listed else {}
        for each, row in zip(candidates, table, strict=True):
            yield [
                *row,
                float(len(candidates)),
                float(KINDS.index(each.kind)) if each.kind in KINDS else -1.0,
                float(each.kind == slot.kind),
                *self._listed(slot, each, wishes, offered, near),
                *last_offer.get(each.choice, (NOTHING, FAR)),
                *self._acts_on(slot, each),
                *self._shared_values(slot, each),
                *self._value_fit(place, each),
                fuzz.ratio(mine.lower(), each.value.lower()) if mine else NOTHING,
                *about,
                *self.shared,
            ]

    def _listed(
        self, slot: SlotView, each: ValueCandidate, wishes: Row, offered: Row, near: Sequence[Row]
    ) -> Row:
        if each.choice < 0:
            return [NOTHING] * 18
        n = slot.values.index(each.value)
        stems = [root(stem) for stem in each.norm.split()]
        return [
            wishes[n],
            wishes[n] - _rest(wishes, n),
            float(wishes[n] - max(self.turn_scores.user_value)),
            offered[n],
            offered[n] - _rest(offered, n),
            *(part for scores in near for part in (scores[n], scores[n] - _rest(scores, n))),
            self._share(stems, self._user),
            self._share(stems, self._system),
            float(each.value.lower() == "true") if slot.kind == "boolean" else -1.0,
            *(float(f" {each.value.lower()} " in text) for text in self._texts),
        ]

    def _last_offer(
        self, slot: SlotView, turn_scores: Sequence[TurnScores]
    ) -> dict[int, tuple[float, float]]:
        """Return, for each listed value, its best log odds of an earlier offer and turns since."""
        if len(turn_scores) < 2:
            return {}
        first = self.view.of_choice[slot.name, slot.values[0]]
        table = np.array(
            [each.system_value[first : first + len(slot.values)] for each in turn_scores[:-1]]
        )
        at = table.argmax(axis=0)
        return {
            first + n: (float(table[m, n]), float(self.now - m)) for n, m in enumerate(at.tolist())
        }

    def _acts_on(self, slot: SlotView, each: ValueCandidate) -> Row:
        """Return the features of the system's annotated acts: now, and of the last one before."""
        if not self._acts_known:
            return [NOTHING] * 9
        row = [0.0] * 7
        for act in self._acts:
            same = act.names(each.value, each.norm)
            row[6] += act.act == "REQUEST"
            if act.slot != slot.name:
                row[5] = max(row[5], float(same))
            elif act.act == "REQUEST":
                row[3] = 1.0 + same
            elif act.act in _GIVES:
                row[_GIVES.index(act.act) if same else 4] = 1.0
        for ago, act in self._earlier():
            if act.slot == slot.name and act.names(each.value, each.norm):
                return [*row, ago, 1.0 + _GIVES.index(act.act)]
        return [*row, FAR, 0.0]

    def _earlier(self) -> Iterator[tuple[float, SlotAct]]:
        """Yield turns since and act, last first, for earlier acts that give slots values."""
        for n, turn in enumerate(reversed(self.history.turns[-_BACK:-1])):
            for act in turn.system.acts or ():
                if act.service == self.view.name and act.act in _GIVES:
                    yield n + 1.0, act

    def _value_fit(self, place: int, each: ValueCandidate) -> Row:
        """Return log odds and margins of the value's fit to the slot, and how it was found."""
        if each.choice >= 0 or each.value == ANYTHING:
            return [NOTHING] * 7
        beside_inputs, beside_all, others = self.history.fits(self.view, each.value)
        margins = beside_inputs.margins[place], beside_all.margins[place]
        origins = float(each.finders), float(each.inside)
        by_vectors = others.scores[place], others.margins[place]
        return [beside_all.scores[place], *margins, *origins, *by_vectors]

    def _shared_values(self, slot: SlotView, each: ValueCandidate) -> Row:
        """Return the features of slots that have the value: of this service, and of others."""
        used = self._own.get(each.norm, ())
        same = any(self.view.slot(name).kind == slot.kind for name in used)
        best = [[NOTHING] * 5, [NOTHING] * 5]  # in states, by the system
        place, referred = self.view.place[slot.name], [NOTHING, NOTHING]
        for other, name, since, by_system in self._others.get(each.norm, ()):
            for scores, margins in self.held.references.get(other.view.name, ()):
                referred = max(referred, [scores[place], margins[place]])
            like = self._alike(slot.stems, other.view.slot(name).stems)
            if like > best[by_system][0]:
                pair = self.history.pair(self.view, slot.name, other.view, name)
                # turns since, negative: NOTHING, for no such slot, is the longest ago
                best[by_system] = [like, *pair, float(since - self.now)]
        return [
            float(len(used)),
            float(same),
            *best[False],
            *best[True],
            *referred * self._canonical,
        ]

    def _slot(self, slot: SlotView, place: int, candidates: Sequence[ValueCandidate]) -> Row:
        scores, view, record = self.turn_scores, self.view, self.held
        goal, part = view.service.intent(record.intent), [NOTHING, NOTHING]
        if goal is not None:
            role = 2.0 * (slot.name in goal.required) + (slot.name in goal.optional)
            part = [role, float(goal.transactional)]
        return [
            float(KINDS.index(slot.kind)) if slot.kind in KINDS else -1.0,
            float(view.kinds[slot.kind] > 1),
            scores.user_slot.scores[place],
            scores.user_slot.margins[place],
            *[each[place] for each in scores.user_accept] * self._canonical,
            scores.dontcare.scores[place],
            scores.system_request.scores[place],
            scores.system_request.margins[place],
            scores.user_request.scores[place],
            *self._by_vectors[place],
            *(part[place] for shares in self._told for part in shares),
            float(slot.name in record.values),
            float(self.now - record.filled.get(slot.name, -40)),
            *view.roles[slot.name],
            *part,
            float(sum(1 for each in candidates if each.kind == slot.kind)),
        ]

    def intents(self) -> list[Row]:
        """Return the features of each intent, then those of no intent."""
        turn_scores, record, view = self.turn_scores, self.held, self.view
        before = record.turn_scores[:-1]
        offered = {v for act in self._acts if act.act == "OFFER_INTENT" for v in act.values}
        rows, odds = [], turn_scores.by_vectors
        by_vectors = with_margins([odds["user_intent"], odds["system_intent"]])
        for n, intent in enumerate((*view.service.intents, None)):
            if intent is None:
                own = [NOTHING] * 12
            else:
                filled = sum(name in record.values for name in intent.required)
                own = [
                    turn_scores.user_intent.scores[n],
                    turn_scores.user_intent.margins[n],
                    turn_scores.system_intent.scores[n],
                    turn_scores.system_intent.margins[n],
                    *by_vectors[n],
                    float(intent.name in offered) if self._acts_known else NOTHING,
                    float(intent.transactional),
                    float(len(intent.required) - filled),
                    float(max((h.user_intent.scores[n] for h in before), default=NOTHING)),
                ]
            now = intent.name if intent else "NONE"
            rows.append(
                [
                    *own,
                    float(intent is None),
                    float(now == record.intent),
                    float(record.intent == "NONE"),
                    float(max(turn_scores.user_intent.scores, default=NOTHING)),
                    float(max(turn_scores.system_intent.scores, default=NOTHING)),
                    *self.shared,
                ]
            )
        return rows

    def requests(self) -> list[Row]:
        """Return the features of each slot, to classify whether the user requests it."""
        turn_scores, record, view = self.turn_scores, self.held, self.view
        return [
            [
                turn_scores.user_request.scores[n],
                turn_scores.user_request.margins[n],
                turn_scores.user_slot.scores[n],
                *self._by_vectors[n],
                self._told[0].scores[n],
                self._told[0].margins[n],
                float(slot.name in record.values),
                float(n < len(view.inputs)),
                float(any(slot.name in i.results for i in view.service.intents)),
                float(KINDS.index(slot.kind)) if slot.kind in KINDS else -1.0,
                *self.shared,
            ]
            for n, slot in enumerate(view.slots)
        ]

    def _share(self, stems: Sequence[str], roots: Set[str]) -> float:
        """Return the idf-weighted share (0 to 1) of a description's words that occurred."""
        if not stems:
            return 0.0
        total = sum(self._idf.get(stem, 5.0) for stem in stems)
        return sum(self._idf.get(stem, 5.0) for stem in stems if stem in roots) / (total or 1.0)

    def _shares(self, roots: Set[str]) -> Ranked:
        shares = [self._share(slot.stems, roots) for slot in self.view.slots]
        return Ranked.of(np.array(shares, np.float32), len(self.view.inputs))

    def _alike(self, one: Sequence[str], other: Sequence[str]) -> float:
        shared = sum(self._idf.get(stem, 5.0) ** 2 for stem in one if stem in other)
        norms = (
            sum(self._idf.get(s, 5.0) ** 2 for s in one),
            sum(self._idf.get(s, 5.0) ** 2 for s in other),
        )
        return shared / (sqrt(norms[0] * norms[1]) or 1.0)


def _rest(scores: Any, place: int) -> float:
    return max((float(s) for n, s in enumerate(scores) if n != place), default=WORST)
