"""The messages that clients send; each is carried out in one transaction.

    {"client_msg_id": "c-19", "base_seq": 12, "type": "say", "body": {"text": "Hi"}}

`decode` gives an `Envelope`; docs/wire-protocol.md tells the whole protocol.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any, Literal

import msgspec

from dialoom.dialogue.annotation import Struct

LONGEST_TEXT = 2000
"""Characters of an utterance, a reason or a comment."""

Text = str


class MessageBody(Struct, frozen=True):
    """Base of the bodies of messages; a subclass's tag is the message's `type`."""


# --- before and after the dialogue ----------------------------------------------------------------


class Consent(MessageBody, frozen=True, tag="consent"):
    """Agree to take part."""


class QuizHint(MessageBody, frozen=True, tag="hint"):
    """Ask for the hint to a question of the quiz; hints are counted."""

    question: str


class QuizAnswer(MessageBody, frozen=True, tag="answer"):
    """Answer a question of the quiz."""

    question: str
    option: str


class Ready(MessageBody, frozen=True, tag="ready"):
    """Wait for a partner; `role` is the one they prefer where they may choose."""

    role: Literal["user", "wizard"] | None = None


class Leave(MessageBody, frozen=True, tag="leave"):
    """Leave the waiting room, with pay for the wait, or a dialogue, for good."""


class Questionnaire(MessageBody, frozen=True, tag="questionnaire"):
    """Fill in the end questionnaire: question id to yes or no."""

    answers: dict[str, bool]
    rating: int | None = None
    comment: str | None = None


# --- in a room ------------------------------------------------------------------------------------


class Say(MessageBody, frozen=True, tag="say"):
    """Say something; the wizard's is a custom reply. `reason` where the flow guard asks for it."""

    text: str
    reason: str | None = None


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


ClientMessage = (
    Consent
    | QuizHint
    | QuizAnswer
    | Ready
    | Leave
    | Questionnaire
    | Say
    | Accomplish
    | SwitchTask
    | Ask
    | Choose
    | Suggest
    | Pick
)
"""Every intention a participant may send."""


class Envelope(Struct, frozen=True):
    """A message as a client sent it, with its number.

    Attributes:
        client: The client's id of the message: sent again, it is the same message.
        base: The last `seq` the client had seen.
        message: What it wants.
    """

    client: str
    base: int
    message: ClientMessage


class Refused(Exception):  # noqa: N818 -- an answer to a client, not a fault of ours
    """A message cannot be carried out.

    Attributes:
        code: One of the codes of docs/wire-protocol.md, for programs.
        what: One line for people.
        detail: More for the page: the expected actions of the flow guard.
    """

    def __init__(self, code: str, what: str, **detail: Any) -> None:
        super().__init__(what)
        self.code, self.what, self.detail = code, what, detail


class _EnvelopeFrame(msgspec.Struct, forbid_unknown_fields=True):
    client_msg_id: str
    type: str
    base_seq: int = 0
    body: dict[str, Any] = {}


class _Held(msgspec.Struct):
    """Wraps the union: types of a struct are compiled once, those of a bare union at each use."""

    message: ClientMessage


_ENVELOPE = msgspec.json.Decoder(_EnvelopeFrame)


_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Mn", "Me"})
"""Categories of characters that show nothing by themselves."""

_BLANK = frozenset(
    map(chr, (0x115F, 0x1160, 0x2065, 0x2800, 0x3164, 0xFFA0, *range(0xFFF0, 0xFFF9)))
)
"""Characters of other categories that show nothing either: fillers, and a pattern of no dots."""


_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Characters that no text is made of: controls, and halves of surrogate pairs."""


def visible(text: str) -> bool:
    """Tell whether a text has any visible character."""
    return any(unicodedata.category(c) not in _UNSEEN and c not in _BLANK for c in text)


def cleaned(text: str) -> str:
    """Return a text as it is kept: no control characters, no blanks around.

    Raises:
        Refused: `malformed`: nothing is left that can be seen, or it is too long.
    """
    plain = _CONTROL.sub(" ", text).strip()
    if not visible(plain):
        raise Refused("malformed", "there is no text")
    if len(plain) > LONGEST_TEXT:
        raise Refused("malformed", f"a text has at most {LONGEST_TEXT} characters")
    return plain


def decode(text: str | bytes) -> Envelope:
    """Return the message that a client sent.

    Raises:
        Refused: `malformed`: it is none.
    """
    try:
        envelope = _ENVELOPE.decode(text)
        message = msgspec.convert(
            {"message": {**envelope.body, "type": envelope.type}}, _Held
        ).message
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        what = str(error).replace("$.message.type", "$.type").replace("$.message", "$.body")
        raise Refused("malformed", f"not a message: {what}") from error
    client = envelope.client_msg_id
    if not 0 < len(client) <= 64 or not client.isprintable():  # PostgreSQL keeps no NUL
        raise Refused("malformed", "client_msg_id has 1 to 64 characters, none of them a control")
    return Envelope(client, envelope.base_seq, message)
