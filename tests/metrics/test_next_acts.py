"""The metrics of acts that come next."""

from __future__ import annotations

from dialoom.dialogue import (
    SYSTEM,
    Act,
    Argument,
    Dialogue,
    NextActs,
    Prediction,
    Question,
    ServiceAct,
)
from dialoom.metrics import METRICS
from dialoom.metrics.overlap import NextActMatch

QUESTION = Question(Dialogue(id="d", events=()), 0, NextActs(SYSTEM))


def offer(slot: str, value: str, service: str = "Cafes_1") -> ServiceAct:
    return ServiceAct(Act("OFFER", (Argument(slot, (value,)),)), service)


MORE = ServiceAct(Act("REQ_MORE"), "Cafes_1")


def scores(gold: tuple[ServiceAct, ...], found: tuple[ServiceAct, ...] | None) -> dict[str, float]:
    metric = NextActMatch()
    prediction = None if found is None else Prediction(found)
    counts = metric.statistics(QUESTION, gold, prediction)
    return {name: round(score.value) for name, score in metric.scores(counts).items()}


def test_acts_slots_values_and_whole_turns_are_scored_apart() -> None:
    gold = (offer("city", "York"), offer("name", "Blue Door"), MORE)
    assert scores(gold, (MORE, offer("name", "BLUE DOOR"), offer("city", "Bath"))) == {
        "act_slot_f1": 100,
        "act_f1": 100,
        "item_f1": 67,
        "exact_set": 100,
    }
    assert scores(gold, (offer("city", "York"), offer("seats", "2"))) == {
        "act_slot_f1": 40,
        "act_f1": 67,
        "item_f1": 40,
        "exact_set": 0,
    }


def test_an_act_of_another_service_is_another_one_and_no_answer_is_wrong() -> None:
    gold = (offer("city", "York"),)
    assert set(scores(gold, (offer("city", "York", "Pubs_1"),)).values()) == {0}
    assert set(scores(gold, None).values()) == {0}
    assert isinstance(METRICS.get("next-acts")(), NextActMatch)


def test_values_are_compared_as_the_knowledge_base_has_them() -> None:
    city = Argument("city", ("the big smoke",), canonical=("London",))
    gold = (ServiceAct(Act("OFFER", (city,)), "Cafes_1"),)
    assert scores(gold, (offer("city", "london"),))["item_f1"] == 100
