"""The bodies of a spoken dialogue's log besides its events: received sounds, and drafts of texts.

A sound is identified by its digest: SHA-256 in hexadecimal. The bytes are in a table of their own
(`Blob` in collect/log/change.py), encrypted with the key of the worker who spoke.
"""

from __future__ import annotations

from dialoom.dialogue.annotation import Struct


class Recorded(Struct, frozen=True, tag="recorded", kw_only=True):
    """A sound was received: its digest, media type and size in bytes."""

    sound: str
    media: str
    size: int


class Drafted(Struct, frozen=True, tag="drafted", kw_only=True):
    """A speech recogniser's draft of a sound's text; empty where it recognised nothing."""

    sound: str
    text: str


SoundFact = Recorded | Drafted
