"""Whole dialogues over the wire."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.collect.export import export
from dialoom.collect.settings import ScenarioMode, Settings
from tests.serve.page import Page
from tests.serve.play import whole
from tests.serve.served import Served, served


def test_a_dialogue_is_played_to_its_end(study: Served) -> None:
    user, wizard = study.pair()
    whole(user, wizard)
    assert user.state["done"]["outcome"] == wizard.state["done"]["outcome"] == "completed"
    assert user.state["done"]["code"] != wizard.state["done"]["code"]
    for page in (user, wizard):
        assert page.until_kind("closed")["event"]["outcome"] == "Complete"
        assert page.kinds()[0] == "opened"
    assert user.said() == wizard.said()
    assert {"ask", "result", "suggest", "choose"} <= set(wizard.kinds())


def test_what_was_collected_is_exported(study: Served, tmp_path: Path) -> None:
    user, wizard = study.pair()
    whole(user, wizard)
    exported = export(study.opened.store, "star", tmp_path / "star")
    assert (exported.dialogues, dict(exported.outcomes)) == (1, {"Complete": 1})


def test_the_one_who_leaves_is_done_and_the_other_waits_again(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Hello")
    user.do("leave")
    assert user.until_step("done")["done"]["outcome"] == "left"
    assert wizard.until_step("waiting")["waiting"]["first"]
    assert wizard.kinds()[-1] == "closed"
    second = study.page("user").wait()
    assert second.until_step("room")["room"]["number"] == 2
    assert wizard.until_step("room")["room"]["number"] == 2
    assert wizard.until_kind("opened")["seq"] == 1


def test_a_link_without_a_role_seats_people_in_either(study: Served) -> None:
    one, two = study.page(None).wait(), study.page(None).wait()
    roles = {page.until_step("room")["room"]["role"] for page in (one, two)}
    assert roles == {"user", "wizard"}


def test_the_next_dialogue_begins_with_joining_again(study: Served) -> None:
    user, wizard = study.pair()
    whole(user, wizard)
    first = user.state["assignment"]
    assert user.join().json() == {"assignment": first}
    assert user.join(again=True).json()["assignment"] != first
    user.open()
    assert user.state["step"] == "waiting"  # they have agreed before
    assert user.state["worker"] == next(f["state"]["worker"] for f in user.frames)


@pytest.mark.parametrize("scenario", ["unhappy", "multi"])
def test_nobody_sees_texts_for_the_other(tmp_path: Path, scenario: ScenarioMode) -> None:
    settings = Settings(
        tasks=("restaurant_book", "hotel_book", "weather"),
        scenario=scenario,
        scenarios=4,
        seed=5,
        guard="reason",
    )
    with served(tmp_path / "study.sqlite", settings) as study:
        user, wizard = study.pair()
        whole(user, wizard)
        item = study.opened.study.units[1].item
        _user_knows_no_query(user, wizard)
        _wizard_knows_no_instruction(wizard, user, item.content["user_task"])


def _user_knows_no_query(user: Page, wizard: Page) -> None:
    traffic = repr(user.frames)
    assert {frame["event"]["kind"] for frame in user.frames if frame["type"] == "event"} <= {
        "opened",
        "say",
        "instruction",
        "accomplished",
        "answered",
        "departed",
        "closed",
    }
    events = [frame["event"] for frame in wizard.frames if frame["type"] == "event"]
    secret = [event["api"] for event in events if event["kind"] in ("ask", "result")]
    secret += [event["action"] for event in events if event.get("action")]
    secret += [c["id"] for e in events if e["kind"] == "suggest" for c in e["candidates"]]
    texts = set(user.said())
    secret += [
        c["text"]
        for e in events
        if e["kind"] == "suggest"
        for c in e["candidates"]
        if c["text"] not in texts
    ]
    secret += [task["id"] for task in wizard.state.get("room", {}).get("tasks", [])]
    assert secret
    common = {"hello", "weather"}  # words that people use
    for text in set(secret) - common:
        assert text not in traffic, text
    for key in ("forms", "primary", "suggestions", "guard", "chart", "expected", "node"):
        assert f"'{key}'" not in traffic


def _wizard_knows_no_instruction(wizard: Page, user: Page, task: str) -> None:
    traffic = repr(wizard.frames)
    events = [frame["event"] for frame in user.frames if frame["type"] == "event"]
    instructions = [event["text"] for event in events if event["kind"] == "instruction"]
    assert instructions
    for text in (*instructions, task, "[instruction"):
        assert text not in traffic
    assert "can_accomplish" not in traffic


def test_an_idle_room_is_ended_after_an_idle_warning(study: Served) -> None:
    user, wizard = study.pair()
    for _ in range(4):
        study.tick(25)
    warning = user.until(lambda frame: frame["type"] == "idle_warning")
    assert warning["until"] > warning["since"]
    for _ in range(9):
        study.tick(25)  # in steps: a longer one is an outage of the server's own
    assert user.until_step("done")["done"]["outcome"] == "idle"
    assert wizard.until_step("waiting")["waiting"]["first"]
    assert sum(frame["type"] == "idle_warning" for frame in user.frames) == 1


def test_the_flow_guard_asks_for_a_reason(study: Served) -> None:
    user, wizard = study.pair()
    user.do("say", text="Good morning")
    wizard.until_turn()
    wizard.do("suggest", text="Is that all?")
    offers = wizard.until_state(lambda state: state["room"]["suggestions"])["room"]["suggestions"]
    off = next(c for c in offers["candidates"] if not c["permitted"])
    refused = wizard.ask("pick", action=off["id"])
    assert (refused["type"], refused["code"]) == ("refused", "off_flow")
    assert refused["expected"] and {"id", "text"} <= refused["expected"][0].keys()
    wizard.do("pick", action=off["id"], reason="-")
    wizard.until(lambda f: f["type"] == "event" and f["event"]["kind"] == "say")
    assert wizard.kinds()[-2:] == ["override", "say"]
    talk_on = user.until_turn()
    assert talk_on["room"]["turn"] == "user"
