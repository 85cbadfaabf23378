"""Roles: lines told from where they stand, whatever their words."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import Dialogue, Options
from dialoom.sim.core.plan import PRESETS, Request
from dialoom.sim.policies.booking.recorder import CALL
from dialoom.sim.policies.booking.roles import moves, roles_of, without_entities
from dialoom.sim.policies.booking.wording import BOT, wording_of
from dialoom.sim.presets.dstc6 import BookingPlan


def part(preset: str, number: int, files: range) -> list[Dialogue]:
    plan = PRESETS.get(preset).plan(Request(number=number, seed=3))
    assert isinstance(plan, BookingPlan)
    source = plan.source()
    return [source(n) for file in files for n in range(file * number, (file + 1) * number)]


@pytest.mark.parametrize(
    ("preset", "files", "absent"),
    [
        ("dstc6", range(5), {"ask.restrictions"}),
        ("dstc6", range(15, 20), set()),
        ("babi", range(5), {"ask.atmosphere", "ask.restrictions", "ready", "sorry", "was"}),
    ],
)
def test_lines_of_ours_are_all_told(preset: str, files: range, absent: set[str]) -> None:
    lines = roles_of(part(preset, 150, files)).wording()
    own = wording_of()
    assert lines == {line: own[line][0] for line in BOT if line not in absent}


def test_the_last_line_is_told_without_answers() -> None:
    items = [
        Dialogue(id=d.id, events=(*d.events[:-1], _without_answer(d)), origin=d.origin)
        for d in part("dstc6", 150, range(5, 10))
    ]
    assert roles_of(items).wording()["welcome"] == wording_of()["welcome"][0]


def _without_answer(dialogue: Dialogue) -> Options:
    options = dialogue.events[-1]
    assert isinstance(options, Options)
    return replace(options, choice=None)


def test_entities_become_placeholders() -> None:
    assert without_entities("call a_b_phone, or go to a_b_address") == (
        "call {phone}, or go to {address}"
    )
    assert without_entities("that is a_b") == "that is {name}"


def test_values_of_users_become_placeholders() -> None:
    roles = roles_of(part("dstc6", 60, range(5)))
    assert roles.mentioned("not cheap, but moderate") == ("price", "price")
    assert roles.delexicalised("not cheap, a_b in rome") == "not {price}, {name} in {location}"
    assert roles.line("api_call x") == CALL
    assert roles.line("never said") == "never said"


def test_nothing_comes_of_nothing() -> None:
    assert roles_of([]).wording() == {}
    assert roles_of([Dialogue(id="1", events=())]).wording() == {}
    assert moves(Dialogue(id="1", events=()), answered=True) == []


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "lines"), [("dstc6/tst1", 19), ("dstc6/tst3", 20), ("babi", 15)])
def test_real_lines_have_each_one_role(corpora: Path, name: str, lines: int) -> None:
    dialogues = formats.load(corpora / name).dialogues()
    if name == "babi":  # tasks 1 to 5; task 6 is of people
        dialogues = (d for d in dialogues if d.origin and "task6" not in d.origin.file)
    roles = roles_of(islice(dialogues, 20_000))
    assert len(roles.wording()) == len(roles.lines) == lines
    assert set(roles.lines) == set(roles.counts)
