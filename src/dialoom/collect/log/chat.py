"""The bodies of a served agent's log besides the events of its chats (`dialoom serve`).

Each chat has its own stream, which begins with `ChatBegan` and ends with `ChatJudged`. Ratings may
come at any time, also afterwards; the last one counts. After a `ChatFailed` nothing more is said.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue.annotation import Struct

CHATS = "chats"
"""The name of the stream that has the server's settings."""

CHAT = "chat/"
"""Prefix of the name of a chat's stream; the chat's id follows."""


class ChatServed(Struct, frozen=True, tag="chat served"):
    """The server was set up with settings (serve/chat/settings.py as JSON values)."""

    settings: dict[str, Any]


class ChatBegan(Struct, frozen=True, tag="chat began", kw_only=True):
    """A person began a chat with the agent about a task; `goal` is the number of their goal."""

    task: str
    goal: int


class TurnRated(Struct, frozen=True, tag="turn rated", kw_only=True):
    """The person rated the agent's utterance at an event as good or bad; None withdraws that."""

    event: int
    good: bool | None


class ChatRated(Struct, frozen=True, tag="chat rated", kw_only=True):
    """A person rated the dialogue from 1 to 5, and said whether they reached their goal."""

    rating: int | None = None
    reached: bool | None = None
    comment: str | None = None


class ChatJudged(Struct, frozen=True, tag="chat judged", kw_only=True):
    """The chat ended, and its goal was compared with the final state of the database.

    Attributes:
        outcome: `reached` or `missed`; None where no goal was given.
        scenario: The person's scenario (`Dialogue.scenario`).
        verdict: The result of the comparison (`Dialogue.extra["play"]`).
    """

    outcome: str | None
    scenario: dict[str, Any]
    verdict: dict[str, Any]


class ChatFailed(Struct, frozen=True, tag="chat failed"):
    """The agent failed to answer, which ends the chat without a result; `what` is the reason.

    It ended, could not be reached, answered with an error or too late or not in its format, or said
    nothing. No figure of the agent counts such a chat.
    """

    what: str


ChatFact = ChatServed | ChatBegan | TurnRated | ChatRated | ChatJudged | ChatFailed
