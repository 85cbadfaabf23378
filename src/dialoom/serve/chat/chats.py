"""Talks with the bot of an open study, for programs: each chat is an assignment of the study.

Everything that a client is sent is on the disk before. A chat's id has a signature, so that ids
cannot be guessed.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from dialoom.collect.kinds.bot import BotKind, BotWork
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.rated_chat import GOOD
from dialoom.collect.kinds.room.messages import Accomplish, Say
from dialoom.collect.log.change import Change
from dialoom.collect.log.facts import ChatFailed
from dialoom.collect.message import Consent, Envelope, MessageBody, Refused
from dialoom.collect.study.assignment import TASK
from dialoom.collect.study.study import Study
from dialoom.collect.unit import WorkUnit
from dialoom.dialogue import USER, Event, Utterance
from dialoom.serve.hub import Hub
from dialoom.serve.links import Signer

NO_UNIT = 0
"""The number of no unit; seat tokens for it are signatures of chats."""


class Chat(NamedTuple):
    """A chat as it is now: its id, the number of its assignment, and its state."""

    id: str
    number: int
    work: BotWork


class Chats:
    """The chats of an open study, by its assignments."""

    def __init__(self, hub: Hub, signer: Signer) -> None:
        self._hub, self._signer = hub, signer
        self._waiters: dict[int, asyncio.Event] = {}
        hub.watchers.append(self._wake)
        kinds = hub.study.state.kinds.values()
        self.kind = next(kind for kind in kinds if isinstance(kind, BotKind))
        self.tasks = self.kind.schemas

    async def begin(self, task: str | None = None) -> Chat:
        """Begin a chat about a task; without one, the study chooses."""
        if task is not None and task not in self.tasks:
            raise Refused("unknown", "There is no such task.")
        source = {} if task is None else {TASK: task}
        language = self.tasks[task].language if task is not None else ""

        def enter(study: Study, now: int) -> tuple[int, Change]:
            spoken = language or study.settings.language
            number, change = study.enter(None, now, language=spoken, source=source)
            change += study.connected(number, now)
            change += study.handle(number, _sealed(Consent()), now)
            return number, change + study.disconnected(number, now)

        number = await self._hub.act(enter)
        return await self.find(self._id(number))

    def waiting(self, clients: Sequence[str]) -> Iterator[Chat]:
        """Yield the ongoing chats whose last message has one of some ids, by these."""
        last: dict[str | None, list[Chat]] = {}
        for unit in self._hub.study.state.open.values():
            work, number = unit.work, unit.seats[unit.kind.reader]
            if isinstance(work, BotWork) and not work.talk.over:
                chat = Chat(self._id(number), number, work)
                last.setdefault(next(reversed(work.turns), None), []).append(chat)
        for client in clients:
            yield from last.get(client, ())

    async def fail(self, chat: Chat, why: str) -> None:
        """End a chat whose bot has failed."""
        unit = self._hub.study.state.assignments[chat.number].unit
        if unit in self._hub.study.state.open:
            await self._hub.write(lambda study, now: study.answer(unit, [ChatFailed(why)], now))
        await self.end(chat, {})

    async def find(self, id: str) -> Chat:
        """Return a chat, once its state is written; `Refused` (`unknown`) if there is none."""
        text, _, token = id.partition("-")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
        one = self._hub.study.state.assignments.get(number)
        if one is None or not self._signer.is_seat_token(token, number, NO_UNIT):
            raise Refused("unknown", "There is no such conversation.")
        if one.unit is None:
            raise Refused("full", "The study has all the conversations that it wants.")
        unit = self._hub.study.units[one.unit]
        work = unit.work or await asyncio.to_thread(self._read, unit)
        await self._hub.write(lambda study, now: Change())  # all of it is written then
        return Chat(id, number, work)

    def _id(self, number: int) -> str:
        return f"{number}-{self._signer.seat_token(number, NO_UNIT)}"

    def _read(self, unit: WorkUnit) -> BotWork:
        work = self.kind.begin(unit.item, self._hub.study.state.stages[unit.stage])
        for record in self._hub.store.stream(unit.stream):
            with work.faults.skipping(record.seq):
                work.apply(record)
        return work

    async def say(self, chat: Chat, text: str, client: str = "") -> Sequence[Event]:
        """Say a text to the bot; return the events of the turn.

        For a message whose `client` id is in the log already, the events of its turn are returned.

        Raises:
            Refused: `over`: the chat has ended; `failed`: the bot does not answer, which ends it;
                `unavailable`: the log cannot be written.
        """
        client = client or secrets.token_urlsafe(12)
        chat = await self._answered(chat)
        if client not in chat.work.turns:
            _check_works(chat)
            if chat.work.talk.over or chat.work.over:
                raise Refused("over", "This conversation is over.")
            await self._send(chat, Say(text), client)
            chat = await self._answered(chat)
        _check_works(chat)
        at, events = chat.work.turns[client], chat.work.talk.events
        others = (n for n, each in enumerate(events) if n > at and each.agent == USER)
        return events[at : next(others, None)]

    async def rate_turn(self, chat: Chat, event: int, good: bool | None) -> None:
        """Rate the bot's utterance at an event, None to undo; `Refused` for others."""
        events = chat.work.talk.events
        turn = events[event] if 0 <= event < len(events) else None
        if not isinstance(turn, Utterance) or turn.agent == USER:
            raise Refused("unknown", "The agent said nothing there.")
        place = sum(isinstance(each, Utterance) for each in events[:event])
        await self._save(chat, f"{GOOD}{place}", good)

    async def end(self, chat: Chat, rated: Mapping[str, object]) -> Chat:
        """End a chat; return it with its outcome. Once it was rated, it is handed in."""
        chat = await self._answered(chat)
        if not (chat.work.talk.over or chat.work.over):
            await self._send(chat, Accomplish())
            chat = await self._answered(chat)
        failed = chat.work.talk.failed is not None
        ratings = {
            part: value
            for part, value in rated.items()
            if value is not None and (part == "comment" or not failed)
        }
        for part, value in ratings.items():
            await self._save(chat, part, value)
        if (ratings or failed) and not chat.work.over:
            await self._send(chat, Submit())
        return await self.find(chat.id)

    async def _save(self, chat: Chat, part: str, value: object) -> None:
        rev = chat.work.revisions.get(part, 0)
        await self._send(chat, Save(part, rev, value))

    async def _send(self, chat: Chat, message: MessageBody, client: str = "") -> None:
        envelope = _sealed(message, client)
        await self._hub.write(lambda study, now: study.handle(chat.number, envelope, now))

    async def _answered(self, chat: Chat) -> Chat:
        while True:
            chat = await self.find(chat.id)
            if chat.work.awaited is None:
                return chat
            await self._waiters.setdefault(chat.number, asyncio.Event()).wait()

    def _wake(self, assignments: Iterable[int]) -> None:
        for number in assignments:
            woken = self._waiters.pop(number, None)
            if woken is not None:
                woken.set()


def _sealed(message: MessageBody, client: str = "") -> Envelope:
    return Envelope(client or secrets.token_urlsafe(12), 0, message)


def _check_works(chat: Chat) -> None:
    if chat.work.talk.failed is not None:
        raise Refused("failed", "The assistant has failed, so this conversation is over.")
