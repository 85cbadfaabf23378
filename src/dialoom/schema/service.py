"""A service's contract, as SGD publishes it: its slots, and the intents that need and return them.

Service(description="Find a table", slots=(ServiceSlot(name="city"), ServiceSlot(name="time")),
        intents=(ServiceIntent(name="BookTable", transactional=True, required=("city",),
                               optional={"time": "19:00"}, results=("city", "time")),))

Where the flow of a task says how its dialogues go, a service says only what they are about.
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
"""The value of a slot that the user has no wish about, and the default of most optional slots."""

INTENT, COUNT = "intent", "count"
"""The slots of acts that stand for no slot of the service: what an intent act names, and how many
results INFORM_COUNT tells of."""


class ServiceSlot(Struct, frozen=True, kw_only=True):
    """One slot of a service; a categorical one takes one of its possible values."""

    name: str
    description: str | None = None
    categorical: bool = False
    possible_values: tuple[Value, ...] = ()
    extra: dict[str, Any] = {}


class ServiceIntent(Struct, frozen=True, kw_only=True):
    """Something a user may want of a service.

    Attributes:
        name: Its name, which is that of the call as well.
        description: What it is for.
        transactional: Whether its call changes something, and so is confirmed first.
        required: The slots it cannot be called without.
        optional: The slots it may be called with, and the value each has when left out.
        results: The slots its call returns.
        extra: What the source has besides.
    """

    name: str
    description: str | None = None
    transactional: bool = False
    required: tuple[str, ...] = ()
    optional: dict[str, Value] = {}
    results: tuple[str, ...] = ()
    extra: dict[str, Any] = {}


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
