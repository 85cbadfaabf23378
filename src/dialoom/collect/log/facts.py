"""The bodies of records about sessions, quizzes, sounds, times of service, and talks with bots."""

from __future__ import annotations

from typing import Any

from dialoom.dialogue.annotation import Struct


class LoggedOut(Struct, frozen=True, tag="logged out"):
    """An admin logged out: the session with this id is valid no longer, in any browser."""

    session: str


class Hinted(Struct, frozen=True, tag="hinted"):
    """A worker asked for the hint to a question of the quiz."""

    question: str


Chosen = str | tuple[str, ...]
"""The option of a quiz that is chosen; all of them, in order, where several are right."""


class Tried(Struct, frozen=True, tag="tried"):
    """A worker answered a question of the quiz with an option; `right` is whether it is correct."""

    question: str
    option: Chosen
    right: bool


QuizFact = Hinted | Tried


class Recorded(Struct, frozen=True, tag="recorded", kw_only=True):
    """A sound was received: its SHA-256 in hexadecimal, media type and size in bytes."""

    sound: str
    media: str
    size: int


class Drafted(Struct, frozen=True, tag="drafted", kw_only=True):
    """A speech recogniser's draft of a sound's text; empty where it recognised nothing."""

    sound: str
    text: str


SoundFact = Recorded | Drafted

OUTAGE = 5_000
"""Milliseconds without a tick, one of which comes each second, after which the server counts as
absent."""

BEAT = 20_000
"""Milliseconds without a record after which the server writes `Served`, so that a crash costs no
more of anybody's time; and without a connection after which a person's absence is recorded."""

Period = tuple[int, int]
"""The start and the end of an absence (ms since 1970)."""


class Served(Struct, frozen=True, tag="served"):
    """The server runs; `absent` are its absences since the record before.

    It is written at least every `BEAT` while somebody is connected, and after an absence.

    In these it was stopped, asleep, without its database, or its clock jumped.
    """

    absent: tuple[Period, ...] = ()


class Away(Struct, frozen=True, tag="away"):
    """A person has had no connection `since` a time (ms since 1970); None: they are back."""

    since: int | None


ServedFact = Served | Away


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
