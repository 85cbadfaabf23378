"""Bots that fail while a person talks with them: it is recorded, told, and counted nowhere."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.collect.export import export
from dialoom.collect.kinds.rated_chat import FAILURE
from dialoom.collect.log.facts import ChatFailed
from dialoom.collect.log.record import unit_stream
from dialoom.collect.settings import Settings, Stage
from dialoom.dialogue import Event
from dialoom.play.agents.flow import FlowFollowing
from dialoom.play.judging.verdict import NO_RESULT
from tests.naughty import STRINGS
from tests.serve.page import Page
from tests.serve.served import Served, served

ENDS = f"command:{shlex.quote(sys.executable)} -c {shlex.quote('import sys; sys.exit(3)')}"
BABBLES = f"command:{shlex.quote(sys.executable)} -c {shlex.quote('print(7, flush=True)')}"


class Broken:
    """An agent with a bug."""

    def reply(self, events: Sequence[Event]) -> tuple[Event, ...]:
        raise ZeroDivisionError("a bug of the bot")


def study_of(agent: str) -> Settings:
    talk = Stage(name="talk", kind="bot", tasks=("weather",), agents=(agent,), pay=50)
    return Settings(stages=(talk,), scenarios=3, seed=3)


def talking(study: Served) -> Page:
    page = study.page(None, worker="t-1")
    page.do("consent")
    page.until_step("room")
    return page


@pytest.mark.parametrize("agent", ["command:cat", ENDS, BABBLES, "silent", "flow"])
def test_a_bot_that_fails_is_recorded_reported_and_not_graded(
    agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FlowFollowing, "join", lambda agent, seat: Broken())
    with served(tmp_path / "talks.sqlite", study_of(agent)) as study:
        page = talking(study)
        page.do("say", text="Will it rain?")
        room = page.until_state(lambda state: state["room"]["failed"])["room"]
        assert (room["talking"], room["problems"]) == (False, [])
        records = study.opened.store.stream(unit_stream(1))
        [failed] = [record.body for record in records if isinstance(record.body, ChatFailed)]
        with study.admin() as admin:
            [comment] = admin.get("/api/admin/dashboard").json()["comments"]
        assert failed.what and agent in comment["text"]
        page.do("submit")
        assert page.until_step("done")["done"]["outcome"] == "completed"
        exported = export(study.opened.store, "native", tmp_path / "native")
    assert (exported.outcomes, exported.failed) == ({NO_RESULT: 1}, {agent: 1})
    assert exported.grades.tables() == []
    [dialogue] = formats.load(tmp_path / "native").dialogues()
    assert dialogue.extra[FAILURE] == failed.what


def test_a_bot_answers_whatever_is_said(tmp_path: Path) -> None:
    with served(tmp_path / "talks.sqlite", study_of("flow")) as study:
        page = talking(study)
        for text in [each for each in STRINGS if len(each) < 300][::9]:
            page.until_turn()
            page.ask("say", text=text)
        state = page.until_state(
            lambda state: state["room"]["your_turn"] or not state["room"]["talking"]
        )
        assert not state["room"]["failed"]
