"""The agent that follows a flow: what it hears, and what it does when it hears nothing."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Event, Query, Result, Utterance
from dialoom.dialogue.views import label
from dialoom.flow.program import compile_task
from dialoom.schema import pack
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.policies.flow.hearing import listen
from dialoom.sim.policies.flow.simulator import Simulator
from dialoom.sim.policies.flow.state import DialogueState

PROGRAM = compile_task(pack.load("hotel_book"))


def heard(text: str, *turns: str) -> tuple[str | None, dict[str, object]]:
    steps = tuple(PROGRAM.steps[name] for name in turns)
    reading = listen(PROGRAM, Utterance(agent=USER, text=text), steps, DialogueState(PROGRAM))
    return reading.step.name if reading.step is not None else None, dict(reading.values)


def test_what_is_said_around_a_turn_is_told_apart() -> None:
    state = DialogueState(PROGRAM)
    first, second, *_ = PROGRAM.schema.slots["hotel"].values
    state.give(PROGRAM.words.forms("hotel", first)[0])
    state.asked = PROGRAM.bits["arrival"]
    step = next(s for s in PROGRAM.steps.values() if s.gives & state.asked and not s.node.corrects)
    line = next(line for line in step.lines if line.names == ("arrival",))
    text = f"Ugh. {line.literals[0]}May 3{line.literals[1]} I meant {second}, not {first}."
    reading = listen(PROGRAM, Utterance(agent=USER, text=text), (step,), state)
    assert reading.step is step
    assert set(reading.values) == {"arrival", "hotel"}
    assert reading.values["hotel"] == second


def test_a_bare_value_corrects_the_slot_given_last() -> None:
    program = compile_task(pack.load("hotel_service_request"))
    state = DialogueState(program)
    for slot, value in (("hotel", next(iter(program.schema.slots["hotel"].values))), ("room", 440)):
        state.give(program.words.forms(slot, value)[0])
    state.asked = program.bits["request"]
    steps = (
        program.steps["correct_room_number"],
        *program.steps["hotel_ask_service_request"].users,
    )
    for text in ("Actually, let's go with 27 instead", "Oh sorry I just remembered, it's 27"):
        reading = listen(program, Utterance(agent=USER, text=text), steps, state)
        assert reading.values == {"room": 27}
        assert reading.step is program.steps["correct_room_number"]


def test_a_number_within_another_value_answers_no_question() -> None:
    program = compile_task(pack.load("hotel_service_request"))
    state = DialogueState(program)
    state.give(program.words.forms("request", "new bottles for the minibar")[0])
    state.asked = program.bits["time"]
    steps = (program.steps["correct_request"], *program.steps["hotel_ask_time"].users)
    text = "Oops, it's two extra towels"
    reading = listen(program, Utterance(agent=USER, text=text), steps, state)
    assert reading.values == {"request": "two extra towels"}


def test_small_talk_is_no_name() -> None:
    program = compile_task(pack.load("bank_balance"))
    state = DialogueState(program)
    state.asked = program.bits["name"]
    steps = tuple(s for s in program.steps.values() if s.kind == "user" and s.gives & state.asked)
    for text in ("A fine day, what is it? A fsh.", "Well, that depends."):
        assert "name" not in listen(program, Utterance(agent=USER, text=text), steps, state).values
    reading = listen(program, Utterance(agent=USER, text="Ada Lovelace."), steps, state)
    assert reading.values["name"] == "Ada Lovelace"


def test_no_preference_is_no_refusal() -> None:
    program = compile_task(pack.load("apartment_search"))
    state = DialogueState(program)
    state.asked = program.bits["balcony"]
    turns = program.steps["apartment_ask_balcony"].users
    open_ = listen(program, Utterance(agent=USER, text="I have no preference."), turns, state)
    assert open_.step is not None and open_.step.node.gives_none
    assert not open_.values
    refused = listen(program, Utterance(agent=USER, text="No, I don't need one."), turns, state)
    assert refused.values == {"balcony": False}


def labels(events: tuple[Event, ...]) -> list[str | None]:
    return [label(event) for event in events if isinstance(event, Utterance)]


def test_values_are_heard_in_the_words_of_the_task_and_in_others() -> None:
    node = PROGRAM.steps["correct_hotel"]
    value = next(iter(PROGRAM.schema.slots["hotel"].values))
    text = node.node.texts[0].replace("{hotel}", value)
    assert heard(text, "correct_arrival", "correct_hotel") == ("correct_hotel", {"hotel": value})
    name, values = heard(f"How about the {value} then, for a change?", "correct_hotel")
    assert (name, values) == ("correct_hotel", {"hotel": value})


def test_the_agent_asks_calls_and_tells() -> None:
    simulator = Simulator(pack.load("weather"), 1)
    agent = FlowAgent(simulator.program, b"")
    events: list[Event] = []
    city = next(iter(simulator.program.schema.slots["city"].values))
    for text in ("Hello", "The weather", "Atlantis", city, "On Sunday", "Sunday"):
        events.append(Utterance(agent=USER, text=text))
        done = agent.reply(events)
        events += done
        if done and isinstance(done[-1], Query):
            break
    query = events[-1]
    assert isinstance(query, Query)
    answer = simulator.base.call(query.api, query.constraints)
    events.append(Result(query=query.id, items=answer.items))
    replies = agent.reply(events)
    assert "weather_inform" in str(labels(replies)[0])
    assert all(isinstance(event, Utterance) and event.agent == SYSTEM for event in replies)


def test_who_is_not_understood_is_told_so_and_handed_over() -> None:
    agent = FlowAgent(PROGRAM, b"")
    events: list[Event] = []
    lines: list[str | None] = []
    for _ in range(5):  # whatever a user opens with is understood
        events.append(Utterance(agent=USER, text="Qqq zzz xxx."))
        done = agent.reply(events)
        lines += labels(done)
        events += done
    assert lines[-4:] == [*["not_understood"] * 3, "hand_over"]


def test_words_that_no_example_has_are_understood_by_those_that_some_have() -> None:
    program = compile_task(pack.load("hotel_book"))
    state = DialogueState(program)
    turns = (program.first,)
    text = "I'd come in from the 5th of May and check out on 20 May. Not the Lantern House, please."
    reading = listen(program, Utterance(agent=USER, text=text), turns, state)
    assert reading.step is program.first
    assert reading.values == {"arrival": "2021-05-05", "departure": "2021-05-20"}


def test_what_is_said_beside_an_old_value_corrects_it() -> None:
    program = compile_task(pack.load("hotel_book"))
    state = DialogueState(program)
    state.give(program.words.forms("hotel", "Lantern House")[0])
    state.asked = program.bits["arrival"]
    turns = (program.steps["give_arrival"],)
    text = "On 5 May. Wait, Seven Elms rather than Lantern House."
    reading = listen(program, Utterance(agent=USER, text=text), turns, state)
    assert reading.values == {"arrival": "2021-05-05", "hotel": "Seven Elms"}


def test_another_value_is_no_consent_to_an_offer() -> None:
    state = DialogueState(PROGRAM)
    hotels = list(PROGRAM.schema.slots["hotel"].values)
    for slot, value in (
        ("hotel", hotels[0]), ("arrival", "2021-05-13"), ("departure", "2021-05-16")
    ):  # fmt: skip
        state.give(PROGRAM.words.forms(slot, value)[0])
    turns = PROGRAM.steps["hotel_ask_confirm_booking"].users
    for text, values in (
        ("May 7th then", {"arrival": "2021-05-07"}),
        (f"{hotels[1]} then", {"hotel": hotels[1]}),
    ):
        reading = listen(PROGRAM, Utterance(agent=USER, text=text), turns, state)
        assert reading.values == values
        assert reading.step is not None and set(values) <= {*reading.step.node.forget}
