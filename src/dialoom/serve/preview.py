"""Writes pages of a study as each person sees them at each step, to be looked at without a server.

A study in memory is played: consent, tutorial and quiz, waiting, the work itself, the questions
after it, the last page. Where words have to be said, all say the same line. One script has the
built pages and substitutes for the server's answers. `index.html` lists all pages.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import count, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from dialoom.collect.kinds.bot import BotKind
from dialoom.collect.kinds.document.kind import Save, Submit
from dialoom.collect.kinds.rated_chat import REACHED
from dialoom.collect.kinds.room.messages import Accomplish, Say, Speak
from dialoom.collect.kinds.room.room import Room
from dialoom.collect.kinds.room.sounds import Sound
from dialoom.collect.log.facts import ChatJudged
from dialoom.collect.log.record import ROLES, RoomRole
from dialoom.collect.message import Consent, Envelope, MessageBody, Questionnaire, Ready, Refused
from dialoom.collect.settings import QUIZ, ROOMS, Settings, Stage
from dialoom.collect.studies import StudyHandle, open_study
from dialoom.collect.study import page, sounds
from dialoom.corpus.files import write_synced
from dialoom.dialogue import SYSTEM, USER, Utterance
from dialoom.render.page import Section, link, table
from dialoom.render.page import page as house_page
from dialoom.schema.flowchart import draw
from dialoom.serve.hub import now_ms
from dialoom.serve.pages import FOLDER

SCRIPT = "pages.js"

LINE = "This is a line of the preview."

_START = b"RIFF"
SILENCE = Sound(hashlib.sha256(_START).hexdigest(), "audio/wav", _START)
"""The start of each recording; pages play a second of silence (web/src/preview.ts)."""

SUBSTITUTES = "preview.js"
"""The built script that answers in place of the server (web/src/preview.ts)."""


class PreviewPage(NamedTuple):
    """A page of a preview: its file, and whose page at which step of which stage it is."""

    file: str
    stage: str
    person: str
    step: str


class _Shown(NamedTuple):
    stage: str
    person: str
    state: dict[str, Any]
    events: list[dict[str, Any]]


def preview(settings: Settings, out: Path) -> list[PreviewPage]:
    """Write the pages of a study into a new folder, and return them in order."""
    pages: list[PreviewPage] = []
    with TemporaryDirectory() as folder:
        played = _for_players(settings)
        with open_study(Path(folder) / "preview.sqlite", played, now_ms()) as handle:
            charts = {
                name: draw(task)
                for name, task in handle.library.tasks.items()
                if task.flow.complete
            }
            views = list(_Player(handle).pages())
    write_synced(out / SCRIPT, _script(charts).encode())
    for number, one in enumerate(views, start=1):
        step = one.state["step"]
        slug = re.sub(r"[^\w-]", "_", one.stage, flags=re.ASCII)
        name = f"{number:02d}-{slug}-{one.person}-{step}.html"
        write_synced(out / name, _page(one).encode())
        pages.append(PreviewPage(name, one.stage, one.person, step))
    for style in sorted(FOLDER.glob("*.css")):
        write_synced(out / style.name, style.read_bytes())
    write_synced(out / "index.html", _index(settings, pages).encode())
    return pages


def _for_players(settings: Settings) -> Settings:
    """Return settings in which each stage is for workers of its own, whatever comes after it."""
    settings = replace(settings, wizards=(), paused=False, budget=None)
    if isinstance(settings.stages, str):
        return settings
    pairs = enumerate(settings.stages, start=1)
    stages = tuple(replace(each, only=_workers(each, f"stage-{place}")) for place, each in pairs)
    return replace(settings, stages=stages)


def _workers(stage: Stage, name: str) -> tuple[str, ...]:
    return tuple(f"{name}-{number}" for number in range(max(2, stage.workers)))


class _Player:
    def __init__(self, handle: StudyHandle) -> None:
        self._study = handle.study
        self._now = now_ms()
        self._clients = count(1)

    def pages(self) -> Iterator[_Shown]:
        for stage in self._study.state.stages:
            if stage.kind in ROOMS:
                yield from self._room(stage)
            else:
                yield from self._alone(stage)

    def _room(self, stage: Stage) -> Iterator[_Shown]:
        numbers: dict[RoomRole, int] = {}
        for role in ROLES:
            number = numbers[role] = self._enter(stage, role)
            if self._study.assignment(number).stage != stage.name:  # there is no item for it
                return
            yield self._shown(stage, role, number)
            self._send(number, Consent())
            yield self._shown(stage, role, number)
        for number in numbers.values():
            self._send(number, Ready())
        for step in ((), self._talked, self._answered):
            if step and not step(*numbers.values()):
                return
            for role, number in numbers.items():
                yield self._shown(stage, role, number)

    def _talked(self, user: int, wizard: int) -> bool:
        try:
            while not (room := page.state(self._study, user, self._now)["room"])["can_accomplish"]:
                self._send(user, self._recorded(user) if "speech" in room else Say(LINE))
                self._send(wizard, Say(LINE, reason=LINE))
            self._send(user, Accomplish())
        except Refused:
            return False
        return True

    def _recorded(self, user: int) -> Speak:
        sounds.receive(self._study, user, SILENCE, self._now)
        return Speak(SILENCE.digest, 1.0)

    def _answered(self, *numbers: int) -> bool:
        for number in numbers:
            unit, role = self._study.seat(number) or (None, "")
            if unit is None or not isinstance(unit.work, Room):
                return False
            answers = {each.id: each.example for each in unit.work.questions(role)}
            rating = 4 if unit.work.rates(role) else None
            self._send(number, Questionnaire(answers, rating))
        return True

    def _alone(self, stage: Stage) -> Iterator[_Shown]:
        person: str = "worker"
        if stage.kind != QUIZ:
            person = self._study.pairing.kind(stage.name).reader
        many = 1 if stage.kind == QUIZ else stage.workers
        for first in (worker == 0 for worker in range(many)):
            try:
                number = self._enter(stage, None)
            except Refused as refusal:
                if refusal.code != "full":
                    raise
                return  # nothing to do here until others have worked
            if first:
                yield self._shown(stage, person, number)
            self._send(number, Consent())
            if first:
                yield self._shown(stage, person, number)
            if stage.kind == QUIZ:
                self._study.end(number, self._now)  # nobody waits for a seat that comes of it
                return
            worked = list(self._worked(stage, person, number))
            yield from worked if first else ()
            if self._study.assignment(number).outcome is None:
                return

    def _worked(self, stage: Stage, person: str, number: int) -> Iterator[_Shown]:
        while self._study.assignment(number).outcome is None:
            if stage.kind == BotKind.name:
                self._rated(number)
                yield self._shown(stage, person, number)
            if not self._filled(number, stage):
                return
        yield self._shown(stage, person, number)

    def _enter(self, stage: Stage, role: Any) -> int:
        study = self._study
        workers = stage.only or _workers(stage, stage.name)
        worker = next(each for each in workers if each not in study.state.workers)
        study.grant(worker, stage.name, self._now)
        languages, admits = study.state.languages, study.admission.admits
        open_in = (each for each in languages if admits(worker, stage.name, role, self._now, each))
        language = next(open_in, languages[0])
        number, _ = study.enter(worker, self._now, role=role, language=language)
        study.connected(number, self._now)
        return number

    def _send(self, number: int, message: MessageBody) -> None:
        self._now += 1000
        envelope = Envelope(f"preview-{next(self._clients)}", 0, message)
        self._study.handle(number, envelope, self._now)

    def _rated(self, number: int) -> None:
        unit, _ = self._study.seat(number) or (None, "")
        assert unit is not None
        self._send(number, Say(LINE))
        self._study.answer(unit.number, (Utterance(agent=SYSTEM, text=LINE),), self._now)
        self._send(number, Accomplish())
        judged = ChatJudged(outcome=None, scenario={}, verdict={})
        self._study.answer(unit.number, (judged,), self._now)

    def _filled(self, number: int, stage: Stage) -> bool:
        """Fill a document in with nothing said; False where that cannot be handed in."""
        item = page.state(self._study, number, self._now)["room"]["item"]
        lines = item.get("lines", ())
        graded = product(range(len(item.get("criteria", ()))), range(len(item.get("outputs", ()))))
        speakers = ("user", "assistant")
        parts: Mapping[str, Any] = {
            str(place + 1): {"speaker": speakers[place % 2], "text": f"Line {place + 1}."}
            for place in range(item.get("least", 0))
        }
        parts = parts or {f"{criterion}.{output}": 1 for criterion, output in graded}
        if stage.kind == BotKind.name:
            parts = {"rating": 4, REACHED: True}
        typed = {str(place): {"text": LINE} for place, line in enumerate(lines) if "sound" in line}
        parts = (parts or typed) or {
            str(place): {"text": line["text"]} if "values" in line else {}
            for place, line in enumerate(lines)
        }
        sources = [line["from"] for line in lines] or [USER, SYSTEM]  # of a talk with a bot
        own = {part: each.example for each in stage.asks for part in each.parts(sources)}
        if not item.get("layers", True):
            parts = {}
        try:
            for part, value in {**parts, **own}.items():
                self._send(number, Save(part, 0, value))
            self._send(number, Submit())
        except Refused:
            return False
        return True

    def _shown(self, stage: Stage, person: str, number: int) -> _Shown:
        state = page.state(self._study, number, self._now)
        events: list[dict[str, Any]] = []
        if "room" in state:
            unit, role = self._study.seat(number) or (None, "")
            state["room"] = {**state["room"], "seat_token": "preview", "generation": 1}
            if unit is not None and unit.work is not None:
                events = unit.work.events.since(role)
        return _Shown(stage.name, person, state, events)


def _page(one: _Shown) -> str:
    frames = [{"type": "welcome", "now": one.state["now"], "generation": 1, "state": one.state}]
    unit = one.state.get("room", {}).get("number")
    for event in one.events:
        seq, time = event.pop("seq"), event.pop("time")
        frames.append({"type": "event", "room": unit, "seq": seq, "time": time, "event": event})
    data = msgspec.json.encode(frames).decode().replace("<", "\\u003c")
    script = f"<script>const frames = {data};</script><script src={SCRIPT}></script>"
    language = escape(one.state["language"])
    styles = "".join(
        f'<link rel="stylesheet" href="{each.name}">' for each in sorted(FOLDER.glob("*.css"))
    )
    return (
        f'<!doctype html><html lang="{language}" data-link="preview"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{styles}{script}</head><body><div id=app></div></body></html>"
    )


def _script(charts: Mapping[str, str]) -> str:
    scripts = {each.name: each.read_text("utf-8") for each in FOLDER.glob("*.js")}
    substitutes = scripts.pop(SUBSTITUTES)
    modules = {f"dialoom/{name}": _module(text) for name, text in scripts.items()}
    data = msgspec.json.encode({"modules": modules, "charts": charts}).decode()
    return f"const {{ modules, charts }} = {data};\n{substitutes}"


def _module(text: str) -> str:
    """Return a module as an address; it imports others by their names, which have no place."""
    code = re.sub(r"""(["'`])\./([\w.-]+\.js)\1""", r"\1dialoom/\2\1", text)
    code = re.sub(r"__vite__mapDeps\([^()]*\)", "[]", code)  # the page has all style sheets
    return "data:text/javascript;base64," + base64.b64encode(code.encode()).decode()


def _index(settings: Settings, pages: list[PreviewPage]) -> str:
    rows = ((each.stage, each.person, link(each.file, each.step)) for each in pages)
    section = Section("Pages", table(("stage", "person", "page"), rows, "Pages"))
    return house_page(settings.name, [section], kind="dialoom collect preview")
