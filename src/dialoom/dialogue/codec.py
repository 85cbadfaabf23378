"""Dialogues as JSON: one codec in both directions, typed, one line a dialogue.

`decode(encode(dialogue)) == dialogue` for every dialogue (property-tested).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.dialogue import Dialogue
from dialoom.errors import FormatError

_ENCODER = msgspec.json.Encoder()  # keeps the order of slots and attributes: files have one
_CANONICAL = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Dialogue)


def encode(dialogue: Dialogue) -> bytes:
    """Return the dialogue as one line of JSON, without the line's end."""
    return _ENCODER.encode(dialogue)


def decode(line: bytes, *, path: Path | str = "<memory>", number: int | None = None) -> Dialogue:
    """Read a dialogue from one line of JSON.

    Args:
        line: The line.
        path: The file it stands in, for messages.
        number: The line's number in it, from 1.

    Raises:
        FormatError: The line is not JSON, or not a dialogue.
    """
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        place = path if number is None else f"{path}, line {number}"
        raise FormatError(place, f"not a native dialogue: {error}") from error


def digest(value: Any) -> str:
    """Return 16 hex digits that name a value; the order of its keys does not matter."""
    return hashlib.sha256(_CANONICAL.encode(value)).hexdigest()[:16]
