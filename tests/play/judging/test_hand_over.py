"""Hand-overs to a person, judged as a change."""

from __future__ import annotations

from dialoom.dialogue import GOLD, SYSTEM, Act, Layer, Part, Utterance
from dialoom.flow.program import program_of
from dialoom.play.judging.hand_over import HANDED, with_hand_over
from dialoom.schema import pack

TASK = pack.load("meeting_schedule")
NODE = next(node for node in TASK.flow.nodes.values() if node.hands_over)


def test_a_doubtful_line_is_no_hand_over() -> None:
    text = "Hello and welcome! I'm here to help you organise an unforgettable event."
    said = Utterance(agent=SYSTEM, text=text)
    assert with_hand_over([program_of(TASK)], [said], {}) == {}


def test_a_labelled_hand_over_is_one() -> None:
    layers = (Layer(GOLD, (Part(None, (Act(NODE.name),)),)),)
    said = Utterance(agent=SYSTEM, text=NODE.texts[0], layers=layers)
    assert with_hand_over([program_of(TASK)], [said], {"a": {}}) == {"a": {}, **HANDED}
