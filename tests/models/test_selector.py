"""The selector: candidates ranked by their likeness to the reply that training lets expect."""

from __future__ import annotations

from dialoom.dialogue import SYSTEM, USER, Candidate, Choice, Dialogue, Example, Question, Utterance
from dialoom.errors import UsageError
from dialoom.models.selector import Selector
from tests.make import refuses

PAIRS = {
    "I want a table": "For how many guests?",
    "We are four": "At what time?",
    "At noon": "Your table is booked.",
    "Thanks": "Enjoy your meal!",
}
CANDIDATES = tuple(Candidate(str(n), text) for n, text in enumerate(PAIRS.values()))


def asked(*said: str) -> Question[Choice]:
    agents = (USER, SYSTEM)
    first = len(said) + 1
    events = tuple(
        Utterance(agent=agents[(first + n) % 2], text=text) for n, text in enumerate(said)
    )
    return Question(Dialogue(id="1", events=events), len(events), Choice(CANDIDATES))


def lessons() -> list[Example[Choice, str]]:
    return [Example(asked(text), str(n)) for n, text in enumerate(PAIRS)] * 3


def test_it_finds_what_followed_in_training() -> None:
    model = Selector(size=8)
    model.fit(lessons(), {})
    answers = model.predict([asked(text) for text in PAIRS], {})
    assert [answer.answer for answer in answers] == ["0", "1", "2", "3"]
    assert all(len(answer.ranking) == len(PAIRS) for answer in answers)
    assert model.predict([], {}) == []


def test_it_reads_as_many_utterances_as_its_setting_says() -> None:
    model = Selector(size=8, turns=1)
    model.fit(lessons(), {})
    short, long = model.predict([asked("Thanks"), asked("At noon", "Hm", "Thanks")], {})
    assert short == long


def test_no_history_and_unknown_words_are_ranked_too() -> None:
    model = Selector(size=8)
    model.fit(lessons(), {})
    assert [len(a.ranking) for a in model.predict([asked(), asked("xyzzy")], {})] == [4, 4]


def test_it_must_be_fitted_on_something() -> None:
    with refuses(UsageError, "nothing-to-learn"):
        Selector().fit([], {})
    with refuses(UsageError, "not-fitted"):
        Selector().predict([asked("Thanks")], {})
