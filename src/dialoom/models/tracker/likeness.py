"""Similarities of utterances and a service's descriptions by a text encoder, as features.

Slots, intents and listed values are compared with the user's utterance and the system's before it,
values that are not listed with the descriptions of slots. Each similarity (0 to 1) comes with its
margin over the best of the other slots, intents or values.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dialoom.learn.text import Encoder
from dialoom.models.tracker.pairs import NOTHING, Ranked
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import TrackedTurn

Row = list[float]


class Likeness:
    """Similarities between a turn and a service, as features.

    Args:
        encoder: The fitted text encoder.
        view: The service.
        turn: The turn.
    """

    def __init__(self, encoder: Encoder, view: ServiceView, turn: TrackedTurn) -> None:
        self._encoder, self._view = encoder, view
        self._values: dict[str, Ranked] = {}
        said = [turn.user.text, turn.system.text]
        slots, intents = len(view.slots), len(view.intents)
        table = encoder.similarity(said, view.texts)
        told = np.asarray(table, np.float32)
        self._slots = [Ranked.of(row[:slots], len(view.inputs)) for row in told]
        self._intents = [Ranked.of(row[slots : slots + intents]) for row in told]
        self._choices = [row[slots + intents :] for row in told]

    def of_slot(self, place: int) -> Row:
        """Return similarity and margin of a slot, to the user's and to the system's utterance.

        Args:
            place: The slot's index in `ServiceView.slots`.
        """
        return _columns(self._slots, place)

    def of_intent(self, place: int) -> Row:
        """Return similarity and margin of an intent, to the user's and to the system's utterance.

        Args:
            place: The intent's index in `ServiceView.intents`.
        """
        return _columns(self._intents, place)

    def of_value(self, slot: SlotView, value: str, choice: int) -> Row:
        """Return four features of a slot's value.

        They are similarity and margin of a listed value to the user's and to the system's
        utterance; of another value those to the slot, and `NOTHING` twice.

        Args:
            slot: The slot.
            value: The value.
            choice: The value's index in `ServiceView.choices`; -1 where it is not listed.
        """
        if choice < 0:
            found = self._values.get(value)
            if found is None:
                table = self._encoder.similarity([value], self._view.slot_texts)
                likeness = np.asarray(table[0], np.float32)
                found = self._values[value] = Ranked.of(likeness, len(self._view.inputs))
            return [*_columns([found], self._view.place[slot.name]), NOTHING, NOTHING]
        first = self._view.of_choice[slot.name, slot.values[0]]
        beside: list[Any] = [row[first : first + len(slot.values)] for row in self._choices]
        return _columns([Ranked.of(row) for row in beside], choice - first)


def _columns(ranked: list[Ranked], place: int) -> Row:
    """Return score and margin of one place in each ranking."""
    return [number for each in ranked for number in (each.scores[place], each.margins[place])]
