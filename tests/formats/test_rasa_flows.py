"""Flows of Rasa CALM as tasks: the slots that they collect, with the domain's questions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom import formats
from dialoom.errors import FormatError, LeftOutWarning
from dialoom.schema.services import contract, to_task

DOMAIN = """
slots:
  lamp_room: {type: categorical, values: [hall, attic]}
  lamp_warm: {type: bool}
  lamp_sure: {type: bool}
  lamp_hue: {type: text}
responses:
  utter_ask_lamp_room: [{text: "Which room?"}]
  utter_ask_lamp_colour: [{text: "What colour, {lamp_room}?"}]
  utter_hue: [{text: "Which hue?"}]
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
    - collect: lamp_hue
      ask_before_filling: true
      utter: utter_hue
    - collect: lamp_sure
      ask_before_filling: true
    - action: switch_on
  state:
    steps:
    - action: utter_state
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
    left = r"lamp_sure \(a confirmation\), state \(a flow without slots\)$"
    with pytest.warns(LeftOutWarning, match=left):
        tasks = formats.schemas(project / place)
    assert list(tasks) == ["lamp", "colours"]
    service = contract(tasks["lamp"])
    (intent,) = service.intents
    assert intent.required == ("room", "warm", "colour", "hue")
    assert intent.transactional
    assert not contract(tasks["colours"]).intents[0].transactional
    values = {slot.name: slot.possible_values for slot in service.slots}
    assert values == {"room": ("hall", "attic"), "warm": ("True", "False"), "colour": (), "hue": ()}


@pytest.mark.filterwarnings("ignore::dialoom.errors.LeftOutWarning")
def test_questions_without_slots_are_asked(project: Path) -> None:
    nodes = to_task(formats.schemas(project)["lamp"]).flow.nodes.values()
    questions = {node.asks[0]: [str(text) for text in node.texts] for node in nodes if node.asks}
    assert (questions["room"], questions["hue"]) == (["Which room?"], ["Which hue?"])
    assert not any("What colour," in text for text in questions["colour"])


def test_a_damaged_domain_says_so(project: Path) -> None:
    (project / "domain" / "lamp.yml").write_text("slots: [")
    with pytest.raises(FormatError):
        formats.schemas(project)


@pytest.mark.corpus
def test_every_published_flow_that_collects_slots_is_a_task(corpora: Path) -> None:
    root = corpora / "others" / "rasa-calm"
    with pytest.warns(LeftOutWarning, match="confirmation_order"):
        tasks = formats.schemas(root)
    names = {"transfer_money", "order_pizza", "add_contact", "take_payment_including_feedback"}
    assert names <= tasks.keys()
    assert "verify_account_email" in {each.name for each in tasks["verify_account"].inputs}
    assert all(to_task(task).flow.complete for task in tasks.values())
