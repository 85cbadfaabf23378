"""People of spoken dialogues: the users' turns are sounds, brought over HTTP before they are said.

Each name is used once, as those of document_people.py are.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from contextlib import suppress
from typing import Any

from tests.soak.people import Person
from tests.soak.wire import Frame, Wire
from tests.soak.world import World

SPEAK = "speak"
"""The name of the stage."""

NAMES = 800
"""Names of either role; one that comes again gets another scenario."""

MEDIA, SIZE = "audio/wav", 4000
"""The media type of a sound, and its bytes."""

RECOGNISER = "echo heard"
"""What makes the drafts."""

TAKEN, LATER = 200, (0, 429, 503)
"""The status of a sound that is on the disk, and of one that is brought again."""


def stage() -> dict[str, Any]:
    """Return the stage of spoken dialogues."""
    only = [_name(role, number) for role in ("user", "wizard") for number in range(NAMES)]
    return {"name": SPEAK, "kind": "spoken", "only": only}


def _name(role: str, number: int) -> str:
    return f"{SPEAK}-{role}-{number % NAMES}"


class SpokenPerson(Person):
    """Somebody in a spoken dialogue, each time under another name; only the user speaks."""

    listed = True

    def __init__(self, world: World, role: str, names: itertools.count[int]) -> None:
        self._names = names
        super().__init__(world, role)

    def _begin(self) -> None:
        super()._begin()
        self.named(_name(self.role, next(self._names)))
        self._sound = b""
        self._bringing: asyncio.Task[None] | None = None

    def _talk(self, room: dict[str, Any]) -> Frame | None:
        message = super()._talk(room)
        if message is None or message["type"] != "say" or self.role != "user":
            return message
        self._sound = b"RIFF" + message["body"]["text"].encode().ljust(SIZE)
        digest = hashlib.sha256(self._sound).hexdigest()
        return {"type": "speak", "body": {"sound": digest, "seconds": 1.0}}

    def _send(self, message: Frame) -> None:
        if message["type"] != "speak":
            super()._send(message)
        elif self._wire is not None:
            self._bringing = asyncio.create_task(self._bring(message, self._wire))

    async def _bring(self, message: Frame, wire: Wire) -> None:
        """Bring a sound as often as it takes while the connection is the same, then say it."""
        digest, status = message["body"]["sound"], 0
        while status in LATER:
            with suppress(OSError):  # the server is gone, and so is the connection
                status, _ = await self.ask(f"PUT /api/blobs/{{}}/{digest}", self._sound, MEDIA)
            if self._wire is not wire:
                return
            if status in LATER:
                await asyncio.sleep(0.1)  # not to be pressing
        if status == TAKEN:
            self.world.brought.add(digest)
        if message["client_msg_id"] in self._outbox:  # not where another task had it answered
            super()._send(message)
