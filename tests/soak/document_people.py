"""People who work on documents over the wire: they write, annotate, settle, reword, judge, talk
with bots, and type what was spoken.

Each name belongs to one stage, and is used once: nobody gets the same item twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from contextlib import suppress
from typing import Any

import msgspec

from tests.soak.people import Person
from tests.soak.spoken_people import SPEAK
from tests.soak.wire import Frame
from tests.soak.world import World

NAMES = 3000
"""Names of those who may work on documents; a soak of 200 cycles uses fewer."""

KINDS: dict[str, dict[str, Any]] = {
    "write": {"kind": "self_dialogue", "tasks": ["coffee_ordering"], "least": 2},
    "mark": {"kind": "annotation", "of": "write", "workers": 2},
    "settle": {"kind": "adjudication", "of": "mark"},
    "reword": {"kind": "paraphrase", "tasks": ["Coaches_1"]},
    "rate": {"kind": "rating", "criteria": ["natural"]},
    "talk": {"kind": "bot", "tasks": ["weather"], "agents": ["flow", "silent"]},
    "type": {"kind": "transcription", "of": SPEAK},
}
"""The stages; those that go on with another's work have as many people as that one makes items."""

SHARE = {"write": 1, "mark": 2, "settle": 1, "reword": 1, "rate": 1, "talk": 1, "type": 1}
"""How many of the names are in turn of each stage."""

ORDER = [stage for stage, many in SHARE.items() for _ in range(many)]

OUTPUTS = {"id": "1", "context": [{"agent": "user", "text": "Hi."}], "outputs": {"a": "Yes."}}


def stages(outputs: str, target: int) -> list[dict[str, Any]]:
    """Return the stages of work on documents, for a file of outputs that it names."""
    entries = []
    for name, settings in KINDS.items():
        only = [f"d-{n}" for n in range(NAMES) if ORDER[n % len(ORDER)] == name]
        endless = {} if "of" in settings else {"workers": target}
        entries.append({"name": name, "only": only, "outputs": outputs, **endless, **settings})
    return entries


def written() -> bytes:
    """Return the file of outputs."""
    return msgspec.json.encode(OUTPUTS)


class DocumentPerson(Person):
    """Somebody who works on documents, each time under another name."""

    listed = True

    def __init__(self, world: World, names: itertools.count[int]) -> None:
        self._names = names
        super().__init__(world, "user")

    def _begin(self) -> None:
        super()._begin()
        self.role, self.link = "writer", "any"
        self.named(f"d-{next(self._names) % NAMES}")
        self._revs: dict[str, int] = {}
        self._hearing: asyncio.Task[None] | None = None

    def _know(self, state: dict[str, Any]) -> None:
        if state.get("room"):
            self.role = state["room"]["role"]
        super()._know(state)
        if self.role == "transcriber" and self.room and self._hearing is None:
            self._hearing = asyncio.create_task(self._hear(state["room"]["item"]["lines"]))

    async def _hear(self, lines: list[dict[str, Any]]) -> None:
        """Check that the sounds of a dialogue are what their digests say."""
        for digest in [line["sound"]["digest"] for line in lines if "sound" in line]:
            with suppress(OSError):  # the server died just now
                status, answer = await self.ask(f"GET /api/blobs/{{}}/{digest}")
                if status == 200:
                    right = hashlib.sha256(answer.partition(b"\r\n\r\n")[2]).hexdigest() == digest
                    self.world.heard += right
                    if not right:
                        self._fault(f"the sound {digest} is another one")

    def _compare(self, room: dict[str, Any] | None) -> None:
        """Check nothing of a talk: what its bot does is not among the events."""
        if self.role != "tester":
            super()._compare(room)

    def _event(self, frame: Frame) -> None:
        if frame["event"]["kind"] == "saved":
            self._revs[frame["event"]["part"]] = frame["event"]["rev"]
        super()._event(frame)

    def _talk(self, room: dict[str, Any]) -> Frame | None:
        if "problems" not in room:  # there was nothing to settle: a dialogue of two
            return super()._talk(room)
        problems = room["problems"]
        if not problems:
            return {"type": "submit"}
        code, part = problems[0]["code"], problems[0]["part"]
        if code == "talking":
            active = room["seq"] > 1
            return {"type": "accomplish"} if active else {"type": "say", "body": {"text": "Hello."}}
        if code == "judging":
            return None
        if self.role == "writer":
            part = str(len(self._revs) + 1)
        value = self._value(code, part, room["item"])
        return {"type": "save", "body": {"part": part, "rev": self._revs.get(part, 0), **value}}

    def _value(self, code: str, part: str, item: dict[str, Any]) -> dict[str, Any]:
        match self.role:
            case "writer":
                speaker = ("assistant", "user")[int(part) % 2]
                return {"value": {"speaker": speaker, "text": f"This is line {part}."}}
            case "paraphraser":
                return {"value": {"text": item["lines"][int(part)]["text"]}}
            case "rater":
                return {"value": 1}
            case "tester":
                return {"value": 4 if part == "rating" else True}
            case "transcriber":
                return {"value": {"text": f"This is what was said in turn {part}."}}
        return {"value": {}}
