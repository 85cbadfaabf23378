"""The second pack: what a task file can say is simulated, and lint finds nothing."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import pytest

from dialoom.dialogue import Dialogue, Event, Query, Utterance
from dialoom.dialogue.annotation import Value
from dialoom.dialogue.views import label
from dialoom.quality.coverage import CoverageCounter
from dialoom.quality.lint import Linter
from dialoom.schema import pack
from dialoom.sim.policies.flow.simulator import Simulator

MANY = 300

RARE = {"say_not_renewed", "not_renewed", "not_earlier"}
"""Nodes that a simulation hardly reaches: what was found is there when it is changed."""


@lru_cache(maxsize=1)
def simulated(name: str) -> tuple[Dialogue, ...]:
    simulator = Simulator(pack.load(name), 5)
    return tuple(simulator.dialogue(i, unhappy=i % 5 == 4) for i in range(MANY))


def action(event: Event) -> str | None:
    if isinstance(event, Query):
        return event.api
    return label(event) if isinstance(event, Utterance) else None


@pytest.mark.parametrize("name", pack.names("service"))
def test_every_branch_is_reached_and_nothing_is_wrong(name: str) -> None:
    task = pack.load(name)
    counter, linter = CoverageCounter(task), Linter({name: task}, 5)
    findings = []
    for dialogue in simulated(name):
        counter.add(dialogue)
        findings += [str(f) for f in linter.check(dialogue) if f.severity != "information"]
        state: dict[str, tuple[Value, ...]] = {}
        for event in dialogue.events:
            for layer in event.layers if isinstance(event, Utterance) else ():
                for part in layer.parts:
                    state = part.state.values if part.state else state
                    assert not list(task.broken({s: v[0] for s, v in state.items() if v}))
    assert findings == []
    assert set(counter.result().missing("nodes")) <= RARE


def test_the_same_seed_gives_the_same_dialogues() -> None:
    again = Simulator(pack.load("train_journey"), 5)
    assert again.dialogue(7) == simulated("train_journey")[7]


def test_another_row_is_one_not_shown_before() -> None:
    calls = [
        [c.value for c in event.constraints if c.operator == "not"]
        for dialogue in simulated("train_journey")
        for event in dialogue.events
        if isinstance(event, Query) and event.api == "train_search"
    ]
    assert max(map(len, calls)) > 1
    assert all(len(set(map(str, rows))) == len(rows) for rows in calls)


def test_calls_fail_are_refused_and_are_made_again() -> None:
    counts = Counter(
        label(event)
        for dialogue in simulated("bank_transfer")
        for event in dialogue.events
        if isinstance(event, Utterance)
    )
    assert counts["say_over_limit"] and counts["say_no_connection"] and counts["again"]


def test_a_correction_makes_the_call_again() -> None:
    for dialogue in simulated("library_loan"):
        names = [
            event.api
            if isinstance(event, Query)
            else label(event)
            if isinstance(event, Utterance)
            else ""
            for event in dialogue.events
        ]
        if "correct_book" in names and names.index("correct_book") > names.index("loan_find"):
            assert "loan_find" in names[names.index("correct_book") :]
            return
    raise AssertionError("nobody corrects themself")
