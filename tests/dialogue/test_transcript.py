"""A dialogue as a person would read it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from dialoom.dialogue import (
    GOLD,
    KB,
    SYSTEM,
    USER,
    Act,
    Argument,
    Candidate,
    Completion,
    Constraint,
    Dialogue,
    Event,
    Instruction,
    Layer,
    Options,
    Part,
    Query,
    Reference,
    Result,
    Selected,
    Selection,
    Span,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.constraint import Operator
from dialoom.dialogue.event_lines import describe_act, describe_constraint, event_lines
from dialoom.dialogue.transcript import changes, lines
from dialoom.render.transcript import Line, to_html, to_text
from tests.strategies import dialogues


def line(event: Event) -> Line:
    (only,) = event_lines((event,))
    return only


def test_an_utterance_is_its_text_with_acts_as_notes() -> None:
    act = Act("inform", (Argument("people", ("two",), canonical=(2,)),))
    layers = (
        Layer(GOLD, (Part("Tables_1", acts=(act, Act("thank")), active_frame=2),)),
        Layer("model", (Part(acts=(Act("greet"),)),)),
    )
    assert line(Utterance(agent=USER, text="For two.", layers=layers)) == Line(
        index=0,
        speaker=USER,
        text="For two.",
        notes=(
            "Tables_1: inform(people = two [2])",
            "Tables_1: thank",
            "Tables_1: frame 2",
            "model: greet",
        ),
        kind="utterance",
        places=(
            "/layers/0/parts/0/acts/0",
            "/layers/0/parts/0/acts/1",
            "/layers/0/parts/0/active_frame",
            "/layers/1/parts/0/acts/0",
        ),
    )


def test_spans_are_notes_where_no_acts_say_the_same() -> None:
    spans = (Span(4, 7, ("time.start", "time.end")),)
    bare = Utterance(agent=USER, text="For two.", layers=(Layer(GOLD, (Part(spans=spans),)),))
    acts = Layer(GOLD, (Part(spans=spans, acts=()),))
    assert line(bare).notes == ("time.start, time.end = two",)
    assert line(Utterance(agent=USER, text="For two.", layers=(acts,))).notes == ()


@pytest.mark.parametrize(
    ("operator", "values", "expected"),
    [
        ("equal", ("Rome",), "slot = Rome"),
        ("equal", ("",), 'slot = ""'),
        ("equal", (True,), "slot = true"),
        ("equal", (None,), "slot = null"),
        ("at_least", (3,), "slot >= 3"),
        ("at_most", (2.5,), "slot <= 2.5"),
        ("less", (3,), "slot < 3"),
        ("greater", (3,), "slot > 3"),
        ("not", ("Rome",), "slot != Rome"),
        ("one_of", ("north", "south"), "slot is one of north, south"),
        ("one_of", (), "slot is one of"),
        ("contains", ("Park",), "slot contains Park"),
        ("contains_not", ("Park",), "slot does not contain Park"),
    ],
)
def test_constraints_are_conditions(
    operator: Operator, values: tuple[Value, ...], expected: str
) -> None:
    assert describe_constraint(Constraint("slot", operator, values)) == expected


def test_an_unread_constraint_is_shown_as_it_was_written() -> None:
    assert describe_constraint(Constraint("day", None, (), "0314")) == "day: 0314"


def test_references_are_written_as_the_frames_page_writes_them() -> None:
    references = (Reference(1, (Argument("origin", ("Tarn",)),)), Reference(2), Reference(3, ()))
    arguments = (Argument("city", ("Ostby",)), Argument("ref", references=references))
    assert describe_act(Act("inform", arguments)) == (
        "inform(city = Ostby, ref = [1{origin = Tarn}; 2; 3])"
    )
    assert describe_act(Act("request", (Argument("price"),))) == "request(price)"
    assert describe_act(Act("ask", (Argument("town", ("A", "B")),))) == "ask(town = A or B)"


def test_a_call_is_written_with_its_constraints() -> None:
    constraints = (Constraint("city", "equal", ("Rome",)), Constraint("people", "at_least", (3,)))
    query = Query(id="1", api="find", constraints=constraints)
    assert line(query).text == "find(city = Rome, people >= 3)"
    assert line(Query(id="1", api="find", service="Tables_1")).text == "Tables_1.find()"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (Result(), "nothing found"),
        (Result(total=0), "nothing found"),
        (Result(total=4), "4 found, none given"),
        (Result(items=({"name": "A", "stars": 4},), total=-1), "name = A, stars = 4"),
        (Result(items=({"a": {"b": [1, "x"]}},)), "a = {b = [1, x]}"),
        (Result(items=({"n": 1},), total=5), "5 found\n1. n = 1\n… and 4 more"),
        (
            Result(items=tuple({"n": i} for i in range(5))),
            "5 found\n1. n = 0\n2. n = 1\n3. n = 2\n… and 2 more",
        ),
    ],
)
def test_results_are_counted_and_the_first_items_shown(result: Result, expected: str) -> None:
    assert line(result).text == expected
    assert line(result).speaker == KB


def test_suggestions_are_short() -> None:
    offered = tuple(Candidate(f"reply_{i}") for i in range(5))
    assert line(Options(text="ask name", candidates=offered)).text == (
        'types "ask name"; offered: reply_0 | reply_1 | reply_2 | … and 2 more'
    )
    assert line(Options(text="hm")).text == 'types "hm"'
    assert line(Options()).text == "offered nothing"


def test_the_right_candidate_is_a_note() -> None:
    offered = (Candidate("1", "Hello."), Candidate("2"))
    assert line(Options(candidates=offered)).notes == ()
    assert line(Options(candidates=offered)).text == "offered: Hello. | 2"
    assert line(Options(candidates=offered, choice="1")).notes == ("right: Hello.",)
    assert line(Options(candidates=offered, choice="9")).notes == ("right: 9",)


def test_selections_and_the_end() -> None:
    items = Selected({"name": "A"}, None)
    assert line(Selection(kind="task", task="weather")).text == "turns to weather"
    assert line(Selection(kind="primary", selected=items)).text == "puts as primary item: name = A"
    assert line(Selection(kind="secondary", selected=items)).text == "puts as secondary item: none"
    assert line(Selection(kind="primary")).text == "puts as primary item: none"
    assert line(Completion()).text == "considers the dialogue complete"
    assert line(Instruction(text="Book a room.")).speaker == "guide"


@settings(max_examples=60)
@given(dialogues())
def test_every_dialogue_has_a_line_an_event(dialogue: Dialogue) -> None:
    rows = list(lines(dialogue))
    assert [(w.index, w.speaker) for w in rows] == [
        (index, event.agent) for index, event in enumerate(dialogue.events)
    ]
    plain = to_text(rows, width=72)
    assert plain.count("\n") >= len(rows)
    assert "\x1b" not in plain
    assert to_html(rows).count('<li class="line') == len(rows)


def test_the_system_is_not_the_knowledge_base() -> None:
    events = (Query(id="1", api="find"), Result(query="1"))
    assert [w.speaker for w in event_lines(events)] == [SYSTEM, KB]


def test_changes_of_states_are_notes_where_they_are_wanted() -> None:
    def said(**values: tuple[Value, ...]) -> Utterance:
        part = Part("Tables_1", acts=(), state=State(values=values))
        return Utterance(agent=USER, text="Hm.", layers=(Layer(GOLD, (part,)),))

    dialogue = Dialogue(id="d", events=(said(day=("Monday",)), said(day=("Friday",)), said()))
    assert changes(dialogue) == {
        0: ["Tables_1: day: Monday"],
        1: ["Tables_1: day: Monday → Friday"],
        2: ["Tables_1: day: no longer Friday"],
    }
    assert "state: Tables_1: day: Monday" in next(lines(dialogue, changed=True)).notes
