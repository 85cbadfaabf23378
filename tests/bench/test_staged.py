"""The paper's three stages: split by dialogue, earlier stages to training."""

from __future__ import annotations

from pathlib import Path

from dialoom.bench import PROTOCOLS
from dialoom.corpus import Corpus
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.bench.tiny import ids
from tests.make import refuses

NEXT_ACTION = PROTOCOLS.get("star-next-action")


def staged(path: Path) -> Corpus:
    """Return ten happy dialogues (1..10), ten unhappy ones (11..20), five multi-task ones."""
    dialogues = [
        tiny.dialogue(
            number,
            "hello",
            task="weather",
            domain="weather",
            happy=number <= 10,
            multi=number > 20,
        )
        for number in range(1, 26)
    ]
    cut_short = tiny.dialogue(26, "hello", task="weather", domain=None, outcome="Disconnect")
    return tiny.memory(path, *dialogues, cut_short)


def numbers(found: list[str]) -> set[int]:
    return set(map(int, found))


def test_stages_and_what_each_may_learn_from(tmp_path: Path) -> None:
    plan = tiny.plan(NEXT_ACTION, staged(tmp_path))
    assert [h.name for h in plan.holdouts] == ["happy", "unhappy", "multi"]
    happy, unhappy, multi = ((numbers(ids(h.train)), numbers(ids(h.test))) for h in plan.holdouts)
    assert happy[0] | happy[1] == set(range(1, 11))
    assert len(happy[1]) == 2
    assert not happy[0] & happy[1]
    assert unhappy[0] > set(range(1, 11))
    assert len(unhappy[1]) == 2
    assert not unhappy[0] & unhappy[1]
    assert multi[0] > set(range(1, 21))
    assert len(multi[1]) == 1
    assert plan.record["split"]["multi"]["test"] == sorted(multi[1])
    assert plan.record["tasks"]["at_hand"] == ["weather"]
    assert len(plan.record["tasks"]["absent"]) == 23


def test_the_split_is_fixed_whatever_the_order_of_files(tmp_path: Path) -> None:
    forwards = staged(tmp_path)
    backwards = tiny.memory(tmp_path, *reversed(list(staged(tmp_path).dialogues())))
    plans = [tiny.plan(NEXT_ACTION, corpus) for corpus in (forwards, backwards)]
    assert plans[0].record == plans[1].record
    assert plans[0].record["split"]["happy"]["test"] != [9, 10]


def test_training_elsewhere(tmp_path: Path) -> None:
    train = tiny.memory(tmp_path, tiny.dialogue(99, "hello", task="weather", domain="weather"))
    plan = tiny.plan(NEXT_ACTION, staged(tmp_path), train_corpus=train)
    assert [ids(h.train) for h in plan.holdouts] == [["99"]] * 3


def test_a_stage_that_is_not_there_is_missing(tmp_path: Path) -> None:
    happy = [tiny.dialogue(n, "hello", task="weather", domain=None) for n in range(5)]
    plan = tiny.plan(NEXT_ACTION, tiny.memory(tmp_path, *happy))
    assert plan.missing == ["unhappy", "multi"]


def test_nothing_complete_is_missing_data(tmp_path: Path) -> None:
    with refuses(MissingDataError, "nothing-to-ask"):
        tiny.plan(NEXT_ACTION, tiny.memory(tmp_path))
