"""Agents that are the floors of scores."""

from __future__ import annotations

import pytest

from dialoom.dialogue import SYSTEM, Query, Result, Utterance
from dialoom.play.agents.base import AGENTS, AgentSeat
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator

WEATHER = Simulator(pack.load("weather"), 1)
SEAT = AgentSeat(programs=(WEATHER.program,), seed=b"seed")
HELLO = Utterance(agent="user", text="Will it rain?")


def test_the_reciter_says_every_value() -> None:
    (utterance,) = AGENTS.made("reciter").join(SEAT).reply([HELLO])
    assert isinstance(utterance, Utterance)
    assert "Velmora" in utterance.text
    assert "stormy" in utterance.text


@pytest.mark.parametrize("agent", ["reciter", "dumper"])
def test_the_floors_please_no_judge(agent: str) -> None:
    tasks = (
        "doctor_followup",
        "plane_search",
        "spaceship_life_support",
        "trip_directions",
        "trivia",
    )
    schemas = tuple(pack.load(name) for name in tasks)
    plan = plan_of(schemas, agent, "simulated", 4, 1, 7)
    play = plan.source()
    run = [verdict for i in range(plan.dialogues) if (verdict := played(play(i))) is not None]
    summary = summarise(run)
    assert summary["all"]["success"] <= summary["silent"]["success"] + 2


def test_the_dumper_says_what_its_calls_bring() -> None:
    agent = AGENTS.made("dumper").join(SEAT)
    queries = agent.reply([HELLO])
    assert len(queries) > 1
    assert all(isinstance(each, Query) for each in queries)
    results = [
        Result(query=e.id, items=({"Weather": "foggy"},)) for e in queries if isinstance(e, Query)
    ]
    (utterance,) = agent.reply([HELLO, *queries, *results])
    assert isinstance(utterance, Utterance)
    assert (utterance.agent, utterance.text) == (SYSTEM, "foggy.")
    assert agent.reply([HELLO, *queries, *results, utterance, HELLO]) != queries
