"""Unhappy dialogues and those of several tasks: instructed, annotated truly, and along the flow."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Completion,
    Dialogue,
    Instruction,
    Query,
    Result,
    Selection,
    Utterance,
    encode,
)
from dialoom.dialogue.views import by_task, label, parts
from dialoom.errors import UnknownNameError
from dialoom.flow.alignment import follow
from dialoom.flow.program import program_of
from dialoom.kb import KnowledgeBase, replay
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.schema.flow import OUT_OF_SCOPE
from dialoom.sim import SCENARIOS, Maker, StarPlan
from dialoom.sim.policies.flow.scenario_texts import scenario_texts
from dialoom.sim.policies.flow.unhappy import LEAST, MOST
from tests.make import refuses

NUMBER = 400
_THIRD = "user|patient|traveller|passenger|guest(?! list)|crew member"
THIRD_PERSON = re.compile(rf"\bthe ({_THIRD})\b", re.IGNORECASE)
TASKS = tuple(pack.load(name) for name in pack.names())


@cache
def maker(scenario: str) -> Maker:
    return Maker(StarPlan(tasks=TASKS, seed=5, dialogues=NUMBER, scenario=scenario))


@cache
def alone(task: str) -> Maker:
    plan = StarPlan(tasks=(pack.load(task),), seed=5, dialogues=NUMBER, scenario="happy")
    return Maker(plan)


@cache
def made_at(scenario: str, index: int) -> Dialogue:
    return maker(scenario).dialogue(index)


def made(scenario: str, number: int = NUMBER) -> Iterator[Dialogue]:
    return (made_at(scenario, index) for index in range(number))


def utterances(dialogue: Dialogue) -> Iterator[Utterance]:
    return (event for event in dialogue.events if isinstance(event, Utterance))


def told(scenario: str) -> Iterator[str]:
    for dialogue in made(scenario):
        for event in dialogue.events:
            if isinstance(event, Instruction):
                yield event.text


def shapes(kind: str) -> list[tuple[str, ...]]:
    """The literal parts of a kind's instructions."""
    texts = scenario_texts("en").kinds[kind].instruct
    return [
        tuple(part for part in text.replace("}", "{").split("{")[::2] if part) for text in texts
    ]


@pytest.mark.parametrize("scenario", ["unhappy", "mixed", "multi"])
@given(index=st.integers(0, NUMBER - 1))
def test_annotation_is_true(scenario: str, index: int) -> None:
    dialogue = maker(scenario).dialogue(index)
    assert isinstance(dialogue.events[-1], Completion)
    times = [event.time for event in dialogue.events if event.time is not None]
    assert len(times) == len(dialogue.events)
    assert times == sorted(times)
    for utterance in utterances(dialogue):
        (part,) = parts(utterance)
        given_ = {
            (argument.slot, value)
            for act in part.acts or ()
            for argument in act.arguments
            for value in argument.values
        }
        for span in part.spans or ():
            assert (span.labels[0], utterance.text[span.start : span.end]) in given_


def test_unhappy_dialogues_have_nothing_that_lint_finds() -> None:
    linter = Linter({task.id: task for task in TASKS}, 5)
    assert [str(f) for dialogue in made("unhappy") for f in linter.check(dialogue)] == []


@pytest.mark.parametrize("kind", sorted(scenario_texts("en").kinds))
def test_every_kind_of_instruction_is_given(kind: str) -> None:
    def fits(text: str, literals: tuple[str, ...]) -> bool:
        return all(literal in text for literal in literals)

    assert any(fits(text, shape) for text in told("unhappy") for shape in shapes(kind))


def test_unhappy_dialogues_have_three_to_six_numbered_instructions() -> None:
    many: Counter[int] = Counter()
    for dialogue in made("unhappy"):
        texts = [event.text for event in dialogue.events if isinstance(event, Instruction)]
        many[len(texts)] += 1
        for number, text in enumerate(texts, start=1):
            assert text.endswith(f" [instruction {number} of {len(texts)}]")
    assert max(many) == MOST
    assert sum(many[number] for number in range(LEAST, MOST + 1)) > 0.95 * NUMBER


def test_who_changes_their_mind_after_a_result_has_it_asked_for_at_once() -> None:
    """What is wanted now goes into the next call, with no question in between."""
    changed = 0
    for dialogue in made("unhappy"):
        calls: list[Query] = []
        for one, two, three in zip(
            dialogue.events, dialogue.events[1:], dialogue.events[2:], strict=False
        ):
            calls += [one] if isinstance(one, Query) else []
            if isinstance(one, Instruction) and isinstance(three, Query) and calls:
                changed += three.api == calls[-1].api and three.constraints != calls[-1].constraints
                assert isinstance(two, Utterance)
    assert changed > 10


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_both_sides_are_told_what_is_known(scenario: str) -> None:
    for dialogue in made(scenario, 60):
        assert dialogue.scenario is not None
        user, system = dialogue.scenario.user_task or "", dialogue.scenario.system_task or ""
        goal = dialogue.scenario.goal
        goals = (
            goal["tasks"]
            if dialogue.scenario.multi_task
            else {dialogue.scenario.capabilities[0].task: goal}
        )
        for name, task_goal in goals.items():
            task = next(task for task in TASKS if task.id == name)
            assert task.texts["wizard"] in system
            assert task.texts["user"] in user
            for slot in task_goal["values"] if not dialogue.scenario.multi_task else ():
                assert f"- {task.slots[slot].description or slot}: " in user


@pytest.mark.parametrize("scenario", sorted(SCENARIOS))
def test_users_are_spoken_to_and_not_about(scenario: str) -> None:
    """The briefing, what they know, and every instruction: nothing tells of "the user"."""
    for dialogue in made(scenario, 120):
        assert dialogue.scenario is not None
        instructions = [event.text for event in dialogue.events if isinstance(event, Instruction)]
        for text in (dialogue.scenario.user_task or "", *instructions):
            assert not THIRD_PERSON.search(text), text


def test_a_task_file_without_a_briefing_tells_what_the_task_is() -> None:
    task = pack.load("restaurant_book")
    bare = replace(task, texts={})
    scenario = StarPlan(tasks=(bare,), seed=1, dialogues=1).source()(0).scenario
    assert scenario is not None
    assert (scenario.user_task or "").startswith("You are the user of this task: Reserve a table")
    assert "You are the assistant in this task: Reserve a table" in (scenario.system_task or "")


def test_several_tasks_begin_with_what_to_begin_with() -> None:
    """As in STAR, whose multi-task dialogues all have their first instruction at the start."""
    for dialogue in made("multi", 40):
        first = dialogue.events[0]
        assert isinstance(first, Instruction)
        assert "[instruction 1 of " in first.text


def test_a_change_of_mind_shows_in_the_state_and_the_call() -> None:
    changed = 0
    for dialogue in made("unhappy"):
        goal = dialogue.scenario.goal if dialogue.scenario else {}
        for new in goal.get("changes", ()):
            for slot, value in new.items():
                states = [
                    part.state.values.get(slot, ())
                    for utterance in utterances(dialogue)
                    for part in parts(utterance)
                    if part.state is not None
                ]
                changed += bool(states and value in states[-1])
    assert changed > 20


def test_what_is_beside_the_task_is_answered_and_leads_nowhere() -> None:
    followers: Counter[str | None] = Counter()
    for dialogue in made("unhappy"):
        turns = list(utterances(dialogue))
        for one, two in pairwise(turns):
            if one.agent == USER and label(one) == OUT_OF_SCOPE:
                assert two.agent == SYSTEM
                followers[label(two) if label(two) == OUT_OF_SCOPE else "again"] += 1
    assert followers[OUT_OF_SCOPE] > 20
    assert followers["again"] > 20


def test_a_happy_dialogue_is_the_same_in_a_mixed_run() -> None:
    kinds: Counter[str] = Counter()
    for index, dialogue in enumerate(made("mixed")):
        scenario = dialogue.scenario
        assert scenario is not None
        kinds["multi" if scenario.multi_task else "happy" if scenario.happy else "unhappy"] += 1
        if scenario.happy:
            (of_task,) = scenario.capabilities
            assert encode(dialogue) == encode(alone(of_task.task).dialogue(index))
    shares = Counter(SCENARIOS["mixed"])
    for kind, share in shares.items():
        assert abs(kinds[kind] / NUMBER - share / 100) < 0.1


def test_several_tasks_keep_to_the_flow_of_each() -> None:
    programs = {task.id: program_of(task) for task in TASKS}
    tasks: Counter[int] = Counter()
    back = 0
    for dialogue in made("multi", 150):
        assert dialogue.scenario is not None
        ids = [capability.task for capability in dialogue.scenario.capabilities]
        groups = by_task(dialogue.events)
        assert set(groups) == set(ids)
        assert sorted(i for indices in groups.values() for i in indices) == list(
            range(len(dialogue.events))
        )
        tasks[len(ids)] += 1
        turns = [event.task for event in dialogue.events if isinstance(event, Selection)]
        back += len(turns) > len(set(turns))
        for task, indices in groups.items():
            visits = follow(programs[task], [dialogue.events[index] for index in indices])
            assert all(visit.permitted and not visit.needless for visit in visits), task
    assert set(tasks) == {2, 3, 4, 5}
    assert back > 30


def test_the_calls_of_several_tasks_replay() -> None:
    bases = {}
    for schema in TASKS:
        bases[schema.id] = KnowledgeBase()
        bases[schema.id].populate(schema, 5)
    for dialogue in made("multi", 60):
        assert dialogue.scenario is not None
        calls = [event.id for event in dialogue.events if isinstance(event, Query)]
        assert len(calls) == len(set(calls))
        for task, indices in by_task(dialogue.events).items():
            events = [dialogue.events[index] for index in indices]
            events = [event for event in events if isinstance(event, Query | Result)]
            goal = dialogue.scenario.goal["tasks"][task]
            effects, state = goal.get("effects", {}), goal.get("state")
            assert not replay(bases[task], events, dialogue.id, effects, state)


def test_what_users_say_of_themselves_is_the_same_in_every_task() -> None:
    shared = 0
    for dialogue in made("multi", 150):
        assert dialogue.scenario is not None
        goals = dialogue.scenario.goal["tasks"].values()
        names = [goal["values"]["name"] for goal in goals if "name" in goal["values"]]
        changes = [change for goal in goals for change in goal.get("changes", ())]
        refused = any("name" in change for change in changes)  # then they try another one
        assert refused or len(set(names)) <= 1
        shared += len(names) > 1
    assert shared > 75


def test_a_language_without_scenarios_is_one_line() -> None:
    with refuses(UnknownNameError, "unknown-name", "language of scenarios"):
        scenario_texts("xx")
