"""Brief dialogues: what the flow can spare is left out, all else stays true and permitted."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Utterance, encode, views
from dialoom.dialogue.views import label
from dialoom.errors import UsageError
from dialoom.flow.alignment import follow
from dialoom.flow.program import program_of
from dialoom.flow.steps import Omissible
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.schema.lexicon import lexicon
from dialoom.schema.template import parse
from dialoom.sim import SCENARIOS, Maker, StarPlan
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.sim.checks import check
from tests.sim.designs import boat, guide

NAMES = ("hotel_book", "hotel_search", "apartment_schedule", "ride_book", "weather")
TASKS = tuple(pack.load(name) for name in NAMES)
NUMBER = 200


@cache
def made(brief: float, scenario: str = "happy") -> tuple[Dialogue, ...]:
    plan = StarPlan(
        tasks=TASKS, seed=3, dialogues=NUMBER, scenario=scenario, brief=brief, digress=0
    )
    return tuple(map(Maker(plan).dialogue, range(NUMBER)))


def said(dialogue: Dialogue) -> list[Utterance]:
    return [event for event in dialogue.events if isinstance(event, Utterance)]


def counts(brief: float) -> Counter[str]:
    return Counter(label(event) or "" for dialogue in made(brief) for event in said(dialogue))


def test_the_briefer_the_shorter() -> None:
    lengths = [sum(counts(brief).values()) for brief in (0.0, 0.3, 0.6, 1.0)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[-1] < 0.75 * lengths[0]


def test_what_can_be_spared_is_left_out_and_nothing_else() -> None:
    thorough, brief = counts(0.0), counts(1.0)
    for task in TASKS:
        for name in Omissible(task).questions:
            assert thorough[name]
            assert not brief[name], name
    assert thorough["hello"] and not brief["hello"]
    assert brief["anything_else"] < 0.4 * thorough["anything_else"]
    for name in ("hotel_ask_confirm_booking", "weather_inform_forecast", "ride_confirm_booking"):
        assert brief[name] > 0.8 * thorough[name]


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
@pytest.mark.parametrize("brief", [0.5, 1.0])
def test_brief_dialogues_have_nothing_that_lint_finds(scenario: str, brief: float) -> None:
    linter = Linter({task.id: task for task in TASKS}, 3)
    assert [str(f) for dialogue in made(brief, scenario) for f in linter.check(dialogue)] == []


def test_the_system_has_the_last_word_and_nobody_speaks_twice_for_want_of_a_courtesy() -> None:
    for dialogue in made(1.0):
        agents = [event.agent for event in dialogue.events if isinstance(event, Utterance | Query)]
        assert agents[0] == USER
        assert agents[-1] == SYSTEM
        assert (USER, USER) not in set(pairwise(agents))


def test_users_name_unasked_what_they_come_for() -> None:
    unasked = Counter[float]()
    for brief in (0.0, 1.0):
        for dialogue in made(brief):
            first = said(dialogue)[0]
            unasked[brief] += bool(first.layers[0].parts[0].spans)
    assert unasked[1.0] > 0.95 * NUMBER > unasked[0.0]


def test_who_confirms_or_chooses_says_that_and_no_more() -> None:
    by_name = {task.id: task for task in TASKS}
    volunteered = 0
    for dialogue in made(1.0):
        (task,) = (by_name[name] for name in views.tasks(dialogue))
        for event in said(dialogue):
            node = task.flow.nodes[label(event) or ""]
            greets = event.text.rstrip("!.").casefold() in lexicon("en").cues["greeting"]
            if event.agent != USER or greets:
                continue
            slots = {name for span in event.layers[0].parts[0].spans or () for name in span.labels}
            plain = any(slots <= {slot.name for slot in parse(text).slots} for text in node.texts)
            volunteered += not plain
            early = all(name in OPENERS for name in task.flow.before[node.name])
            assert plain or node.forget or early, event.text
            assert "(" not in event.text
    assert volunteered > 0.3 * NUMBER


OPENERS = ("open", "hello")
"""Nodes of these tasks before which nobody has said what they want."""


def test_who_has_been_met_is_not_greeted_again() -> None:
    for dialogue in made(0.01, "multi"):
        assert Counter(map(label, said(dialogue)))["hello"] <= 1


@given(st.integers(0, 2**40), st.sampled_from([boat, guide]), st.sampled_from([0.2, 0.7, 1.0]))
def test_brief_dialogues_hold_together(index: int, make: object, brief: float) -> None:
    task = boat() if make is boat else guide()
    check(Simulator(task, 3, brief=brief).dialogue(index), task)


def test_thorough_is_the_flow_itself() -> None:
    task = boat()
    for index in range(20):
        thorough = Simulator(task, 3, brief=0.0).dialogue(index)
        assert encode(thorough) == encode(Simulator(task, 3).dialogue(index))


def test_a_walk_passes_over_what_is_optional_and_nothing_else() -> None:
    task = boat()
    whole = Simulator(task, 3).dialogue(4).events
    for name, fine in (("ask_extras", True), ("ask_time", False), ("offer", False)):
        at = next(
            place
            for place, event in enumerate(whole)
            if isinstance(event, Utterance) and label(event) == name
        )
        visits = list(follow(program_of(task), (*whole[:at], *whole[at + 2 :])))
        assert all(visit.permitted for visit in visits) == fine, name


@pytest.mark.parametrize("brief", [-0.1, 1.1])
def test_brevity_is_a_probability(brief: float) -> None:
    with refuses(UsageError, "out-of-range", "0", "1"):
        made(brief)
