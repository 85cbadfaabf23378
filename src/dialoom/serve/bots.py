"""Bots that join a served study, for `dialoom collect --try`: one person tries the pages alone.

A bot enters when a person waits and has no partner. It sends the same messages as a page, through
the hub; after a restart it continues its assignment.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable

from msgspec.structs import replace

from dialoom.collect.bots import Ranked, client_messages, seat_bot, teach
from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import Pick, Say
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import BOT, ROLES, RoomRole, is_bot
from dialoom.collect.message import Consent, Envelope, Leave, Questionnaire, Ready, Refused
from dialoom.collect.study.study import Study
from dialoom.dialogue.participant import Participant
from dialoom.errors import DialoomError
from dialoom.schema.lexicon import lexicon
from dialoom.serve.hub import Hub

log = logging.getLogger("dialoom.serve")

REASON = "played by a program"
"""A bot's reason when the flow guard asks for one."""

RATING = 4
"""A bot's rating of the dialogue, of 1 to 5."""


class Bots:
    """Lets bots join a study and plays their role; a wizard's models are trained first."""

    def __init__(self, hub: Hub, library: ScenarioLibrary, role: RoomRole) -> None:
        teach(role, library)
        self._hub, self._library, self._role = hub, library, role
        self._players: dict[int, Participant] = {}
        self._busy: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._sent = 0
        self._entering = False

    def start(self) -> None:
        """Watch written changes from now on, and resume bots that played before a restart."""
        self._hub.watchers.append(self._listen)
        self._listen(list(self._hub.study.state.live))

    def stop(self) -> None:
        """Cancel the bots' tasks."""
        for task in tuple(self._tasks):
            task.cancel()

    def _listen(self, assignments: Iterable[int]) -> None:
        live = self._hub.study.state.live
        for number in set(assignments) - self._busy:
            if number in live and is_bot(live[number].worker):
                self._busy.add(number)
                self._spawn(number)
        if self._is_wanted():
            self._spawn(None)

    def _spawn(self, number: int | None) -> None:
        work = self._enter() if number is None else self._act(number)
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _is_wanted(self) -> bool:
        live = self._hub.study.state.live.values()
        free = any(is_bot(one.worker) and one.step in ("consent", "waiting") for one in live)
        other = next(role for role in ROLES if role != self._role)
        need = any(
            one.waiting is not None and not is_bot(one.worker) and one.fixed in (None, other)
            for one in live
        )
        return need and not free and not self._entering

    async def _enter(self) -> None:
        if not self._is_wanted():
            return
        self._entering = True
        number = len(self._hub.study.state.assignments) + 1
        worker = f"{BOT}{self._role}:{number}"

        def enter(study: Study, now: int) -> tuple[int, Change]:
            entered, change = study.enter(worker, now, role=self._role)
            return entered, change + study.connected(entered, now)

        try:
            await self._hub.act(enter)
        except Refused as refusal:
            log.warning("a bot cannot take part: %s", refusal.what)
        finally:
            self._entering = False

    async def _act(self, number: int) -> None:
        try:
            while await self._once(number):
                pass
        except (Refused, DialoomError) as error:
            log.warning("the bot of assignment %d gives up: %s", number, error)
            await self._send(number, Leave())
        finally:
            self._busy.discard(number)

    async def _once(self, number: int) -> bool:
        study = self._hub.study
        one = study.assignment(number)
        if one.step == "consent":
            await self._send(number, Consent())
        elif one.step == "waiting" and one.waiting is None:
            await self._send(number, Ready())
        elif one.step == "room" and one.unit is not None:
            return await self._play(number, one.unit)
        else:
            self._players.pop(number, None)
            return False
        return True

    async def _play(self, number: int, place: int) -> bool:
        unit = self._hub.study.units[place]
        room = unit.work
        if not isinstance(room, Room) or room.step == "closed":
            return False
        if room.step == "questionnaire":
            if self._role in unit.answers:
                return False
            answers = {question.id: question.example for question in room.questions(self._role)}
            rating = RATING if room.rates(self._role) else None
            await self._send(number, Questionnaire(answers, rating))
            return True
        if room.turn != self._role or not room.drafted:  # a program reads the recogniser's draft
            return False
        player = await self._player(number, room)
        events = room.dialogue().events
        sent = 0
        for message, ranked in client_messages(await asyncio.to_thread(player.reply, events)):
            await self._try(number, room, message, ranked)
            sent += 1
        if not sent:
            await self._send(number, self._nod(room))
        return True

    async def _player(self, number: int, room: Room) -> Participant:
        if number not in self._players:
            self._players[number] = await asyncio.to_thread(
                seat_bot, self._role, room.scenario, self._library
            )
        return self._players[number]

    async def _try(
        self, number: int, room: Room, message: ClientMessage, ranked: Ranked | None
    ) -> None:
        """Send a message; if the room refuses it, override the flow guard or say a plain yes."""
        try:
            await self._send(number, message, ranked)
        except Refused as refusal:
            if refusal.code == "off_flow" and isinstance(message, Pick | Say):
                await self._send(number, replace(message, reason=REASON))
            elif refusal.code == "not_yet":  # instructions are still to come
                await self._send(number, self._nod(room))
            else:
                raise

    def _nod(self, room: Room) -> Say:
        task = self._library.tasks[room.scenario.tasks[0]]
        return Say(lexicon(task.language).yes[0])

    async def _send(
        self, number: int, message: ClientMessage, ranked: Ranked | None = None
    ) -> None:
        self._sent += 1
        envelope = Envelope(f"bot-{self._hub.now()}-{self._sent}", 0, message)
        await self._hub.write(lambda study, now: study.handle(number, envelope, now, ranked))
