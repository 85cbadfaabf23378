"""The chats of a served agent: begun, gone on with, rated, and kept in the log.

    chats = Chats(store, tasks, settings, agent)
    chat = await chats.begin("hotel_book")
    await chats.say(chat.id, "Do you have a room?")

What a client is told is on the disk. A chat that nobody has written in for long, or of before a
restart, is made ready again from its log: the agent hears the same and has to say the same. One
that says something else then has ended.
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
"""Chats that are kept ready; who comes back to another one waits until its agent has heard it."""


class Chat:
    """A chat under way or over.

    Attributes:
        log: What has happened in it.
        live: The dialogue with the agent, where it is ready.
        turn: Held while somebody writes in it.
    """

    def __init__(self, log: ChatLog, live: LiveDialogue | None = None) -> None:
        self.log, self.live = log, live
        self.turn = asyncio.Lock()


class Chats:
    """All chats of a server.

    Args:
        store: Where they are kept.
        tasks: The tasks, in the order in which people are offered them.
        settings: What is kept of how they are held.
        agent: Who answers, made ready.
    """

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
        """How many chats were begun."""
        return self._begun

    @property
    def failure(self) -> str | None:
        """Why nothing can be kept now; None while all is well."""
        return self._store.failure

    def _count(self) -> None:
        for record in self._store.records():
            if isinstance(record.body, ChatBegan):
                self._numbers[record.body.task] = record.body.goal + 1
                self._begun += 1

    def close(self) -> None:
        """Wait for what is under way."""
        self._talks.close()

    async def begin(self, task: str | None = None) -> Chat:
        """Begin a chat about a task, by default that which the fewest were about.

        Raises:
            Refused: `unknown`: there is no such task; `unavailable`: it cannot be kept.
        """
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
        """Return a chat by its id, from the log where it is not at hand.

        Raises:
            Refused: `unknown`: there is none.
        """
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
        """Say something to the agent; return what happens then.

        A message whose `client` id was kept already is not said again: its turn comes back.

        Raises:
            Refused: `over`: the chat has ended; `unavailable`: it cannot be kept.
        """
        async with chat.turn:
            known = chat.log.turn_of(client)
            if known is not None:
                return known
            if chat.log.judged is not None:
                raise Refused("over", "This conversation is over.")
            live = await self._revive(chat)
            chat.live = None  # until what it hears now is kept
            done = await self._talks.say(live, text)
            await self._keep(chat, done, client)
            chat.live = live
            return done

    async def rate_turn(self, chat: Chat, event: int, good: bool | None) -> None:
        """Note that something the agent said was good or bad.

        Raises:
            Refused: `unknown`: the agent said nothing there.
        """
        said = chat.log.events[event] if 0 <= event < len(chat.log.events) else None
        if not isinstance(said, Utterance) or said.agent == USER:
            raise Refused("unknown", "The agent said nothing there.")
        async with chat.turn:
            await self._keep(chat, [TurnRated(event=event, good=good)])

    async def end(self, chat: Chat, rating: ChatRated) -> ChatJudged:
        """End a chat with a person's rating, which may be given again; return what it came to."""
        async with chat.turn:
            bodies: list[Body] = [rating]
            judged = chat.log.judged
            if judged is None:
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
        """Return what the person is to do; None where they do what they like."""
        if self.settings.goal == "hidden":
            return None
        began = chat.log.began
        goal = await self._talks.goal(began.task, began.goal)
        return goal.seat(0).told

    async def _next(self, task: str) -> int:
        """Return the number of the next goal."""
        async with self._numbering:
            number = self._numbers[task]
            if self.settings.goal == "shown":
                number = await self._talks.steady(task, number)
            self._numbers[task] = number + 1
            return number

    async def _revive(self, chat: Chat) -> LiveDialogue:
        """Return the chat's dialogue; where it is not at hand, the agent hears it again.

        Raises:
            Refused: `over`: the agent says something else now.
        """
        if chat.live is None:
            began, events = chat.log.began, chat.log.events
            chat.live = await self._talks.again(began.task, began.goal, self.agent, events)
            if chat.live is None:
                raise Refused("over", "The agent does not remember this conversation.")
        return chat.live

    def _forget(self) -> None:
        """Let go of those that nobody wrote in for longest, but of none that is written in."""
        for id in list(self._chats)[: max(0, len(self._chats) - LIVE)]:
            if not self._chats[id].turn.locked():
                del self._chats[id]

    async def _keep(self, chat: Chat, bodies: Sequence[Body], client: str = "") -> None:
        """Write what happened, then take it in.

        Raises:
            Refused: `unavailable`: it cannot be written.
        """
        records = tuple(chat.log.records(bodies, now_ms(), client))
        try:
            await asyncio.wrap_future(self._store.submit(Change(records)))
        except StoreFailed as error:
            raise Refused("unavailable", "Nothing can be kept now. Please try again.") from error
        for record in records:
            chat.log.apply(record)


def begin_log(store: Store, settings: ChatSettings) -> None:
    """Note the settings of a new server."""
    body = ChatServed(msgspec.to_builtins(settings))
    store.submit(Change((Record(CHATS, 1, now_ms(), "server", "", body),))).result()
