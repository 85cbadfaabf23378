"""The caches of what is derived from one object or one text."""

from __future__ import annotations

from dialoom.dialogue import Constraint
from dialoom.schema.once import KEPT, Kept, KeptById, once_for_each


def test_results_are_cached_by_identity_and_further_arguments() -> None:
    calls: list[tuple[int, str]] = []

    @once_for_each
    def measured(items: list[int], side: str) -> int:
        calls.append((len(items), side))
        return len(items)

    first, equal = [1, 2], [1, 2]
    assert [measured(first, "a"), measured(first, "a"), measured(first, "b")] == [2, 2, 2]
    assert measured(equal, "a") == 2
    assert calls == [(2, "a"), (2, "b"), (2, "a")]


def test_an_object_that_is_gone_leaves_no_result_to_another() -> None:
    @once_for_each
    def first_of(items: list[int]) -> int:
        return items[0]

    assert [first_of([number]) for number in range(2 * KEPT)] == list(range(2 * KEPT))


def test_results_are_computed_once_until_there_are_too_many() -> None:
    calls: list[str] = []

    def work(word: str) -> int:
        calls.append(word)
        return len(word)

    cache = Kept(work, most=2)
    assert [cache[word] for word in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert calls == ["a", "bb"]
    assert cache["ccc"] == 3
    assert len(cache) == 1


def test_by_id_it_is_computed_once_for_an_object_and_anew_for_an_equal_one() -> None:
    calls: list[Constraint] = []

    def work(constraint: Constraint) -> tuple[object, ...]:
        calls.append(constraint)
        return constraint.values

    bound = KeptById(work, 9)
    one, truth = (Constraint("size", "equal", (value,)) for value in (1, True))
    assert one == truth
    assert [bound(each) for each in (one, one, truth)] == [(1,), (1,), (True,)]
    assert [each.values[0] is True for each in calls] == [False, True]


def test_by_id_no_more_are_kept_than_the_limit() -> None:
    count = iter(range(9))
    bound: KeptById[Constraint, int] = KeptById(lambda _: next(count), 2)
    several = [Constraint("size", "equal", (value,)) for value in range(3)]
    assert [bound(each) for each in (*several, several[0])] == [0, 1, 2, 3]
