"""Induced task files pass the checks and can be simulated."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from dialoom.dialogue import Dialogue
from dialoom.models.induction import Induction, induce
from dialoom.schema import pack
from dialoom.schema.yaml.reading import check_text
from dialoom.sim.policies.flow.simulator import Simulator
from tests.models import tiny


@pytest.mark.parametrize("name", ["plane_book", "return_refund", "bahnfahrt", "paketumleitung"])
def test_an_induced_file_can_be_simulated(name: str) -> None:
    """In the dialogues, users change a value after a call has failed, or a call is repeated."""
    task = pack.load(name)
    simulator = Simulator(task, 0)
    dialogues = [simulator.dialogue(number) for number in range(100)]
    induction = induce(dialogues, name, Induction(language=task.language))
    assert not [f for f in check_text(induction.text) if f.severity == "error"]
    again = Simulator(induction.task, 0)
    assert all(again.dialogue(number).events for number in range(60))


def test_a_value_that_users_change_after_a_query_is_forgotten() -> None:
    simulator = Simulator(pack.load("plane_book"), 0)
    induction = induce((simulator.dialogue(number) for number in range(100)), "plane_book")
    nodes = induction.task.flow.nodes
    (taken, leave) = nodes["plane_flight_unavailable"].then
    assert nodes[taken].forget == ("id",)
    assert not nodes[nodes[leave].then[0]].then


def test_a_call_without_any_sure_key_searches() -> None:
    def dialogue(number: int) -> Dialogue:
        city = ("Velmor", "Tarn")[number % 2]
        events = (
            tiny.user(f"A boat in {city}" if number % 4 else "A boat"),
            tiny.query(City=city),
            tiny.result(Boat="Gull"),
            tiny.system("offer", "Take Gull."),
        )
        return Dialogue(id=str(number), events=events)

    induction = induce([dialogue(number) for number in range(24)], "boats")
    (call,) = induction.task.calls.values()
    assert (call.effect, call.key) == ("search", ())
    again = Simulator(induction.task, 0)
    assert all(again.dialogue(number).events for number in range(20))


def test_texts_that_a_file_cannot_have_are_dropped() -> None:
    def dialogue(number: int) -> Dialogue:
        replies = ("empty", ""), ("long", "So. " * 300), ("bye", "Bye.")
        turns = ((tiny.user(f"Go on {name}."), tiny.system(name, text)) for name, text in replies)
        return Dialogue(id=str(number), events=tuple(event for turn in turns for event in turn))

    induction = induce([dialogue(number) for number in range(4)], "talk")
    assert not [f for f in check_text(induction.text) if f.severity == "error"]
    texts = {n.name: n.texts for n in induction.task.flow.nodes.values() if n.kind == "system"}
    assert texts == {"empty": ("…",), "long": ("…",), "bye": ("Bye.",)}


def test_names_that_are_spelled_alike_stay_distinct() -> None:
    row = {"Größe": "XL", "Grüße": "Liebe Grüße"}
    events = (
        tiny.user("Ein Hemd"),
        replace(tiny.query(Maß="zwei", Mäß="drei"), api="süß"),
        tiny.result(**row),
        tiny.system("grüß", "XL, Liebe Grüße"),
        tiny.user("Gut"),
        replace(tiny.query(Art="neu"), api="säß"),
        tiny.result(**row),
        tiny.system("größ", "Bitte."),
    )
    induction = induce([Dialogue(id=str(n), events=events) for n in range(4)], "hemd")
    (table, other) = induction.task.tables.values()
    assert [column.name for column in table.columns] == ["Gr__e", "Gr__e_2"]
    assert induction.task.calls.keys() == {"s__", "s___2"}
    assert table.name != other.name
    texts = [n.texts[0] for n in induction.task.flow.nodes.values() if n.kind == "system"]
    assert texts == ["{Gr__e}, {Gr__e_2}", "Bitte."]
    assert "Gr__e (Größe), Gr__e_2 (Grüße)" in induction.text
