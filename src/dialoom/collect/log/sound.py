"""What the log of a spoken dialogue has besides its events: sounds that came in, and drafts.

A sound is known by its digest: SHA-256 in hexadecimal. The bytes have a table of their own
(`collect/log/change.py`), sealed with the key of whoever spoke.
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class Recorded(Struct, frozen=True, tag="recorded", kw_only=True):
    """A sound came in: its digest, media type and bytes."""

    sound: str
    media: str
    size: int


class Drafted(Struct, frozen=True, tag="drafted", kw_only=True):
    """The draft that a recogniser made of a sound, its text empty where it could make none."""

    sound: str
    text: str


SoundFact = Recorded | Drafted
