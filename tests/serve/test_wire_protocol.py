"""docs/reference/wire-protocol.md names all that goes over the wire."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from dialoom.collect.kinds.decoding import ClientMessage
from dialoom.collect.kinds.room.visible_events import CONTENTS
from dialoom.collect.log.record import Outcome
from dialoom.collect.settings import Settings
from dialoom.serve import connection, limits
from tests.found import some
from tests.serve.served import Served, served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "wire-protocol.md").read_text()
SOURCES = [
    path
    for part in ("collect", "serve")
    for path in sorted((ROOT / "src" / "dialoom" / part).rglob("*.py"))
]

INNER = {"link_used"}
"""Codes that are given another name on the wire."""


def codes() -> set[str]:
    refusals = set()
    for path in SOURCES:
        refusals |= set(re.findall(r"Refused\(\s*\"([a-z_]+)\"", path.read_text()))
    return refusals - INNER


@pytest.mark.parametrize("code", sorted(codes()))
def test_every_refusal_is_documented(code: str) -> None:
    assert f"`{code}`" in PAGE


def test_every_message_is_documented() -> None:
    for message in some(get_args(ClientMessage)):
        assert f"| `{message.__struct_config__.tag}` |" in PAGE


def test_every_field_of_a_message_is_documented() -> None:
    section = PAGE[PAGE.index("## 6.") : PAGE.index("## 7.")]
    for message in get_args(ClientMessage):
        for name in message.__struct_fields__:
            assert f'"{name}"' in section or f"`{name}`" in section, (message, name)


def test_every_kind_of_event_is_documented() -> None:
    for kind in ("turn", *(kind for kind, _ in CONTENTS.values())):
        assert f"| `{kind}` |" in PAGE


def test_every_outcome_is_documented() -> None:
    for outcome in some(get_args(Outcome)):
        assert f"`{outcome}`" in PAGE


def test_close_codes_and_limits_are_documented() -> None:
    own = ("TAKEN_OVER", "NO_SESSION", "TOO_FAST", "NOT_THEIRS", "NO_HELLO", "TOO_SLOW")
    for name in own:
        assert f"| {getattr(connection, name)} |" in PAGE
    assert f"{limits.LARGEST:,} bytes" in PAGE
    assert f"when {limits.QUEUED} frames" in PAGE
    rates = limits.Limits()
    assert f"{rates.messages.rate:.0f} frames a second, and {rates.messages.burst:.0f}" in PAGE
    assert f"join {rates.joins.burst:.0f} times at once, and then {rates.joins.rate:.0f}" in PAGE


def test_every_address_is_documented(study: Served) -> None:
    for route in some(study.routes()):
        path = re.sub(r"{(\w+)(:\w+)?}", r"{\1}", route.path)
        if path == "/":
            continue
        assert re.sub(r"\{name\}", "…", path) in PAGE or path.replace("{task}.svg", "") in PAGE, (
            path
        )


def test_every_key_of_a_state_is_documented(study: Served) -> None:
    user, wizard = study.pair()
    for page in (user, wizard):
        for state in (frame["state"] for frame in page.frames if "state" in frame):
            inner = [*state.values(), *state.get("room", {}).get("tasks", [])]
            for value in (state, *(value for value in inner if isinstance(value, dict))):
                for key in value:
                    assert f"`{key}`" in PAGE or f'"{key}"' in PAGE, key


def test_what_the_page_says_of_hello_turns_reasons_and_joining_again(tmp_path: Path) -> None:
    tasks = ("restaurant_book", "hotel_book")
    settings = Settings(tasks=tasks, scenario="multi", scenarios=3, guard="reason")
    with served(tmp_path / "study.sqlite", settings) as study:
        user, wizard = study.pair()
        assert user.join(again=True).json() == {"assignment": user.state["assignment"]}  # not over
        user.do("say", text="Hello")
        wizard.until_turn()
        assert wizard.ask("suggest", text="hello")["code"] == "no_task"
        wizard.do("turn", task=wizard.state["room"]["tasks"][0]["id"])
        stopped = wizard.ask("say", text="In my own words.")
        assert (stopped["code"], stopped["action"]) == ("off_flow", None)
        assert stopped["reason_wanted"]
        wizard.do("say", text="In my own words.", reason="They asked for it.")
        override = wizard.until_kind("override")["event"]
        assert (override["action"], override["reason"]) == (None, "They asked for it.")
        user.until(lambda frame: frame.get("event", {}).get("from") == "wizard")
        last = max(user.events)
        user.drop()
        user.connect()
        hello = {"seat_token": user.token, "generation": 7}  # of before a restart, say
        user.send_frame(type="hello", last_seq=last + 99, **hello)
        welcome = user.until(lambda frame: frame["type"] == "welcome")
        assert welcome["generation"] == 7
        user.do("say", text="Thanks")
        assert user.until(lambda frame: frame["type"] == "event")["seq"] == last + 1
