"""The messages of the two people in a room."""

from __future__ import annotations

from typing import Any, Literal

from dialoom.collect.message import MessageBody
from dialoom.dialogue.annotation import Struct


class Say(MessageBody, frozen=True, tag="say"):
    """Say something; the wizard's is a custom reply. `reason` where the flow guard asks for it."""

    text: str
    reason: str | None = None


class Speak(MessageBody, frozen=True, tag="speak"):
    """The user of a spoken dialogue says what they recorded: a sound that has come in."""

    sound: str
    seconds: float


class Accomplish(MessageBody, frozen=True, tag="accomplish"):
    """The user has accomplished the task."""


class SwitchTask(MessageBody, frozen=True, tag="turn"):
    """The wizard switches to another of their tasks."""

    task: str


class FormCondition(Struct, frozen=True):
    """One field of the query form: `operator` as dialogue/constraint.py names it."""

    name: str
    operator: str
    value: Any


class Ask(MessageBody, frozen=True, tag="ask"):
    """The wizard asks the knowledge base."""

    api: str
    conditions: tuple[FormCondition, ...] = ()


class Choose(MessageBody, frozen=True, tag="choose"):
    """The wizard puts an item of the list before them, by its index; None takes it away."""

    kind: Literal["primary", "secondary"]
    item: int | None = None


class Suggest(MessageBody, frozen=True, tag="suggest"):
    """The wizard wants suggestions for a typed text."""

    text: str


class Pick(MessageBody, frozen=True, tag="pick"):
    """The wizard takes one of the suggestions shown last."""

    action: str
    reason: str | None = None


RoomMessage = Say | Speak | Accomplish | SwitchTask | Ask | Choose | Suggest | Pick
"""Every message of a room."""
