from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom.errors import UnknownNameError, UsageError
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.schema import pack
from dialoom.schema.rewording import between, distance, reword, reword_text, vary_file, vary_service
from dialoom.schema.services import contract
from dialoom.schema.variants import rename, renaming
from dialoom.schema.yaml.reading import check_text, read_text
from dialoom.schema.yaml.writing import write
from dialoom.sim.policies.flow.simulator import Simulator
from tests.found import some
from tests.make import refuses
from tests.schema.tiny_service import CAFE, DIALOGUE

NAMES = ["leaving_date", "origin_city", "number_of_seats", "price", "FindBus", "BuyBusTicket"]


@pytest.mark.parametrize("wanted", [0, 0.2, 0.4, 0.6, 0.8])
def test_the_distance_wanted_is_reached(wanted: float) -> None:
    for seed in range(5):
        new = reword(NAMES, wanted, seed)
        assert list(new) == NAMES
        assert len(set(new.values())) == len(NAMES)
        assert distance(new) == pytest.approx(wanted, abs=0.06)


def test_it_is_a_function_of_its_arguments() -> None:
    assert reword(NAMES, 0.5, 3) == reword(NAMES, 0.5, 3)
    assert len({tuple(reword(NAMES, 0.5, seed).values()) for seed in range(6)}) > 3
    assert reword(NAMES, 0, 1) == dict(zip(NAMES, NAMES, strict=True))


def test_names_that_have_to_stay_plain_do() -> None:
    for seed in range(8):
        new = reword(["visit_time", "city"], 0.7, seed, plain=("visit_time", "city"))
        assert all(name == name.lower() for name in new.values())


@given(st.lists(st.text(min_size=1, max_size=20), unique=True, max_size=8), st.floats(0, 1))
def test_any_names_stay_apart(names: list[str], wanted: float) -> None:
    new = reword(names, wanted, 1)
    assert list(new) == names
    assert len(set(new.values())) == len(names)


def test_what_cannot_be_is_refused() -> None:
    for share in (-0.1, 1.5, float("nan")):
        with refuses(UsageError, "out-of-range", "0", "1"):
            reword(NAMES, share, 1)
    with refuses(UnknownNameError, "unknown-name", "language of synonyms"):
        reword(NAMES, 0.5, 1, language="xx")


def test_descriptions_are_reworded() -> None:
    assert reword_text("Find the city", 0, 1) == "Find the city"
    new = reword_text("Find the city", 1, 1)
    assert new.split()[1] == "the"
    assert new[0].isupper()
    assert new != "Find the city"


def test_a_service_under_other_names() -> None:
    new, names = vary_service(CAFE, contract(CAFE), 0.4, 7)
    assert (new.id, names.service) == ("Cafes_1x7", "Cafes_1x7")
    find = contract(new).intents[1]
    assert find.name == names.intents["FindCafe"]
    assert find.required == (names.slots["city"],)
    assert list(find.optional) == [names.slots["has_garden"]]
    assert contract(new).slots[2].possible_values == ("1", "2", "3")
    dialogue = rename(DIALOGUE, renaming({"Cafes_1": names}))
    assert dialogue.services == ("Cafes_1x7",)


@pytest.mark.parametrize("name", pack.names())
def test_a_task_file_under_other_names_checks(name: str) -> None:
    value, names = vary_file(pack.document(name).value, 0.5, 2)
    assert distance(names) == pytest.approx(0.5, abs=0.05)
    assert check_text(write(value), name) == []


def test_a_task_file_under_other_names_simulates_the_same_way() -> None:
    value, names = vary_file(pack.document("hotel_book").value, 0.6, 1)
    task = read_text(write(value))
    assert task.id == "hotel_book_x1"
    assert next(iter(task.calls)) == names["hotel_book"]
    assert Simulator(task, 1).dialogue(0).events


def test_between() -> None:
    assert between("", "") == 0
    assert between("abc", "xyz") == 1


@pytest.mark.corpus
@pytest.mark.parametrize("wanted", [0.2, 0.5, 0.8])
def test_services_of_sgd_reach_their_distance(corpora: Path, wanted: float) -> None:
    for task in some(read_schemas(corpora / "sgd").values()):
        _, names = vary_service(task, contract(task), wanted, 1)
        assert distance({**names.slots, **names.intents}) == pytest.approx(wanted, abs=0.1)
