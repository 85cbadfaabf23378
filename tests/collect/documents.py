"""Studies of work on documents, played without a server."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.kinds.document.messages import Save, Submit
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import Record
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent, Envelope, MessageBody, Refused
from dialoom.collect.settings import Settings, Stage
from dialoom.collect.study import page
from dialoom.collect.study.study import Study
from dialoom.dialogue import Dialogue
from dialoom.quality.lint import lint

BEGIN = 1_700_000_000_000

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, pay=150)
MARK = Stage(name="mark", kind="annotation", of="write", workers=2, pay=60)
SETTLE = Stage(name="settle", kind="adjudication", of="mark", pay=40)
LINES = (("user", "A large latte."), ("assistant", "It is 5 € ☕ then."))


class Documents:
    """A study of documents, its log and a clock that only moves when told."""

    def __init__(self, *stages: Stage, **changes: Any) -> None:
        self.settings = Settings(stages=stages, **{"scenarios": 2, "seed": 3, **changes})
        self._codes, self._messages = count(1), count(1)
        self.now = BEGIN
        self.log: list[Record] = []
        self.study = self.fresh()
        self.take(self.study.start(self.now))

    def fresh(self) -> Study:
        """Return the study before anything happened."""
        library = ScenarioLibrary(self.settings)
        return Study(self.settings, library, token=lambda: f"code-{next(self._codes)}")

    def replayed(self) -> Study:
        """Return the study as its log tells it."""
        study = self.fresh()
        for record in self.log:
            study.state.apply(record)
        return study

    def take(self, change: Change) -> Change:
        """Note a change, and let a second pass."""
        self.log += change.records
        self.now += 1000
        return change

    def enter(self, worker: str) -> int:
        """Let somebody in, who agrees and gets something to do."""
        number, change = self.study.enter(worker, self.now)
        self.take(change)
        self.take(self.study.connected(number, self.now))
        if not self.study.assignment(number).consented:
            self.send(number, Consent())
        return number

    def send(self, number: int, message: MessageBody) -> Change:
        """Send a message."""
        envelope = Envelope(f"c-{next(self._messages)}", 0, message)
        return self.take(self.study.handle(number, envelope, self.now))

    def refused(self, number: int, message: MessageBody) -> Refused:
        """Return the refusal of a message, which changes nothing."""
        before = self.study.state.records
        try:
            self.send(number, message)
        except Refused as refused:
            assert self.study.state.records == before
            return refused
        raise AssertionError(f"{message} was not refused")

    def state(self, number: int) -> dict[str, Any]:
        """Return what somebody's page shows."""
        return page.state(self.study, number, self.now)

    def exported(self, to: str, out: Path) -> list[Dialogue]:
        """Return the dialogues of the log, exported in a format and read back: lint finds none."""
        with Store.open(":memory:") as store:
            store.submit(Change(tuple(self.log))).result()
            export(store, to, out)
        corpus = formats.load(out)
        assert [each for each in lint(corpus) if each.severity == "error"] == []
        return list(corpus.dialogues())

    def write(self, worker: str) -> int:
        """Let somebody write a dialogue, and hand it in."""
        number = self.enter(worker)
        for place, (speaker, text) in enumerate(LINES, start=1):
            self.send(number, Save(str(place), 0, {"speaker": speaker, "text": text}))
        self.send(number, Submit())
        return number

    def annotate(self, worker: str, *words: str) -> int:
        """Let somebody mark words of the first utterance, and hand it in."""
        number = self.enter(worker)
        text, label = LINES[0][1], self.state(number)["room"]["item"]["labels"][0]
        spans = [
            {"start": text.index(w), "end": text.index(w) + len(w), "text": w, "labels": [label]}
            for w in words
        ]
        self.send(number, Save("0", 0, {"spans": spans, "acts": [{"act": "inform"}]}))
        self.send(number, Save("1", 0, {}))
        self.send(number, Submit())
        return number
