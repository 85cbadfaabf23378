"""The sound of an utterance: its entry in the utterance's `extra`, and the accepted media types.

The bytes come over HTTP, right before the message that makes an utterance of them. Recordings that
the user repeats or does not send stay in the browser. speech.py says which sounds a room takes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dialoom.dialogue import Utterance

SOUND = "Sound"
"""The key of an utterance's `extra` for its sound: Digest, Media, Seconds; File in an export."""

DRAFT = "draft"
"""The source of the layer whose `extra` has a recogniser's `text`."""

MEDIA = {
    "audio/webm": (".webm", 0, b"\x1a\x45\xdf\xa3"),
    "audio/ogg": (".ogg", 0, b"OggS"),
    "audio/mp4": (".m4a", 4, b"ftyp"),
    "audio/wav": (".wav", 0, b"RIFF"),
}
"""Accepted media type to the ending of its files, and the offset and bytes of its signature."""


class Sound(NamedTuple):
    """A sound as it came in: the digest in its address, its media type and bytes."""

    digest: str
    media: str
    data: bytes


def of_utterance(utterance: Utterance) -> dict[str, Any] | None:
    """Return the entry of an utterance for its sound; None where it was not spoken."""
    entry = utterance.extra.get(SOUND)
    return entry if isinstance(entry, dict) else None
