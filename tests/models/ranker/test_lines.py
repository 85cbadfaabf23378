"""How the ranker reads lines: types of words, values that are left open, words that are fixed."""

from __future__ import annotations

import pytest

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Candidate,
    Choice,
    Constraint,
    Dialogue,
    Query,
    Question,
    Utterance,
)
from dialoom.models.ranker.features import last_clauses
from dialoom.models.ranker.lines import LineReader, reader_of
from dialoom.models.ranker.policy import Shortlist
from dialoom.models.ranker.state import HistoryState, read_state
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema

CALL = Query(
    id="1",
    api="api_call",
    constraints=(Constraint("city", "equal", ("rome",)), Constraint("price", "equal", ("dear",))),
)
OFFERED = ("api_call rome dear", "api_call oslo R_price", "api_call R_city R_price", "hello")


def question(*offered: str) -> Question[Choice]:
    events = (Utterance(agent=USER, text="rome"), Utterance(agent=SYSTEM, text="fine"), CALL)
    candidates = tuple(Candidate(str(n), text) for n, text in enumerate(offered))
    return Question(Dialogue(id="0", events=events), 1, Choice(candidates))


def test_calls_tell_types_wherever_they_stand_in_what_is_learnt() -> None:
    reader = reader_of([question(*OFFERED)], {})
    assert reader.types == {"rome": "city", "dear": "price", "oslo": "city"}
    line = reader.line("api_call oslo R_price")
    assert line.is_call
    assert line.entities == (("city", "oslo"), ("price", "R_price"))


def test_calls_with_open_slots_are_possible_once_their_values_are_known() -> None:
    reader = reader_of([question(*OFFERED)], {})
    fillers = [Candidate(f"x{n}", f"api_call place{n} dear") for n in range(300)]
    offered = [*question(*OFFERED).asked.candidates, *fillers]
    reader.learn_layouts(candidate.text or "" for candidate in fillers)
    state = HistoryState(called={"city": "oslo"})
    texts = {candidate.text for candidate, _ in Shortlist(offered, reader).possible(state)}
    assert texts == {"api_call oslo R_price", "api_call R_city R_price", "hello"}


def test_the_slots_of_calls_are_those_that_facts_give_their_values() -> None:
    towns = Slot(name="town", type="category", values={"rome": (), "oslo": ()})
    reader = reader_of(
        [question(*OFFERED)], {"trips": TaskSchema(id="trips", slots={"town": towns})}
    )
    assert reader.call(CALL).entities == (("town", "rome"), ("price", "dear"))
    offered = reader.line("api_call oslo R_price")
    assert offered.entities == (("town", "oslo"), ("price", "R_price"))
    assert read_state([CALL], reader).called == {"town": "rome", "price": "dear"}


def test_calls_that_no_dialogue_shows_have_slots_by_place_where_nothing_tells_their_types() -> None:
    reader = LineReader({"rome": "city", "oslo": "city"}, {"api_call"}, {})
    reader.learn_layouts(["api_call rome dear", "api_call oslo cheap", "hello there"])
    assert reader.line("api_call oslo dear").entities == (("city", "oslo"), ("slot 2", "dear"))
    assert reader.mentions("something cheap in rome") == (("slot 2", "cheap"), ("city", "rome"))


def test_two_slots_whose_values_have_one_type_keep_their_names() -> None:
    reader = LineReader({"rome": "city", "oslo": "city"}, {"api_call"}, {})
    trip = [Constraint("from", "equal", ("rome",)), Constraint("to", "equal", ("oslo",))]
    reader.learn_slots([Query(id="1", api="api_call", constraints=tuple(trip))], reader.types)
    assert reader.layouts == {2: ("from", "to")}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("rome or oslo, let me see. bonn please", "let me see. bonn please"),
        ("rome was first, oslo second; but now bonn, not rome", "but now bonn, not rome"),
        ("let's try bonn, rome is out of the way", "let's try bonn, rome is out of the way"),
        ("rome or oslo or bonn", "rome or oslo or bonn"),
        ("cheap, in rome, or not cheap", "cheap, in rome, or not cheap"),
        ("hello", "hello"),
    ],
)
def test_earlier_clauses_with_many_values_of_a_slot_are_left_out(said: str, left: str) -> None:
    types = dict.fromkeys(("rome", "oslo", "bonn"), "city") | {"cheap": "price"}
    assert last_clauses(said, LineReader(types, set(), {})) == left


def test_words_that_are_fixed_in_a_line_are_no_entities_there() -> None:
    reader = LineReader({"ask": "name", "rome": "city"}, set(), {})
    reader.fix([("just {name} for {city}", "ask")])
    assert reader.line("just ask for rome").template == "just ask for {city}"
    assert reader.line("ask is fine").entities == (("name", "ask"),)
    assert reader.copied().line("just ask for rome").entities == (("city", "rome"),)


def test_values_that_begin_with_a_name_are_its_own() -> None:
    types = {"bay_inn": "name", "bay": "name", "bay_inn_phone": "phone", "inn_phone": "phone"}
    reader = LineReader(types, set(), {})
    assert reader.beginning("bay_inn") == ["bay_inn_phone"]
    assert reader.beginning("inn") == ()
