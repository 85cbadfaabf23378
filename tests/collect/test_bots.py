"""Bots play whole dialogues with each other, by the very messages that people send."""

import pytest

from dialoom.collect.bots import client_messages, follower_wizard, seat_bot
from dialoom.collect.kinds.room.messages import Accomplish, Ask, FormCondition, Pick, Say, Suggest
from dialoom.collect.kinds.room.scenario import ScenarioLibrary
from dialoom.collect.settings import Settings
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Candidate,
    Completion,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Utterance,
)
from dialoom.dialogue.views import label
from dialoom.errors import UsageError
from dialoom.play.agents.follower import LearntAgent
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses


def test_events_become_wishes() -> None:
    picked = Utterance(
        agent=SYSTEM, text="Hello.", layers=(Layer(GOLD, (Part(None, (Act("hello"),)),)),)
    )
    query = Query(id="q1", api="find", constraints=(Constraint("Name", "one_of", ("a", "b")),))
    events = (Utterance(agent=USER, text="Hi"), picked, query, Completion())
    assert list(client_messages(events)) == [
        (Say("Hi"), None),
        (Suggest("Hello."), (Candidate("hello", "Hello."),)),
        (Pick("hello"), None),
        (Ask("find", (FormCondition("Name", "one_of", ["a", "b"]),)), None),
        (Accomplish(), None),
    ]


def test_the_follower_serves_the_simulated_user() -> None:
    library = ScenarioLibrary(Settings(tasks=("weather",), seed=5, scenarios=2))
    scenario = next(library.scenarios())
    user, wizard = seat_bot("user", scenario, library), seat_bot("wizard", scenario, library)
    assert isinstance(wizard, LearntAgent)
    base = Simulator(library.tasks["weather"], scenario.seed).base
    events: list[Event] = []
    for _ in range(20):
        events += user.reply(events)
        if isinstance(events[-1], Completion):
            break
        while not isinstance(events[-1], Utterance) or events[-1].agent == USER:
            events += wizard.reply(events)
            if isinstance(events[-1], Query):
                answer = base.call(events[-1].api, events[-1].constraints)
                events.append(Result(query=events[-1].id, items=answer.items, total=answer.total))
    assert isinstance(events[-1], Completion)
    assert any(isinstance(event, Query) for event in events)


def test_the_follower_plays_one_task() -> None:
    library = ScenarioLibrary(Settings(tasks=("weather", "trivia"), scenario="multi", scenarios=1))
    with refuses(UsageError, "not-taken"):
        seat_bot("wizard", next(library.scenarios()), library)


def test_who_is_not_understood_again_and_again_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = pack.load("bank_transfer")
    monkeypatch.setattr("dialoom.collect.bots.taught", lambda task, seed: None)
    wizard = follower_wizard(task, 7)
    wizard._pass(next(step for step in wizard.program.steps.values() if step.users))
    events: list[Event] = []
    for action in ("pardon", "pardon", "hand_over"):
        events.append(Utterance(agent=USER, text="Qqq zzz xxx."))
        (reply,) = wizard.reply(events)
        assert isinstance(reply, Utterance)
        assert label(reply) == action
        events.append(reply)
