"""The choice among drafts: form, repeats, length, and likeness to a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Scenario, Utterance
from dialoom.errors import UsageError
from dialoom.sim.paraphrase import ParaphraseOptions, Paraphrasing, SourceLine
from dialoom.sim.paraphrase.applying import DraftFilter
from dialoom.sim.paraphrase.language_model import whole_answer, whole_request
from dialoom.sim.paraphrase.paraphraser import wording
from tests.make import refuses

LINE = "I'd like a table for two, please."


@pytest.mark.parametrize(
    "worse",
    [
        "i want a table for two.",
        "A  table for two, please.",
        "A table for two , please.",
        "An table for two, please.",
        "A table table for two, please.",
        "A table for two, please",
        "Two!",
        "[A table] for two, please.",
        LINE,
    ],
)
def test_faults_lose(worse: str) -> None:
    assert DraftFilter("en").best(LINE, [worse, "Could we have a table for two?"], set()) == 1


def test_words_that_the_dialogue_has_already_lose() -> None:
    drafts = ["A table for two, please.", "Do you have a table for two?"]
    assert DraftFilter("en").best(LINE, drafts, {"a table for two, please"}) == 1
    assert DraftFilter("en").best(LINE, drafts, set()) == 0


def test_of_equal_drafts_the_one_like_a_corpus_wins() -> None:
    drafts = ["A table for two, please.", "Table for two, thanks."]
    assert DraftFilter("en", lambda text: -len(text)).best(LINE, drafts, set()) == 0
    assert DraftFilter("en", len).best(LINE, drafts, set()) == 1


class Drafting:
    """Answers each request by the next of some drafts, and keeps the lines."""

    def __init__(self, *drafts: str) -> None:
        self.spent: Counter[str] = Counter()
        self.drafts, self.lines = drafts, list[SourceLine]()
        self.settings: dict[str, Any] = {}

    def paraphrase(self, lines: Sequence[SourceLine]) -> list[str]:
        self.lines += lines
        self.spent.update(requests=len(lines))
        return [self.drafts[line.attempt % len(self.drafts)] for line in lines]


def dialogue(*texts: str) -> Dialogue:
    agents = (USER, SYSTEM) * len(texts)
    events = tuple(Utterance(agent=a, text=t) for a, t in zip(agents, texts, strict=False))
    return Dialogue(id="1", events=events, scenario=Scenario(goal={"person": "a tired student"}))


def said(made: Dialogue) -> list[str]:
    return [event.text for event in made.events if isinstance(event, Utterance)]


def test_the_best_of_the_drafts_that_keep_their_values_is_taken() -> None:
    drafting = Drafting("At 8, please.", "at 7", "Seven... 7, please.", "For 7, please.")
    paraphrasing = Paraphrasing(drafting, agent="user", drafts=4)
    assert said(paraphrasing.dialogue(dialogue("At 7."))) == ["For 7, please."]
    assert paraphrasing.counts == {"utterances": 1, "paraphrased": 1, "requests": 4}
    assert [line.attempt for line in drafting.lines] == [0, 1, 2, 3]


def test_refused_drafts_are_drawn_again() -> None:
    drafting = Drafting("At 8.", "At 9.", "Around 7.")
    paraphrasing = Paraphrasing(drafting, agent="user", drafts=2)
    assert said(paraphrasing.dialogue(dialogue("At 7."))) == ["Around 7."]
    with refuses(UsageError, "out-of-range", "0"):
        Paraphrasing(drafting, drafts=0)


def test_a_request_has_persona_and_history() -> None:
    drafting = Drafting("Hm.")
    Paraphrasing(drafting, attempts=1).dialogue(dialogue("Hello.", "Good day.", "A room."))
    first, second, third = drafting.lines
    assert (first.history, first.persona, second.persona) == ((), "a tired student", "")
    assert third.history == (("user", "Hello."), ("system", "Good day."))
    texts = wording("en")
    system, user = (each["content"] for each in whole_request([first, third], texts))
    assert "a tired student" in system
    assert user.splitlines()[1].startswith("2. user: A room.")


def test_answers_of_numbered_lines() -> None:
    lines = [SourceLine("1", n, "user", text) for n, text in enumerate(("Hi.", "A room.", "Bye."))]
    answer = 'Sure!\n1. user: "Hello."\n\n3) See you.\n4. More.'
    assert whole_answer(answer, lines) == ["Hello.", "", "See you."]


def test_options_of_all_paraphrasers() -> None:
    assert not ParaphraseOptions().whole
