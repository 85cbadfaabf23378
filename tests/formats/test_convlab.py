"""ConvLab's unified format: there and back, and what becomes of dialogues of other formats."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.dialogue import (
    Act,
    Dialogue,
    Layer,
    Origin,
    Part,
    Query,
    Result,
    Scenario,
    Span,
    Utterance,
)
from dialoom.errors import SchemaError
from dialoom.formats.base.codec import noted, restored
from dialoom.formats.base.values import alike
from dialoom.formats.convlab import FORMAT, render
from dialoom.schema import pack
from dialoom.schema.services import contract
from dialoom.sim.presets.star import StarPlan
from tests.formats.star_json import DATA
from tests.make import refuses

FILE = DATA / "convlab" / "data" / "dialogues.json"
HI = Act("greet")


def read() -> list[Dialogue]:
    return list(formats.load(DATA / "convlab").dialogues())


def back(dialogues: list[Dialogue]) -> Any:
    return json.loads(render(dialogues))


def test_values_come_back() -> None:
    assert alike(back(read()), json.loads(FILE.read_bytes()))


def test_a_changed_word_is_written() -> None:
    one, two = read()
    first = one.events[0]
    assert isinstance(first, Utterance)
    changed = replace(one, events=(replace(first, text="A raft."), *one.events[1:]))
    value = json.loads(FILE.read_bytes())
    value[0]["turns"][0]["utterance"] = "A raft."
    assert alike(back([changed, two])[0]["turns"][1:], value[0]["turns"][1:])
    assert back([changed, two])[0]["turns"][0]["utterance"] == "A raft."


def test_acts_spans_states_and_calls() -> None:
    one, _ = read()
    request, query, result, reply, _, search, nothing, booked, _ = one.events
    assert isinstance(request, Utterance)
    ferry, taxi, general = request.layers[0].parts
    assert [part.service for part in (ferry, taxi, general)] == ["ferry", "taxi", "general"]
    assert ferry.spans == (Span(10, 15, ("port",)),)
    assert ferry.state is not None
    assert ferry.state.values == {"port": ("Ostby",), "seats": ("2",)}
    assert (ferry.state.intent, ferry.state.requested) == ("FindFerry", ("price",))
    assert isinstance(query, Query)
    assert (query.api, query.service) == ("FindFerry", "ferry")
    assert isinstance(result, Result)
    assert (result.query, result.items) == (query.id, ({"name": "Gull", "time": "09:00"},))
    assert isinstance(reply, Utterance)
    assert isinstance(search, Query)
    assert isinstance(nothing, Result)
    assert (nothing.query, nothing.items) == (search.id, ())
    assert isinstance(booked, Result)
    assert (booked.api, booked.items) == ("ferry", ({"reference": "K7"},))


def test_a_state_of_alternatives() -> None:
    third = read()[0].events[4]
    assert isinstance(third, Utterance)
    state = third.layers[0].parts[0].state
    assert state is not None
    assert state.values["day"] == ("friday", "monday")


def test_notes_are_used_while_the_value_is_the_same() -> None:
    raw = {"b": 1, "a": [], "layout": 2}
    extra = noted(raw, {"a": [0], "c": 3})
    assert restored({"a": [0], "c": 3}, extra) == raw
    assert list(restored({"a": [0], "c": 3}, extra)) == list(raw)
    assert restored({"a": [7], "c": 3}, extra) == {"b": 1, "a": [7], "layout": 2}


def test_a_zip_with_a_database_and_an_ontology(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "data.zip", "w") as archive:
        archive.write(FILE, "data/dialogues.json")
        archive.writestr("data/ontology.json", '{"domains": {}, "intents": {}, "state": {}}')
        archive.writestr("data/db.json", '[{"name": "Gull"}]')
    corpus = formats.load(tmp_path / "data.zip")
    assert (corpus.format, len(list(corpus.dialogues()))) == ("convlab", 2)


@pytest.mark.corpus
def test_the_real_files_come_back_value_for_value(corpora: Path) -> None:
    for file in sorted((corpora / "others" / "convlab-unified").glob("*/*")):
        if file.suffix == ".zip":
            with zipfile.ZipFile(file) as archive:
                value = json.loads(archive.read("data/dialogues.json"))
        else:
            value = json.loads(file.read_bytes())
        assert alike(back(list(formats.load(file).dialogues())), value)


ONTOLOGY = {
    "domains": {
        "ferry": {
            "description": "find a ferry",
            "slots": {
                "port": {
                    "description": "where to",
                    "is_categorical": True,
                    "possible_values": ["Ostby", "Nord"],
                }
            },
        }
    },
    "intents": {"inform": {"description": "tell"}},
    "state": {"ferry": {"port": ""}},
    "dialogue_acts": {"categorical": [], "non-categorical": [], "binary": []},
}


def test_the_domains_of_an_ontology_are_services(tmp_path: Path) -> None:
    (tmp_path / "dialogues.json").write_bytes(FILE.read_bytes())
    (tmp_path / "ontology.json").write_text(json.dumps(ONTOLOGY))
    schemas = formats.load(tmp_path).schemas
    (slot,) = contract(schemas["ferry"]).slots
    assert (slot.name, slot.categorical) == ("port", True)
    assert slot.possible_values == ("Ostby", "Nord")
    (tmp_path / "out").mkdir()
    FORMAT.write(read(), schemas, tmp_path / "out")
    assert formats.load(tmp_path / "out").schemas == schemas
    assert formats.schemas(tmp_path / "ontology.json") == schemas


def test_a_damaged_ontology_is_an_error_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "dialogues.json").write_bytes(FILE.read_bytes())
    (tmp_path / "ontology.json").write_text('{"domains": ')
    with refuses(SchemaError, "not-json", "ontology.json"):
        _ = formats.load(tmp_path).schemas


def test_domains_of_dialogues_that_follow_a_task(tmp_path: Path) -> None:
    """Acts, states and calls of a task have it as their domain, as its ontology has."""
    tasks = {"weather": pack.load("weather")}
    made = StarPlan(tasks=tuple(tasks.values()), seed=3, dialogues=2).source()(0)
    FORMAT.write([made], tasks, tmp_path)
    [dialogue] = json.loads((tmp_path / "dialogues.json").read_bytes())
    turns = dialogue["turns"]
    acts = [act for turn in turns for kind in turn["dialogue_acts"].values() for act in kind]
    assert {act["domain"] for act in acts} == {"weather"}
    assert {name for turn in turns for name in turn.get("state", {})} == {"weather"}
    assert {name for turn in turns for name in turn.get("service_call", {})} == {"weather"}


def test_fields_that_the_layout_requires() -> None:
    foreign = Dialogue(
        id="7",
        services=("ferry",),
        events=(Utterance(agent="user", text="Hi.", layers=(Layer("me", (Part(acts=(HI,)),)),)),),
        origin=Origin("dev/some.json", 0),
        scenario=Scenario(goal=["be there by noon"]),
    )
    [written] = back([foreign])
    assert {key: written[key] for key in ("dataset", "data_split", "original_id")} == {
        "dataset": "",
        "data_split": "validation",
        "original_id": "7",
    }
    assert (written["original_goal"], "goal" in written) == (["be there by noon"], False)
    assert written["turns"][0]["dialogue_acts"]["binary"][0]["domain"] == "ferry"


def test_a_file_without_the_required_fields_comes_back(tmp_path: Path) -> None:
    value = json.loads(FILE.read_bytes())
    for each in value:
        del each["dataset"], each["original_id"]
        each["data_split"] = ""
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "dialogues.json").write_text(json.dumps(value))
    dialogues = list(formats.load(tmp_path).dialogues())
    assert alike(back(dialogues), value)
    assert back([replace(dialogues[0], id="new")])[0]["data_split"] == ""


def test_a_foreign_goal_is_read_back() -> None:
    [dialogue] = FORMAT.read_content(
        render([Dialogue(id="7", events=(), scenario=Scenario(goal={"rounds": 2}))]),
        FILE,
        "dialogues.json",
    )
    assert dialogue.scenario == Scenario(goal={"rounds": 2})
