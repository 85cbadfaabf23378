"""You are the wizard: a simulated user talks, and what is sent is carried out as in a study."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from starlette.testclient import TestClient

from dialoom.collect.bots import client_messages
from dialoom.collect.kinds.room.messages import Ask, Say
from dialoom.dialogue import Query, Utterance
from dialoom.flow.program import program_of
from dialoom.play.agents.base import AGENTS, AgentSeat
from dialoom.schema import pack
from dialoom.studio.tasks.desk import WizardDesk
from tests.studio.tasks.asking import asked

WEATHER = pack.text("weather")


def held(client: TestClient, *sent: Any, text: str = WEATHER) -> Any:
    return asked(client, "wizard", text, sent=msgspec.to_builtins(sent))


def said(found: Any) -> list[str]:
    return [each["text"] for each in found["events"] if each["kind"] == "say"]


def test_the_user_begins_and_answers(client: TestClient) -> None:
    start = held(client)
    assert [each["kind"] for each in start["events"]] == ["opened", "say"]
    assert start["room"]["turn"] == "wizard"
    after = held(client, {"type": "say", "text": "Which city do you mean?", "reason": "-"})
    assert len(said(after)) == 3
    assert said(after)[0] == said(start)[0]


def test_a_suggested_reply_is_sent(client: TestClient) -> None:
    search = {"type": "suggest", "text": "hello"}
    first = held(client, search)["room"]["suggestions"]["candidates"][0]
    after = held(client, search, {"type": "pick", "action": first["id"]})
    assert (after["taken"], after["refusal"]) == (2, None)
    assert said(after)[1] == first["text"]


def test_a_reply_off_the_flow_is_asked_about(client: TestClient) -> None:
    search = {"type": "suggest", "text": "What day?"}
    off = {"type": "pick", "action": "weather_ask_day"}
    refused = held(client, search, off)
    assert (refused["taken"], refused["refusal"]["code"]) == (1, "off_flow")
    assert held(client, search, {**off, "reason": "-"})["taken"] == 2


def test_a_talk_ends_where_an_edit_no_longer_allows_it(client: TestClient) -> None:
    search, pick = {"type": "suggest", "text": "hello"}, {"type": "pick", "action": "hello"}
    assert held(client, search, pick)["taken"] == 2
    renamed = re.sub(r"\bhello\b", "good_day", WEATHER)
    assert held(client, search, pick, text=renamed)["taken"] == 1


def test_a_wizard_who_follows_the_flow_gets_to_the_end() -> None:
    task = pack.load("weather")
    desk = WizardDesk(task, seed=3)
    agent = AGENTS.made("flow").join(AgentSeat(programs=(program_of(task),), seed=b"0"))
    for _ in range(30):
        if desk.room.turn is None:
            break
        for event in agent.reply(desk.events):
            if isinstance(event, Query):
                ((message, _),) = client_messages((event,))
                assert isinstance(message, Ask)
                desk.take(message)
            elif isinstance(event, Utterance):
                desk.take(Say(event.text, reason="-"))
    assert desk.room.turn is None
    assert desk.room.found
