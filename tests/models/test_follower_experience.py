"""What the follower learns from a task's own dialogues."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from dialoom.flow.action_view import view_actions
from dialoom.models.follower.experience import TaskExperience, _fitted, _minimised, situation
from dialoom.models.follower.progress import DialogueProgress, OtherTasks
from dialoom.models.follower.rules import DescribedActions
from dialoom.models.follower.slots import SlotPlan
from tests.models.tiny import picked, system, user
from tests.schema.tiny import VISIT


def test_a_situation_tells_what_was_done_known_and_said() -> None:
    progress = DialogueProgress(SlotPlan(view_actions(VISIT)), lambda _: (None, 0.0))
    for event in (picked("hello"), user("Hi"), picked("ask_size"), user("Four of us?")):
        progress.step(event)
    words = set(situation(progress, ["ask_size"]))
    assert {"user after ask_size", "user after ask_size after hello"} <= words
    assert {"said four of", "said four after ask_size", "known ask_size"} <= words
    assert "said hi" not in words


def test_a_situation_tells_of_another_task() -> None:
    others = OtherTasks(actions=frozenset({"tell_step"}))
    progress = DialogueProgress(SlotPlan(view_actions(VISIT)), lambda _: (None, 0.0), others)
    for event in (picked("ask_size"), user("Where are you?")):
        progress.step(event)
    assert not any("elsewhere" in word for word in situation(progress, []))
    for event in (system("tell_step", "Left of the gate."), user("Thanks, we are four")):
        progress.step(event)
    assert {"elsewhere", "user after ask_size elsewhere"} <= {*situation(progress, [])}


ACTIONS = ("hello", "book", "goodbye")
EQUAL = np.log(np.full(3, 1 / 3))


def point(*words: str, turns: float = 0.0) -> DescribedActions:
    features = np.array([[turns, place] for place in range(3)], np.float32)
    return DescribedActions(ACTIONS, features, situation=frozenset(words))


def test_a_tasks_own_dialogues_tell_what_comes_next() -> None:
    yes, no = point("said yes", "user after offer"), point("said no", "user after offer")
    own = TaskExperience([yes, no] * 200, [EQUAL] * 400, ["book", "goodbye"] * 200)
    scores = own.correct([yes, no], [EQUAL, EQUAL])
    assert [each.argmax() for each in scores] == [1, 2]


def test_what_holds_of_the_whole_dialogue_tells_too() -> None:
    early, late = point(turns=1), point(turns=8)
    own = TaskExperience([early, late] * 200, [EQUAL] * 400, ["book", "goodbye"] * 200)
    scores = own.correct([late, early], [EQUAL, EQUAL])
    assert [each.argmax() for each in scores] == [2, 1]


def test_few_dialogues_change_little_of_what_other_tasks_teach() -> None:
    sure, here = np.log([0.1, 0.6, 0.3]), point("said well")
    few = TaskExperience([here] * 3, [sure] * 3, ["goodbye"] * 3)
    many = TaskExperience([here] * 300, [sure] * 300, ["goodbye"] * 300)
    assert few.correct([here], [sure])[0].argmax() == 1
    assert many.correct([here], [sure])[0].argmax() == 2


def test_another_schema_of_the_task_is_corrected_by_the_names_of_actions() -> None:
    own = TaskExperience([point("said yes")] * 300, [EQUAL] * 300, ["book"] * 300)
    here = point("said yes")._replace(actions=("goodbye", "ask", "check", "book"))
    here = here._replace(features=np.zeros((4, 2), np.float32))
    (scores,) = own.correct([here], [np.log(np.full(4, 0.25))])
    assert scores.argmax() == 3
    assert scores[1] == scores[2]


def test_labels_that_the_schema_lacks_teach_nothing() -> None:
    own = TaskExperience([point("said hi")], [EQUAL], ["elsewhere"])
    assert own.correct([point("said hi")], [EQUAL])[0] == pytest.approx(EQUAL)


def test_weights_are_the_same_in_the_space_that_few_points_span() -> None:
    draw = np.random.default_rng(3)
    rows = csr_matrix(draw.random((40, 300)) < 0.1, dtype=np.float64)
    general = np.log(draw.dirichlet(np.ones(5), 40))
    right = draw.integers(0, 5, 40)
    weights = _fitted(rows, general, right)
    assert weights.shape == (300, 5)
    assert np.abs(weights).max() > 0.1
    assert np.allclose(weights, _minimised(rows, general, right), atol=1e-4)
