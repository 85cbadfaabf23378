"""Possible acts of an utterance with slots and values, and the features of each.

The features are scores of the state tracker's linear models, over pairs of a word of the dialogue
and a word of the schema, so that they exist for services that training does not have.
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
from dialoom.models.policy.service_log import current_service
from dialoom.models.tracker.context_words import question, span_context, utterance_context
from dialoom.models.tracker.pairs import WORST
from dialoom.models.tracker.scorers import SYSTEM_ACTS, USER_ACTS, Scorers, act_targets
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import EMPTY, Speech, TrackedTurn
from dialoom.schema.service import ACTS, ANYTHING, INTENT

LEAST = -4.0
"""Least log odds of an act for its slots to be considered."""

MOST_ITEMS = 12
"""Most items of a result whose values are looked for in the system's utterance."""

Floats = npt.NDArray[np.float32]


class Side(NamedTuple):
    """The acts of user or system, and the names of the scorers for them.

    Attributes:
        names: Its acts.
        act: The scorer of acts.
        span: The scorer of values that stand in the text.
        value: The scorer of listed values.
        slots: The scorers of slots; the second one is of slots asked for.
        slotted: The acts that have slots.
        intent: The scorer of intents.
        intents: The act that names an intent.
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
    """An act that an utterance may have, with its slot, empty for none, and its likeliest value."""

    name: str
    slot: str = ""
    values: tuple[Value, ...] = ()


class PossibleActs(NamedTuple):
    """The acts that an utterance may have for one service.

    Attributes:
        place: The index of the utterance among the dialogue's events.
        service: The service.
        acts: The possible acts.
        rows: Their features: shape (acts, features).
        labels: Whether each is annotated; all false where nothing is.
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
    """Yield the possible acts of a dialogue's utterances, service by service.

    Args:
        events: The dialogue's events.
        heard: Its turns.
        views: Service to its schema as the scorers take it.
        scorers: The fitted scorers.
    """
    here = ""
    items: tuple[Item, ...] = ()
    user, end = _Reading(EMPTY, EMPTY, USERS, scorers, None), 0
    for turn in heard:
        between = range(end, turn.position - 1)
        for event in (events[n] for n in between):
            items = event.items[:MOST_ITEMS] if isinstance(event, Result) else items
        system = _Reading(turn.system, EMPTY, SYSTEMS, scorers, user)
        for n in between:
            event = events[n]
            if isinstance(event, Utterance) and event.agent == SYSTEM and here in views:
                yield system.about(n, views[here], items)
        user, end = _Reading(turn.user, turn.system, USERS, scorers, system), turn.position
        for name in turn.services:
            if name in views:
                yield user.about(end - 1, views[name], items)
        here = current_service(here, turn.services)


@dataclass
class _SlotScores:
    """Features of a service's slots in an utterance, and the likeliest value of each.

    Attributes:
        rows: The features: shape (slots, features).
        values: The value of each slot.
    """

    rows: Floats
    values: list[tuple[Value, ...]]


class _Reading:
    """One utterance with its scores.

    Args:
        speech: The utterance.
        asking: The utterance before it, whose question it may answer; empty to ignore that.
        side: The side that says it.
        scorers: The fitted scorers.
        before: The last utterance of the other side; None for none.
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
        """Return the possible acts of the utterance for a service.

        Args:
            place: The index of the utterance among the dialogue's events.
            view: The service.
            items: The items of the last result.
        """
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
        table = np.concatenate(
            (np.tile(np.array(head, np.float32), (len(rows), 1)), np.array(rows)), axis=1
        )
        return PossibleActs(place, view.name, acts, table, self._labels(view.name, acts))

    def _labels(self, service: str, acts: Iterable[PossibleAct]) -> list[bool]:
        """Return whether each possible act is annotated; of an act with slots, any value counts."""
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
        """Return the features and the likeliest value of each slot of a service."""
        scorers, side, speech = self._scorers, self._side, self._speech
        scores = scorers.scores(side.slots, view.slot_targets, self.said)
        asked, spans = self._asked_scores(view), self._span_scores(view)
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

    def _asked_scores(self, view: ServiceView) -> Floats:
        """Return the log odds that the utterance before asked for each slot: shape (slots,)."""
        if self._before is None:
            return np.full(len(view.slots), WORST, np.float32)
        score = self._before._side.slots[1]
        return self._scorers.score(score, view.slot_targets, self._before.said)

    def _span_scores(self, view: ServiceView) -> Floats:
        """Return the log odds of each span for each slot: shape (slots, 1 + spans).

        The first column stands for no span.
        """
        speech = self._speech
        spans = np.full((len(view.slots), 1 + len(speech.places)), WORST, np.float32)
        for n, place in enumerate(speech.places, 1):
            context = span_context(speech, place, self._asked)
            spans[:, n] = self._scorers.score(self._side.span, view.slot_targets, context)
        return spans


def _value(
    slot: SlotView, stands: Sequence[str], choices: Sequence[Any], speech: Speech, best: int
) -> tuple[Value, ...]:
    """Return the likeliest value of a slot.

    Args:
        slot: The slot.
        stands: Values of the last result's items that stand in the text.
        choices: The log odds of the slot's listed values; empty where it lists none.
        speech: The utterance.
        best: The column of the best span, 0 for none.
    """
    if stands:
        return (stands[0],)
    if choices:
        return (slot.values[int(np.argmax(choices))],)
    return (speech.says(speech.places[best - 1]) if best else ANYTHING,)


def _padded(numbers: Iterable[Any], size: int) -> Floats:
    """Return numbers as a vector of a given length, with zeros at the end."""
    found = np.zeros(size, np.float32)
    given = np.array(list(numbers), np.float32)
    found[: len(given)] = given
    return found
