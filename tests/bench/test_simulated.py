"""Zero-shot transfer among simulated dialogues: which are taken, and who is held out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.protocol import Plan, Target
from dialoom.corpus import Corpus
from dialoom.errors import MissingDataError
from tests.bench import tiny
from tests.make import refuses

TASK, DOMAIN = PROTOCOLS.get("sim-zero-shot"), PROTOCOLS.get("sim-zero-shot-domain")
DOMAINS = {"hotel_book": "hotel", "hotel_search": "hotel", "weather": "weather"}


FEW: dict[str, Any] = {"train": 1, "test": 2}


def corpus(path: Path, number: int = 12, *, tasks: tuple[str, ...] = tuple(DOMAINS)) -> Corpus:
    """Return dialogues of the tasks in turn, ids from 1, the later ones first."""
    return tiny.memory(
        path,
        *(
            tiny.dialogue(n + 1, "hello", "query", task=task, domain=DOMAINS[task])
            for n in reversed(range(number))
            for task in [tasks[n % len(tasks)]]
        ),
    )


def ids(targets: list[Target]) -> list[str]:
    return list(dict.fromkeys(target.source for target in targets))


def shape(plan: Plan) -> dict[str, tuple[list[str], list[str]]]:
    return {h.name: (ids(h.train), ids(h.test)) for h in plan.holdouts}


def test_a_task_is_held_out_and_the_first_dialogues_of_each_are_taken(tmp_path: Path) -> None:
    plan = tiny.plan(TASK, corpus(tmp_path, 48), **FEW)
    assert shape(plan) == {
        "hotel_book": (["2", "3"], ["1", "4"]),
        "hotel_search": (["1", "3"], ["2", "5"]),
        "weather": (["1", "2"], ["3", "6"]),
    }
    assert shape(plan) == shape(tiny.plan(TASK, corpus(tmp_path, 6), **FEW))
    assert plan.options == {"train-dialogues": "1-a-task", "test-dialogues": "2-a-task"}
    assert not plan.missing


def test_a_whole_domain_is_held_out(tmp_path: Path) -> None:
    assert shape(tiny.plan(DOMAIN, corpus(tmp_path), **FEW)) == {
        "hotel": (["3"], ["1", "4", "2", "5"]),
        "weather": (["1", "2"], ["3", "6"]),
    }


def test_training_elsewhere_leaves_out_what_is_held_out(tmp_path: Path) -> None:
    plan = tiny.plan(
        TASK, corpus(tmp_path, 3, tasks=("weather",)), corpus(tmp_path / "train"), **FEW
    )
    assert shape(plan) == {"weather": (["1", "2"], ["1", "2"])}


def test_multi_task_dialogues_are_left_out(tmp_path: Path) -> None:
    mixed = tiny.dialogue(1, "hello", task="trivia", domain="trivia", multi=True)
    plain = [
        tiny.dialogue(n, "hello", task=task, domain=domain)
        for n, (task, domain) in enumerate(DOMAINS.items(), 2)
    ]
    plan = tiny.plan(TASK, tiny.memory(tmp_path, mixed, *plain), **FEW)
    assert [holdout.name for holdout in plan.holdouts] == sorted(DOMAINS)


def test_one_task_alone_is_missing_data(tmp_path: Path) -> None:
    alone = corpus(tmp_path, tasks=("weather",))
    with refuses(MissingDataError, "nothing-to-learn"):
        tiny.plan(TASK, alone, **FEW)
