"""Corrections, interruptions and what is not understood: as often as set, and along the flow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

import pytest

from dialoom.dialogue import SYSTEM, Dialogue, Instruction, Utterance
from dialoom.dialogue.views import label
from dialoom.errors import UsageError
from dialoom.schema import pack
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.sim import StarPlan
from dialoom.sim.policies.flow.digressions import HAPPY, STAGES, DigressionRates
from dialoom.sim.policies.flow.participant import simulated_user
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses

TASK = pack.load("train_journey")
MANY = 120


@lru_cache(maxsize=8)
def simulated(factor: float, scenario: str = "happy") -> tuple[Dialogue, ...]:
    plan = StarPlan(tasks=(TASK,), seed=2, dialogues=MANY, scenario=scenario, digress=factor)
    return tuple(map(plan.source(), range(MANY)))


def labels(dialogues: Iterable[Dialogue]) -> Counter[str | None]:
    return Counter(
        label(event)
        for dialogue in dialogues
        for event in dialogue.events
        if isinstance(event, Utterance)
    )


def beside(dialogue: Dialogue) -> bool:
    nodes = {node.name for node in TASK.flow.anytime} | {OUT_OF_SCOPE}
    return not nodes.isdisjoint(labels([dialogue]))


def test_none_where_the_factor_is_nought_and_more_where_it_is_larger() -> None:
    assert not any(map(beside, simulated(0)))
    few, many = (sum(map(beside, simulated(factor))) for factor in (1, 8))
    assert 0 < few < many


def test_a_dialogue_without_a_digression_is_the_same_at_any_rate() -> None:
    pairs = list(zip(simulated(0), simulated(1), strict=True))
    assert all(none == some for none, some in pairs if not beside(some))
    assert 0 < sum(none != some for none, some in pairs) < MANY / 2


@pytest.mark.parametrize("factor", [-1, 101])
def test_the_factor_has_a_range(factor: float) -> None:
    with refuses(UsageError, "out-of-range", "0", "100"):
        StarPlan(tasks=(TASK,), seed=2, dialogues=1, digress=factor)


def test_a_dialogue_ends_at_the_largest_rates() -> None:
    always = HAPPY.times(100)
    simulator = Simulator(TASK, 3, stage_rates=dict.fromkeys(STAGES, always))
    assert all(simulator.dialogue(index).events for index in range(MANY))


def test_who_is_never_understood_is_handed_over() -> None:
    rates = DigressionRates(correct=0, interrupt=0, unheard=1, again=1)
    events = Simulator(TASK, 3, stage_rates={"happy": rates}).dialogue(0).events
    labels = [label(event) for event in events if isinstance(event, Utterance)]
    apologies = [name for name in labels if name == "again_please"]
    (apology,) = TASK.flow.apologies
    assert len(apologies) == apology.not_understood
    assert labels[-1] == "hand_over"


def test_an_unhappy_user_changes_their_mind_in_the_words_of_the_task() -> None:
    count = 0
    for dialogue in simulated(0, "unhappy"):
        for one, two in zip(dialogue.events, dialogue.events[1:], strict=False):
            if isinstance(two, Utterance) and (label(two) or "").startswith("correct_"):
                assert isinstance(one, Instruction)
                count += 1
    assert count > MANY / 10


def test_a_user_who_is_not_understood_says_it_again() -> None:
    user = simulated_user([TASK], 4)
    (first,) = user.reply(())
    (apology,) = TASK.flow.apologies
    sorry = Utterance(agent=SYSTEM, text=apology.texts[0], time=9)
    (again,) = user.reply((first, sorry))
    assert isinstance(first, Utterance) and isinstance(again, Utterance)
    assert label(again) == label(first)
