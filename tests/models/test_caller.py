"""Models of calls: what they give each parameter, and which parameters they leave out."""

from __future__ import annotations

from typing import Any

from dialoom.dialogue import Dialogue, Example, NextCall, Query, Question
from dialoom.models import MODELS
from tests.models import tiny


def asked(dialogue: Dialogue) -> list[Example[NextCall, Query]]:
    return [
        Example(Question(dialogue, place, NextCall(dialogue.services[0])), event)
        for place, event in enumerate(dialogue.events)
        if isinstance(event, Query)
    ]


def given(call: Query) -> dict[str, Any]:
    return {each.slot: each.value for each in call.constraints}


def test_what_is_tracked_is_called_with() -> None:
    check, book = asked(tiny.visit(1, "Ada", "7 pm", 4))
    answers = MODELS.get("tracked")().predict([check.question, book.question], tiny.SCHEMAS)
    calls = [answer.answer for answer in answers]
    assert [call.api for call in calls] == ["garden_visit"] * 2
    assert given(calls[0]) == {
        "GuestName": "Ada",
        "Hour": "7 pm",
        "PartySize": 4,
        "RequestType": "Check",
    }
    assert given(calls[1]) == {**given(calls[0]), "RequestType": "Book"}


def test_nothing_is_called_with_before_anything_is_said() -> None:
    question = Question(Dialogue(id="1", events=()), 0, NextCall("way_out"))
    (answer,) = MODELS.get("tracked")().predict([question], tiny.SCHEMAS)
    assert (answer.answer.api, answer.answer.constraints) == ("way_out", ())
