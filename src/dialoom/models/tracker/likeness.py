"""How alike an encoder takes what was said and what a service's schema says to be.

Columns for trees beside those of words: of a slot, an intent and a listed value, how alike its
description is to what the user says and to what the system said before; of another value, how
alike it is to the slot's description. Each has its margin over the best of the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dialoom.models.encoder import Encoder
from dialoom.models.tracker.pairs import NOTHING, Ranked
from dialoom.models.tracker.service import ServiceView, SlotView
from dialoom.models.tracker.turns import TrackedTurn

Row = list[float]


class Likeness:
    """Compares one turn with a service.

    Args:
        encoder: Tells how alike texts are.
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
        """Return the columns of a slot."""
        return _columns(self._slots, place)

    def of_intent(self, place: int) -> Row:
        """Return the columns of an intent."""
        return _columns(self._intents, place)

    def of_value(self, slot: SlotView, value: str, choice: int) -> Row:
        """Return the columns of a value of a slot; `choice` is its place among listed ones."""
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
    return [number for each in ranked for number in (each.scores[place], each.margins[place])]
