"""Replies ranked by what a wizard typed: by similarity, and by learnt weights."""

from __future__ import annotations

import numpy as np
import pytest

from dialoom.dialogue import Dialogue, Event, Example, NextAction, Options, Question
from dialoom.errors import UsageError
from dialoom.learn.text import TfidfEncoder
from dialoom.models import MODELS
from dialoom.models.suggester import FEATURES, WEIGHTS, ReplyTexts, weighed
from tests.make import refuses
from tests.models import tiny


def typed(text: str, label: str, *said: str) -> Example[NextAction, str]:
    events: tuple[Event, ...] = (*map(tiny.picked, said), Options(text=text))
    dialogue = Dialogue(id=f"{text}-{len(said)}", events=events, services=("garden_visit",))
    return Example(Question(dialogue, len(events), NextAction("garden_visit")), label)


LEARNT = [
    typed("what time", "ask_hour", "ask_guest"),
    typed("your name", "ask_guest", "hello"),
    typed("how many people", "ask_size", "ask_hour"),
    typed("goodbye", "goodbye", "ask_size"),
]


@pytest.mark.parametrize("name", ["typed", "suggester"])
def test_the_reply_most_like_what_was_typed_comes_first(name: str) -> None:
    model = MODELS.get(name)()
    model.fit(LEARNT, tiny.SCHEMAS)
    answers = model.predict([each.question for each in LEARNT], tiny.SCHEMAS)
    assert [answer.answer for answer in answers] == [each.answer for each in LEARNT]
    assert all(answer.ranking[0][0] == answer.answer for answer in answers)


def test_without_anything_typed_all_replies_are_still_ranked() -> None:
    question = Question(Dialogue(id="1", events=()), 0, NextAction("garden_visit"))
    (answer,) = MODELS.get("typed")().predict([question], tiny.SCHEMAS)
    texts = ReplyTexts(tiny.SCHEMAS["garden_visit"], TfidfEncoder())
    assert sorted(name for name, _ in answer.ranking) == sorted(texts.actions)


def test_weights_must_be_learnt_or_given() -> None:
    model = MODELS.get("suggester")()
    with refuses(UsageError, "not-fitted"):
        model.predict([LEARNT[0].question], tiny.SCHEMAS)
    with pytest.raises(UsageError):
        model.fit([], tiny.SCHEMAS)
    assert tuple(WEIGHTS) == FEATURES


def test_a_reply_with_values_waits_for_an_item() -> None:
    texts = ReplyTexts(tiny.SCHEMAS["garden_visit"], TfidfEncoder())
    similarity = texts.similarity(["offer"])[0]
    place = texts.actions.index("offer")
    with_item, without = (
        weighed(texts.features(similarity, (), item))[place] for item in ({"garden": "Quay"}, None)
    )
    assert with_item > without
    shape = len(texts.actions), len(FEATURES)
    assert texts.features(np.zeros(len(texts.texts)), (), None).shape == shape
