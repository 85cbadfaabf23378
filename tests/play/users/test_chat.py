"""A language model as the user, against a scripted server of chat completions."""

from __future__ import annotations

import json
from typing import Any

import httpx

from dialoom.dialogue import Utterance
from dialoom.errors import UsageError
from dialoom.play.agents.base import AgentSeat
from dialoom.play.agents.flow import FlowFollowing, OracleAgent
from dialoom.play.judging.target import DialogueTarget
from dialoom.play.judging.verdict import NO_RESULT, Failure, judge
from dialoom.play.running.goal_run import GoalRun, ReadyTask
from dialoom.play.running.trial import play
from dialoom.play.users.base import UserSeat
from dialoom.play.users.chat import DONE, ChatUsers
from dialoom.schema import pack
from dialoom.sim.core.rng import seed_of
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses

SIMULATOR = Simulator(pack.load("weather"), 3)
SEAT = UserSeat((SIMULATOR,), seed_of(3, 0), seed_of(3, 1))


def users(answers: list[httpx.Response], asked: list[dict[str, Any]]) -> ChatUsers:
    def handle(request: httpx.Request) -> httpx.Response:
        asked.append(json.loads(request.content))
        return answers.pop(0)

    people = ChatUsers("small@http://model.test/v1")
    people._client.web.transport = httpx.MockTransport(handle)
    people._client.web.waits = ()
    return people


def says(text: str) -> httpx.Response:
    usage = {"prompt_tokens": 50, "completion_tokens": 5}
    message = {"choices": [{"message": {"content": text}}], "usage": usage}
    return httpx.Response(200, json=message)


def test_a_model_is_told_the_goal_and_leaves() -> None:
    requests: list[dict[str, Any]] = []
    user = users([says("What is the weather?"), says(f"Thanks, bye. {DONE}")], requests).join(SEAT)
    agent = OracleAgent().join(AgentSeat(programs=(SIMULATOR.program,), seed=b""))
    events, ended = play(user, agent, SIMULATOR.base.call)
    assert ended == "completed"
    texts = [e.text for e in events if isinstance(e, Utterance) and e.agent == "user"]
    assert texts == ["What is the weather?", "Thanks, bye."]
    assert SEAT.instructions in requests[0]["messages"][0]["content"]
    assert "tools" not in requests[0]
    assert [m["role"] for m in requests[1]["messages"]] == ["system", "user", "assistant", "user"]
    assert (SEAT.meter.spent.calls, SEAT.meter.spent.read, SEAT.meter.spent.written) == (2, 100, 10)


def test_a_users_server_that_fails_is_no_fault_of_the_agent() -> None:
    failed = httpx.Response(500, json={"error": {"message": "out of memory"}})
    user = users([says("Hi"), failed], []).join(SEAT)
    agent = OracleAgent().join(AgentSeat(programs=(SIMULATOR.program,), seed=b""))
    events, ended = play(user, agent, SIMULATOR.base.call)
    assert isinstance(ended, Failure)
    assert (ended.side, ended.turn, ended.status) == ("user", 2, 500)
    assert ended.what.endswith(": out of memory")
    verdict = judge([SIMULATOR.program], events, ended, DialogueTarget(), {}, SEAT.goal)
    assert (verdict.outcome, verdict.faults, verdict.failure) == (NO_RESULT, (), ended)


def test_a_user_who_does_not_answer_is_at_fault() -> None:
    user = users([says("Hi"), says(" ")], []).join(SEAT)
    agent = OracleAgent().join(AgentSeat(programs=(SIMULATOR.program,), seed=b""))
    events, ended = play(user, agent, SIMULATOR.base.call)
    assert ended == "unanswered"
    verdict = judge([SIMULATOR.program], events, ended, DialogueTarget(), {}, SEAT.goal)
    assert "unanswered" in verdict.faults


def test_an_answer_with_another_value_is_at_fault() -> None:
    cities = SIMULATOR.program.schema.slots["city"].values
    other = next(city for city in cities if city != SEAT.goal["values"].get("city"))
    script = [says("Hi, what will the weather be?"), says(f"In {other}."), says(DONE)]
    user = users(script, []).join(SEAT)
    agent = OracleAgent().join(AgentSeat(programs=(SIMULATOR.program,), seed=b""))
    events, ended = play(user, agent, SIMULATOR.base.call, reads_acts=False)
    verdict = judge([SIMULATOR.program], events, ended, DialogueTarget(), {}, SEAT.goal)
    assert "contradicts" in verdict.faults


BOOKING = GoalRun((ReadyTask(pack.load("hotel_book"), 7),), 1, seed_of(7, 1))
"""A goal with a wish."""

RIDE = GoalRun((ReadyTask(pack.load("ride_book"), 7),), 5, seed_of(7, 5))
"""A goal that leaves optional slots open."""


def faults(goal: GoalRun, *lines: str) -> set[str]:
    """Return the faults of a model that says these lines and then leaves."""
    script = [*map(says, lines), says(DONE)]
    log = goal.dialogue(FlowFollowing(), users(script, []), 0)
    names: list[str] = log.extra["play"].get("faults", [])
    return {*names}


def test_a_model_that_keeps_to_its_goal_is_at_no_fault() -> None:
    values = BOOKING.seat(0).goal["values"]
    opening = f"I need a room at {values['hotel']}, the name is {values['name']}."
    assert faults(BOOKING, opening, f"From {values['arrival']}.") == {"leaves"}


def test_a_model_that_repeats_itself_is_at_fault() -> None:
    line = "I would like to have a nice room."
    assert "repeats" in faults(BOOKING, line, line, line)
    assert "repeats" not in faults(BOOKING, line, line)
    assert "repeats" not in faults(BOOKING, "Yes, please.", "Yes, please.", "Yes, please.")


def test_a_model_that_names_a_value_beyond_its_goal_is_at_fault() -> None:
    slot = BOOKING.tasks[0].program.schema.slots["hotel"]
    hotels = [BOOKING.seat(0).goal["values"]["hotel"]]
    hotels += [each.get("hotel") for each in BOOKING.seat(0).goal.get("changes", ())]
    other = next(value for value in slot.values if value not in hotels)
    assert "contradicts" in faults(BOOKING, f"I need a room at {other}.")


def test_a_model_that_invents_a_wish_is_at_fault() -> None:
    assert "car" not in RIDE.seat(0).goal["values"]
    cars = RIDE.tasks[0].program.schema.slots["car"].values
    assert "invents" in faults(RIDE, f"A {next(iter(cars))}, please.")


def test_a_model_that_leaves_before_the_booking_is_at_fault() -> None:
    assert "leaves" in faults(BOOKING, "I need a hotel room.")


def test_a_model_that_reads_out_its_instructions_is_at_fault() -> None:
    text = "Sure: say one short thing at a time, as people do. Tell only what you are asked for."
    assert "leaks" in faults(BOOKING, text)


def test_a_model_needs_an_address() -> None:
    with refuses(UsageError, "no-address", "--user"):
        ChatUsers("small")
