"""Schemas made from dialogues: templates, graphs, slots and calls, and files that can be used."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom.dialogue import GOLD, Act, Dialogue, Layer, Part, Result, Utterance
from dialoom.errors import UsageError
from dialoom.formats import load
from dialoom.learn.text import encoders
from dialoom.models.induction import Induction, induce
from dialoom.models.induction.columns import column, typed
from dialoom.models.induction.flow import Said, asked
from dialoom.models.induction.graph import Edge, Place, Transitions, asked_before, onward
from dialoom.models.induction.knowledge import Api
from dialoom.models.induction.turns import SystemTurn, about, events_of, turns
from dialoom.models.induction.wording import delexicalised, grouped, named, shown_values
from dialoom.schema import pack
from dialoom.schema.yaml.reading import check_text, read_text
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.models import tiny

GUESTS = ("Ada", "Bo", "Cy", "Dee", "Eli", "Fay")


def visits() -> list[Dialogue]:
    hours = ("5 pm", "6 pm", "7 pm")
    return [
        tiny.visit(number, GUESTS[number % 6], hours[number % 3], 2 + number % 4)
        for number in range(24)
    ]


def unlabelled(dialogue: Dialogue) -> Dialogue:
    events = (replace(e, layers=()) if isinstance(e, Utterance) else e for e in dialogue.events)
    return replace(dialogue, events=tuple(events))


def test_values_give_way_to_the_names_of_their_places() -> None:
    names = {"7 pm": "hour", "Ada": "guest", "Ada Lee": "host"}
    assert (
        delexicalised("Ada lee meets ADA at 7 pm {x}", names)
        == "{host} meets {guest} at {hour} (x)"
    )
    assert delexicalised("Canada", {"Ada": "guest"}) == "Canada"


def test_replies_that_are_alike_make_a_group_and_rare_ones_none() -> None:
    counts = Counter({"May I have your name?": 9, "May I have your name, please?": 2, "Hm.": 1})
    groups = grouped(counts, encoders.get("tfidf")(), least=2)
    assert set(groups.values()) == {"May I have your name?"}
    assert named(dict.fromkeys(groups.values()), "en", ()) == {"May I have your name?": "may_name"}


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (Counter({True: 3, False: 2}), {"type": "boolean"}),
        (Counter({3: 1, "12": 1}), {"type": "integer", "minimum": 3, "maximum": 12}),
        (Counter({"7 pm": 3, "8:30 pm": 1}), {"type": "time", "from": "19:00", "to": "20:30"}),
        (Counter({"red": 5, "Blue": 4, "blue": 1, "gren": 1}), {"type": "category"}),
        (Counter({"Ada Lee": 1, "Bo": 1}), {"type": "short text"}),
        (Counter({"please call me before you come": 1, "a": 1}), {"type": "short text"}),
    ],
)
def test_types_are_read_off_values(seen: Counter[object], kind: dict[str, object]) -> None:
    spec = typed(seen, "en")
    assert kind.items() <= spec.items()
    if kind["type"] == "category":
        assert list(spec["values"]) == ["red", "Blue"]


def test_a_column_of_lists_is_read_out_in_steps() -> None:
    assert column(Counter({("left", "right"): 2}), "en") == {
        "type": "steps",
        "lists": [["left", "right"]],
    }


def said(node: str, heard: str) -> Said:
    return Said(node, SystemTurn(node, "?", ()), "?", heard)


def test_an_opening_asks_for_what_users_answer_it_with_above_all() -> None:
    greeted = [said("hello", ""), said("ask_day", "{name} on {day}, {size} of us")]
    naming = [said("ask_name", ""), said("ask_day", "I am {name}"), said("bye", "{day}")]
    nodes = ("hello", "ask_name", "ask_day")
    paths = [greeted] * 4 + [naming] * 6
    assert asked(paths, nodes, {"hello", "ask_name"}) == {
        "ask_name": ("name",),
        "ask_day": ("day",),
    }
    late = [said("x", ""), said("check_name", ""), said("bye", "{name}")]
    assert "ask_name" not in asked([*paths, *[late] * 3], (*nodes, "check_name"), {"ask_name"})


def test_each_request_has_the_column_that_tells_its_outcomes() -> None:
    api = Api("stay", "en")
    for day, state in (("Mon", "yes"), ("Tue", "no")) * 3:
        row = {"Free": state, "Day": day}
        api.add(tiny.query("Check", Day=day))
        api.results.append(("query_check", Result(query="q", items=(row,)), f"free_{state}", False))
        done = Result(query="q", items=({"Free": "yes", "Status": state},))
        api.results.append(("query_book", done, f"done_{state}", state == "no"))
    api.give(api.queries)
    assert api.outcome_outputs == {"query": None, "query_check": "Free", "query_book": "Status"}
    assert api.meanings["query_book"] == {"yes": "done", "no": "failed"}


def test_that_a_query_found_nothing_needs_no_column() -> None:
    api = Api("stay", "en")
    for items in (({"Hall": "A"},), ({"Hall": "B"},), ()):
        api.results += [("query", Result(query="q", items=items), f"found_{len(items)}", False)] * 4
    assert not any(api.outcome_outputs.values())


def test_elements_of_a_list_have_its_name() -> None:
    row = {"Steps": ["Go left.", "Stop."], "Time": "5 pm", "Open": True}
    assert shown_values(Result(query="q", items=(row,)), ()) == {
        "Go left.": "Steps",
        "Stop.": "Steps",
        "5 pm": "Time",
    }


def test_an_edge_past_a_question_leads_there() -> None:
    paths = [["hello", "ask_day", "ask_hour", "query", "bye"]] * 6
    paths += [["hello", "ask_hour", "query", "bye"], ["hello", "ask_day", "query", "bye"]] * 3
    graph = Transitions(paths)
    chain = {("hello", "ask_day"), ("ask_day", "ask_hour"), ("ask_hour", "query")}
    asks = {"ask_day", "ask_hour"}
    assert graph.supported(0.1, asks, {"query"}) == {(None, "hello"), *chain, ("query", "bye")}
    assert ("hello", "ask_hour") in graph.counts


def test_every_action_is_reached_and_reaches_an_end() -> None:
    graph = Transitions([["a", "b", "c"]] * 30 + [["a", "d", "a", "b", "c"], ["e", "b", "c"]])
    edges = graph.supported(0.1, ())
    assert {after for _, after in edges} == {"a", "b", "c", "d", "e"}
    assert ("d", "a") in edges


def test_a_run_of_queries_counts_once_and_asides_are_no_actions() -> None:
    dialogue = Dialogue(
        id="1",
        events=(
            tiny.user("Hi."),
            tiny.query("Check", Hour="6 pm"),
            tiny.result(),
            tiny.query("Check", Hour="7 pm"),
            tiny.result(Message="Free"),
            tiny.system("offer", "It is free."),
        ),
    )
    check, offer = turns(dialogue)
    assert check.said == ("Hi.",)
    assert offer.result == Result(query="q", items=({"Message": "Free"},))
    assert [c.value for c in offer.known] == ["7 pm", "Check"]


def test_a_query_of_another_api_by_mistake_is_left_out() -> None:
    dialogues = visits()
    slip = (*dialogues[0].events[:-1], replace(tiny.query("Check", Name="Bo"), api="doctor"))
    induction = induce([replace(dialogues[0], events=slip), *dialogues[1:]], "garden_visit")
    assert set(induction.task.calls) == {"garden_visit"}


@pytest.mark.parametrize("labels", [True, False])
def test_an_induced_file_passes_the_check(labels: bool) -> None:
    dialogues = visits() if labels else [unlabelled(each) for each in visits()]
    induction = induce(dialogues, "garden_visit", Induction(labels=labels))
    assert [f for f in check_text(induction.text) if f.severity == "error"] == []
    assert {"query_check", "query_book"} <= set(induction.task.flow.nodes)
    assert {"guest_name", "party_size"} <= set(induction.task.slots)
    assert induction.text == induce(dialogues, "garden_visit", Induction(labels=labels)).text


def test_a_simulated_task_comes_back() -> None:
    task = pack.load("weather")
    simulator = Simulator(task, 0)
    induction = induce((simulator.dialogue(n) for n in range(60)), "weather")
    replies = {n.name for n in task.flow.nodes.values() if n.kind == "system"}
    induced = {n.name for n in induction.task.flow.nodes.values() if n.kind == "system"}
    assert induced <= replies
    assert set(induction.task.calls) == {"weather"}
    assert {c.name for c in induction.task.calls["weather"].inputs} == {"City", "Day"}
    again = Simulator(induction.task, 0)
    assert all(again.dialogue(n).events for n in range(5))


FORM = """
task: hall_rent
domain: hall
language: en
description: Rent a hall.
slots:
  piano: {type: boolean, description: a piano}
  stage: {type: boolean, description: a stage}
  bar: {type: boolean, description: a bar}
tables:
  halls: {rows: 2, columns: {Piano: {slot: piano}, Stage: {slot: stage}, Bar: {slot: bar}}}
apis:
  rent:
    effect: insert
    table: halls
    inputs:
      P: {slot: piano, required: true}
      S: {slot: stage, required: true}
      B: {slot: bar, required: true}
flow:
  open: {user: [A hall., Rent a hall., I need a hall., A hall please., Hello.], then: ask_piano}
  ask_piano: {system: [With a piano?], asks: piano, then: say_piano}
  say_piano: {user: ["{piano}.", "{piano}!", "Oh, {piano}.", "So, {piano}."], then: ask_stage}
  ask_stage: {system: [With a stage?], asks: stage, then: say_stage}
  say_stage: {user: ["{stage}.", "{stage}!", "Oh, {stage}.", "So, {stage}."], then: ask_bar}
  ask_bar: {system: [With a bar?], asks: bar, then: say_bar}
  say_bar: {user: ["{bar}.", "{bar}!", "Oh, {bar}.", "So, {bar}."], then: rent}
  rent: {call: rent, then: rented}
  rented: {result: done, then: goodbye}
  goodbye: {system: [The hall is yours.]}
"""


@pytest.mark.parametrize("labels", [True, False])
def test_a_yes_answers_the_question_before_it(labels: bool) -> None:
    simulator = Simulator(read_text(FORM), 0)
    dialogues = [simulator.dialogue(number) for number in range(60)]
    induction = induce(dialogues, "hall_rent", Induction(labels=labels))
    asks = [n.asks for n in induction.task.flow.nodes.values() if n.asks]
    assert asks == [("p",), ("s",), ("b",)]
    again = Simulator(induction.task, 0)
    assert all(again.dialogue(number).events for number in range(5))


def test_what_cannot_be_induced_is_said_in_a_line() -> None:
    with refuses(UsageError, "nothing-to-learn", "garden_visit"):
        induce([], "garden_visit")
    with refuses(UsageError, "nothing-to-learn", "--labels"):
        induce([unlabelled(each) for each in visits()], "garden_visit", Induction(labels=True))


def test_dialogues_of_one_task_go_before_parts_of_those_of_several() -> None:
    one = replace(visits()[0], services=("garden_visit",))
    several = [replace(one, services=services) for services in (("a", "b"), ("b", "a"))]
    assert about([one, *several], "garden_visit") == [one]
    assert about([one, *several], "b") == several


def test_part_of_a_service_in_a_dialogue_of_several() -> None:
    def said(service: str | None, text: str) -> Utterance:
        part = Part(service=service, acts=(Act("inform"),) if service else None)
        return replace(tiny.system("x", text), layers=(Layer(GOLD, (part,)),))

    events = (
        said("boats", "A boat."),
        replace(tiny.query(Pier="north"), service="boats"),
        tiny.result(Boat="Gull"),
        said("bells", "A bell."),
        said(None, "Well."),
        said("boats", "The boat."),
    )
    dialogue = Dialogue(id="1", services=("boats", "bells"), events=events)
    assert events_of(dialogue, "bells") == [events[3], events[4]]
    assert events_of(dialogue, "boats") == [*events[:3], events[5]]
    assert events_of(dialogue, "other") == events


@given(
    st.dictionaries(st.integers(0, 7), st.dictionaries(st.integers(0, 9), st.integers(0, 9))),
    st.booleans(),
)
def test_first_ways_lead_to_an_end(drawn: dict[int, dict[int, int]], query: bool) -> None:
    ways: dict[Place, dict[str, int]] = {
        str(place): {str(after): times for after, times in counts.items()}
        for place, counts in drawn.items()
    }
    outcomes = {"0": ["found", "nothing"]} if query else {}
    for number, outcome in enumerate(outcomes.get("0", [])):
        ways["0", outcome] = ways.get(str(number + 1), {})
    first = onward(ways, outcomes)
    for start in first:
        at, passed = first[start], 0
        while at in first and passed <= len(ways):
            at, passed = first[at], passed + 1
        assert at in outcomes or not ways.get(at)
    assert all(after in ways[place] for place, after in first.items())


def test_the_call_with_the_fewest_results_in_circles_counts_as_ending_first() -> None:
    ways: dict[Place, dict[str, int]] = {
        ("look", "found"): {"offer": 9},
        ("look", "nothing"): {"bye": 0},
        "offer": {"look": 5, "pay": 4},
        ("pay", "done"): {"bye": 8},
        ("pay", "failed"): {"offer": 1},
    }
    outcomes = {"look": ["found", "nothing"], "pay": ["done", "failed"]}
    assert onward(ways, outcomes)["offer"] == "pay"


def test_a_circle_is_left_by_the_likeliest_way_out() -> None:
    ways: dict[Place, dict[str, int]] = {
        None: {"a": 9},
        "a": {"b": 8, "c": 1},
        "b": {"a": 5, "c": 3},
    }
    assert onward(ways, {}) == {None: "a", "a": "b", "b": "c"}


def test_a_query_comes_after_its_questions_alone() -> None:
    edges: set[Edge] = {("hello", "query"), ("name", "query"), ("name", "hour"), ("query", "bye")}
    assert asked_before(edges, "query", ["name", "hour"]) == {
        ("hello", "name"),
        ("name", "hour"),
        ("hour", "query"),
        ("query", "bye"),
    }
    ways: set[Edge] = {(None, "hour"), ("hello", "hour"), ("taken", "hour"), ("name", "hello")}
    assert asked_before(ways, "query", ["name", "hour"], ["hello"]) == {
        (None, "name"),
        ("hello", "name"),
        ("taken", "hour"),  # another hour is asked for after the query
        ("name", "hello"),
        ("name", "hour"),
        ("hour", "query"),
    }


@pytest.mark.corpus
def test_what_is_induced_from_real_dialogues_can_be_simulated(star: Path) -> None:
    dialogues = list(islice(load(star), 1200))
    for task in ("apartment_schedule", "doctor_schedule", "hotel_book", "trip_directions"):
        simulator = Simulator(induce(about(dialogues, task)[:100], task).task, 0)
        assert all(simulator.dialogue(number).events for number in range(20))
