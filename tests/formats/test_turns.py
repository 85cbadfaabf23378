"""Layouts of which speakers and texts are read, and columns of the Hub."""

from __future__ import annotations

import json
from pathlib import Path

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Utterance
from dialoom.formats.turns import OTHERS
from dialoom.schema.services import contract
from tests.formats.star_json import DATA


def dialogues(name: str) -> dict[str, Dialogue]:
    corpus = formats.load(DATA / name)
    assert corpus.format == name
    return {each.id: each for each in corpus.dialogues()}


def spoken(dialogue: Dialogue) -> list[Utterance]:
    return [event for event in dialogue.events if isinstance(event, Utterance)]


def test_speakers_of_each_layout() -> None:
    examples = dialogues("turns")
    agents = {name: [each.agent for each in spoken(example)] for name, example in examples.items()}
    assert agents["m1"] == [SYSTEM, USER, SYSTEM, USER]
    assert all(each == [USER, SYSTEM] for name, each in agents.items() if name != "m1")
    assert [each.text for each in spoken(examples["c1"])] == ["Call Ada.", "Calling Ada."]
    services = {name: example.services for name, example in examples.items() if example.services}
    assert services == {"m1": ("BUS",), "c1": ("calling",), "5": ("lamps",)}


def test_fields_and_entries_without_a_text_are_kept() -> None:
    examples = dialogues("turns")
    user, system = spoken(examples["s1"])
    assert user.extra == {}
    assert system.extra["lispress"] == "(Yield (at))"
    assert system.extra["user_utterance"] == {"tokens": ["When", "is", "it", "?"]}
    assert [number for number, _ in examples["C1"].extra[OTHERS]] == [2]
    assert [number for number, _ in examples["r1"].extra[OTHERS]] == [0]


def test_a_list_of_lines_as_texts_is_read(tmp_path: Path) -> None:
    file = tmp_path / "original_examples.json"
    line = (DATA / "turns" / "metalwoz.txt").read_text().strip().replace('"', '\\"')
    file.write_text(f'["{line}"]')
    (dialogue,) = formats.load(file).dialogues()
    assert dialogue.id == "m1"


def test_columns_of_the_hub_give_states_spans_and_acts() -> None:
    (dialogue,) = dialogues("multiwoz-columns").values()
    user, _ = spoken(dialogue)
    published, acts = user.layers
    (part,) = published.parts
    assert part.state is not None
    assert (part.state.intent, part.state.requested) == ("find_ferry", ("ferry-time",))
    assert part.state.values == {"ferry-port": ("Ostby",)}
    assert [user.text[each.start : each.end] for each in part.spans or ()] == ["Ostby"]
    assert [act.name for act in acts.parts[0].acts or ()] == ["Inform"]


def test_a_list_of_star_dialogues_is_read(tmp_path: Path) -> None:
    files = sorted((DATA / "star" / "dialogues").glob("*.json"))[:2]
    (tmp_path / "several.json").write_text(f"[{','.join(each.read_text() for each in files)}]")
    dialogues = list(formats.load(tmp_path / "several.json").dialogues())
    alone = [next(iter(formats.load(each).dialogues())) for each in files]
    assert [each.events for each in dialogues] == [each.events for each in alone]


def test_acts_in_a_file_next_to_multiwoz(tmp_path: Path) -> None:
    turns = [{"text": "A ferry.", "metadata": {}}, {"text": "When?", "metadata": {"ferry": {}}}]
    (tmp_path / "data.json").write_text(json.dumps({"SNG01.json": {"goal": {}, "log": turns}}))
    acts = {"SNG01": {"1": {"Ferry-Request": [["Day", "?"]]}, "2": "No Annotation"}}
    (tmp_path / "dialogue_acts.json").write_text(json.dumps(acts))
    corpus = formats.load(tmp_path)
    assert [each.name for each in corpus.files] == ["data.json"]
    (dialogue,) = corpus.dialogues()
    user, system = spoken(dialogue)
    (part,) = system.layers[0].parts
    assert [(act.name, act.arguments[0].slot) for act in part.acts or ()] == [("Request", "Day")]
    assert not any(part.acts for layer in user.layers for part in layer.parts)


def test_an_ontology_next_to_multiwoz_lists_the_values_of_its_slots(tmp_path: Path) -> None:
    state = {"ferry": {"semi": {"port": "Ostby"}, "book": {"booked": [], "people": "2"}}}
    turns = [{"text": "A ferry.", "metadata": {}}, {"text": "When?", "metadata": state}]
    (tmp_path / "data.json").write_text(json.dumps({"SNG01.json": {"goal": {}, "log": turns}}))
    values = {"ferry-semi-port": ["ostby", "dontcare", "wick"], "ferry-book people": ["1", "2"]}
    (tmp_path / "ontology.json").write_text(json.dumps(values))
    service = contract(formats.schemas(tmp_path)["ferry"])
    assert {slot.name: slot.possible_values for slot in service.slots} == {
        "port": ("ostby", "wick"),
        "book people": ("1", "2"),
    }
