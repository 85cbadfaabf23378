from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    Capability,
    Dialogue,
    Query,
    Result,
    Scenario,
    Selection,
    Utterance,
)
from dialoom.errors import SchemaError
from dialoom.formats.sgd.schemas import read_schemas
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import contract, from_service
from dialoom.schema.task import TaskSchema
from dialoom.schema.variants import Names, Renaming, closed, in_order, pair, rename, renaming
from tests.make import refuses
from tests.schema.tiny_service import CAFE, DIALOGUE, SERVICES
from tests.strategies import dialogues

NAMES = renaming(
    {
        "Cafes_1": Names(
            "Cafes_11",
            {"cafe_name": "title", "city": "town", "street_address": "city"},
            {"FindCafe": "SeekCafe"},
        )
    }
)

few = st.sampled_from(["", "a", "b", "c", "intent", "count", "INFORM_INTENT", "Cafes_1"])


def test_everything_that_is_named_is_renamed() -> None:
    dialogue = rename(DIALOGUE, NAMES)
    assert dialogue.services == ("Cafes_11",)
    first, query, result, last = dialogue.events
    assert isinstance(first, Utterance)
    part = first.layers[0].parts[0]
    assert part.service == "Cafes_11"
    assert part.acts is not None
    assert part.acts[0].arguments[0].slot == "intent"
    assert part.acts[0].arguments[0].values == ("SeekCafe",)
    assert part.acts[1].arguments[0].slot == "town"
    assert part.state is not None
    assert (part.state.intent, part.state.requested) == ("SeekCafe", ("city",))
    assert part.state.values == {"town": ("Ostby",)}
    assert part.spans is not None
    assert part.spans[0].labels == ("town",)
    assert isinstance(query, Query)
    assert (query.api, query.service, query.constraints[0].slot) == ("SeekCafe", "Cafes_11", "town")
    assert isinstance(result, Result)
    assert result.items == ({"title": "Tern", "town": "Ostby"},)
    assert isinstance(last, Utterance)
    acts = last.layers[0].parts[0].acts
    assert acts is not None
    assert [act.arguments[0].slot for act in acts] == ["title", "count"]
    assert first.text == DIALOGUE.events[0].text  # type: ignore[union-attr]


def test_other_services_and_tasks_stay() -> None:
    other = Dialogue(
        id="1",
        services=("Other", "Cafes_1"),
        scenario=Scenario(capabilities=(Capability("Cafes_1"), Capability("x"))),
        events=(Selection(kind="task", task="Cafes_1"), Query(id="q", api="FindCafe")),
    )
    copy = rename(other, NAMES)
    assert copy.services == ("Other", "Cafes_11")
    assert copy.scenario is not None
    assert [each.task for each in copy.scenario.capabilities] == ["Cafes_11", "x"]
    assert copy.events == (Selection(kind="task", task="Cafes_11"), Query(id="q", api="FindCafe"))


@given(dialogues())
def test_the_inverse_gives_any_dialogue_back(dialogue: Dialogue) -> None:
    assert rename(rename(dialogue, NAMES), NAMES.inverse) == dialogue


@st.composite
def renamings(draw: st.DrawFn) -> Renaming:
    def mapping() -> dict[str, str]:
        old, new = draw(st.lists(few, unique=True)), draw(st.permutations(["a", "b", "d", "e", ""]))
        return dict(zip(old, new, strict=False))

    services = draw(st.lists(few, unique=True, max_size=3))
    return renaming({s: Names(f"{s}1", mapping(), mapping()) for s in services})


@given(dialogues(), renamings())
def test_the_inverse_undoes_any_renaming(dialogue: Dialogue, names: Renaming) -> None:
    assert rename(rename(dialogue, names), names.inverse) == dialogue
    assert rename(rename(DIALOGUE, names), names.inverse) == DIALOGUE


@given(st.dictionaries(few, few))
def test_closed_mappings_are_permutations(names: dict[str, str]) -> None:
    if len(set(names.values())) < len(names):
        with refuses(SchemaError, "twice"):
            closed(names, "slots")
        return
    mapping = closed(names, "slots")
    assert names.items() <= mapping.items()
    assert set(mapping) == set(mapping.values())


def test_names_that_are_exchanged_do_not_run_together() -> None:
    dialogue = rename(DIALOGUE, NAMES)
    state = dialogue.events[0].layers[0].parts[0].state  # type: ignore[union-attr]
    assert state is not None
    assert state.requested == ("city",)  # street_address took the name that city gave up


def variant(task: TaskSchema, digit: str = "1") -> TaskSchema:
    service = Service(
        slots=tuple(replace(slot, name=f"my_{slot.name}") for slot in contract(task).slots),
        intents=tuple(
            ServiceIntent(
                name=f"My{intent.name}",
                required=tuple(f"my_{name}" for name in intent.required),
                optional={f"my_{name}": value for name, value in intent.optional.items()},
                results=tuple(f"my_{name}" for name in intent.results),
            )
            for intent in contract(task).intents
        ),
    )
    return from_service(task.id + digit, service, origins=task.origins)


def test_schemas_are_paired_by_name_or_by_place() -> None:
    by_name, notes = pair(SERVICES, {f"{k}1": variant(t) for k, t in SERVICES.items()})
    by_place, _ = pair(SERVICES, {f"{k}x": variant(t, "x") for k, t in SERVICES.items()})
    assert notes == []
    assert by_name.services["Cafes_1"].service == "Cafes_11"
    assert by_place.services["Cafes_1"].service == "Cafes_1x"
    assert by_name.services["Cafes_1"].slots["city"] == "my_city"
    assert by_name.services["Bells_1"].intents["RingBell"] == "MyRingBell"


def test_schemas_that_cannot_be_paired_are_refused() -> None:
    with refuses(SchemaError, "mismatch", "Bells_1"):
        pair(SERVICES, {"Cafes_11": variant(CAFE)})
    short = from_service("Cafes_11", Service(slots=(ServiceSlot(name="x"),)), origins=CAFE.origins)
    with refuses(SchemaError, "mismatch", "Cafes_11", "7", "1"):
        pair({"Cafes_1": CAFE}, {"Cafes_11": short})


def test_what_is_no_renaming_is_noted() -> None:
    other = variant(CAFE)
    slots = list(contract(other).slots)
    slots[2] = replace(slots[2], possible_values=("1", "9"))
    intents = list(contract(other).intents)
    intents[1] = replace(intents[1], required=("my_guests",))
    service = replace(contract(other), slots=tuple(slots), intents=tuple(intents))
    _, notes = pair(
        {"Cafes_1": CAFE}, {"Cafes_11": from_service(other.id, service, origins=other.origins)}
    )
    assert notes == [
        "Cafes_1: guests and my_guests do not take the same values",
        "Cafes_1: FindCafe and MyFindCafe do not have the same required slots",
    ]


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["v1", "v2", "v3", "v4", "v5"])
def test_variants_of_sgd_rename_every_dialogue_and_back(corpora: Path, name: str) -> None:
    sgd = corpora / "sgd"
    corpus = formats.load(sgd / "dev", "sgd")
    schemas = read_schemas(sgd / "sgd_x" / "data" / name / "dev")
    names, notes = pair(corpus.schemas, schemas)
    assert notes == []
    assert all(
        each.service == f"{key}{name[1]}"
        for key, each in names.services.items()
        if key in corpus.schemas
    )
    slots = {key: {s.name for s in contract(t).slots} for key, t in schemas.items() if contract(t)}
    for dialogue in corpus.dialogues():
        variant = rename(dialogue, names)
        assert rename(variant, names.inverse) == dialogue
        assert set(variant.services) <= set(schemas)
        for event in variant.events:
            if isinstance(event, Utterance):
                for part in event.layers[0].parts:
                    assert part.state is None or set(part.state.values) <= slots[part.service or ""]
            elif isinstance(event, Query):
                assert {each.slot for each in event.constraints} <= slots[event.service or ""]
    assert in_order(DIALOGUE) == DIALOGUE
