"""What is worked out once for a constraint."""

from __future__ import annotations

import pytest

from dialoom.dialogue import Constraint
from dialoom.kb import condition
from dialoom.kb.condition import ByConstraint


def test_it_is_worked_out_once_for_an_object_and_anew_for_one_that_is_only_equal() -> None:
    asked: list[Constraint] = []

    def work(constraint: Constraint) -> tuple[object, ...]:
        asked.append(constraint)
        return constraint.values

    bound = ByConstraint(work)
    one, truth = (Constraint("size", "equal", (value,)) for value in (1, True))
    assert one == truth
    assert [bound(each) for each in (one, one, truth)] == [(1,), (1,), (True,)]
    assert [each.values[0] is True for each in asked] == [False, True]


def test_no_more_are_kept_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(condition, "KEPT", 2)
    count = iter(range(9))
    bound = ByConstraint(lambda _: next(count))
    several = [Constraint("size", "equal", (value,)) for value in range(3)]
    assert [bound(each) for each in (*several, several[0])] == [0, 1, 2, 3]
