"""What the follower learns from a task's own dialogues."""

from __future__ import annotations

import numpy as np

from dialoom.models.follower.experience import LEAST, TaskExperience, situation
from dialoom.models.follower.plan import SlotPlan
from dialoom.models.follower.program import compile_task
from dialoom.models.follower.progress import DialogueProgress
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


def test_a_tasks_own_dialogues_tell_what_comes_next() -> None:
    yes, no = (
        frozenset({"said yes", "user after offer"}),
        frozenset({"said no", "user after offer"}),
    )
    own = TaskExperience([yes, no] * 20, ["book", "goodbye"] * 20)
    weights = own.weigh(yes, ("hello", "book", "goodbye"))
    assert weights.argmax() == 1
    assert weights[0] == np.log(LEAST)


def test_a_task_that_always_did_the_same_goes_on_so() -> None:
    own = TaskExperience([frozenset({"start after None"})], ["hello"])
    assert own.weigh(frozenset({"said what"}), ("hello", "goodbye")).argmax() == 0
