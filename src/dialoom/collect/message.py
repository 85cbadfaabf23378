"""The base of clients' messages, and the messages outside of units of work.

Each message is carried out in one transaction. Messages within a unit belong to its kind of work
(`kinds/*/messages.py`); `kinds/decoding.py` reads all of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta

from dialoom.dialogue.annotation import Struct

LONGEST_TEXT = 2000
"""The most characters of an utterance, a reason or a comment."""


class MessageBody(Struct, frozen=True):
    """Base of the bodies of messages; a subclass's tag is the message's `type`."""


# --- outside of units of work ---------------------------------------------------------------------


class Consent(MessageBody, frozen=True, tag="consent"):
    """Agree to take part."""


class QuizHint(MessageBody, frozen=True, tag="hint"):
    """Ask for the hint to a question of the quiz; hints are counted."""

    question: str


class QuizAnswer(MessageBody, frozen=True, tag="answer"):
    """Answer a question of the quiz, with a list of options where several are right."""

    question: str
    option: str | tuple[str, ...]


class Ready(MessageBody, frozen=True, tag="ready"):
    """Wait for a partner; `role` is the preferred role, for those who may choose."""

    role: Literal["user", "wizard"] | None = None


class Attend(MessageBody, frozen=True, tag="attention"):
    """Report characters pasted, or the seconds that the page was left; for `attention` alone."""

    pasted: Annotated[int, Meta(ge=0, le=100_000)] = 0
    away: Annotated[float, Meta(ge=0, le=86_400)] | None = None


class Leave(MessageBody, frozen=True, tag="leave"):
    """Leave the waiting room (the wait is paid) or a dialogue, for good."""


class Questionnaire(MessageBody, frozen=True, tag="questionnaire"):
    """Fill in the end questionnaire; the rating, 1 to 5, is for dialogues that ask for it."""

    answers: Mapping[str, bool | int | str]
    rating: int | None = None
    comment: str | None = None


AnyKindMessage = Attend | Consent | QuizHint | QuizAnswer | Ready | Leave | Questionnaire
"""Every message outside of units of work, and those of units of several kinds."""


class Envelope(Struct, frozen=True):
    """A message with the client's id for it, and the last `seq` that it had seen (`base`)."""

    client: str
    base: int
    message: MessageBody


class Refused(Exception):  # noqa: N818 -- an answer to a client, not a fault of ours
    """A message cannot be carried out.

    Attributes:
        code: One of the codes of docs/reference/wire-protocol.md, for programs.
        what: One line for people.
        detail: Further fields for the page, such as the expected actions of the flow guard.
    """

    def __init__(self, code: str, what: str, **detail: Any) -> None:
        super().__init__(what)
        self.code, self.what, self.detail = code, what, detail


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
"""Unicode categories of characters that are invisible by themselves."""

_BLANK = frozenset(
    map(chr, (0x115F, 0x1160, 0x2065, 0x2800, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9)))
)
"""Invisible characters of other categories: Hangul fillers, the empty Braille pattern, unassigned
ones that are to be ignored (Unicode's Default_Ignorable_Code_Point)."""

_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that are removed from texts: controls but the line feed, and lone surrogates."""


def visible(text: str) -> bool:
    """True if a text has a visible character."""
    return any(unicodedata.category(c) not in _UNSEEN and c not in _BLANK for c in text)


def cleaned(text: str) -> str:
    """Return a text, stripped and without control characters; `Refused` if empty or too long."""
    plain = _CONTROL.sub(" ", text).strip()
    if not visible(plain):
        raise Refused("malformed", "there is no text")
    return within(plain)


def within(text: str) -> str:
    """Return a text; `Refused` (`too_long`) for over `LONGEST_TEXT` characters."""
    length = len(text)
    if length > LONGEST_TEXT:
        what = f"a text has at most {LONGEST_TEXT:,} characters; this one has {length:,}"
        raise Refused("too_long", what, length=length, most=LONGEST_TEXT)
    return text
