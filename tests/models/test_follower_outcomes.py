"""Flows that go on in one way or another by what a result holds."""

from __future__ import annotations

import pytest

from dialoom.dialogue import Event
from dialoom.flow.action_view import view_actions
from dialoom.models.follower.progress import DialogueProgress
from dialoom.models.follower.rules import fits, unfit
from dialoom.models.follower.slots import SlotPlan
from tests.models.tiny import query, result, user
from tests.schema.tiny import BARE, VISIT

PROGRAM = view_actions(VISIT)
OPEN = result(APIName="garden_visit", Message="The garden is open.", Time="7 pm")
SHUT = result(APIName="garden_visit", Message="The garden is shut.", Time="7 pm")


def after(*events: Event) -> DialogueProgress:
    progress = DialogueProgress(SlotPlan(PROGRAM), lambda _: (None, 0.0))
    for event in events:
        progress.step(event)
    return progress


@pytest.mark.parametrize(("found", "other"), [(OPEN, "closed"), (SHUT, "offer")])
def test_what_the_flow_does_on_another_result_is_unfit(found: Event, other: str) -> None:
    assert unfit(PROGRAM, after(query("Check"), found)) == {other}


def test_only_nodes_after_the_query_that_was_made_tell() -> None:
    assert fits(PROGRAM, after(query("Book"), OPEN)).keys() == {"confirm"}
    assert unfit(PROGRAM, after(query("Book"), OPEN)) == frozenset()


def test_nothing_is_unfit_without_a_result_that_has_just_come() -> None:
    assert fits(PROGRAM, after()) == fits(PROGRAM, after(query("Check"))) == {}
    assert unfit(PROGRAM, after(query("Check"), OPEN, user("Yes, do"))) == frozenset()
    assert unfit(view_actions(BARE), after(query("Check"), OPEN)) == frozenset()


def test_results_that_no_node_tells_apart_leave_all_as_they_are() -> None:
    assert unfit(PROGRAM, after(query("Check"), result())) == frozenset()
