"""MultiWOZ 2.2 in SGD's layout: the acts next to it, copied slots, idle services, one schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Span, Utterance
from dialoom.dialogue.event_lines import event_lines
from dialoom.errors import FormatError
from dialoom.formats.sgd import FORMAT, writing
from dialoom.formats.sgd.dialog_acts import SOURCE
from tests.make import refuses

SCHEMA: list[Any] = [
    {"service_name": name, "slots": [], "intents": []} for name in ("ferry", "taxi")
]
ACTS = {
    "SNG1.json": {
        "0": {
            "dialog_act": {"Ferry-Inform": [["port", "ostby"], ["none", "none"]]},
            "span_info": [["Ferry-Inform", "port", "ostby", 10, 15], ["odd"]],
        },
        "1": {"dialog_act": {"general-greet": [["none", "none"]]}, "span_info": []},
    }
}


def frame(service: str, slots: list[Any], values: dict[str, list[str]]) -> Any:
    state = {"active_intent": "NONE", "requested_slots": [], "slot_values": values}
    return {"actions": [], "service": service, "slots": slots, "state": state}


SLOTS = [
    {"copy_from": "hotel-day", "slot": "ferry-day", "value": ["friday"]},
    {"exclusive_end": 15, "slot": "ferry-port", "start": 10, "value": "ostby"},
]
DIALOGUE = {
    "dialogue_id": "SNG1.json",
    "services": ["ferry"],
    "turns": [
        {
            "frames": [
                frame("ferry", SLOTS, {"ferry-port": ["ostby", "Ostby"], "ferry-day": ["friday"]}),
                frame("taxi", [], {}),
            ],
            "speaker": "USER",
            "turn_id": "0",
            "utterance": "A boat to Ostby.",
        },
        {"frames": [], "speaker": "SYSTEM", "turn_id": "1", "utterance": "When?"},
    ],
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    for part in ("dev", "train"):
        (tmp_path / part).mkdir()
        (tmp_path / part / "dialogues_001.json").write_text(json.dumps([DIALOGUE]))
    (tmp_path / "schema.json").write_text(json.dumps(SCHEMA))
    (tmp_path / "dialog_acts.json").write_text(json.dumps(ACTS))
    return tmp_path


def test_one_schema_serves_all_parts(corpus: Path) -> None:
    for path in (corpus, corpus / "dev", corpus / "dev" / "dialogues_001.json"):
        assert list(formats.load(path).schemas) == ["ferry", "taxi"]


def test_another_schema_above_is_not_taken(corpus: Path) -> None:
    (corpus / "schema.json").write_text('{"type": "object"}')
    assert not formats.load(corpus / "dev").schemas


def test_the_acts_next_to_the_dialogues_are_a_layer(corpus: Path) -> None:
    (dialogue,) = formats.load(corpus / "dev").dialogues()
    question, answered = dialogue.events
    assert isinstance(question, Utterance)
    assert isinstance(answered, Utterance)
    gold, layer = question.layers
    assert (gold.source, layer.source) == ("gold", SOURCE)
    (part,) = layer.parts
    assert part.service == "ferry"
    assert part.spans == (Span(10, 15, ("port",)),)
    assert part.acts is not None
    (port,) = part.acts[0].arguments
    assert (port.values, port.canonical) == (("Ostby",), ("ostby",))
    assert layer.extra == {"span_info": [["odd"]]}
    assert [part.service for part in answered.layers[1].parts] == ["general"]


def test_dialogues_are_written_as_they_were(corpus: Path) -> None:
    dialogues = list(formats.load(corpus / "dev").dialogues())
    assert json.loads(writing.to_bytes(dialogues)) == [DIALOGUE]


def test_a_copied_slot_is_no_span(corpus: Path) -> None:
    (dialogue,) = FORMAT.read_file(corpus / "dev" / "dialogues_001.json", corpus)
    question = dialogue.events[0]
    assert isinstance(question, Utterance)
    ferry, taxi = question.layers[0].parts
    assert ferry.spans == (Span(10, 15, ("ferry-port",), value="ostby"),)
    assert taxi.state is not None
    assert not taxi.state.values


def test_a_state_without_acts_is_shown(corpus: Path) -> None:
    (dialogue,) = formats.load(corpus / "dev").dialogues()
    notes = next(iter(event_lines(dialogue.events))).notes
    assert notes[0] == "ferry: state: ferry-port = ostby or Ostby, ferry-day = friday"


def test_damaged_acts_are_an_error_of_their_file(corpus: Path) -> None:
    (corpus / "dialog_acts.json").write_text("[]")
    with refuses(FormatError, "wrong-type", "dialog_acts"):
        list(formats.load(corpus / "dev").dialogues())
    (corpus / "dialog_acts.json").write_text('{"SNG1.json": 3}')
    with refuses(FormatError, "wrong-type", "dialog_acts"):
        list(formats.load(corpus / "dev").dialogues())
