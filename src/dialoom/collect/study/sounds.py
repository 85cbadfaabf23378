"""Receives the recordings of participants, and decides who may hear them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.sounds import Sound, of_utterance
from dialoom.collect.kinds.room.speech import check_speaker, received
from dialoom.collect.log.change import Blob, Change
from dialoom.collect.log.record import UNIT, Role
from dialoom.collect.message import Refused
from dialoom.collect.study.study import Study
from dialoom.collect.unit import WorkUnit
from dialoom.dialogue import Utterance


def receive(study: Study, number: int, sound: Sound, now: int) -> Change:
    """Return the change that stores a sound, empty if stored already; `Refused` if not accepted."""
    unit, room, role = _room(study, number)
    for body in received(room, role, sound):
        study.transaction.write(unit.stream, role, body, now)
        worker = study.assignment(number).worker
        sent = Blob(
            unit=unit.number,
            digest=sound.digest,
            worker=worker,
            media=sound.media,
            data=sound.data,
        )
        study.transaction.claim(sent)
    return study.transaction.take()


def check(study: Study, number: int, digest: str) -> None:
    """Raise `Refused`, before a sound's bytes are read, if an assignment may not send one now."""
    _, room, role = _room(study, number)
    if digest not in room.sounds:
        check_speaker(room, role)


def _room(study: Study, number: int) -> tuple[WorkUnit, Room, Role]:
    seat = study.seat(number)
    if seat is None or not isinstance(seat[0].work, Room):
        raise Refused("not_now", "nothing can be said here now")
    return seat[0], seat[0].work, seat[1]


def audible(study: Study, number: int) -> Iterator[int]:
    """Yield the units whose sounds an assignment may hear: its own, and its item's."""
    seat = study.seat(number)
    if seat is not None:
        unit = seat[0]
        yield unit.number
        before = unit.item.after
        if before.startswith(UNIT):
            yield int(before.removeprefix(UNIT))


def of_gold(study: Study, number: int, digest: str) -> Sound | None:
    """Return a sound from the corpus of the gold item that an assignment works on, if it is one."""
    seat = study.seat(number)
    rules = study.state.stages[seat[0].stage].gold if seat is not None else None
    if seat is None or rules is None or not seat[0].item.gold:
        return None
    for event in seat[0].kind.given(seat[0].item).events:
        sound = of_utterance(event) if isinstance(event, Utterance) else None
        if sound is not None and sound["Digest"] == digest:
            file = Path(rules.items) / sound["File"]
            data = file.read_bytes() if file.is_file() else b""
            is_intact = hashlib.sha256(data).hexdigest() == digest
            return Sound(digest, sound["Media"], data) if is_intact else None
    return None
