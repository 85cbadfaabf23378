"""Retrieval: known acts in the words of training, new ones act by act."""

from __future__ import annotations

from dialoom.dialogue import Act, Argument, Dialogue, Example, Question, Realise, ServiceAct
from dialoom.errors import UsageError
from dialoom.models.realiser.retrieval import Retrieve
from tests.make import refuses


def asked(*acts: Act) -> Question[Realise]:
    content = tuple(ServiceAct(act, "Cafes_1") for act in acts)
    return Question(Dialogue(id="1", events=()), 0, Realise(content))


def offer(city: str) -> Act:
    return Act("OFFER", (Argument("city", (city,)),))


def call(name: str) -> Act:
    return Act("OFFER", (Argument("cafe_name", (name,)),))


MORE = Act("REQ_MORE")
EXAMPLES = [
    Example(asked(offer("Bonn")), "How about Bonn?"),
    Example(asked(offer("Kiel")), "How about Kiel?"),
    Example(asked(offer("Kiel")), "Kiel it is."),
    Example(asked(MORE), "What else?"),
]


def said(*acts: Act) -> str:
    model = Retrieve()
    model.fit(EXAMPLES, {})
    (prediction,) = model.predict([asked(*acts)], {})
    return prediction.answer


def test_acts_are_said_in_their_most_frequent_wording() -> None:
    assert said(offer("Jena")) == "How about Jena?"


def test_acts_that_were_never_said_together_are_said_one_by_one() -> None:
    assert said(offer("Jena"), MORE) == "How about Jena? What else?"


def test_acts_of_slots_never_seen_are_said_as_the_most_alike() -> None:
    assert said(call("Blue Door")) == "How about Blue Door?"


def test_there_must_be_examples() -> None:
    with refuses(UsageError, "nothing-to-learn"):
        Retrieve().fit([], {})
