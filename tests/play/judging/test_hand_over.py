"""Hand-overs to a person, judged as a change."""

from __future__ import annotations

from dialoom.dialogue import GOLD, SYSTEM, Act, Layer, Part, Query, Utterance
from dialoom.flow.program import program_of
from dialoom.play.judging.target import HANDED, with_hand_over
from dialoom.schema import pack

TASK = pack.load("meeting_schedule")
NODE = next(node for node in TASK.flow.nodes.values() if node.hands_over)


def test_a_doubtful_line_is_no_hand_over() -> None:
    text = "Hello and welcome! I'm here to help you organise an unforgettable event."
    speech = Utterance(agent=SYSTEM, text=text)
    assert with_hand_over([program_of(TASK)], [speech], {}) == {}


def test_a_labelled_hand_over_is_one() -> None:
    layers = (Layer(GOLD, (Part(None, (Act(NODE.name),)),)),)
    speech = Utterance(agent=SYSTEM, text=NODE.texts[0], layers=layers)
    assert with_hand_over([program_of(TASK)], [speech], {"a": {}}) == {"a": {}, **HANDED}


def test_an_agent_that_goes_on_calling_has_not_handed_over() -> None:
    layers = (Layer(GOLD, (Part(None, (Act(NODE.name),)),)),)
    speech = Utterance(agent=SYSTEM, text=NODE.texts[0], layers=layers)
    call = Query(id="q1", api=next(iter(TASK.calls)))
    assert with_hand_over([program_of(TASK)], [speech, call], {}) == {}
