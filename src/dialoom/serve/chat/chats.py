"""Runs the chats of a served agent, and writes them to the log.

    chats = Chats(store, tasks, settings, agent)
    chat = await chats.begin("hotel_book")
    await chats.say(chat.id, "Do you have a room?")

Everything that a client is sent is on the disk before. A chat that has not been used for long, or
was begun before a restart, is restored from its log: the agent is given the same utterances again
and has to give the same replies. If it replies differently, the chat ends.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter, OrderedDict
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from dialoom.collect.log.change import Change
from dialoom.collect.log.chat import (
    CHAT,
    CHATS,
    ChatBegan,
    ChatFailed,
    ChatJudged,
    ChatRated,
    ChatServed,
    TurnRated,
)
from dialoom.collect.log.record import Body, Record
from dialoom.collect.log.store import Store, StoreFailed
from dialoom.collect.message import Refused
from dialoom.dialogue import USER, Dialogue, Event, Utterance
from dialoom.play.agents.base import Agent
from dialoom.play.running.live import LiveDialogue
from dialoom.schema.task import TaskSchema
from dialoom.serve.chat.log import ChatLog
from dialoom.serve.chat.settings import ChatSettings
from dialoom.serve.hub import now_ms
from dialoom.serve.talks import Talks

LIVE = 1000
"""The most chats in memory; one that is restored from the log takes longer to answer."""


class Chat:
    """A chat under way or over.

    Attributes:
        live: The dialogue with the agent; None where it has to be restored first.
        turn: A lock that is held during a turn, a rating or the end.
    """

    def __init__(self, log: ChatLog, live: LiveDialogue | None = None) -> None:
        self.log, self.live = log, live
        self.turn = asyncio.Lock()


class Chats:
    """All chats of a server."""

    def __init__(
        self, store: Store, tasks: Sequence[TaskSchema], settings: ChatSettings, agent: Agent
    ) -> None:
        self.settings, self.agent = settings, agent
        self.tasks = {task.id: task for task in tasks}
        self._store = store
        self._chats: OrderedDict[str, Chat] = OrderedDict()
        self._numbers: Counter[str] = Counter()
        self._numbering = asyncio.Lock()
        self._begun = 0
        self._talks = Talks(self.tasks, settings.seed)
        self._count()

    @property
    def begun(self) -> int:
        """The number of chats that were begun."""
        return self._begun

    @property
    def failure(self) -> str | None:
        """Why the store cannot write now; None if it can."""
        return self._store.failure

    def _count(self) -> None:
        for record in self._store.records():
            if isinstance(record.body, ChatBegan):
                self._numbers[record.body.task] = record.body.goal + 1
                self._begun += 1

    def close(self) -> None:
        """Wait until all running answers are done, and end their threads."""
        self._talks.close()

    async def begin(self, task: str | None = None) -> Chat:
        """Begin a chat about a task, by default the one with the fewest goals used so far."""
        name = task or min(self.tasks, key=lambda each: self._numbers[each])
        if name not in self.tasks:
            raise Refused("unknown", "There is no such task.")
        number = await self._next(name)
        chat = Chat(ChatLog(secrets.token_urlsafe(18)))
        chat.live = await self._talks.begin(name, number, self.agent)
        await self._keep(chat, [ChatBegan(task=name, goal=number)])
        self._chats[chat.log.id] = chat
        self._begun += 1
        self._forget()
        return chat

    async def find(self, id: str) -> Chat:
        """Return a chat from memory or the log; `Refused` (`unknown`) if there is none."""
        chat = self._chats.get(id)
        if chat is None:
            log = ChatLog(id)
            for record in await asyncio.to_thread(self._store.stream, CHAT + id):
                log.apply(record)
            if not log.exists:
                raise Refused("unknown", "There is no such conversation.")
            chat = self._chats.setdefault(id, Chat(log))
            self._forget()
        self._chats.move_to_end(id)
        return chat

    async def say(self, chat: Chat, text: str, client: str = "") -> Sequence[Event]:
        """Say a text to the agent; return the events of the turn.

        For a message whose `client` id is in the log already, the events of its turn are returned.

        Raises:
            Refused: `over`: the chat has ended; `failed`: the agent does not answer, which ends it;
                `unavailable`: the log cannot be written.
        """
        async with chat.turn:
            _check_works(chat)
            known = chat.log.turn_of(client)
            if known is not None:
                return known
            if chat.log.judged is not None:
                raise Refused("over", "This conversation is over.")
            live = await self._revive(chat)
            chat.live = None  # set again when the turn is written
            done, failure = await self._talks.say(live, text)
            failed = () if failure is None else (ChatFailed(failure),)
            await self._keep(chat, (*done, *failed), client)
            _check_works(chat)
            chat.live = live
            return done

    async def rate_turn(self, chat: Chat, event: int, good: bool | None) -> None:
        """Rate the agent's utterance at an event, None to undo; `Refused` for others."""
        said = chat.log.events[event] if 0 <= event < len(chat.log.events) else None
        if not isinstance(said, Utterance) or said.agent == USER:
            raise Refused("unknown", "The agent said nothing there.")
        async with chat.turn:
            await self._keep(chat, [TurnRated(event=event, good=good)])

    async def end(self, chat: Chat, rating: ChatRated) -> ChatJudged:
        """End a chat with a rating, which may be given again later; return the outcome."""
        async with chat.turn:
            bodies: list[Body] = [rating]
            judged = chat.log.judged
            if judged is None and chat.log.failed is not None:
                judged = ChatJudged(outcome=None, scenario={}, verdict={})
                bodies.append(judged)
            elif judged is None:
                live = await self._revive(chat)
                judged = self._judged(live, await self._talks.judged(live))
                bodies.append(judged)
            await self._keep(chat, bodies)
            chat.live = None
            return judged

    def _judged(self, live: LiveDialogue, dialogue: Dialogue) -> ChatJudged:
        shown = self.settings.goal == "shown"
        scenario = dialogue.scenario
        if scenario is not None and not shown:
            scenario = replace(scenario, goal=None, user_task=None)
        verdict = {**dialogue.extra["play"], "changes": live.changed}
        return ChatJudged(
            outcome=dialogue.outcome if shown else None,
            scenario=msgspec.to_builtins(scenario),
            verdict=verdict if shown else {"changes": live.changed},
        )

    async def goal(self, chat: Chat) -> str | None:
        """Return the text of the person's goal; None if the settings hide goals."""
        if self.settings.goal == "hidden":
            return None
        began = chat.log.began
        return await self._talks.goal_text(began.task, began.goal)

    async def _next(self, task: str) -> int:
        async with self._numbering:
            number = self._numbers[task]
            self._numbers[task] = number + 1
            return number

    async def _revive(self, chat: Chat) -> LiveDialogue:
        """Return the chat's dialogue with the agent, restored from the log if needed."""
        if chat.live is None:
            began, events = chat.log.began, chat.log.events
            chat.live = await self._talks.again(began.task, began.goal, self.agent, events)
            if chat.live is None:
                raise Refused("over", "The agent does not remember this conversation.")
        return chat.live

    def _forget(self) -> None:
        """Drop the least recently used chats beyond `LIVE` from memory, except those in use."""
        for id in list(self._chats)[: max(0, len(self._chats) - LIVE)]:
            if not self._chats[id].turn.locked():
                del self._chats[id]

    async def _keep(self, chat: Chat, bodies: Sequence[Body], client: str = "") -> None:
        """Write records to the log, then apply them to the chat."""
        records = tuple(chat.log.records(bodies, now_ms(), client))
        try:
            await asyncio.wrap_future(self._store.submit(Change(records)))
        except StoreFailed as error:
            raise Refused("unavailable", "Nothing can be kept now. Please try again.") from error
        for record in records:
            chat.log.apply(record)


def _check_works(chat: Chat) -> None:
    if chat.log.failed is not None:
        raise Refused("failed", "The assistant has failed, so this conversation is over.")


def begin_log(store: Store, settings: ChatSettings) -> None:
    """Begin the log of a new server with its settings."""
    body = ChatServed(msgspec.to_builtins(settings))
    store.submit(Change((Record(CHATS, 1, now_ms(), "server", "", body),))).result()
