"""The messages that the two people in a room send."""

from __future__ import annotations

from typing import Any, Literal

from dialoom.collect.message import MessageBody
from dialoom.dialogue.annotation import Struct


class Say(MessageBody, frozen=True, tag="say"):
    """Say something in writing; `reason` is for a wizard's reply off the flow chart."""

    text: str
    reason: str | None = None


class Speak(MessageBody, frozen=True, tag="speak"):
    """Say a recording that the server has, by its digest, and its length in seconds."""

    sound: str
    seconds: float


class Accomplish(MessageBody, frozen=True, tag="accomplish"):
    """The user says that the task is accomplished, which ends the dialogue."""


class SwitchTask(MessageBody, frozen=True, tag="turn"):
    """The wizard switches to another of their tasks."""

    task: str


class FormCondition(Struct, frozen=True):
    """One filled-in field of the query form; `operator` is one of dialogue/constraint.py."""

    name: str
    operator: str
    value: Any


class Ask(MessageBody, frozen=True, tag="ask"):
    """The wizard queries the knowledge base."""

    api: str
    conditions: tuple[FormCondition, ...] = ()


class Choose(MessageBody, frozen=True, tag="choose"):
    """The wizard chooses an item of their list by its index, or none, as primary or secondary.

    Suggested replies are filled with the values of the primary item.
    """

    kind: Literal["primary", "secondary"]
    item: int | None = None


class Suggest(MessageBody, frozen=True, tag="suggest"):
    """The wizard asks for suggested replies that are similar to a typed text."""

    text: str


class Pick(MessageBody, frozen=True, tag="pick"):
    """The wizard replies with one of the suggestions shown last; `reason` as in `Say`."""

    action: str
    reason: str | None = None


RoomMessage = Say | Speak | Accomplish | SwitchTask | Ask | Choose | Suggest | Pick
"""Every message of a room."""
