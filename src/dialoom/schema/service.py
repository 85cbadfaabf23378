"""A service's contract, as SGD publishes it: its slots, and the intents that need and return them.

Service(description="Find a table", slots=(ServiceSlot(name="city"), ServiceSlot(name="time")),
        intents=(ServiceIntent(name="BookTable", transactional=True, required=("city",),
                               optional={"time": "19:00"}, results=("city", "time")),))

A task with a flow defines the course of its dialogues; a service has slots and intents alone.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue.annotation import Struct, Value

ACTS = (
    "AFFIRM",
    "AFFIRM_INTENT",
    "CONFIRM",
    "GOODBYE",
    "INFORM",
    "INFORM_COUNT",
    "INFORM_INTENT",
    "NEGATE",
    "NEGATE_INTENT",
    "NOTIFY_FAILURE",
    "NOTIFY_SUCCESS",
    "OFFER",
    "OFFER_INTENT",
    "REQUEST",
    "REQUEST_ALTS",
    "REQ_MORE",
    "SELECT",
    "THANK_YOU",
)
"""SGD's eighteen acts (Rastogi et al. 2020) in the order of the alphabet: the integers of the GEM
version are places in this list (its data card)."""

ANYTHING = "dontcare"
"""The value of a slot without a preference, and the default of most optional slots."""

NO_INTENT = "NONE"
"""The active intent of a service that has none."""

INTENT, COUNT = "intent", "count"
"""Argument names of acts that are no slots of the service: the intent of INFORM_INTENT and
OFFER_INTENT, the number of results of INFORM_COUNT."""


QUESTION = "question"
"""The key in a slot's `extra` of the question with which the system asks for it, where the source
has one (Rasa's responses)."""


class ServiceSlot(Struct, frozen=True, kw_only=True):
    """One slot of a service; a categorical one takes one of its possible values."""

    name: str
    description: str | None = None
    categorical: bool = False
    possible_values: tuple[Value, ...] = ()
    extra: dict[str, Any] = {}


class ServiceIntent(Struct, frozen=True, kw_only=True):
    """An intent of a service; transactional calls write, and so are confirmed first."""

    name: str
    description: str | None = None
    transactional: bool = False
    required: tuple[str, ...] = ()
    optional: dict[str, Value] = {}
    results: tuple[str, ...] = ()
    extra: dict[str, Any] = {}

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs of its call, the required ones first, each once."""
        return tuple(dict.fromkeys((*self.required, *self.optional)))


class Service(Struct, frozen=True, kw_only=True, tag="service"):
    """The slots and intents of one service."""

    description: str | None = None
    slots: tuple[ServiceSlot, ...] = ()
    intents: tuple[ServiceIntent, ...] = ()
    extra: dict[str, Any] = {}

    def slot(self, name: str) -> ServiceSlot | None:
        """Return the slot called `name`, if the service has it."""
        return next((slot for slot in self.slots if slot.name == name), None)

    def intent(self, name: str) -> ServiceIntent | None:
        """Return the intent called `name`, if the service has it."""
        return next((intent for intent in self.intents if intent.name == name), None)
