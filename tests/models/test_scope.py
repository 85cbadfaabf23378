"""Models of scope: probabilities, decisions, and what is compared with what."""

from __future__ import annotations

import numpy as np

from dialoom.dialogue import Dialogue, Example, InScope, Question, Utterance
from dialoom.errors import UsageError
from dialoom.models.scope import ScopeTrees, WordCount, learn, read, words_of
from tests.make import refuses
from tests.models import tiny

STRANGE = "My aunt collects old railway lamps"


def asked(text: str, out: bool) -> Example[InScope, float]:
    dialogue = Dialogue(id="1", events=(tiny.user(text),))
    return Example(Question(dialogue, 1, InScope("garden_visit")), 0.0 if out else 1.0)


def usual() -> str:
    (text, *_) = words_of(tiny.SCHEMAS["garden_visit"]).users
    return text


def test_probabilities_follow_the_scores_and_the_threshold_parts_them() -> None:
    scores = np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    answers = learn(scores, [False, False, False, True, True]).answers(scores)
    out = [1 - answer.answer for answer in answers]
    assert out == sorted(out)
    assert [answer.ranking[0][0] for answer in answers] == ["in"] * 3 + ["out"] * 2


def test_what_nobody_says_is_likelier_out_of_scope() -> None:
    model = ScopeTrees()
    examples = [asked(usual(), False), asked(STRANGE, True)] * 60
    model.fit(examples, tiny.SCHEMAS)
    near, far = model.predict([e.question for e in examples[:2]], tiny.SCHEMAS)
    assert near.answer > far.answer
    assert far.ranking[0][0] == "out"


def test_longer_turns_are_likelier_out_of_scope_by_their_words_alone() -> None:
    model = WordCount()
    model.fit([asked("Yes.", False), asked(STRANGE, True)] * 3, tiny.SCHEMAS)
    short, far = model.predict([asked("No.", False).question, asked(STRANGE, True).question], {})
    assert short.answer > far.answer
    assert (short.ranking[0][0], far.ranking[0][0]) == ("in", "out")


def test_models_must_be_fitted_on_something() -> None:
    with refuses(UsageError, "not-fitted"):
        ScopeTrees().predict([asked("Hm?", False).question], tiny.SCHEMAS)
    with refuses(UsageError, "nothing-to-learn"):
        ScopeTrees().fit([], tiny.SCHEMAS)


def test_a_turn_is_read_with_what_came_before() -> None:
    log: tuple[Utterance, ...] = (
        tiny.user("Hello."),
        tiny.system(None, "Well then."),
        tiny.user("A visit, please."),
    )
    turn = read(Question(Dialogue(id="1", events=log), 3, InScope("garden_visit")))
    assert (turn.text, turn.before, turn.earlier) == ("A visit, please.", "Well then.", ("Hello.",))
    assert turn.counts[:5] == (2, 1, 1, True, 0)
