"""Studies of work on documents, played without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.log.change import Change
from dialoom.collect.log.record import RoomRole
from dialoom.collect.log.store import Store
from dialoom.collect.message import Consent
from dialoom.collect.settings import Settings, Stage
from dialoom.dialogue import Dialogue
from dialoom.quality.lint import lint
from tests.collect.studied import PlayedStudy

WRITE = Stage(name="write", kind="self_dialogue", tasks=("coffee_ordering",), least=2, pay=150)
MARK = Stage(name="mark", kind="annotation", of="write", workers=2, pay=60)
SETTLE = Stage(name="settle", kind="adjudication", of="mark", pay=40)
LINES = (("user", "A large latte."), ("assistant", "It is 5 € ☕ then."))


class Documents(PlayedStudy):
    """A study of documents."""

    def __init__(self, *stages: Stage, **changes: Any) -> None:
        settings = Settings(stages=stages, **{"scenarios": 2, "seed": 3, **changes})
        super().__init__(settings, ScenarioLibrary(settings), {})

    def enter(self, worker: str, role: RoomRole | None = None, **more: Any) -> int:
        """Let somebody in, who agrees and gets something to do."""
        number = super().enter(worker, role, **more)
        if not self.study.assignment(number).consented:
            self.send(number, Consent())
        return number

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
