"""Spoken turns of a user: checks of incoming sounds, and the utterance made of one."""

from __future__ import annotations

import hashlib
from typing import Any

from dialoom.collect.kinds.room.messages import Speak
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.sounds import MEDIA, SOUND, Sound
from dialoom.collect.log.facts import Recorded
from dialoom.collect.log.record import USER_ROLE, Role
from dialoom.collect.message import Refused
from dialoom.collect.settings import SpeechSettings
from dialoom.errors import clip

RATE = 32_000
"""The most bytes per second: 256 kbit/s, or 16 bits of mono at 16 kHz. Browsers send less."""

HEAD = 65_536
"""Bytes that a sound may have in addition, for the header of its file."""

UNSAID = 3
"""The most sounds that are stored without an utterance."""

ROUNDING = 1.0
"""Seconds by which a recording may be longer than allowed: browsers stop late."""


def largest(speech: SpeechSettings) -> int:
    """Return how many bytes a sound may have."""
    return HEAD + int(speech.seconds * RATE)


def check_speaker(room: Room, role: Role) -> None:
    """Raise `Refused` (`not_now`, `not_yours`, `not_your_turn`) if a person may not speak now."""
    if not room.spoken or room.step != "talk" or room.over:
        raise Refused("not_now", "nothing can be said here now")
    if role != USER_ROLE:
        raise Refused("not_yours", f"the {role} answers in writing")
    if room.turn != role:
        raise Refused("not_your_turn", "wait for the answer")


def received(room: Room, role: Role, sound: Sound) -> tuple[Recorded, ...]:
    """Return a sound's record, empty if stored; `Refused` for unfit sounds or speakers."""
    if sound.digest in room.sounds:
        return ()
    check_speaker(room, role)
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
    """Return the utterance's `extra` for its sound; `Refused` if that is unknown or too long."""
    record = room.sounds.get(message.sound)
    if record is None:
        raise Refused("unknown", "this sound has not come in")
    most = room.settings.speech.seconds + ROUNDING
    if not 0 < message.seconds <= most:
        raise Refused("bad_value", f"a turn has at most {most:g} seconds", field="seconds")
    entry = {"Digest": message.sound, "Media": record.media, "Seconds": round(message.seconds, 1)}
    return {SOUND: entry}
