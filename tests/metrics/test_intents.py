"""The metric of intents."""

from __future__ import annotations

from dialoom.dialogue import Dialogue, Prediction, Question, State, StateOf
from dialoom.metrics.state import IntentMatch

QUESTION = Question(Dialogue(id="d", events=()), 0, StateOf(("Trains_1",)))


def test_no_intent_is_an_intent() -> None:
    metric = IntentMatch()

    def accuracy(gold: str | None, guess: dict[str, State] | None) -> float:
        prediction = None if guess is None else Prediction(guess)
        counts = metric.statistics(QUESTION, {"Trains_1": State(gold)}, prediction)
        return metric.scores(counts)["intent_accuracy"].value

    assert accuracy(None, {"Trains_1": State("NONE")}) == 100
    assert accuracy("Find", {"Trains_1": State("Find")}) == 100
    assert accuracy("Find", {"Trains_1": State("Buy")}) == 0
    assert accuracy("Find", None) == accuracy(None, {}) == 0
