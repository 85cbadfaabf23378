"""Worlds of the bundled services with names drawn at random."""

from __future__ import annotations

from collections import Counter

import pytest

from dialoom.dialogue import Utterance
from dialoom.errors import UsageError
from dialoom.schema.services import contract
from dialoom.sim.core.plan import Request
from dialoom.sim.policies.agenda.services import ALL, Found, drawn_worlds, named
from dialoom.sim.presets.sgd import PRESET
from tests.make import refuses

TWO = "worlds:2"


def texts(found: Found, concept: str = "") -> set[str]:
    """Return the listed values of slots that are not categorical, of a concept if one is given."""
    return {
        str(value)
        for task, metadata in found.values()
        for slot in contract(task).slots
        if not slot.categorical
        if not concept or slot.name in metadata.concepts.get(concept, ())
        for value in slot.possible_values
    }


def test_worlds_have_the_bundled_services_with_other_names() -> None:
    first, second, both = drawn_worlds(TWO)
    assert first.keys() == second.keys() == both.keys() == named(ALL).keys()
    for one, other in ((first, second), (first, named(ALL))):
        shared = texts(one) & texts(other)
        assert {"555-104", "drama"} <= shared
        assert sum(value[0].isupper() for value in shared) < len(texts(one)) / 10
    assert texts(both) == texts(first) | texts(second) == texts(named(TWO))


def test_the_same_worlds_each_time() -> None:
    assert texts(drawn_worlds("worlds:1")[0]) == texts(drawn_worlds(TWO)[0])


def test_services_of_a_world_share_their_towns() -> None:
    for world in drawn_worlds(TWO)[:-1]:
        assert len(texts(world, "city")) == 12
    assert len(texts(named(TWO), "city")) == 24


def test_rows_agree_with_the_facts_of_their_world() -> None:
    checked = 0
    for world in PRESET.plan(Request(number=1, seed=7, tasks=TWO)).worlds():
        for provider in world.providers.values():
            for slot, values in provider._facts.items():
                for row in provider.rows if slot in provider.slots else ():
                    assert values[row[slot]].items() <= row.items()
                    checked += 1
    assert checked > 200


def test_dialogues_are_of_all_worlds_in_turn() -> None:
    plan = PRESET.plan(Request(number=120, seed=7, tasks=TWO))
    towns = [texts(world, "city") for world in drawn_worlds(TWO)[:-1]]
    counts: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    for number, dialogue in enumerate(map(plan.source(), range(120))):
        text = " ".join(event.text for event in dialogue.events if isinstance(event, Utterance))
        for world, names in enumerate(towns):
            counts[number // 30 % 2][world] += any(name in text for name in names)
    assert counts[0][0] > 3 * counts[0][1]
    assert counts[1][1] > 3 * counts[1][0]


@pytest.mark.parametrize(
    "names", ["worlds:", "worlds:0", "worlds:many", "worlds:101", "worlds:2,cabs"]
)
def test_numbers_of_worlds_that_there_are_not(names: str) -> None:
    with refuses(UsageError, "out-of-range", "1", "100"):
        named(names)
