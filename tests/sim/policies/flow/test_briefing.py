"""What agents are told of their tasks."""

from __future__ import annotations

from msgspec.structs import replace

from dialoom.flow.program import compile_task
from dialoom.schema import pack
from dialoom.sim.policies.flow.briefing import policy, wizard_briefing


def test_an_agent_is_told_the_policy_and_the_flow_in_words() -> None:
    task = pack.load("weather")
    long = "Never guess. " * 600
    own = replace(task, texts={**task.texts, "policy": long})
    briefing = policy([compile_task(own), compile_task(pack.load("trivia"))])
    assert long in briefing
    assert pack.load("trivia").texts["wizard"] in briefing
    assert briefing.count("call weather") == 1
    for name in task.flow.nodes:
        assert f"[{name}]" in briefing
    assert task.texts["wizard"] in policy([compile_task(task)])
    assert long not in wizard_briefing([compile_task(own)])
