"""Whole dialogues in a study without a server: programs in both seats."""

from __future__ import annotations

from itertools import count

from msgspec.structs import replace

from dialoom.collect.bots import client_messages, seat_bot
from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.messages import Pick, Say
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Envelope, Questionnaire, Ready, Refused
from dialoom.collect.study.study import Study
from dialoom.dialogue import Candidate

TURNS = 60
SECOND = 1000


class Playing:
    """A study whose people are programs; its clock goes on a second with each message."""

    def __init__(self, study: Study, store: Store, library: ScenarioLibrary) -> None:
        self.study, self.store, self.library = study, store, library
        self.now = 1_700_000_000_000
        self._ids = count(1)
        self._workers = count(1)

    def send(
        self, number: int, message: ClientMessage, ranked: tuple[Candidate, ...] | None = None
    ) -> None:
        self.now += SECOND
        envelope = Envelope(f"c{next(self._ids)}", 0, message)
        self.store.submit(self.study.handle(number, envelope, self.now, ranked)).result()

    def enter(self, role: RoomRole) -> int:
        worker = f"w{next(self._workers)}"
        number, change = self.study.enter(worker, self.now, role=role)
        self.store.submit(change + self.study.connected(number, self.now)).result()
        if not self.study.assignment(number).consented:
            self.send(number, Consent())
        self.send(number, Ready())
        return number

    def pair(self) -> dict[RoomRole, int]:
        return {role: self.enter(role) for role in ROLES}

    def play(self) -> int:
        """Play one dialogue to its end, and return the room's number."""
        seats = self.pair()
        place = self.study.assignment(seats["user"]).unit
        assert place is not None
        room = self.study.units[place].work
        assert room is not None
        players = {role: seat_bot(role, room.scenario, self.library) for role in ROLES}
        for _ in range(TURNS):
            role = room.turn
            if role is None:
                break
            for message, ranked in client_messages(players[role].reply(room.dialogue().events)):
                self._try(seats[role], message, ranked)
        for role, number in seats.items():
            answers = {question.id: True for question in room.questions(role)}
            rating = 4 if room.rates(role) else None
            self.send(number, Questionnaire(answers, rating, comment=f"From the {role}."))
        return place

    def _try(
        self, number: int, message: ClientMessage, ranked: tuple[Candidate, ...] | None
    ) -> None:
        try:
            self.send(number, message, ranked)
        except Refused as refusal:
            if refusal.code == "off_flow" and isinstance(message, Pick | Say):
                self.send(number, replace(message, reason="as it came"))
            elif refusal.code == "not_yet":
                self.send(number, Say("Yes."))
            else:
                raise
