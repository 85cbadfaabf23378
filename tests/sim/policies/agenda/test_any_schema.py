"""Any schema will do: odd names, services without searches, without slots, without values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dialoom import formats
from dialoom.dialogue import decode, encode
from dialoom.quality.lint import Linter
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from dialoom.schema.task import TaskSchema
from dialoom.sim.policies.agenda.world import replayed
from dialoom.sim.presets.sgd import SgdPlan
from tests.strategies import sampled

NAMES = st.text(min_size=1, max_size=8).filter(lambda name: name not in ("", "intent", "count"))
WORDS = st.sampled_from(
    ["city", "leaving_date", "start_time", "nr_of_beds", "price", "title", "x", "has_pool", "Ärger"]
)
DESCRIBED = st.sampled_from(["", "Date of it", "The name {value} of <slot>", "How many?"])
FREE = st.lists(st.sampled_from(["Oda", "Vik", "2", "a b", "Zürich"]), max_size=4, unique=True)


@st.composite
def slots(draw: st.DrawFn) -> ServiceSlot:
    categorical = draw(st.booleans())
    values = draw(FREE) or (["True", "False"] if categorical else [])
    return ServiceSlot(
        name=draw(WORDS | NAMES),
        description=draw(DESCRIBED),
        categorical=categorical,
        possible_values=tuple(values),
    )


@st.composite
def services(draw: st.DrawFn, name: str) -> TaskSchema:
    fields = draw(st.lists(slots(), max_size=5, unique_by=lambda slot: slot.name))
    names = [slot.name for slot in fields]
    some: Any = st.lists(st.sampled_from(names), max_size=3, unique=True) if names else st.just([])
    intents = []
    titles = draw(st.lists(NAMES, min_size=1, max_size=3, unique=True))
    for title in titles:
        required = draw(some)
        values = {slot.name: slot.possible_values for slot in fields}
        optional = {
            slot: draw(st.sampled_from(["dontcare", *map(str, values[slot])]))
            for slot in draw(some)
            if slot not in required
        }
        intents.append(
            ServiceIntent(
                name=title,
                transactional=draw(st.booleans()),
                required=tuple(required),
                optional=dict(optional),
                results=tuple(draw(some)),
            )
        )
    return from_service(name, Service(slots=tuple(fields), intents=tuple(intents)))


@st.composite
def plans(draw: st.DrawFn) -> SgdPlan:
    tasks = tuple(draw(services(name)) for name in ("One_1", "Two_1"))
    scenario = draw(st.sampled_from(["happy", "unhappy", "multi", "mixed"]))
    seed = draw(st.integers(0, 99))
    return SgdPlan(tasks=tasks, metadata={}, seed=seed, dialogues=4, scenario=scenario)


@sampled
@given(plans())
def test_any_services(plan: SgdPlan) -> None:
    world = plan.world()
    make = plan.source()
    linter = Linter(plan.schemas, traits=formats.traits("sgd"))
    for index in range(plan.dialogues):
        dialogue = make(index)
        assert decode(encode(dialogue)) == dialogue
        assert [str(f) for f in linter.check(dialogue) if f.severity == "error"] == []
        for _, recorded, again in replayed(world.backend, world.providers, dialogue):
            assert recorded == again


@pytest.mark.parametrize("transactional", [True, False])
def test_a_service_that_knows_nothing(transactional: bool) -> None:
    service = Service(intents=(ServiceIntent(name="Wait", transactional=transactional),))
    plan = SgdPlan(tasks=(from_service("Idle_1", service),), metadata={}, seed=1, dialogues=3)
    for index in range(3):
        assert plan.source()(index).services == ("Idle_1",)
