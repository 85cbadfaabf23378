"""Decodes the messages of clients, of all kinds of work.

    {"client_msg_id": "c-19", "base_seq": 12, "type": "say", "body": {"text": "Hi"}}

`decode` returns an `Envelope`; docs/reference/wire-protocol.md describes the protocol.
"""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.collect.kinds.document.kind import DocumentMessage
from dialoom.collect.kinds.room.messages import RoomMessage
from dialoom.collect.message import AnyKindMessage, Envelope, Refused

ClientMessage = AnyKindMessage | RoomMessage | DocumentMessage
"""Every message that a participant may send."""


class _EnvelopeFrame(msgspec.Struct, forbid_unknown_fields=True):
    client_msg_id: str
    type: str
    base_seq: int = 0
    body: dict[str, Any] = {}


class _Held(msgspec.Struct):
    """Wraps the union: msgspec caches the decoder of a struct, but not that of a bare union."""

    message: ClientMessage


_ENVELOPE = msgspec.json.Decoder(_EnvelopeFrame)


def decode(text: str | bytes) -> Envelope:
    """Return the message that a client sent; `Refused` (`malformed`) for another text."""
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
