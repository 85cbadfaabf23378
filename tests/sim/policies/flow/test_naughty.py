"""Simulated users and flow agents reply to any text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dialoom.dialogue import SYSTEM, Event, Utterance
from dialoom.play.agents.flow import FlowFollowing
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.users.simulated import SimulatedUsers
from dialoom.schema import pack
from tests.naughty import naughty
from tests.strategies import sampled

TASKS = {name: pack.load(name) for name in ("restaurant_book", "weather")}
GOALS = LiveGoals(TASKS, 3)
TEXTS = st.lists(naughty().map(lambda text: text[:500]), min_size=1, max_size=4)


@pytest.mark.parametrize("task", TASKS)
@sampled
@given(texts=TEXTS)
@example(texts=["{slot} and {7}", "{0}", "at {0} pm"])
def test_a_flow_agent_answers_any_text(task: str, texts: list[str]) -> None:
    live = LiveDialogue(GOALS.goal(task, 0), FlowFollowing())
    for text in ("Hello.", *texts):
        utterance, *_ = live.say(text)
        assert isinstance(utterance, Utterance) and utterance.text == text


@pytest.mark.parametrize("task", TASKS)
@sampled
@given(texts=TEXTS)
def test_a_simulated_user_answers_any_text(task: str, texts: list[str]) -> None:
    user = SimulatedUsers().join(GOALS.goal(task, 0).seat(0))
    events: list[Event] = []
    for text in texts:
        events += user.reply(events)
        events.append(Utterance(agent=SYSTEM, text=text))
    user.reply(events)
