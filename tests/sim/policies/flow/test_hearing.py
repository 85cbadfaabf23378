"""What is heard in people's words; the simulator's own words are heard again."""

import pytest

from dialoom.dialogue import USER, Utterance
from dialoom.schema import pack
from dialoom.sim.policies.flow.compiling import compile_task
from dialoom.sim.policies.flow.hearing import Hearing
from dialoom.sim.policies.flow.simulator import Simulator


@pytest.fixture(scope="module")
def tables() -> Hearing:
    return Hearing(compile_task(pack.resolve("restaurant_book")))


def test_values_are_heard_in_other_forms(tables: Hearing) -> None:
    heard = tables.heard("Let it be the Salt Cellar, half past seven pm would do")
    assert heard["restaurant"] == "Salt Cellar"
    assert tables.heard("at 8 pm", {"time"}) == {"time": "20:00"}


def test_a_bare_number_is_the_answer_to_its_question(tables: Hearing) -> None:
    assert tables.heard("7", {"guests"}) == {"guests": 7}
    assert "guests" not in tables.heard("7")


def test_a_name_is_read_off_the_answer(tables: Hearing) -> None:
    assert tables.heard("The table is for Anneliese Quack.", {"name"}) == {
        "name": "Anneliese Quack"
    }
    assert tables.heard("Anneliese Quack", {"name"}) == {"name": "Anneliese Quack"}
    assert "name" not in tables.heard("Anneliese Quack")


def test_no_is_no_wish(tables: Hearing) -> None:
    assert tables.declined("No, whatever you like")
    assert not tables.declined("Nobody but us")


@pytest.mark.parametrize("task", ["restaurant_book", "hotel_book", "weather", "ride_book"])
def test_what_the_simulator_says_is_heard(task: str) -> None:
    hearing = Hearing(compile_task(pack.resolve(task)))
    simulator, right, total = Simulator(pack.resolve(task), 3), 0, 0
    for index in range(20):
        asked: tuple[str, ...] = ()
        for event in simulator.dialogue(index).events:
            if not isinstance(event, Utterance):
                continue
            acts = event.layers[0].parts[0].acts or ()
            if event.agent == USER:
                heard = hearing.heard(event.text, asked)
                for argument in (a for act in acts for a in act.arguments if a.values):
                    total += 1
                    canonical = (argument.canonical or argument.values)[0]
                    right += str(heard.get(argument.slot)) == str(canonical)
                asked = ()
            else:
                asked = simulator.program.steps[acts[0].name].node.asks
    assert total
    assert right / total > 0.9, f"{right} of {total}"
