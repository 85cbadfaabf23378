"""What models hold in memory for the other fits of a run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dialoom.dialogue import NextAction, Question
from dialoom.learn import memory
from dialoom.models.follower.features import GROUPS
from dialoom.models.follower.model import QuestionReader
from tests.models.tiny import SCHEMAS, examples, visits

ASKED = [example.question for example in examples(visits())]


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    yield
    memory.forget()


def test_values_are_held_up_to_a_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MOST", 10)
    for key, size in (("one", 6), ("two", 5), ("three", 4)):
        memory.hold(key, key.upper(), size)
    assert [memory.recall(key) for key in ("one", "two", "three")] == ["ONE", None, "THREE"]
    memory.forget()
    memory.hold("two", "TWO", 5)
    assert [memory.recall(key) for key in ("one", "two")] == [None, "TWO"]


def read(asked: list[Question[NextAction]]) -> tuple[list[object], int]:
    """Return the descriptions by a new reader, and how many questions it read itself."""
    reader = QuestionReader(SCHEMAS, tuple(GROUPS))
    counts: list[int] = []
    own = reader.read

    def counting(asked: object) -> object:
        counts.append(len(asked))  # type: ignore[arg-type]
        return own(asked)  # type: ignore[arg-type]

    reader.read = counting  # type: ignore[assignment,method-assign]
    readings = [
        (number, *here._replace(features=None), here.features.tolist())  # type: ignore[arg-type]
        for number, here in reader.read_training(asked)
    ]
    return list(readings), sum(counts)


def test_a_dialogue_is_read_once_in_a_run() -> None:
    plain, many = read(ASKED)
    assert many == len(ASKED)
    assert read(ASKED) == (plain, many)  # outside of a run, nothing is held
    part = ASKED[: len(ASKED) // 2]
    with memory.remembering():
        _, first = read(part)
        readings, left = read(ASKED)
        assert read(ASKED) == (plain, 0)
    assert first == len(part)
    assert readings == plain
    assert 0 < left < len(ASKED)
