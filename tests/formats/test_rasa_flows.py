"""Flows of Rasa CALM as tasks: the slots that they collect, with the domain's questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import FormatError
from dialoom.schema.services import contract, to_task

DOMAIN = """
slots:
  lamp_room: {type: categorical, values: [hall, attic]}
  lamp_warm: {type: bool}
  lamp_sure: {type: text}
responses:
  utter_ask_lamp_room: [{text: "Which room?"}]
  utter_ask_lamp_colour: [{text: "What colour, {lamp_room}?"}]
"""
FLOWS = """
flows:
  lamp:
    description: switch on a lamp
    steps:
    - collect: lamp_room
      next:
      - if: slots.lamp_room is "attic"
        then:
        - collect: lamp_warm
        next: more
      - else: more
    - id: more
      call: colours
    - collect: lamp_sure
      ask_before_filling: true
    - action: switch_on
  colours:
    description: choose a colour
    steps:
    - collect: lamp_colour
      description: a colour
    - action: utter_done
  pattern_correction:
    steps:
    - collect: lamp_sure
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain" / "lamp.yml").write_text(DOMAIN)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "flows.yml").write_text(FLOWS)
    return tmp_path


@pytest.mark.parametrize("place", ["", "data/flows.yml"])
def test_the_slots_of_a_flow_are_inputs_of_its_call(place: str, project: Path) -> None:
    found = formats.schemas(project / place)
    assert list(found) == ["lamp", "colours"]
    service = contract(found["lamp"])
    (intent,) = service.intents
    assert intent.required == ("room", "warm", "colour")
    assert intent.transactional
    assert not contract(found["colours"]).intents[0].transactional
    values = {slot.name: slot.possible_values for slot in service.slots}
    assert values == {"room": ("hall", "attic"), "warm": ("True", "False"), "colour": ()}


def test_questions_without_slots_are_asked(project: Path) -> None:
    nodes = to_task(formats.schemas(project)["lamp"]).flow.nodes.values()
    asked = {node.asks[0]: [str(text) for text in node.texts] for node in nodes if node.asks}
    assert asked["room"] == ["Which room?"]
    assert not any("What colour," in text for text in asked["colour"])


def test_a_damaged_domain_says_so(project: Path) -> None:
    (project / "domain" / "lamp.yml").write_text("slots: [")
    with pytest.raises(FormatError):
        formats.schemas(project)


@pytest.mark.corpus
def test_every_published_flow_that_collects_slots_is_a_task(corpora: Path) -> None:
    root = corpora / "others" / "rasa-calm"
    found = formats.schemas(root)
    assert {"transfer_money", "order_pizza", "add_contact"} <= found.keys()
    assert all(to_task(task).flow.complete for task in found.values())
