"""The automaton's table, the knowledge base, and texts with their spans."""

from __future__ import annotations

import pickle
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from dialoom.corpus.shards import Shard
from dialoom.errors import UnknownNameError
from dialoom.formats.sgd import TRAITS
from dialoom.schema.act_wording import wording
from dialoom.schema.service import ANYTHING
from dialoom.schema.values.forms import surface_form
from dialoom.sim.core.grammar import speech
from dialoom.sim.core.plan import Request
from dialoom.sim.core.rng import SeededRng
from dialoom.sim.core.run import Maker
from dialoom.sim.policies.agenda import table
from dialoom.sim.policies.agenda.phrases import Entry, SpokenText
from dialoom.sim.policies.agenda.world import World
from dialoom.sim.presets.sgd import PRESET, SgdPlan
from tests.make import refuses


@cache
def plan() -> SgdPlan:
    return PRESET.plan(Request(number=30, seed=4, tasks="dining"))


@cache
def world() -> World:
    return plan().world()


def test_the_table_speaks_of_acts_alone() -> None:
    moves = [move for moves in table.load().moves.values() for move in moves]
    acts = {act for move in moves for act in (*move.here, *move.there)}
    assert acts <= TRAITS.acts
    assert all(move.weight > 0 and (move.here or move.there) for move in moves)


def test_moves_are_drawn_by_their_weights() -> None:
    rng = SeededRng(bytes(32), b"moves")
    counts = Counter(
        move.here
        for _ in range(2000)
        if (move := table.load().move("instead", lambda _: True, rng)) is not None
    )
    assert counts[("AFFIRM",)] > 1500
    assert counts[("NEGATE",)] > 20
    assert table.load().move("instead", lambda _: False, rng) is None


def test_every_act_of_the_table_has_words() -> None:
    for move in (move for moves in table.load().moves.values() for move in moves):
        assert speech("en", "acts-user").symbols.keys() >= {*move.here, *move.there}
    assert wording("en").system.keys() <= {*TRAITS.acts, "INFORM_COUNT_ONE"}
    with refuses(UnknownNameError, "unknown-name", "en"):
        wording("tlh")


@pytest.mark.parametrize("symbol", ["INFORM", "INFORM_INTENT"])
def test_values_stand_where_they_are_said_to(symbol: str) -> None:
    book, slots = world().books["Tables_1"], world().providers["Tables_1"].slots
    forms = (
        surface_form("day", "2019-03-08", ("March 8th",)),
        surface_form("town", "Ostby", ("Ostby",)),
        surface_form("garden", "True", ("True",)),
    )
    entries: list[Entry] = [
        (slots[n], (v,)) for n, v in zip(("day", "town", "garden"), forms, strict=True)
    ]
    entries.append((slots["kitchen"], slots["kitchen"].ways(ANYTHING)))
    for seed in range(60):
        spoken = SpokenText()
        spoken.add(book, symbol, entries, "FindPlace", asked="", opening="")
        text, spans = spoken.say(world().drafts["user"], SeededRng(bytes([seed]) * 32, b"text"))
        texts = {(span.labels[0], text[span.start : span.end]) for span in spans["Tables_1"]}
        assert texts == {("day", "March 8th"), ("town", "Ostby")}, text
        assert len(spans["Tables_1"]) == 2
        assert "True" not in text
        assert "dontcare" not in text
        assert "{" not in text


def test_what_is_booked_is_taken_until_the_dialogue_ends() -> None:
    backend, provider = world().backend, world().providers["Tables_1"]
    call = provider.calls["BookTable"]
    row = provider.rows[0]
    bookings = provider.booked["BookTable"][row["place_name"], row["town"]]
    hours = [hour for hour in provider.slots["hour"].values if hour not in bookings]
    values = {"place_name": row["place_name"], "town": row["town"], "hour": hours[0]}
    assert not backend.call(provider, call, values | {"hour": min(bookings)})
    for _ in range(2):
        with backend.dialogue():
            (item,) = backend.call(provider, call, values)
            assert item["phone"] == row["phone"]
            assert item["guests"] == "2"
            assert not backend.call(provider, call, values)


def test_a_search_finds_what_there_is() -> None:
    backend, provider = world().backend, world().providers["Tables_2"]
    call = provider.calls["SearchRestaurant"]
    items = backend.call(provider, call, {"city": "Ostby"})
    there = [row for row in provider.rows if row["city"] == "Ostby"]
    assert len(items) == min(10, len(there))
    assert all(dict(item) in there for item in items)
    assert backend.call(provider, call, {"city": "Nowhere"}) == ()


def test_a_plan_travels(tmp_path: Path) -> None:
    other = pickle.loads(pickle.dumps(plan()))
    assert other == plan()
    shards = []
    for each, name in ((plan(), "one"), (other, "two")):
        (tmp_path / name).mkdir()
        outputs = Maker(each).shard(0, tmp_path / name)
        shards += [done for done in outputs if isinstance(done, Shard)]
    assert shards[0].digest == shards[1].digest
