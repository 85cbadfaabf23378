"""The simulated user against a system that follows the flow, and one that does not."""

from collections.abc import Iterator

import pytest

from dialoom.dialogue import SYSTEM, USER, Completion, Event, Utterance
from dialoom.dialogue.views import label
from dialoom.schema import pack
from dialoom.sim.policies.flow.participant import simulated_user
from dialoom.sim.policies.flow.simulator import Simulator

TURNS = 40


def walk(task_id: str, index: int, *, labelled: bool) -> list[Event]:
    """Let the user talk with the system of the simulator, which sees the user's acts."""
    task = pack.resolve(task_id)
    user = simulated_user([task], seed=5, index=index)
    played = Simulator(task, seed=5).dialogue(index)
    events: list[Event] = []
    script: Iterator[Event] = (
        e for e in played.events if isinstance(e, Utterance) and e.agent == SYSTEM
    )
    for _ in range(TURNS):
        turn = user.reply(events)
        events += turn
        if isinstance(turn[-1], Completion):
            return events
        reply = next(script, None)
        if isinstance(reply, Utterance):
            events.append(
                reply if labelled else Utterance(agent=SYSTEM, text=reply.text, time=reply.time)
            )
    return events


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("task_id", ["restaurant_book", "hotel_book", "weather", "trivia"])
def test_the_user_talks_until_they_are_done(task_id: str, labelled: bool) -> None:
    for index in range(5):
        events = walk(task_id, index, labelled=labelled)
        assert isinstance(events[-1], Completion)
        turns = [e for e in events if isinstance(e, Utterance) and e.agent == USER]
        assert len(turns) >= 2


def test_who_is_asked_again_answers_again() -> None:
    task = pack.resolve("restaurant_book")
    user = simulated_user([task], 1, goals={"restaurant_book": {"guests": 7}})
    events: list[Event] = [*user.reply(())]
    for _ in range(2):
        events.append(pick("restaurant_ask_size", "How large is your group?"))
        events += user.reply(events)
        last = events[-1]
        assert isinstance(last, Utterance)
        assert "7" in last.text or "seven" in last.text


def test_what_is_not_in_the_flow_is_answered_with_the_same_again() -> None:
    user = simulated_user([pack.resolve("restaurant_book")], 1)
    events: list[Event] = [*user.reply(()), pick("ask_name", "Who is the host?")]
    (answer,) = user.reply(events)
    events += [answer, Utterance(agent=SYSTEM, text="Colourless green ideas sleep furiously.")]
    (again,) = user.reply(events)
    assert isinstance(answer, Utterance)
    assert isinstance(again, Utterance)
    assert label(again) == label(answer) == "give_name"


def test_a_first_turn_in_any_words_is_a_greeting() -> None:
    user = simulated_user([pack.resolve("restaurant_book")], 1)
    first = user.reply(())
    (answer,) = user.reply((*first, Utterance(agent=SYSTEM, text="Kestrel speaking, go ahead.")))
    assert isinstance(answer, Utterance)
    assert label(answer) == "give_name"


def pick(action: str, text: str) -> Utterance:
    from dialoom.dialogue import GOLD, Act, Layer, Part

    layers = (Layer(GOLD, (Part(None, (Act(action),)),)),)
    return Utterance(agent=SYSTEM, text=text, layers=layers)
