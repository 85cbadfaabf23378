"""Collect a dialogue: serve a study, let two clients of our own talk, and export what they said.

    pip install 'dialoom[collect]'
    python examples/04_collect_dialogues.py

The pages of the server are for people; a client is written in a few lines from
docs/reference/wire-protocol.md, and this one plays both sides.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

from dialoom import formats
from dialoom.dialogue.transcript import lines
from dialoom.render.transcript import to_text

DIALOOM = (sys.executable, "-c", "import sys; from dialoom.cli import main; sys.exit(main())")
SAID = (
    ("user", "Good evening! I need a room for two nights."),
    ("wizard", "ask for the name"),
    ("user", "It is for Oona Brandt."),
    ("wizard", "which hotel do you want"),
    ("user", "The Lantern House, if they have one."),
    ("wizard", "from which day on"),
    ("user", "From the third of May."),
)
"""Who types what; of the wizard's, the best suggestion is sent."""


class Client:
    """Somebody who takes part; `state` is what the server last said about them."""

    def __init__(self, link: str, leaving: ExitStack) -> None:
        base, token = link.split("/join/")
        joining = Request(f"{base}/api/join/{token}", b"{}", {"Content-Type": "application/json"})
        with urlopen(joining) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
        url = f"{base.replace('http', 'ws', 1)}/ws/{token}"
        opening = connect(url, additional_headers={"Cookie": cookie})
        self._socket = leaving.enter_context(opening)
        self._socket.send(json.dumps({"type": "hello", "last_seq": 0}))
        self._numbers = count(1)
        self.state: dict[str, Any] = {}
        while not self.state:
            self.receive()

    def receive(self) -> tuple[str, str | None]:
        """Take a frame; return its type and the message that it answers."""
        frame = json.loads(self._socket.recv())
        if frame["type"] == "refused":
            raise SystemExit(f"refused: {frame['what']}")
        self.state = frame.get("state", self.state)
        if frame["type"] == "room":  # what has changed in it
            self.state["room"] |= frame["room"]
        return frame["type"], frame.get("client_msg_id")

    def until(self, step: str, *, turn: bool = False) -> None:
        """Take what comes until a step is reached, or one's turn in the room."""
        while self.state["step"] != step or (turn and not self.state["room"]["your_turn"]):
            self.receive()

    def send(self, kind: str, **body: Any) -> None:
        """Send a message, and wait until it is on the server's disk."""
        client = f"c-{next(self._numbers)}"
        self._socket.send(json.dumps({"client_msg_id": client, "type": kind, "body": body}))
        while self.receive() != ("ack", client):
            pass

    def speak(self, text: str) -> None:
        """Say something; a wizard says the best suggestion for it."""
        self.until("room", turn=True)
        if self.state["room"]["role"] == "user":
            self.send("say", text=text)
        else:
            self.send("suggest", text=text)
            while self.state["room"]["suggestions"] is None:
                self.receive()
            best = self.state["room"]["suggestions"]["candidates"][0]
            self.send("pick", action=best["id"])
        while self.state["room"]["your_turn"]:
            self.receive()

    def answer(self) -> str:
        """Fill in the questionnaire, and return the completion code."""
        self.until("questionnaire")
        asked = self.state["questionnaire"]
        answers = {question["id"]: True for question in asked["questions"]}
        self.send("questionnaire", answers=answers, rating=5 if asked["rating"] else None)
        self.until("done")
        return str(self.state["done"]["code"])


@contextmanager
def served(database: Path) -> Iterator[list[str]]:
    """Serve a study; yield its links for users, wizards and the admin."""
    command = [*DIALOOM, "collect", "--tasks", "hotel_book", "--guard", "off", "--port", "0"]
    with subprocess.Popen(
        [*command, "--db", str(database)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield [process.stdout.readline().split()[1] for _ in range(3)]
        finally:
            process.send_signal(signal.SIGTERM)


with TemporaryDirectory() as name:
    folder = Path(name)
    with served(folder / "study.sqlite") as links, ExitStack() as leaving:
        people = {"user": Client(links[0], leaving), "wizard": Client(links[1], leaving)}
        for client in people.values():
            client.send("consent")
            client.send("ready")
        for role, text in SAID:
            people[role].speak(text)
        people["wizard"].speak("ask to which day")
        people["user"].until("room", turn=True)
        people["user"].send("accomplish")
        for role, client in people.items():
            print(f"the {role}'s code: {client.answer()}")
    export = ["collect", "export", "--db", folder / "study.sqlite", "--to", "star"]
    subprocess.run([*DIALOOM, *export, "--out", folder / "star"], check=True)
    [dialogue] = formats.load(folder / "star").dialogues()
    print(f"{dialogue.outcome}\n\n{to_text(lines(dialogue), width=90)}", end="")
