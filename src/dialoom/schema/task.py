"""A task as a value: what its replies, slots, APIs and flow graph are."""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class Task(Struct, frozen=True, kw_only=True):
    """One task's schema."""

    id: str
