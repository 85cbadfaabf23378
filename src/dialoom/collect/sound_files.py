"""Writes the sounds of exported dialogues, each to a file whose path the dialogue names.

corpus/sounds/3f0c….webm
{"agent": "user", "text": "…", "extra": {"Sound": {"Digest": "3f0c…", "Seconds": 2.4,
                                                   "File": "sounds/3f0c….webm"}}}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dialoom.collect.kinds.room.sounds import MEDIA, SOUND, of_utterance
from dialoom.collect.kinds.transcription import DELETED
from dialoom.collect.log.store import Store
from dialoom.corpus.files import write_synced
from dialoom.dialogue import Dialogue, Event, Utterance
from dialoom.errors import MissingDataError

FOLDER = "sounds"


class SoundFiles:
    """The files of the sounds of an export."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, str]] = {}

    def named(self, dialogue: Dialogue, unit: int) -> Dialogue:
        """Return a unit's dialogue with the paths of its sounds, and note these for `write`."""
        events = tuple(self._event(event, unit) for event in dialogue.events)
        return dialogue if events == dialogue.events else replace(dialogue, events=events)

    def _event(self, event: Event, unit: int) -> Event:
        sound = of_utterance(event) if isinstance(event, Utterance) else None
        if sound is None:
            return event
        digest = sound["Digest"]
        file = f"{FOLDER}/{digest}{MEDIA[sound['Media']][0]}"
        self._places[file] = unit, digest
        return replace(event, extra={**event.extra, SOUND: {**sound, "File": file}})

    def write(self, store: Store, folder: Path) -> None:
        """Write the files of named dialogues; `MissingDataError` if a speaker was erased."""
        for file, place in self._places.items():
            sent = store.blob(*place)
            if sent is None:
                raise MissingDataError(f"{file}: was erased meanwhile; export once more")
            write_synced(folder / file, sent.data)


def of_room(dialogue: Dialogue, room: Dialogue) -> Dialogue:
    """Return a dialogue made from a room's with the room's workers, reviews and paths of sounds."""
    files = {
        sound["Digest"]: sound
        for event in room.events
        if isinstance(event, Utterance) and (sound := of_utterance(event)) is not None
    }

    def with_file(extra: dict[str, Any]) -> dict[str, Any]:
        sound = extra.get(SOUND)
        return {**extra, SOUND: files[sound["Digest"]]} if sound else extra

    events = tuple(
        replace(event, extra=with_file(event.extra)) if isinstance(event, Utterance) else event
        for event in dialogue.events
    )
    extra = {**room.extra, **dialogue.extra}
    if DELETED in extra:
        extra[DELETED] = [with_file(turn) for turn in extra[DELETED]]
    return replace(dialogue, events=events, workers=room.workers, extra=extra)
