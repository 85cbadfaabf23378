"""An agent of several tasks: who of its agents is talked to."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Event, Query, Selection, Utterance
from dialoom.flow.program import compile_task
from dialoom.play.agents.flow import TaskSwitch, together
from dialoom.schema import pack
from dialoom.sim.policies.flow.agent import FlowAgent

PROGRAMS = {name: compile_task(pack.load(name)) for name in ("weather", "ride_status")}


def agents() -> dict[str, FlowAgent]:
    return {name: FlowAgent(program, b"seed") for name, program in PROGRAMS.items()}


def said(text: str) -> Event:
    return Utterance(agent=USER, text=text)


def test_each_agent_is_told_of_its_own_task() -> None:
    switch = TaskSwitch(agents())
    log: list[Event] = [said(PROGRAMS["ride_status"].first.node.texts[0])]
    selected, *replies = switch.reply(log)
    assert selected == Selection(kind="task", task="ride_status")
    assert all(isinstance(e, Utterance) and e.agent == SYSTEM for e in replies)
    log += [selected, *replies, said(PROGRAMS["weather"].first.node.texts[0])]
    assert switch.reply(log)[0] == Selection(kind="task", task="weather")


def test_what_is_of_no_task_is_for_the_one_under_way() -> None:
    switch = TaskSwitch(agents())
    assert switch.reply([said("Xyzzy.")])[0] == Selection(kind="task", task="weather")


def test_an_answer_is_for_the_task_that_has_just_asked() -> None:
    names = ("bank_balance", "plane_book")
    programs = {name: compile_task(pack.load(name)) for name in names}
    switch = TaskSwitch({name: FlowAgent(each, b"seed") for name, each in programs.items()})
    log: list[Event] = []
    # The bank still waits for the name when the user turns to the plane, which asks for it too.
    account = "My balance, please. The account number is 15358 and the PIN is 6589."
    for text in (account, "I have to fly to a conference.", "I know which plane."):
        log.append(said(text))
        log += switch.reply(log)
    log.append(said("Hamza Trelawney, please."))
    answered = switch.reply(log)
    assert not [event for event in answered if isinstance(event, Selection)]
    assert [e.task for e in log if isinstance(e, Selection)] == [*names]


def test_a_call_says_which_task_it_is_of() -> None:
    switch = TaskSwitch(agents())
    city = next(iter(PROGRAMS["weather"].schema.slots["city"].values))
    log: list[Event] = [said(PROGRAMS["weather"].first.node.texts[0])]
    for answer in (city, "On Sunday", "Sunday"):
        log += [*switch.reply(log)]
        if isinstance(log[-1], Query):
            break
        log.append(said(answer))
    queries = [event for event in log if isinstance(event, Query)]
    assert queries
    assert (queries[0].service, queries[0].id) == ("weather", "weather.q1")


def test_one_task_needs_no_switch() -> None:
    one = {"weather": agents()["weather"]}
    assert together(one) is one["weather"]
