"""One dialogue: who sees what, and how it ends."""

from __future__ import annotations

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Completion,
    Constraint,
    Query,
    Result,
    Utterance,
)
from dialoom.dialogue.event import Item
from dialoom.kb.effects import Answer
from dialoom.play.running.trial import TrialLimits, play
from tests.play.scripted import Scripted, says


def made(api: str, constraints: tuple[Constraint, ...]) -> Answer:
    item: Item = {"api": api}
    return Answer("found", (item,), 1)


def test_calls_are_answered_before_the_user_speaks() -> None:
    user = Scripted(says(USER, "Hi"), (Completion(),))
    agent = Scripted((Query(id="q1", api="weather"),), says(SYSTEM, "Sunny."))
    events, ended = play(user, agent, made)
    assert ended == "completed"
    assert [type(event) for event in events] == [Utterance, Query, Result, Utterance, Completion]
    assert agent.seen[1][-1] == events[2]
    assert [event.time for event in events] == [0, 1000, 2000, 3000, 4000]


def test_the_agent_does_not_see_what_a_user_means() -> None:
    for reads in (False, True):
        agent = Scripted(says(SYSTEM, "Hello."))
        play(Scripted(says(USER, "Hi"), (Completion(),)), agent, made, reads_acts=reads)
        (utterance,) = agent.seen[0]
        assert isinstance(utterance, Utterance)
        assert bool(utterance.layers) == reads


def test_what_cannot_be_asked_brings_the_reason() -> None:
    from dialoom.kb import KnowledgeBase

    agent = Scripted((Query(id="q1", api="nosuch"),), says(SYSTEM, "Sorry."))
    events, _ = play(Scripted(says(USER, "Hi"), (Completion(),)), agent, KnowledgeBase().call)
    assert isinstance(events[2], Result)
    assert "nosuch" in events[2].extra["error"]


def test_dialogues_that_do_not_end_are_broken_off() -> None:
    talk = [says(USER, "Hi")] * 9
    assert play(Scripted(*talk), Scripted(), made)[1] == "silence"
    chatty = Scripted(*[says(SYSTEM, "Hello.")] * 9)
    assert play(Scripted(*talk), chatty, made, TrialLimits(turns=4))[1] == "turns"
    calling = Scripted(*[(Query(id=f"q{n}", api="weather"),) for n in range(9)])
    assert play(Scripted(*talk), calling, made, TrialLimits(calls=5))[1] == "calls"
