"""What the follower learns from a task's own dialogues."""

from __future__ import annotations

import numpy as np

from dialoom.models.follower.experience import LEAST, TaskExperience, situation
from dialoom.models.follower.plan import SlotPlan
from dialoom.models.follower.program import compile_task
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import DescribedActions
from tests.models.tiny import picked, user
from tests.schema.tiny import VISIT


def test_a_situation_tells_what_was_done_known_and_said() -> None:
    progress = DialogueProgress(SlotPlan(compile_task(VISIT)), lambda _: (None, 0.0))
    for event in (picked("hello"), user("Hi"), picked("ask_size"), user("Four of us?")):
        progress.step(event)
    words = situation(progress, ["ask_size"])
    assert {"user after ask_size", "user after ask_size after hello"} <= words
    assert {"said four of", "said four after ask_size", "known ask_size"} <= words
    assert "said hi" not in words


ACTIONS = ("hello", "book", "goodbye")
EQUAL = np.log(np.full(3, 1 / 3))


def point(*words: str, turns: float = 0.0) -> DescribedActions:
    features = np.array([[turns, place] for place in range(3)], np.float32)
    return DescribedActions(ACTIONS, features, situation=frozenset(words))


def test_a_tasks_own_dialogues_tell_what_comes_next() -> None:
    yes, no = point("said yes", "user after offer"), point("said no", "user after offer")
    own = TaskExperience([yes, no] * 20, [EQUAL] * 40, ["book", "goodbye"] * 20)
    (weights,) = own.weigh([yes], [EQUAL])
    assert weights.argmax() == 1
    assert weights[0] == np.log(LEAST)


def test_what_holds_of_the_whole_dialogue_tells_too() -> None:
    early, late = point(turns=1), point(turns=8)
    own = TaskExperience([early, late] * 40, [EQUAL] * 80, ["book", "goodbye"] * 40)
    told = own.weigh([late, early], [EQUAL, EQUAL])
    assert [each.argmax() for each in told] == [2, 1]


def test_what_other_tasks_teach_is_corrected_not_forgotten() -> None:
    sure = [np.log([0.02, 0.96, 0.02]), np.log([0.02, 0.02, 0.96])]
    described = [point("said well")] * 40
    right = TaskExperience(described, sure * 20, ["book", "goodbye"] * 20)
    wrong = TaskExperience(described, sure * 20, ["goodbye", "book"] * 20)
    assert [each.argmax() for each in right.weigh(described[:2], sure)] == [1, 2]
    assert [each.argmax() for each in wrong.weigh(described[:2], sure)] == [2, 1]


def test_a_task_that_always_did_the_same_goes_on_so() -> None:
    own = TaskExperience([point("start after None")], [EQUAL], ["hello"])
    (weights,) = own.weigh([point("said what")], [EQUAL])
    assert weights.argmax() == 0
