"""Calls of tasks as tools: what they bring, what they change, and how they are put back."""

from __future__ import annotations

from dialoom.dialogue import USER, Event, Query, Result, Utterance
from dialoom.errors import UsageError
from dialoom.flow.program import compile_task
from dialoom.play.tools.task_tools import DIFF, JUDGE, MEET, RESET, SAY, TaskTools
from dialoom.schema import pack
from dialoom.sim.policies.flow.agent import FlowAgent
from dialoom.sim.presets.star import load_tasks
from tests.make import refuses


def booked(tools: TaskTools) -> dict[str, object]:
    """Book the first thing that can be, with arguments by the definition."""
    (hotel,) = [t for t in tools.definitions if t["name"] == "hotel_book"]
    arguments = {
        name: column.get("enum", ["2030-05-01" if column.get("format") == "date" else "Juniper"])[0]
        for name, column in hotel["parameters"]["properties"].items()
    }
    later = {"EndDate": "2030-05-03", "RequestType": "Book"}
    return tools.call("hotel_book", arguments | later)


def test_a_booking_shows_in_the_difference_and_is_put_back() -> None:
    tools = TaskTools((pack.load("hotel_book"), pack.load("weather")), 7)
    assert tools.call(DIFF, {}) == {}
    first = booked(tools)
    assert first["outcome"] == "done"
    (row,) = tools.call(DIFF, {})["hotel_book"]["bookings"]["added"]
    assert row
    assert booked(tools)["outcome"] != "done"
    assert tools.call(RESET, {}) == {"reset": ["hotel_book", "weather"]}
    assert tools.call(DIFF, {}) == {}
    assert booked(tools) == first


def test_the_same_seed_gives_the_same_rows() -> None:
    arguments = {"City": "Port Ansel", "Day": "Sunday"}
    one, same, other = (TaskTools((pack.load("weather"),), seed) for seed in (7, 7, 8))
    rows = one.call("weather", arguments)
    assert rows == same.call("weather", arguments)
    assert rows != other.call("weather", arguments)


def test_what_cannot_be_used_so() -> None:
    tools = TaskTools((pack.load("weather"),), 7)
    for name, arguments, words in (
        ("wether", {}, ("unknown-name", "wether", "weather")),
        ("weather", {"Town": "Velmora"}, ("bad-call", "Town")),
        (RESET, {"now": True}, ("bad-call", "now")),
        (SAY, {"text": "Hi"}, ("no-user", MEET)),
        (JUDGE, {}, ("no-user", MEET)),
        (MEET, {"task": "weather"}, ("bad-call", "goal")),
        (MEET, {"task": "wether", "goal": 1}, ("unknown-name", "wether")),
        (MEET, {"task": "weather", "goal": 0}, ("wrong-value", "goal 0")),
    ):
        with refuses(UsageError, *words):
            tools.call(name, arguments)


def test_every_bundled_task_has_its_tools() -> None:
    tools = TaskTools(tuple(load_tasks("all")), 1)
    names = [tool["name"] for tool in tools.definitions]
    assert len(set(names)) == len(names) > 24
    assert "weather" in tools.policy.casefold()


def test_an_agent_serves_a_user_by_tools() -> None:
    """The flow agent, as a client that has nothing but the tools."""
    program = compile_task(pack.load("hotel_book"))
    tools = TaskTools((pack.load("hotel_book"), pack.load("weather")), 7)
    for goal in (1, 2):
        agent = FlowAgent(program, b"seed")
        events: list[Event] = []
        answer = tools.call(MEET, {"task": "hotel_book", "goal": goal})
        assert tools.call(JUDGE, {})["success"] is False
        while "user" in answer:
            events.append(Utterance(agent=USER, text=answer["user"]))
            done = agent.reply(events)
            while isinstance(done[-1], Query):
                query = done[-1]
                arguments = {c.slot: c.value for c in query.constraints}
                items = tools.call(query.api, arguments)["items"]
                events += [*done, Result(query=query.id, items=tuple(items))]
                done = agent.reply(events)
            events += done
            texts = [event.text for event in done if isinstance(event, Utterance)]
            answer = tools.call(SAY, {"text": "\n".join(texts)})
        assert answer == {"left": True}
        judged = tools.call(JUDGE, {})
        assert (judged["success"], judged["reached"]) == (True, True)
        assert tools.call(DIFF, {}).keys() == {"hotel_book"}
        with refuses(UsageError, "no-user"):
            tools.call(SAY, {"text": "Hello?"})
