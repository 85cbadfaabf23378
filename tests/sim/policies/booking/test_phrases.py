"""Phrases: users' lines told from what the bot said before and after."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.policies.booking.phrases import phrases_of
from dialoom.sim.policies.booking.roles import Roles, roles_of
from dialoom.sim.policies.booking.wording import BOT, fits, wording_of
from dialoom.sim.presets.dstc6 import BookingPlan


def simulated(number: int, wording: dict[str, tuple[str, ...]] | None = None) -> list[Dialogue]:
    plan = PRESETS.get("dstc6").plan(Request(number=number, seed=3))
    assert isinstance(plan, BookingPlan)
    plan = replace(plan, lines=wording or plan.lines)
    source = plan.source()
    return [source(n) for file in range(15, 20) for n in range(file * number, (file + 1) * number)]


def test_lines_of_ours_come_back_as_they_are() -> None:
    own, dialogues = wording_of(), simulated(700)
    found = phrases_of(dialogues, roles_of(dialogues))
    assert set(found) == set(own) - set(BOT)
    for line, texts in found.items():
        assert set(texts) <= set(own[line]), line
        assert all(fits(text, own[line]) for text in texts)


def test_another_wording_is_told_as_well() -> None:
    changed = wording_of() | {
        "update": ("no, rather {change}",),
        "request": ("we are hungry",),
        "request.price": ("and it should be {price}",),
        "answer.price": ("{price} beats {other}",),
        "reject.both": ("no to both",),
    }
    dialogues = simulated(150, changed)
    found = phrases_of(dialogues, roles_of(dialogues))
    for line in ("update", "request", "request.price", "answer.price", "reject.both"):
        assert found[line] == list(changed[line])


def test_what_cannot_be_told_is_left_out() -> None:
    said = [(USER, "hi"), (SYSTEM, "welcome"), (USER, "a table for the_end please")]
    events = tuple(Utterance(agent=agent, text=text) for agent, text in said)
    dialogue = Dialogue(id="1", events=events)
    assert phrases_of([dialogue], roles_of([dialogue])) == {"greet": ["hi"]}
    assert phrases_of([Dialogue(id="1", events=())], Roles()) == {}


@pytest.mark.corpus
def test_real_users_lines_are_told(corpora: Path) -> None:
    dialogues = list(formats.load(corpora / "dstc6" / "tst3").dialogues())
    found, own = phrases_of(dialogues, roles_of(dialogues)), wording_of()
    assert set(found) == set(own) - set(BOT)
    assert all(fits(text, own[line]) for line, texts in found.items() for text in texts)
    assert {len(found[line]) for line in ("greet", "request", "reject")} == {3, 4}
