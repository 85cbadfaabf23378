"""What may be told of an utterance: its acts, their slots and values, and what tells of each.

The scores are the state tracker's, over pairs of words of the talk and of a schema, so that they
are there for services that were never seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from dialoom.dialogue import SYSTEM, Event, Result, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.event import Item
from dialoom.models.policy.service_log import at_hand
from dialoom.models.tracker.context_words import question, span_context, utterance_context
from dialoom.models.tracker.pairs import WORST
from dialoom.models.tracker.scorers import SYSTEM_ACTS, USER_ACTS, Scorers, act_targets
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import EMPTY, Speech, TrackedTurn
from dialoom.schema.service import ACTS, ANYTHING, INTENT

LEAST = -4.0
"""Acts of an utterance with lower log odds than this are taken to have no slots."""

LONGEST = 12
"""How many results of a call, at most, have their values looked for in what the system says."""

Floats = npt.NDArray[np.float32]


class Side(NamedTuple):
    """What either side may do, and the scores that tell of it.

    Attributes:
        names: Its acts.
        act: The score of acts.
        span: The score of values that stand in the text.
        value: The score of listed values.
        slots: The scores of slots.
        slotted: The acts that have slots.
        intent: The score of intents.
        intents: The act that names one.
    """

    names: tuple[str, ...]
    act: str
    span: str
    value: str
    slots: tuple[str, str, str]
    slotted: tuple[str, ...]
    intent: str
    intents: str


USERS = Side(
    USER_ACTS,
    "user_act",
    "user_span",
    "user_value",
    ("user_slot", "user_request", "dontcare"),
    ("INFORM", "REQUEST"),
    "user_intent",
    "INFORM_INTENT",
)
SYSTEMS = Side(
    SYSTEM_ACTS,
    "system_act",
    "system_span",
    "system_value",
    ("system_request",) * 3,
    ("REQUEST", "OFFER", "CONFIRM", "INFORM"),
    "system_intent",
    "OFFER_INTENT",
)


class PossibleAct(NamedTuple):
    """An act that an utterance may have, with the slot and the value that it would have."""

    name: str
    slot: str = ""
    values: tuple[Value, ...] = ()


class PossibleActs(NamedTuple):
    """The acts that an utterance may have for one service.

    Attributes:
        place: Which event of the dialogue it is.
        service: The service.
        acts: What it may do.
        rows: What trees read of each: shape (acts, features).
        labels: Whether it does each, as far as that is known.
    """

    place: int
    service: str
    acts: list[PossibleAct]
    rows: Floats
    labels: list[bool]


def possible_acts(
    events: Sequence[Event],
    heard: Sequence[TrackedTurn],
    views: Mapping[str, ServiceView],
    scorers: Scorers,
) -> Iterator[PossibleActs]:
    """Yield what the utterances of a dialogue may do, service by service.

    Args:
        events: The dialogue.
        heard: Its turns.
        views: The services.
        scorers: The scores.
    """
    here = ""
    items: tuple[Item, ...] = ()
    user, end = _Reading(EMPTY, EMPTY, USERS, scorers, None), 0
    for turn in heard:
        between = range(end, turn.position - 1)
        for event in (events[n] for n in between):
            items = event.items[:LONGEST] if isinstance(event, Result) else items
        system = _Reading(turn.system, EMPTY, SYSTEMS, scorers, user)
        for n in between:
            event = events[n]
            if isinstance(event, Utterance) and event.agent == SYSTEM and here in views:
                yield system.about(n, views[here], items)
        user, end = _Reading(turn.user, turn.system, USERS, scorers, system), turn.position
        for name in turn.services:
            if name in views:
                yield user.about(end - 1, views[name], items)
        here = at_hand(here, turn.services)


@dataclass
class _SlotScores:
    """The scores of a service's slots, a row each, and the value that each would have."""

    rows: Floats
    values: list[tuple[Value, ...]]


class _Reading:
    """One utterance, as scores tell of it.

    Args:
        speech: The utterance.
        question: The one before, of which it may answer a question; empty where it is not read.
        side: Whose it is.
        scorers: The scores.
        before: What the other side said last.
    """

    def __init__(
        self,
        speech: Speech,
        asking: Speech,
        side: Side,
        scorers: Scorers,
        before: _Reading | None,
    ) -> None:
        self._speech, self._side, self._scorers, self._before = speech, side, scorers, before
        self._asked = list(question(asking))
        self.said = utterance_context(speech, self._asked)
        self.acts = scorers.score(side.act, act_targets(side.names), self.said)

    def about(self, place: int, view: ServiceView, items: Sequence[Item]) -> PossibleActs:
        """Return what it may do about a service."""
        side = self._side
        slots = self._slots(view, items)
        intents = self._scorers.score(side.intent, view.intent_targets, self.said)
        wide = slots.rows.shape[1]
        acts: list[PossibleAct] = []
        rows: list[Floats] = []
        for n, name in enumerate(side.names):
            own = np.array([ACTS.index(name), self.acts[n]], np.float32)
            if name in side.slotted:
                kept = range(len(view.slots)) if self.acts[n] > LEAST else ()
                acts += [PossibleAct(name, view.slots[k].name, slots.values[k]) for k in kept]
                rows += [np.concatenate((own, slots.rows[k])) for k in kept]
            elif name == side.intents:
                acts += [PossibleAct(name, INTENT, (each,)) for each in view.intents]
                best = float(intents.max(initial=WORST))
                rows += [_padded((*own, each, each - best), wide + 2) for each in intents]
            else:
                acts.append(PossibleAct(name))
                rows.append(_padded(own, wide + 2))
        others = self._before.acts if self._before else np.zeros(0, np.float32)
        shared = _padded((*self.acts, *others), len(USER_ACTS) + len(SYSTEM_ACTS))
        head = (side is USERS, len(items), len(self._speech.words), len(view.slots), *shared)
        told = np.concatenate(
            (np.tile(np.array(head, np.float32), (len(rows), 1)), np.array(rows)), axis=1
        )
        return PossibleActs(place, view.name, acts, told, self._labels(view.name, acts))

    def _labels(self, service: str, acts: Iterable[PossibleAct]) -> list[bool]:
        known = [act for act in self._speech.acts or () if act.service == service]
        slots = {(act.act, act.slot) for act in known} | {(act.act, "") for act in known}
        intents = {(act.act, value) for act in known if act.slot == INTENT for value in act.values}
        return [
            (each.name, each.values[0]) in intents
            if each.slot == INTENT
            else (each.name, each.slot) in slots
            for each in acts
        ]

    def _slots(self, view: ServiceView, items: Sequence[Item]) -> _SlotScores:
        scorers, side, speech = self._scorers, self._side, self._speech
        scores = scorers.scores(side.slots, view.slot_targets, self.said)
        asked = np.full(len(view.slots), WORST, np.float32)
        if self._before is not None:
            score = self._before._side.slots[1]
            asked = scorers.score(score, view.slot_targets, self._before.said)
        spans = np.full((len(view.slots), 1 + len(speech.places)), WORST, np.float32)
        for n, place in enumerate(speech.places, 1):
            context = span_context(speech, place, self._asked)
            spans[:, n] = scorers.score(side.span, view.slot_targets, context)
        listed = scorers.score(side.value, view.choice_targets, self.said)
        low = speech.text.lower()
        rows, values = [], []
        for n, slot in enumerate(view.slots):
            choices = [
                listed[view.of_choice[slot.name, v]] for v in slot.values if slot in view.inputs
            ]
            best = int(spans[n].argmax())
            found = [str(item[slot.name]) for item in items if slot.name in item]
            stands = [value for value in found if value.lower() in low]
            rows.append(
                [
                    *(float(each[n]) for each in scores),
                    *(float(each[n] - each.max()) for each in scores),
                    float(asked[n]),
                    float(asked[n] - asked.max()),
                    float(spans[n, best]),
                    float(spans[n, best] - spans[:, best].max()),
                    float(max(choices, default=WORST)),
                    float(slot.listed),
                    float(slot.kind == "boolean"),
                    float(n < len(view.inputs)),
                    *view.roles[slot.name],
                    float(bool(found)),
                    float(bool(stands)),
                    float(bool(stands) and stands[0] == found[0]),
                    float(len(set(found))),
                ]
            )
            values.append(_value(slot, stands, choices, speech, best))
        return _SlotScores(np.array(rows, np.float32), values)


def _value(
    slot: SlotView, stands: Sequence[str], choices: Sequence[Any], speech: Speech, best: int
) -> tuple[Value, ...]:
    """Return the likeliest value: one that was found, a listed one, or one in the text."""
    if stands:
        return (stands[0],)
    if choices:
        return (slot.values[int(np.argmax(choices))],)
    return (speech.says(speech.places[best - 1]) if best else ANYTHING,)


def _padded(numbers: Iterable[Any], size: int) -> Floats:
    found = np.zeros(size, np.float32)
    given = np.array(list(numbers), np.float32)
    found[: len(given)] = given
    return found
