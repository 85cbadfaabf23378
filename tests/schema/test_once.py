"""The caches of what is derived from one object or one text."""

from __future__ import annotations

from dialoom.schema.once import KEPT, Kept, once_for_each


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

    kept = Kept(work, most=2)
    assert [kept[word] for word in ("a", "bb", "a", "bb")] == [1, 2, 1, 2]
    assert calls == ["a", "bb"]
    assert kept["ccc"] == 3
    assert len(kept) == 1
