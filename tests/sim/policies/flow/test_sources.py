"""Sources of a goal's values: what is settled leaves no choice."""

from __future__ import annotations

from typing import Any

from dialoom.kb.domain import listed
from dialoom.schema.call import Call
from dialoom.sim.core.rng import SeededRng, seed_of
from dialoom.sim.policies.flow.sources import RowSource

ROWS = [
    {"Id": 1, "Place": "Juniper", "Extras": ["bar"]},
    {"Id": 2, "Place": "Juniper", "Extras": ["bar", "gym"]},
    {"Id": 3, "Place": "Copper Pan", "Extras": []},
]
SLOTS = {"id": "Id", "place": "Place", "extras": "Extras"}


def source() -> RowSource:
    call = Call(name="find", effect="find", table="places")
    return RowSource(call, SLOTS, {"place": listed(("Juniper", "Copper Pan"))}, ROWS)


def test_one_row_settles_its_single_values() -> None:
    assert list(source().settled({"id": 2})) == ["id", "place"]
    assert list(source().settled({"place": "Copper Pan"})) == ["id", "place"]


def test_several_rows_or_none_settle_nothing() -> None:
    for values in ({}, {"place": "Juniper"}, {"id": 3, "place": "Juniper"}, {"other": 1}):
        assert not list(source().settled(values))


def test_what_is_settled_is_what_is_filled() -> None:
    for index in range(20):
        values: dict[str, Any] = {"id": 2}
        source().fill(values, set(), SeededRng(seed_of(1, index), b"goal"))
        assert values["place"] == "Juniper"
