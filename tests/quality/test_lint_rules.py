"""Each code with a dialogue that has the fault, and dialogues that have none."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.dialogue import (
    Dialogue,
    Origin,
    State,
)
from dialoom.quality.lint import RULES, Linter
from dialoom.schema.call import Column
from dialoom.schema.condition import Condition
from dialoom.schema.flow import FlowGraph
from dialoom.schema.slot import Slot
from dialoom.schema.task import TaskSchema
from tests.quality.lint_faults import BAD, SIMULATED, item, replace
from tests.quality.lint_labels import BAD as SERVED
from tests.quality.lint_labels import LABELS
from tests.quality.lint_sample import (
    BOAT,
    GOOD,
    TASKS,
    VISITED,
    annotate,
    change,
    codes,
    insert,
    part,
    scene,
    system,
    user,
)
from tests.quality.lint_utterances import CALLED, FRAMES, OFFERED, SAID


def test_a_good_dialogue_has_no_finding() -> None:
    assert codes(GOOD) == set()
    assert codes(VISITED) == set()
    assert codes(SIMULATED, seed=3) == set()


@pytest.mark.parametrize(
    ("code", "dialogue"),
    [(code, dialogue) for code, dialogues in BAD.items() for dialogue in dialogues],
)
def test_a_fault_is_found(code: str, dialogue: Dialogue) -> None:
    assert code in codes(dialogue, seed=3)


def test_every_rule_is_tested() -> None:
    tested = {code for codes, _ in (*LABELS, *SAID, *FRAMES, *OFFERED, *CALLED) for code in codes}
    tested |= {code for code, _ in SERVED} | {*BAD, "E501", "E503", "E706"}
    tested |= {"E506", "E609", "E815", "I603", "I605", "W612"}  # in test_lint_others.py
    assert {rule.code for rule in RULES} == tested
    assert len({rule.code for rule in RULES}) == len(RULES)


def test_an_id_is_found_the_second_time() -> None:
    linter = Linter(TASKS)
    assert not list(linter.check(GOOD, "a.jsonl"))
    (finding,) = linter.check(GOOD, "b.jsonl")
    assert (finding.code, finding.severity, finding.file) == ("E501", "error", "b.jsonl")
    assert (linter.dialogues, linter.errors, linter.counts["E501"]) == (2, 1, 1)


def test_values_of_a_state_meet_the_constraints_of_the_task() -> None:
    few = msgspec.structs.replace(BOAT, constraints=(Condition("crew", "less", (2,)),))
    faults = [f for f in Linter({few.id: few}).check(GOOD) if f.code == "E706"]
    assert faults
    assert all("it is not so that crew is less than 2" in fault.message for fault in faults)
    assert "E706" not in codes(GOOD)


def test_each_split_begins_its_ids_anew() -> None:
    linter = Linter(TASKS)
    split = (replace(GOOD, origin=Origin(f"{name}/a.json", 0)) for name in ("train", "dev"))
    faults = [finding.code for dialogue in split for finding in linter.check(dialogue)]
    assert faults == ["E506"]  # its words, not its id
    again = replace(GOOD, origin=Origin("dev/b.json", 4))
    assert [finding.code for finding in linter.check(again)] == ["E501", "E506"]


@pytest.mark.parametrize(
    "text", ["By Booking.Com.", "At boats.Heron.org/a", "The U.S.A. Yes", "No. 4"]
)
def test_names_with_full_stops_are_no_sentences(text: str) -> None:
    assert "I604" not in codes(change(GOOD, 8, text=text))


def test_values_of_given_rows_are_known() -> None:
    (name,) = {call.table for call in BOAT.calls.values()}
    table = BOAT.tables[name]
    column = Column(name="Mooring", type="short text", values=("north",))
    row = {"Boat": "Heron", "Mooring": "south"}
    variant = msgspec.structs.replace(table, columns=(*table.columns, column), given=(row,))
    task = msgspec.structs.replace(BOAT, tables={**BOAT.tables, name: variant})
    south, west = (change(GOOD, 6, items=item(Mooring=each)) for each in ("south", "west"))
    assert "E701" not in {each.code for each in Linter({task.id: task}).check(south)}
    assert "E701" in {each.code for each in Linter({task.id: task}).check(west)}


def test_severities_are_counted_apart() -> None:
    linter = Linter(TASKS)
    faults = change(change(BAD["E804"][0], 8, text=""), 12, text="Call 415-555-0100.")
    assert {finding.severity for finding in linter.check(faults)} == {
        "error", "warning", "information",
    }  # fmt: skip
    assert [linter.total(kind) for kind in ("error", "warning", "information")] == [1, 1, 1]


def test_a_finding_has_its_place_and_says_what_would_be_right() -> None:
    (finding,) = Linter(TASKS).check(BAD["E804"][0], "here.jsonl")
    assert (finding.pointer, finding.dialogue) == ("/events/5/constraints/3", "1")
    assert finding.message == "Crew is '0314'; a constraint is a literal, or api.OPERATOR(literal)"
    assert str(finding).startswith("here.jsonl: dialogue 1/events/5/constraints/3: E804 Crew is")
    assert msgspec.json.decode(msgspec.json.encode(finding)) == {
        "code": "E804",
        "severity": "error",
        "file": "here.jsonl",
        "dialogue": "1",
        "pointer": "/events/5/constraints/3",
        "message": finding.message,
    }


def test_without_schemas_only_what_needs_none_is_checked() -> None:
    linter = Linter()
    faults = {f.code for dialogues in BAD.values() for d in dialogues for f in linter.check(d)}
    needless = {"E501", "E601", "E602", "E603", "E609", "E801", "E802", "E803", "E804", "E808"}
    assert faults == {*needless, "W501", "W502", "W601", "I604"}


def test_other_names_of_a_task_are_known() -> None:
    assert codes(replace(VISITED, scenario=scene("visit_garden"))) == set()


def test_published_actions_of_several_tasks_are_checked_together() -> None:
    both = replace(VISITED, scenario=None, services=("garden_visit", "boat_hire"))
    assert codes(both) == set()
    assert codes(insert(both, 2, system("What time?", part("ask_time")))) == set()
    assert codes(insert(both, 2, system("La la la.", part("sing")))) == {"W702"}


def test_a_task_without_steps_permits_any() -> None:
    bare = TaskSchema(id="garden_visit")
    faults = {finding.code for finding in Linter({bare.id: bare}).check(VISITED)}
    assert not faults & {"W702", "W703"}


def test_what_is_out_of_scope_leaves_the_flow_where_it_is() -> None:
    aside = system("I only know boats.", part("out_of_scope"))
    assert codes(insert(GOOD, 3, aside)) == set()


def test_an_unlabelled_utterance_may_lead_anywhere() -> None:
    assert codes(change(GOOD, 11, layers=())) == set()


def test_schemas_that_nobody_checked_do_no_harm() -> None:
    task = BOAT
    nodes = dict(task.flow.nodes)
    nodes["ask_time"] = msgspec.structs.replace(
        nodes["ask_time"], when=(Condition("crew", "equal", ("many",)), Condition("x", other="y"))
    )
    nodes["offer"] = msgspec.structs.replace(nodes["offer"], then=("nowhere",), last="elsewhere")
    slots = {**task.slots, "crew": Slot(name="crew", type="integer", minimum="few")}
    odd = msgspec.structs.replace(
        task, flow=FlowGraph(nodes=nodes, complete=True), slots=slots, calls={}, tables={}
    )
    assert list(Linter({BOAT.id: odd}, 3).check(SIMULATED))


def test_values_of_a_state_may_be_said_in_any_form() -> None:
    """Half past nine is 09:30, and what is left open nobody needs to speak of."""
    turns = (
        user("A boat, please.", part("open")),
        user("At half past nine.", part("give_time", time=("09:30",))),
    )
    dialogue = Dialogue(id="2", events=turns, scenario=scene(), provenance="written")
    assert "E603" not in codes(dialogue)
    other = annotate(dialogue, 1, state=State(values={"time": ("10:30",)}))
    assert "E603" in codes(other)
    left_open = annotate(dialogue, 1, state=State(values={"time": ("dontcare",)}))
    assert "E603" not in codes(left_open)
