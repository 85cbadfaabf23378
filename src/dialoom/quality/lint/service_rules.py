"""What a service's schema allows: its slots with their values, its intents, its calls (SGD)."""

from __future__ import annotations

from typing import NamedTuple

from dialoom.dialogue.annotation import Value
from dialoom.schema.service import Service

INDIFFERENT = "dontcare"
"""The value of a slot that the user has no wish about (SGD)."""

INTENT, COUNT = "intent", "count"
"""What SGD's acts name besides slots: an intent, and how many results there are."""


class CallInputs(NamedTuple):
    """What a call takes.

    Attributes:
        required: The slots it must have.
        inputs: The slots it may have, the required ones among them.
    """

    required: tuple[str, ...]
    inputs: frozenset[str]


class ServiceRules:
    """The slots, intents and calls of one service.

    Attributes:
        slots: Slot to the values it may have: the possible ones of a categorical slot, None where
            the slot holds anything.
        calls: The inputs of the calls by name, which is that of their intent.
        required: Slots that one of the intents needs, in order.
    """

    def __init__(self, service: Service) -> None:
        self.slots: dict[str, frozenset[Value] | None] = {
            slot.name: frozenset(slot.possible_values) if slot.categorical else None
            for slot in service.slots
        }
        self.calls = {
            intent.name: CallInputs(
                intent.required, frozenset((*intent.required, *intent.optional))
            )
            for intent in service.intents
        }
        needed = (slot for intent in service.intents for slot in intent.required)
        self.required = tuple(dict.fromkeys(needed))

    def categorical(self, slot: str) -> bool:
        """Tell whether a slot has a list of possible values."""
        return self.slots.get(slot) is not None
