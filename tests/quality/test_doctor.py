"""The doctor over small tasks: one that is well, and what ails others."""

from __future__ import annotations

import msgspec
import pytest

from dialoom.errors import SchemaError, UsageError
from dialoom.quality.coverage import CoverageCounter
from dialoom.quality.doctor import Diagnosis, examine
from dialoom.quality.doctor.rules import CHECKS, ENOUGH, Observations
from dialoom.schema import pack
from dialoom.schema.findings import RULES, Finding
from dialoom.schema.places import parse
from dialoom.sim.policies.flow.persons import PLAIN, Persons
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import refuses
from tests.quality.lint_sample import BOAT as TASK
from tests.sim.designs import BOAT, GUIDE


def examined(text: str, *changes: tuple[str, str], number: int = 200) -> Diagnosis:
    """Examine a task file in which some texts stand for others."""
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return examine(parse(text, "tiny.yaml"), number, 1)


def found(diagnosis: Diagnosis) -> dict[str, str]:
    """Return the code of each finding with the pointer of the last one."""
    return {finding.code: finding.pointer for finding in wrong(diagnosis)}


def wrong(diagnosis: Diagnosis) -> list[Finding]:
    """Return the errors and warnings."""
    return [each for each in diagnosis.findings if each.severity != "information"]


def test_a_task_that_is_well() -> None:
    diagnosis = examined(BOAT)
    assert (diagnosis.dialogues, diagnosis.ended) == (200, 200)
    assert 100 < diagnosis.reached <= 200
    assert diagnosis.errors == 0
    assert wrong(diagnosis) == []
    (missed,) = diagnosis.findings
    assert missed.pointer == "/flow/lost" and "nobody takes what was free" in missed.message


def test_a_result_that_never_comes_about() -> None:
    hours = ("rows: 20", "rows: 0")  # nothing is ever taken
    diagnosis = examined(BOAT, hours)
    assert found(diagnosis) == {"W902": "/flow/gone"}
    (finding,) = wrong(diagnosis)
    assert BOAT.splitlines()[finding.line - 1] == "  gone:"
    assert "of check was 'unavailable'" in finding.message


def test_the_same_seed_gives_the_same_diagnosis() -> None:
    assert examined(BOAT, number=30) == examined(BOAT, number=30)
    data = msgspec.to_builtins(examined(BOAT, number=30))
    assert list(data) == ["task", "dialogues", "ended", "reached", "findings", "coverage"]


def test_a_task_that_reads_a_list_out_is_well() -> None:
    assert examined(GUIDE).errors == 0


def test_a_node_that_never_fires() -> None:
    again = """  ask_again:
    system: [How many again?]
    asks: crew
    then: give_again
  give_again:
    user: ["{crew}.", "Still {crew}.", "{crew} of us.", "{crew} then.", "Yes, {crew}."]
    then: ask_extras
  ask_extras:
"""
    diagnosis = examined(
        BOAT, ("then: ask_extras\n", "then: ask_again\n"), ("  ask_extras:\n", again)
    )
    assert found(diagnosis)["E903"] == "/flow/ask_again"
    assert diagnosis.errors == 1


ONE_HOUR = ('to: "16:00"', 'to: "09:00"')
TWO_BOATS = ("RedSwan: [the red swan, the swan], Otter: []", "Otter: []")
"""All boats are hired at all hours: twenty rows have every key there is."""


def test_a_branch_that_is_no_answer_says_so() -> None:
    other = "  refuse_crew:\n    user: [Guess., You tell me., Hm., Many.]\n    then: goodbye\n"
    edit = ("then: give_crew", "then: [give_crew, refuse_crew]")
    diagnosis = examined(BOAT, edit, ("  give_crew:\n", f"{other}  give_crew:\n"))
    (finding,) = (each for each in diagnosis.findings if each.code == "E903")
    assert finding.pointer == "/flow/refuse_crew" and "neither gives that" in finding.message


def test_a_goal_that_nobody_reaches() -> None:
    resigned = (
        "    forget: [time]\n    then: ask_time\n  leave:",
        "    then: goodbye\n  leave:",
    )
    diagnosis = examined(BOAT, ONE_HOUR, TWO_BOATS, resigned)
    assert (diagnosis.ended, diagnosis.reached) == (200, 0)
    assert found(diagnosis)["E902"] == "/flow"


def test_dialogues_without_an_end() -> None:
    stubborn = ("then: [other_time, leave]", "then: [other_time]")
    block = BOAT[BOAT.index("  leave:\n") : BOAT.index("  offer:\n")]
    diagnosis = examined(BOAT, ONE_HOUR, TWO_BOATS, stubborn, (block, ""), number=5)
    assert diagnosis.ended == 0
    assert found(diagnosis) == {"E901": "/flow"}
    assert "5 dialogues did not end" in diagnosis.findings[0].message


def test_outcomes_that_a_result_does_not_distinguish() -> None:
    diagnosis = examined(BOAT, ("unavailable: {Message: Gone}", "unavailable: {Message: Free}"))
    assert found(diagnosis)["E906"] == "/apis/boat_hire"


def test_results_that_share_a_reply() -> None:
    shared = examined(
        BOAT, ("result: failed\n    then: sorry", "result: failed\n    then: confirm")
    )
    assert found(shared)["W904"] == "/flow/lost"


def _seen() -> Observations:
    notes = Observations(CoverageCounter(TASK))
    simulator = Simulator(TASK, 1, persons=Persons(PLAIN, TASK.language, scripted=True))
    for index in range(200):
        notes.add(simulator.dialogue(index))
    return notes


def _checked(code: str, notes: Observations) -> list[str]:
    return ["/".join(map(str, pointer)) for pointer, _ in CHECKS[code](notes)]


def _less(notes: Observations, kind: str, name: str) -> Observations:
    counts = {**notes.coverage.counts(kind), name: 0}
    notes.coverage = msgspec.structs.replace(notes.coverage, **{kind: counts})
    return notes


def test_templates_are_distinguished_by_what_is_known() -> None:
    notes = _less(_seen(), "templates", "give_crew: Just {crew}.")
    assert _checked("W903", notes) == ["flow/give_crew/user/3"]
    assert _checked("E904", notes) == []
    notes.known["give_crew"].discard("crew")
    assert _checked("E904", notes) == ["flow/give_crew/user/3"]
    notes.chances.clear()
    assert _checked("W903", notes) == []


def test_edges_and_values_count_when_chosen_often_enough() -> None:
    notes = _less(_less(_seen(), "edges", "offer -> refuse"), "values", "boat = Otter")
    assert _checked("W905", notes) == ["flow/offer/then"]
    assert _checked("W906", notes) == ["slots/boat/values/Otter"]
    few = msgspec.structs.replace(
        notes.coverage,
        nodes=dict.fromkeys(notes.coverage.nodes, ENOUGH - 1),
        slots=dict.fromkeys(notes.coverage.slots, 1),
    )
    notes.coverage = few
    assert _checked("W905", notes) == _checked("W906", notes) == []


def test_broken_and_faulty_dialogues_are_reported() -> None:
    notes = _seen()
    assert _checked("E901", notes) == _checked("E907", notes) == _checked("W901", notes) == []
    notes.broken["it goes round and round"] = 3
    notes.first_findings["E801"], notes.lint_counts["E801"] = "/events/3 …", 7
    notes.reached = 20
    assert _checked("E901", notes) == _checked("E907", notes) == _checked("W901", notes) == ["flow"]


def test_rules_have_codes_of_their_own() -> None:
    assert CHECKS.keys() == {code for code in RULES if code[1] == "9"}
    assert {RULES[code].severity for code in CHECKS} == {"error", "warning", "information"}


def test_what_cannot_be_examined_is_refused() -> None:
    with refuses(UsageError, "out-of-range", "1"):
        examine(pack.document("weather"), 0)
    with pytest.raises(SchemaError):
        examined(BOAT, ("then: ask_boat", "then: ask_boot"))


@pytest.mark.parametrize("name", (*pack.names(), *pack.names("service")))
def test_the_pack_is_well(name: str) -> None:
    diagnosis = examine(pack.document(name), 60)
    assert diagnosis.ended == 60
    assert [str(finding) for finding in diagnosis.findings if finding.severity == "error"] == []
