"""Replies by an n-gram model: written as they were learnt, and weighed."""

from __future__ import annotations

import math

import pytest

from dialoom.dialogue import Dialogue, Example, NextReply, Question, Utterance
from dialoom.models.ngram import NgramModel, NgramReplies


def asked(before: str) -> Question[NextReply]:
    events = (Utterance(agent="user", text=before),)
    return Question(Dialogue(id=before, events=events), 1, NextReply(""))


PAIRS = [("Hi there", "Hello, how  are you?"), ("Thanks a lot", "You are welcome!")] * 3
START = Question(Dialogue(id="x", events=()), 0, NextReply(""))


def fitted() -> NgramReplies:
    model = NgramReplies()
    model.fit([Example(asked(before), reply) for before, reply in PAIRS], {})
    return model


def test_replies_are_written_as_they_were_learnt() -> None:
    predictions = fitted().predict([asked("Hi there"), asked("Thanks a lot"), START], {})
    assert [each.answer for each in predictions[:2]] == ["Hello, how  are you?", "You are welcome!"]
    assert predictions[2].answer in {reply for _, reply in PAIRS}
    assert fitted().predict([], {}) == []


def test_any_text_has_a_probability() -> None:
    model = fitted()
    right, wrong, strange, longer = (
        model.log_likelihoods([asked("Hi there")], [text], {})[0]
        for text in ("Hello, how  are you?", "You are welcome!", "Zyx?", "Zyxzyxzyx?")
    )
    assert 0 > right > wrong > strange > longer > -math.inf
    assert model.log_likelihoods([], [], {}) == []


def test_what_may_follow_words_before_adds_up_to_one() -> None:
    model = NgramModel()
    for before, reply in (("a b c d e", "f g"), ("x", "f f"), ("", "g")):
        model.learn(reply.split(), before.split())
    model.freeze()
    assert model.knows("f")
    assert not model.knows("a")
    contexts: list[list[str]] = [[], ["f"], ["f", "g", "f", "f", "f"]]
    for context in contexts:
        words = ["f", "g", "unheard"]
        first = sum(2 ** -_first(model, word, context) for word in words)
        assert first + 2 ** -model.bits([], context)[0] == pytest.approx(1.0)


def _first(model: NgramModel, word: str, before: list[str]) -> float:
    """Return the bits of a word after others, without those of the end after it."""
    return model.bits([word], before)[0] - model.bits([], [*before, word])[0]
