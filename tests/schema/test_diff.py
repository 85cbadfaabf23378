from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    Act,
    Argument,
    Dialogue,
    Layer,
    Part,
    Query,
    Scenario,
    Utterance,
)
from dialoom.dialogue.dialogue import Capability
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.quality.impact import weigh
from dialoom.quality.legality import SchemaRules, violations
from dialoom.schema import pack
from dialoom.schema.diff import Change, compare
from dialoom.schema.flow import FlowGraph
from dialoom.schema.pack import starter
from dialoom.schema.rewording import vary_file
from dialoom.schema.service import ServiceIntent, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema
from dialoom.schema.yaml.reading import read_text
from dialoom.schema.yaml.writing import write
from dialoom.sim.policies.flow.simulator import Simulator
from tests.make import utterance
from tests.schema.starting import changed
from tests.schema.tiny import VISIT
from tests.schema.tiny_service import BELLS, CAFE, DIALOGUE, SERVICES

OLD = read_text(starter("pizza_order"))


def lines(old: TaskSchema, new: TaskSchema) -> list[str]:
    return [str(change) for change in compare({old.id: old}, {new.id: new})]


def altered(*changes: tuple[str, str]) -> list[str]:
    return lines(OLD, read_text(changed(*changes)))


def cafe(**changes: object) -> TaskSchema:
    service = replace(contract(CAFE), **changes)
    return from_service(CAFE.id, service, origins=CAFE.origins)


def test_the_same_schema_has_no_changes() -> None:
    assert lines(OLD, OLD) == []
    assert lines(CAFE, CAFE) == []
    assert lines(VISIT, VISIT) == []


def test_values_and_limits() -> None:
    assert altered(("      Friday: [on friday]\n", "      Sunday: [on sunday]\n")) == [
        "pizza_order: value removed: day: Friday",
        "pizza_order: value added: day: Sunday",
    ]
    assert altered(("    to: 16:30", "    to: 18:00")) == [
        "pizza_order: slot range changed: time: 09:00 to 16:30 by 30 -> 09:00 to 18:00 by 30"
    ]


def test_nodes_and_edges() -> None:
    changes = altered(("  say_taken:\n", "  say_full:\n"), ("then: say_taken", "then: say_full"))
    assert changes == ["pizza_order: node renamed: say_taken -> say_full (probably)"]
    changes = altered(("    then: [other_day, give_up]", "    then: [other_day, give_up, accept]"))
    assert changes == ["pizza_order: edge added: say_taken -> accept"]
    changes = altered(("Which day suits you?", "On which day?"))
    assert changes == [
        "pizza_order: text removed: ask_day: Which day suits you?",
        "pizza_order: text added: ask_day: On which day?",
    ]


def test_a_renamed_slot_is_one_change() -> None:
    value, _ = vary_file(pack.document("hotel_book").value, 0.3, 1)
    changes = compare(
        {"hotel_book": pack.load("hotel_book")}, {"hotel_book_x1": read_text(write(value))}
    )
    assert {change.how for change in changes} == {"renamed"}
    assert {change.what for change in changes} <= {"task", "slot", "input", "call"}


def test_services() -> None:
    slots, intents = contract(CAFE).slots, contract(CAFE).intents
    new = cafe(
        slots=(*slots[:-1], ServiceSlot(name="mood")),
        intents=(intents[0], replace(intents[1], required=(), optional={"city": "x"})),
    )
    assert lines(CAFE, new) == [
        "Cafes_1: slot removed: street_address",
        "Cafes_1: slot added: mood",
        "Cafes_1: intent required changed: FindCafe: city -> -",
        "Cafes_1: intent optional changed: FindCafe: has_garden = dontcare -> city = x",
    ]
    assert compare(SERVICES, {"Cafes_1": CAFE}) == [Change("Bells_1", "task", "removed", "Bells_1")]
    assert compare({"Cafes_1": CAFE}, SERVICES) == [Change("Bells_1", "task", "added", "Bells_1")]


def test_published_tasks() -> None:
    more = replace(VISIT.flow.nodes["more"], texts=("Would you like anything else?",))
    new = replace(VISIT, flow=FlowGraph(nodes={**VISIT.flow.nodes, "more": more}))
    assert "text removed: more" in lines(VISIT, new)[0]


def test_a_service_that_is_called_otherwise_is_found() -> None:
    moved = {"Cafes_12": replace(CAFE, id="Cafes_12"), "Bells_1": BELLS}
    assert compare(SERVICES, moved) == [Change("Cafes_1", "task", "renamed", "Cafes_1", "Cafes_12")]


def test_what_became_illegal_is_counted_with_an_example() -> None:
    slots = contract(CAFE).slots
    find = contract(CAFE).intents[1]
    new = cafe(
        slots=(*slots[:1], replace(slots[1], name="town"), *slots[2:]),
        intents=(
            replace(find, name="SeekCafe", required=("town",)),
            ServiceIntent(name="CallCafe"),
        ),
    )
    effect = weigh([DIALOGUE, DIALOGUE], SERVICES, {**SERVICES, "Cafes_1": new})
    tallies = {(tally.kind, tally.name): tally for tally in effect.illegal}
    assert tallies["slot", "city"].count == 6  # an act, a span and a state in each
    assert tallies["intent", "FindCafe"].count == 4
    assert tallies["call", "FindCafe"].example == "9_00001, event 1"
    assert {tally.name for tally in effect.missing} == {"town", "SeekCafe", "CallCafe"}
    assert effect.missing[0].count == 2
    assert effect.data()["dialogues"] == 2
    assert weigh([DIALOGUE], SERVICES, SERVICES).illegal == ()


def test_parameters_that_are_now_required_and_values_that_are_gone() -> None:
    slots, find = contract(CAFE).slots, contract(CAFE).intents[1]
    towns = replace(slots[1], categorical=True, possible_values=("Harwick",))
    new = cafe(
        slots=(slots[0], towns, *slots[2:]),
        intents=(replace(find, required=("city", "guests")),),
    )
    effect = weigh([DIALOGUE], {"Cafes_1": CAFE}, {"Cafes_1": new})
    counts = {(tally.kind, tally.name): tally.count for tally in effect.illegal}
    assert counts == {("value", "city = Ostby"): 2, ("required parameter", "FindCafe.guests"): 1}


def test_times_out_of_a_range_that_shrank() -> None:
    late, early = (Act("offer", (Argument("time", (hour,)),)) for hour in ("16:00", "15:30"))
    dialogue = Dialogue(id="1", events=(utterance(SYSTEM, "", late, early, service=OLD.id),))
    new = read_text(changed(("    to: 16:30", "    to: 15:30")))
    effect = weigh([dialogue], {OLD.id: OLD}, {OLD.id: new})
    assert [tally.name for tally in effect.illegal] == ["time = 16:00"]


def test_a_task_that_is_gone_makes_all_of_it_illegal() -> None:
    effect = weigh([DIALOGUE], {"Cafes_1": CAFE, "Bells_1": BELLS}, {"Bells_1": BELLS})
    assert sum(tally.count for tally in effect.illegal) > 5


def test_simulated_dialogues_keep_to_their_own_schema_and_not_to_another() -> None:
    simulator = Simulator(OLD, 1)
    dialogues = [simulator.dialogue(index) for index in range(30)]
    law = {OLD.id: SchemaRules(OLD)}
    assert [list(violations(dialogue, law)) for dialogue in dialogues] == [[]] * 30
    new = read_text(
        changed(
            ("  say_taken:\n", "  say_full:\n"),
            ("then: say_taken", "then: say_full"),
            ("      Friday: [on friday]\n", ""),
        )
    )
    effect = weigh(dialogues, {OLD.id: OLD}, {OLD.id: new})
    kinds = {(tally.kind, tally.name) for tally in effect.illegal}
    assert {("action", "say_taken"), ("value", "day = Friday")} == kinds
    assert [tally.name for tally in effect.missing] == ["say_full"]


def test_a_step_that_the_flow_no_longer_has() -> None:
    old = SchemaRules(VISIT)
    nodes = {
        name: replace(node, then=tuple(after for after in node.then if after != "ask_hour"))
        for name, node in VISIT.flow.nodes.items()
    }
    new = replace(VISIT, flow=FlowGraph(nodes=nodes))
    names = ("hello", "ask_guest", "ask_hour")
    dialogue = Dialogue(
        id="1",
        scenario=Scenario(capabilities=(Capability(VISIT.id),)),
        events=tuple(map(reply, names)),
    )
    assert list(violations(dialogue, {VISIT.id: old})) == []
    faults = list(violations(dialogue, {VISIT.id: SchemaRules(new)}))
    assert [(wrong.kind, wrong.name) for wrong in faults] == [("step", "ask_guest -> ask_hour")]


def reply(name: str) -> Utterance:
    layers = (Layer(GOLD, (Part(None, (Act(name),)),)),)
    return Utterance(agent=SYSTEM, text=name, layers=layers)


def test_queries_of_tasks_are_looked_up_in_all_of_them() -> None:
    dialogue = Dialogue(
        id="1",
        scenario=Scenario(capabilities=(Capability("x"), Capability(OLD.id))),
        events=(Query(id="1", api="nix"),),
    )
    faults = list(violations(dialogue, {OLD.id: SchemaRules(OLD)}))
    assert [(wrong.task, wrong.kind, wrong.name) for wrong in faults] == [(OLD.id, "call", "nix")]


@pytest.mark.corpus
def test_sgd_under_its_own_schema_and_under_a_variant(corpora: Path) -> None:
    sgd = corpora / "sgd"
    corpus = formats.load(sgd / "dev", "sgd")
    assert weigh(corpus.dialogues(), corpus.schemas, corpus.schemas).illegal == ()
    laws = {name: SchemaRules(task) for name, task in corpus.schemas.items()}
    assert not any(True for d in corpus.dialogues() for _ in violations(d, laws))
    other = read_schemas(sgd / "sgd_x" / "data" / "v1" / "dev")
    changes = compare(corpus.schemas, other)
    tasks = [change for change in changes if change.what == "task"]
    assert len(tasks) == 17
    assert {change.how for change in tasks} == {"renamed"}
