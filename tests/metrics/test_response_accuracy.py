"""Shares of right responses, and of dialogues that have only right ones."""

from __future__ import annotations

from collections import Counter

from dialoom.dialogue import (
    SYSTEM,
    USER,
    Candidate,
    Choice,
    Dialogue,
    Prediction,
    Question,
    Utterance,
)
from dialoom.metrics.base import Counts
from dialoom.metrics.ranking import ResponseAccuracy

CHOICE = Choice((Candidate("a", "yes"), Candidate("b", "no")))


def counted(dialogue: str, answers: str) -> Counts:
    """Count a dialogue's responses, of which `a` is right."""
    events = []
    counts: Counts = Counter()
    for answer in answers:
        events.append(Utterance(agent=USER, text="well"))
        question = Question(Dialogue(id=dialogue, events=tuple(events)), len(events), CHOICE)
        counts.update(ResponseAccuracy().statistics(question, "a", Prediction(answer)))
        events.append(Utterance(agent=SYSTEM, text="yes"))
    return counts


def scores(*dialogues: Counts) -> dict[str, float]:
    whole: Counts = Counter()
    for each in dialogues:
        whole.update(each)
    return {name: score.value for name, score in ResponseAccuracy().scores(whole).items()}


def test_one_wrong_response_spoils_a_dialogue() -> None:
    measures = scores(counted("0", "aaa"), counted("1", "aab"), counted("2", "bb"))
    assert measures == {"per-response": 62.5, "per-dialogue": 100 / 3}


def test_responses_and_dialogues_have_signatures_of_their_own() -> None:
    signatures = {str(each.signature) for each in ResponseAccuracy().scores(Counter()).values()}
    assert len(signatures) == 2


def test_a_dialogue_that_is_drawn_twice_counts_twice() -> None:
    right, wrong = counted("0", "aa"), counted("1", "ab")
    assert scores(right, wrong, wrong)["per-dialogue"] == 100 / 3
    assert scores() == {"per-response": 0.0, "per-dialogue": 0.0}
