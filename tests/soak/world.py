"""What the people of a soak share: where the server is, and the results of what they sent."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from dialoom.serve.links import Signer

if TYPE_CHECKING:
    from tests.soak.people import Person

Answer = TypeVar("Answer")

Shown = tuple[int, str, str | None, str | None]
"""What a seat was shown: time, kind, text, and the id of the message it came from.

Plain tuples of atoms: a load keeps many, and the collector of garbage looks into all else."""


@dataclass
class World:
    """What all people share: where the server is, and what came of what they sent.

    Attributes:
        turns: After how many turns a user has accomplished the task; None for never.
        think: Returns after how many seconds somebody answers.
        heartbeat: Seconds of silence after which a connection is broken, while people listen.
        listening: Set while people listen for silence.
        links: Role to link, while there is a server.
        signer: Signs the links of workers.
        acknowledged: Ids of the messages that were acknowledged.
        refused: Ids of those that were refused for good.
        brought: Digests of the sounds that were taken.
        heard: How many sounds came back, and were what their digest says.
        shown: Room and role to the events that were shown there, by `seq`.
        latencies: Seconds from sending a message first to its acknowledgement.
        refusals: How often a message was refused, by code.
        done: Assignments that are over, by outcome.
        faults: What people saw that may not be: a gap, an event twice or lost.
        seated: Who had a seat.
        silent: Who found the server silent.
        watch: Called after every acknowledgement, every state and every silence.
        numbers: Tell people and messages apart.
    """

    turns: int | None = 3
    think: Callable[[], float] = lambda: 0.0
    seed: int = 0
    heartbeat: float | None = None
    listening: asyncio.Event = field(default_factory=asyncio.Event)
    links: dict[str, str] = field(default_factory=dict)
    signer: Signer = field(default_factory=lambda: Signer(b""))
    there: asyncio.Event = field(default_factory=asyncio.Event)
    acknowledged: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    brought: set[str] = field(default_factory=set)
    heard: int = 0
    shown: dict[tuple[int, str], dict[int, Shown]] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    seated: set[str] = field(default_factory=set)
    silent: set[Person] = field(default_factory=set)
    watch: Callable[[], None] = lambda: None
    numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def up(self, user: str, wizard: str) -> None:
        """Tell everybody where the server is."""
        self.links = {"user": user, "wizard": wizard}
        self.there.set()

    def down(self) -> None:
        """Tell everybody that the server is gone."""
        self.there.clear()

    def listen(self, heartbeat: float | None) -> None:
        """Let everybody break silent connections from now on; None: let them keep them."""
        self.heartbeat = heartbeat
        if heartbeat is None:
            self.listening.clear()
        else:
            self.listening.set()

    async def attend(self, answer: Coroutine[Any, Any, Answer]) -> Answer:
        """Return an answer that a server gives.

        Raises:
            TimeoutError: People listen, and it did not come for the time of a heartbeat.
        """
        task = asyncio.create_task(answer)
        listening = asyncio.create_task(self.listening.wait())
        try:
            while not task.done():
                await asyncio.wait({task, listening}, return_when=asyncio.FIRST_COMPLETED)
                await asyncio.wait({task}, timeout=self.heartbeat or 0.0)
                if self.listening.is_set() and not task.done():
                    raise TimeoutError
                if listening.done():
                    listening = asyncio.create_task(self.listening.wait())
            return task.result()
        finally:
            task.cancel()
            listening.cancel()
