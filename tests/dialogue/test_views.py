"""Turns, action labels, the items before the wizard and the state: read off the log."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dialoom.dialogue import (
    GOLD,
    KB,
    SYSTEM,
    USER,
    Act,
    Capability,
    Completion,
    Constraint,
    Dialogue,
    Event,
    Instruction,
    Layer,
    NextAction,
    Options,
    Part,
    Query,
    Question,
    Result,
    Scenario,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.views import (
    StateChange,
    action,
    gold,
    label,
    selected_items,
    state_at,
    state_changes,
    tasks,
    turns,
)
from tests.make import utterance
from tests.strategies import events

FIRST, SECOND, THIRD = {"name": "one"}, {"name": "two"}, {"name": "three"}


def say(agent: str, text: str, *parts: Part, source: str = GOLD) -> Utterance:
    layers = (Layer(source, parts),) if parts else ()
    return Utterance(agent=agent, text=text, layers=layers)


def query(*constraints: Constraint) -> Query:
    return Query(id="1", api="find", constraints=constraints)


def test_turns_are_runs_of_one_speaker_whatever_happens_between() -> None:
    log: list[Event] = [
        Instruction(text="Book a table."),
        say(USER, "Hi."),
        Instruction(text="Change your mind."),
        say(USER, "A table."),
        query(),
        Result(query="1"),
        say(SYSTEM, "None left."),
        say(USER, "Pity."),
        Completion(),
    ]
    assert [[u.text for u in turn] for turn in turns(log)] == [
        ["Hi.", "A table."],
        ["None left."],
        ["Pity."],
    ]
    assert list(turns([])) == []


@settings(max_examples=40)
@given(st.lists(events, max_size=5))
def test_turns_hold_every_utterance_once_and_speakers_alternate(log: list[Event]) -> None:
    runs = list(turns(log))
    assert [u for run in runs for u in run] == [e for e in log if isinstance(e, Utterance)]
    speakers = [run[0].agent for run in runs]
    assert all(a != b for a, b in pairwise(speakers))


def test_only_system_utterances_and_queries_are_actions() -> None:
    labelled = Part(acts=(Act("ask_name"), Act("thank")))
    assert action(say(SYSTEM, "Your name?", labelled)) == "ask_name"
    assert action(say(SYSTEM, "Let me see.")) is None
    assert action(say(USER, "Ada.", labelled)) is None
    assert action(Options()) is None
    assert action(Result()) is None


@pytest.mark.parametrize(
    ("values", "expected"),
    [((), "query"), (("Check",), "query_check"), (("Book",), "query_book"), (("?",), "query")],
)
def test_a_query_is_labelled_by_its_request_type(values: tuple[str, ...], expected: str) -> None:
    constraints = [Constraint("name", "equal", ("Book",))]
    constraints += [Constraint("RequestType", "equal", (value,)) for value in values]
    assert action(query(*constraints)) == expected


@pytest.mark.parametrize("name", ["request", "request_type", "RequestType"])
def test_a_request_input_may_be_spelled_in_several_ways(name: str) -> None:
    assert action(query(Constraint(name, "equal", ("Check",)))) == "query_check"
    assert action(query(Constraint(f"{name}s", "equal", ("Check",)))) == "query"


def test_a_check_among_several_request_types_wins() -> None:
    both = [Constraint("RequestType", "equal", (value,)) for value in ("Book", "Check")]
    assert action(query(*both)) == "query_check"


def test_labels_come_from_the_gold_layer_alone() -> None:
    part = Part(acts=(Act("greet"),))
    assert label(say(SYSTEM, "Hello.", part, source="model")) is None
    assert gold(say(SYSTEM, "Hello.", part, source="model")) is None
    assert label(say(SYSTEM, "Hello.", Part(), part)) == "greet"


def test_selected_items_follow_results_and_selections() -> None:
    selection = Selected(SECOND, THIRD)
    log: list[Event] = [
        say(USER, "Hi."),
        query(),
        Result(query="1", items=(FIRST, SECOND), total=2),
        say(SYSTEM, "One."),
        Selection(kind="primary", selected=selection),
        Options(),
        Result(query="1"),
        Utterance(agent=SYSTEM, text="None.", selected=Selected()),
        Completion(),
    ]
    assert list(selected_items(log)) == [
        Selected(),
        Selected(),
        Selected(FIRST),
        Selected(FIRST),
        selection,
        selection,
        Selected(None, THIRD),
        Selected(),
        Selected(),
    ]


@settings(max_examples=40)
@given(st.lists(events, max_size=5))
def test_there_are_as_many_selected_items_as_events(log: list[Event]) -> None:
    assert len(list(selected_items(log))) == len(log)


def test_the_state_is_the_last_annotated_one_of_its_service() -> None:
    early, late = State(intent="find"), State(intent="book")
    log: list[Event] = [
        say(USER, "A table.", Part("tables", state=early), Part("taxis", state=late)),
        say(SYSTEM, "Where?", Part("tables", state=State(intent="never read"))),
        say(USER, "Never mind.", Part("tables")),
        say(USER, "Book it.", Part("tables", state=late)),
    ]
    assert [state_at(log, index, "tables") for index in range(5)] == [
        None,
        early,
        early,
        early,
        late,
    ]
    assert state_at(log, 4, "taxis") == late
    assert state_at(log, 4) is None


def test_tasks_are_the_capabilities_or_else_the_services() -> None:
    plain = Dialogue(id="1", events=(), services=("bank",))
    scenario = Scenario(capabilities=(Capability("hotel_book"), Capability("weather")))
    assert tasks(plain) == ("bank",)
    assert tasks(Dialogue(id="1", events=(), services=("x",), scenario=scenario)) == (
        "hotel_book",
        "weather",
    )


def test_a_question_shows_only_what_came_before() -> None:
    log = (say(USER, "Hi."), Result(agent=KB), say(SYSTEM, "Hello."))
    assert Question(Dialogue(id="1", events=log), 2, NextAction("greeting")).history == log[:2]


def test_acts_spans_and_changes_of_state_without_loops() -> None:
    dialogue = Dialogue(
        id="1",
        services=("Ferries_1",),
        events=(
            utterance(
                USER,
                "To Juniper.",
                "INFORM",
                service="Ferries_1",
                spans=(Span(3, 10, ("to",)),),
                state=State(values={"to": ("Juniper",), "seats": ("2",)}),
            ),
            utterance(
                USER, "No, to Alder.", service="Ferries_1", state=State(values={"to": ("Alder",)})
            ),
        ),
    )
    assert list(state_changes(dialogue))[2:] == [
        StateChange(1, "Ferries_1", "to", ("Juniper",), ("Alder",)),
        StateChange(1, "Ferries_1", "seats", ("2",), ()),
    ]
    assert repr(dialogue) == "<Dialogue '1': 2 events, Ferries_1>"
    assert ">Juniper</mark>." in dialogue._repr_html_()
