"""The bodies that end a talk with a bot, and people's ratings of such a talk.

After a `ChatFailed` nothing more is said.
"""

from __future__ import annotations

from typing import Any

from dialoom.dialogue.annotation import Struct


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


ChatFact = ChatJudged | ChatFailed


class ChatRated(Struct, frozen=True, kw_only=True):
    """A person's rating of the dialogue from 1 to 5, and whether they reached their goal."""

    rating: int | None = None
    reached: bool | None = None
    comment: str | None = None
