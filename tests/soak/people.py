"""People who join, talk and come back over the wire, as docs/reference/wire-protocol.md says.

Everybody has an outbox: what was not acknowledged is sent again, under the same id, after every
`welcome`. Nobody sleeps to wait for the server: when it is gone they wait until it is told to be
there again. While the server is stopped, a silent connection counts as broken.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from contextlib import suppress
from typing import Any

from dialoom.collect.log.record import ROLES
from tests.soak.wire import Frame, Wire, ask
from tests.soak.world import Shown, World

HOSTS = 250
"""Addresses that people join from, 127.0.0.1 to 127.0.0.250: the server has a rate for each."""

JOIN = re.compile(r"http://([^/:]+):(\d+)/join/(\S+)")
COOKIE = re.compile(rb"set-cookie: ([^;\r]+)", re.IGNORECASE)

LEAVES, SUGGESTS = 0.02, 0.3
"""How often somebody leaves in mid-dialogue, and up to where a wizard asks for suggestions."""

SAID = frozenset(("say", "instruction", "suggest"))
"""Kinds of events whose text is kept."""

SPOKEN = frozenset(("say", "speak"))
"""Messages that take somebody a while to think of."""

AGAIN_LATER = frozenset(("unavailable", "slow_down"))
"""Refusals after which a message is kept, to be sent again."""

CLOCKS = frozenset(("partner", "partner_until", "idle_warning_at", "idle_at", "generation"))
"""What is known of a room beside what happened in it."""

NEVER = frozenset((4000, 4001, 4003, 4403))
"""Codes that nobody's connection is closed with who keeps to the protocol, in one tab."""


class BarredError(Exception):
    """The server does not let somebody in."""


class Person:
    """Somebody in one role, who begins anew whenever an assignment is over."""

    listed = False
    """Whether a stage lists them by name, so that they come by links of their own."""

    def __init__(self, world: World, role: str) -> None:
        self.world, self.role, self.link = world, role, role
        self._random = random.Random(f"{world.seed}/{role}/{next(world.numbers)}")
        self._here = asyncio.Event()
        self._here.set()
        self._begin()

    def _begin(self) -> None:
        number = next(self.world.numbers)
        self.named(f"{self.role}-{number}")
        self._host = f"127.0.0.{number % HOSTS + 1}"
        self._cookie: bytes | None = None
        self._outbox: dict[str, Frame] = {}
        self._sent: dict[str, float] = {}
        self._said = 0
        self._state: dict[str, Any] = {}
        self._room, self._seq = 0, 0
        self._generation: int | None = None
        self._wire: Wire | None = None
        self._fresh = self._welcomed = False
        self._heard = 0

    def named(self, name: str) -> None:
        """Take part under a name."""
        self.name = name
        self._key = f"{self.world.seed}-{name}".ljust(16, "-")

    # --- coming and going -----------------------------------------------------------------------

    async def live(self) -> None:
        """Take part until cancelled."""
        while True:
            await self.world.there.wait()
            await self._here.wait()
            try:
                if self._cookie is None and not await self._join():
                    continue
                await self._connect()
            except OSError:  # the server died just now
                await asyncio.sleep(0)

    def go(self) -> None:
        """Be gone until `come`."""
        self._here.clear()
        if self._wire is not None:
            self._wire.close()

    def come(self) -> None:
        """Come back."""
        self._here.set()

    @property
    def address(self) -> str:
        """The link that they come by."""
        link = self.world.links.get(self.link, self.world.links["user"])
        if not self.listed:
            return link
        role = next((role for role in ROLES if role == self.link), None)
        own = self.world.signer.worker_link(self.name, role)
        return f"{link.rpartition('/')[0]}/{own}"

    @property
    def room(self) -> int:
        """The room that they talk in; 0 for none."""
        return self._room if self._state.get("step") == "room" else 0

    @property
    def alone(self) -> bool:
        """Whether they are told that their partner is away."""
        return bool(self.room) and self._state["room"]["partner"] == "away"

    async def _join(self) -> bool:
        """Get a cookie; return whether there is one now."""
        body = json.dumps({"worker": self.name, "key": self._key}).encode()
        status, answer = await self.ask("POST /api/join/{}", body, "application/json")
        if status == 200 and (cookie := COOKIE.search(answer)) is not None:
            self._cookie = cookie[1]
            return True
        if status in (429, 503):
            await asyncio.sleep(0.1)  # not to be pressing
        elif status:
            self.world.faults.append(f"{self.name} may not join: {answer[-200:]!r}")
            raise BarredError
        return False

    async def ask(self, line: str, content: bytes = b"", media: str = "") -> tuple[int, bytes]:
        """Send a request, with the link for {} in its path; return status and answer, 0 for none.

        Raises:
            OSError: The server is gone.
        """
        match = JOIN.match(self.address)
        assert match is not None
        address = match[1], int(match[2])
        headers = {"Content-Type": media, "Cookie": (self._cookie or b"").decode()}
        try:
            request = ask(address, line.format(match[3]), self._host, content, headers)
            return await self.world.attend(request)
        except TimeoutError:
            self._given_up()
            return 0, b""

    async def _connect(self) -> None:
        """Be connected until the connection is lost or the assignment over."""
        match = JOIN.match(self.address)
        assert match is not None
        lost = asyncio.Event()
        head = (
            f"GET /ws/{match[3]} HTTP/1.1\r\nHost: {match[1]}:{match[2]}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: ZGlhbG9vbSBzb2FrIHRlcw==\r\nCookie: "
        )
        request = head.encode() + (self._cookie or b"") + b"\r\n\r\n"
        hello = {
            "type": "hello",
            "last_seq": self._seq,
            "seat_token": (self._state.get("room") or {}).get("seat_token"),
            "generation": self._generation,
        }
        _, self._wire = await asyncio.get_running_loop().create_connection(
            lambda: Wire(request, hello, self._received, lost.set), match[1], int(match[2])
        )
        try:
            await self._listen(self._wire, lost)
        finally:
            self._wire.close()
        if self._wire.code in NEVER:
            self._fault(f"the connection was closed with {self._wire.code}")
        if self._state.get("step") == "done":
            self._begin()

    async def _listen(self, wire: Wire, lost: asyncio.Event) -> None:
        """Wait until the connection is lost, or nothing was heard for the time of a heartbeat."""
        count = -1
        while count != self._heard:
            count = self._heard
            wire.send({"type": "ping"})
            with suppress(TimeoutError):
                await self.world.attend(lost.wait())
                return
        self._given_up()

    def _given_up(self) -> None:
        self.world.silent.add(self)
        self.world.watch()

    # --- frames ---------------------------------------------------------------------------------

    def _received(self, frame: Frame) -> None:
        self._heard += 1
        kind = frame["type"]
        if kind in ("welcome", "state", "room"):
            if kind == "welcome":
                self._compare(frame["state"].get("room"))
            self._know(self._state_of(frame))
            self._fresh = True
            if kind == "welcome":
                self._generation, self._welcomed = frame["generation"], True
                for message in self._outbox.values():
                    self._send(message)
            self._act()
        elif kind == "event":
            self._event(frame)
        elif kind == "ack":
            self._acknowledged(frame["client_msg_id"])
        elif kind == "refused":
            self._refused(frame)

    def _state_of(self, frame: Frame) -> dict[str, Any]:
        """Return the state that a frame tells of: `room` has what is new in the room."""
        if frame["type"] == "room":
            return {**self._state, "room": {**self._state["room"], **frame["room"]}}
        state: dict[str, Any] = frame["state"]
        return state

    def _compare(self, room: dict[str, Any] | None) -> None:
        """Check that a room is known as it is, where nothing has happened in it meanwhile."""
        view = self._state.get("room")
        if not room or not view or any(room[key] != view[key] for key in ("number", "seq")):
            return
        for key in (room.keys() | view.keys()) - CLOCKS:
            if room.get(key) != view.get(key):
                self._fault(f"{key} was {view.get(key)} and is {room.get(key)}")

    def _know(self, state: dict[str, Any]) -> None:
        self._state = state
        room = state.get("room") or {"number": 0, "seq": 0}
        if room["number"] != self._room:
            self._room, self._seq = room["number"], 0
            if self._room:
                self.world.seated.add(self.name)
        elif room["seq"] < self._seq:
            self._fault(f"the server knows {room['seq']} events, {self._seq} were shown")
        if state["step"] == "done" and self._wire is not None:
            self.world.done[state["done"]["outcome"]] += 1
            self._wire.close()
        self.world.watch()

    def _event(self, frame: Frame) -> None:
        """Check that a seat sees its events one by one; after a `welcome` perhaps once more."""
        event, client = frame["event"], frame.get("client_msg_id")
        text = event["text"] if event["kind"] in SAID else None
        text = event.get("sound", {}).get("digest", text)  # what is spoken has none
        entry: Shown = (frame["time"], event["kind"], text, client)
        events = self.world.shown.setdefault((frame["room"], self.role), {})
        if events.setdefault(frame["seq"], entry) != entry:
            self._fault(f"event {frame['seq']} was {events[frame['seq']]} and is {entry}")
        if frame["room"] != self._room:
            return
        first, self._welcomed = self._welcomed, False
        if frame["seq"] == self._seq + 1 or (first and frame["seq"] <= self._seq):
            self._seq = frame["seq"]
        else:
            self._fault(f"event {frame['seq']} came after {self._seq}")

    def _fault(self, what: str) -> None:
        self.world.faults.append(f"{self.name} in room {self._room}: {what}")

    def _acknowledged(self, client: str) -> None:
        message = self._outbox.pop(client, None)
        self.world.acknowledged.add(client)
        if message is not None:
            self.world.latencies.append(time.perf_counter() - self._sent.pop(client))
        self.world.watch()
        if self._fresh:  # a message that was sent again may have no other answer
            self._act()

    def _refused(self, frame: Frame) -> None:
        client = frame["client_msg_id"]
        self.world.refusals[frame["code"]] += 1
        if frame["code"] == "slow_down" and client in self._outbox:
            later, message = frame["retry_after"], self._outbox[client]
            asyncio.get_running_loop().call_later(later, self._send, message)
        elif frame["code"] not in AGAIN_LATER:
            self.world.refused.add(client)
            self._outbox.pop(client, None)
            if self._fresh:
                self._act()

    # --- what they do ---------------------------------------------------------------------------

    def _act(self) -> None:
        """Do what is to be done in this state, unless something is under way."""
        message = None if self._outbox else self._wish()
        if message is None:
            return
        client = f"{self.name}.{next(self.world.numbers)}"
        message = {"client_msg_id": client, "base_seq": self._seq, **message}
        self._outbox[client], self._fresh = message, False
        pause = self.world.think() if message["type"] in SPOKEN else 0.0
        if pause:
            asyncio.get_running_loop().call_later(pause, self._send, message)
        else:
            self._send(message)

    def _send(self, message: Frame) -> None:
        if self._wire is not None:
            self._sent.setdefault(message["client_msg_id"], time.perf_counter())
            self._wire.send(message)

    def _wish(self) -> Frame | None:
        state = self._state
        match state["step"]:
            case "consent":
                return {"type": "consent"}
            case "waiting" if not state["waiting"]["ready"]:
                return {"type": "ready"}
            case "room" if state["room"]["your_turn"]:
                return self._talk(state["room"])
            case "questionnaire":
                form = state["questionnaire"]
                answers = {question["id"]: True for question in form["questions"]}
                rating = {"rating": 5} if form["rating"] else {}
                return {"type": "questionnaire", "body": {"answers": answers, **rating}}
        return None

    def _talk(self, room: dict[str, Any]) -> Frame | None:
        """Say something; a user ends the dialogue in time, a wizard takes a suggestion at times."""
        turns = self.world.turns
        if turns is not None and room.get("can_accomplish") and self._said >= turns:
            return {"type": "accomplish"}
        advice = room.get("suggestions") or {}
        if advice.get("candidates"):
            self._said += 1
            return {"type": "pick", "body": {"action": advice["candidates"][0]["id"]}}
        chance = self._random.random() if turns is not None else 1.0
        if chance < LEAVES:
            return {"type": "leave"}
        if self.role == "wizard" and chance < SUGGESTS:
            return {"type": "suggest", "body": {"text": "May I have the name, please?"}}
        self._said += 1
        text = f"This is what {self.name} says for the {self._said}th time, and it takes a line."
        return {"type": "say", "body": {"text": text}}
