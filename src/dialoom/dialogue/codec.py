"""Dialogues as JSON, one on each line, encoded and decoded with their types.

`decode(encode(dialogue)) == dialogue` for every dialogue (property-tested).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from dialoom.dialogue.dialogue import Dialogue
from dialoom.errors import FormatError

_ENCODER = msgspec.json.Encoder()  # keeps the order of slots and attributes, as files have one
_CANONICAL = msgspec.json.Encoder(order="deterministic")
_DECODER = msgspec.json.Decoder(Dialogue)


def encode(dialogue: Dialogue) -> bytes:
    """Return a dialogue as one line of JSON, without a line break."""
    return _ENCODER.encode(dialogue)


def decode(line: bytes, *, path: Path | str = "<memory>", number: int | None = None) -> Dialogue:
    """Decode a dialogue from a line of JSON; `FormatError` for any other line."""
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        place = path if number is None else f"{path}, line {number}"
        raise FormatError(place, f"not a native dialogue: {error}") from error


def digest(value: Any) -> str:
    """Return a hash of a value, 16 hex digits, that does not depend on the order of keys."""
    return hashlib.sha256(_CANONICAL.encode(value)).hexdigest()[:16]
