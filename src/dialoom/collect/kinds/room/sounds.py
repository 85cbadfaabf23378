"""The sounds of spoken dialogues: checks of what comes in, and the sound of an utterance.

    received(room, "user", Sound(digest, "audio/webm", data))     # the records, Refused otherwise
    of_utterance(utterance)["Digest"]

The bytes come over HTTP, right before the message that makes an utterance of them. Recordings that
the user repeats or does not send stay in the browser.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from dialoom.collect.kinds.room.messages import Speak
from dialoom.collect.log.record import USER_ROLE, Place
from dialoom.collect.log.sound import Recorded
from dialoom.collect.message import Refused
from dialoom.collect.settings import SpeechSettings
from dialoom.dialogue import Utterance
from dialoom.errors import clip

if TYPE_CHECKING:
    from dialoom.collect.kinds.room.room import Room

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

RATE = 32_000
"""The most bytes per second: 256 kbit/s, or 16 bits of mono at 16 kHz. Browsers send less."""

HEAD = 65_536
"""Bytes that a sound may have in addition, for the header of its file."""

UNSAID = 3
"""The most sounds that are stored without an utterance."""

ROUNDING = 1.0
"""Seconds by which a recording may be longer than allowed: browsers stop late."""


class Sound(NamedTuple):
    """A sound as it came in: the digest in its address, its media type and bytes."""

    digest: str
    media: str
    data: bytes


def largest(speech: SpeechSettings) -> int:
    """Return how many bytes a sound may have."""
    return HEAD + int(speech.seconds * RATE)


def check_speaker(room: Room, place: Place) -> None:
    """Check that the person at a place may speak now.

    Raises:
        Refused: `not_now`, `not_yours` or `not_your_turn`.
    """
    if not room.spoken or room.step != "talk" or room.over:
        raise Refused("not_now", "nothing can be said here now")
    if place != USER_ROLE:
        raise Refused("not_yours", f"the {place} answers in writing")
    if room.turn != place:
        raise Refused("not_your_turn", "wait for the answer")


def received(room: Room, place: Place, sound: Sound) -> tuple[Recorded, ...]:
    """Return the record of a sound that came in; empty where it is stored already.

    Raises:
        Refused: `bad_digest`, `bad_media`, `too_large`, `slow_down`; or as of `check_speaker`.
    """
    if sound.digest in room.sounds:
        return ()
    check_speaker(room, place)
    most = largest(room.settings.speech)
    if len(sound.data) > most:
        raise Refused("too_large", f"a sound has at most {most} bytes")
    if hashlib.sha256(sound.data).hexdigest() != sound.digest:
        raise Refused("bad_digest", "the bytes that came are not those of this SHA-256")
    _, start, mark = MEDIA.get(sound.media, ("", 0, b"\0"))
    if not sound.data.startswith(mark, start):
        what = f"{clip(sound.media)!r}: a sound is one of {', '.join(MEDIA)}"
        raise Refused("bad_media", what)
    if len(room.sounds) >= room.turns + UNSAID:
        raise Refused("slow_down", "say what you have sent first", retry_after=1.0)
    return (Recorded(sound=sound.digest, media=sound.media, size=len(sound.data)),)


def said(room: Room, message: Speak) -> dict[str, Any]:
    """Return what the utterance that a message says tells of its sound.

    Raises:
        Refused: `unknown`: no such sound has come in; `bad_value`: it is too long.
    """
    held = room.sounds.get(message.sound)
    if held is None:
        raise Refused("unknown", "this sound has not come in")
    most = room.settings.speech.seconds + ROUNDING
    if not 0 < message.seconds <= most:
        raise Refused("bad_value", f"a turn has at most {most:g} seconds", field="seconds")
    told = {"Digest": message.sound, "Media": held.media, "Seconds": round(message.seconds, 1)}
    return {SOUND: told}


def of_utterance(utterance: Utterance) -> dict[str, Any] | None:
    """Return what an utterance tells of its sound; None where it was not spoken."""
    found = utterance.extra.get(SOUND)
    return found if isinstance(found, dict) else None
