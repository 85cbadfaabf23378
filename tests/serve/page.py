"""A participant's page in a foreign client, built from docs/reference/wire-protocol.md alone."""

from __future__ import annotations

import itertools
import json
import secrets
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE = 30.0
"""Seconds after which a test fails that waits for a frame."""

Frame = dict[str, Any]


class Page:
    """One browser on one link: joins, connects, and keeps what it is told.

    Attributes:
        frames: Every frame that came, in order.
        events: The events of the present room, by `seq`.
        state: The last state.
    """

    def __init__(self, link: str, **joining: Any) -> None:
        self.link, self.joining = link, joining
        parts = urlsplit(link)
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.name = parts.path.rpartition("/")[2]
        self.browser = httpx.Client(base_url=self.base, headers={"Origin": self.base})
        self.socket: ClientConnection | None = None
        self._context: Any = None
        self.frames: list[Frame] = []
        self.events: dict[int, Frame] = {}
        self.room: int | None = None
        self.state: dict[str, Any] = {}
        self.generation: int | None = None
        self.token: str | None = None
        self._prefix, self._numbers = secrets.token_hex(4), itertools.count(1)

    # --- coming and going -----------------------------------------------------------------------

    def join(self, **body: Any) -> httpx.Response:
        return self.browser.post(f"/api/join/{self.name}", json={**self.joining, **body})

    def open(self, *, fresh: bool = True) -> Page:
        """Connect, as a page that was just loaded, or as one that lost its connection."""
        if fresh:
            self.events, self.generation, self.token = {}, None, None
        self.connect()
        self.send_frame(
            type="hello",
            last_seq=max(self.events, default=0),
            seat_token=self.token,
            generation=self.generation,
        )
        self.until(lambda frame: frame["type"] == "welcome")
        return self

    def connect(self, **headers: str) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in self.browser.cookies.items())
        self._context = connect(
            f"{self.base.replace('http', 'ws')}/ws/{self.name}",
            additional_headers={"Cookie": cookies, "Origin": self.base, **headers},
            open_timeout=PATIENCE,
            ping_interval=None,  # a server that is slow to answer one is no fault of a test
            compression=None,
            max_size=None,
            max_queue=None,  # frames that a test does not read would hold up the closing
        )
        self.socket = self._context.__enter__()

    def enter(self, **body: Any) -> Page:
        """Join and open."""
        assert self.join(**body).status_code == 200
        return self.open()

    def drop(self) -> None:
        """Lose the connection without a word."""
        assert self.socket is not None
        self.socket.socket.shutdown(socket.SHUT_RDWR)
        self.close()

    def close(self) -> None:
        if self.socket is not None:
            with suppress(ConnectionClosed):
                self._context.__exit__(None, None, None)
            self.socket = None

    def shut(self) -> None:
        """Close the browser."""
        self.close()
        self.browser.close()

    # --- frames ---------------------------------------------------------------------------------

    def send_frame(self, **frame: Any) -> None:
        assert self.socket is not None
        self.socket.send(json.dumps(frame))

    def receive(self) -> Frame:
        assert self.socket is not None
        frame: Frame = json.loads(self.socket.recv(timeout=PATIENCE))
        self._keep(frame)
        return frame

    def _keep(self, frame: Frame) -> None:
        self.frames.append(frame)
        if frame["type"] in ("welcome", "state"):
            self.state = frame["state"]
            room = self.state.get("room")
            if room is not None:
                if room["number"] != self.room:
                    self.room, self.events = room["number"], {}
                self.token, self.generation = room["seat_token"], room["generation"]
        if frame["type"] == "room":
            self.state = {**self.state, "room": {**self.state["room"], **frame["room"]}}
        if frame["type"] == "welcome":
            self.generation = frame["generation"]
        if frame["type"] == "event" and frame["room"] == self.room:
            if frame["seq"] not in self.events:  # what it has already is dropped
                assert frame["seq"] == max(self.events, default=0) + 1
            self.events[frame["seq"]] = frame

    def until(self, wanted: Callable[[Frame], bool]) -> Frame:
        """Receive until a frame is the one that is waited for."""
        while True:
            frame = self.receive()
            if wanted(frame):
                return frame

    def until_state(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Receive until the state is the one that is waited for."""
        while not wanted(self.state):
            self.receive()
        return self.state

    def until_step(self, step: str) -> dict[str, Any]:
        return self.until_state(lambda state: state["step"] == step)

    def until_turn(self) -> dict[str, Any]:
        return self.until_state(lambda state: state["room"]["your_turn"])

    def until_kind(self, kind: str) -> Frame:
        """Receive until the last event of the room is of a kind."""
        while self.kinds()[-1:] != [kind]:
            self.receive()
        return self.events[max(self.events)]

    def until_closed(self) -> int:
        """Receive until the connection is closed; return with what code."""
        try:
            while True:
                self.receive()
        except ConnectionClosed as closed:
            return 1006 if closed.rcvd is None else closed.rcvd.code

    # --- messages -------------------------------------------------------------------------------

    def post(self, type: str, client: str | None = None, **body: Any) -> str:
        """Send a message, and do not wait for its answer."""
        client = client or f"{self._prefix}-{next(self._numbers)}"
        seq = max(self.events, default=0)
        self.send_frame(client_msg_id=client, base_seq=seq, type=type, body=body)
        return client

    def answer(self, client: str | None) -> Frame:
        """Receive until a message is answered."""
        return self.until(
            lambda frame: frame["type"] in ("ack", "refused") and frame["client_msg_id"] == client
        )

    def ask(self, type: str, client: str | None = None, **body: Any) -> Frame:
        """Send a message and return the answer."""
        return self.answer(self.post(type, client, **body))

    def do(self, type: str, **body: Any) -> Frame:
        """Send a message that is carried out."""
        frame = self.ask(type, **body)
        assert frame["type"] == "ack", frame
        return frame

    def kinds(self) -> list[str]:
        """Return the kinds of the room's events."""
        return [self.events[seq]["event"]["kind"] for seq in sorted(self.events)]

    def said(self) -> list[str]:
        """Return what was said in the room."""
        events = [self.events[seq]["event"] for seq in sorted(self.events)]
        return [event["text"] for event in events if event["kind"] == "say"]

    def wait(self) -> Page:
        """Agree, and be ready for a partner."""
        if self.state["step"] == "consent":
            self.do("consent")
            self.until_step("waiting")
        if self.state["step"] == "waiting" and not self.state["waiting"]["ready"]:
            self.do("ready")
        return self


def directives(text: str) -> dict[str, str]:
    """Return a policy's directives by name."""
    return {name: value for name, _, value in (p.partition(" ") for p in text.split("; "))}


def say(page: Page, text: str) -> None:
    page.until_turn()
    page.do("say", text=text)
