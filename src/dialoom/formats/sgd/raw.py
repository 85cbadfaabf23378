"""SGD's published JSON as typed records, with fields in the alphabetical order of its files.

The records have only the layout; reading.py converts them to events, writing.py back. Objects that
they refuse are read by lenient.py, as loose records with the same attributes. Lists of actions and
slots stay text, since most of them come again (`benchmarks/formats.py`).
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from dialoom.dialogue.annotation import Value

Offset = Annotated[int, Meta(ge=-(2**53), le=2**53)]
"""An index into a text; other values are kept in `extra` by lenient.py."""

Texts = tuple[str, ...]


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Base class of records without cycles; only loose ones have other keys in `extra`."""

    extra: ClassVar[dict[str, Any]] = {}


class Action(Record, frozen=True):
    """A dialogue act with at most one slot."""

    act: str
    canonical_values: Texts
    slot: str
    values: Texts


class Slot(Record, frozen=True):
    """The span of a slot's value in the utterance; in MultiWOZ 2.2 with the value."""

    value: ClassVar[Value] = None
    exclusive_end: Offset
    slot: str
    start: Offset


class State(Record, frozen=True):
    """A service's state after a user turn."""

    active_intent: str
    requested_slots: Texts
    slot_values: dict[str, Texts]


class Call(Record, frozen=True):
    """A call of a service by the system."""

    method: str
    parameters: dict[str, str]


class Frame(Record, frozen=True, kw_only=True):
    """One service's annotation in a turn; `actions` and `slots` are JSON, not yet decoded."""

    actions: msgspec.Raw
    service: str
    service_call: Call | UnsetType = UNSET
    service_results: tuple[dict[str, Value], ...] | UnsetType = UNSET
    slots: msgspec.Raw
    state: State | UnsetType = UNSET


ACTIONS = msgspec.json.Decoder(tuple[Action, ...])
SLOTS = msgspec.json.Decoder(tuple[Slot, ...])
"""Decoders of the lists of a frame."""


class Turn(Record, frozen=True):
    """One utterance."""

    frames: tuple[Frame, ...]
    speaker: str
    utterance: str


class Dialogue(Record, frozen=True):
    """A dialogue; a file is a list of them."""

    dialogue_id: str
    services: Texts
    turns: list[Turn]
