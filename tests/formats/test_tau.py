"""Runs of tau-bench: calls in messages and in text, few-shot lines, and trials that failed."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Instruction, Query, Result, Utterance
from dialoom.formats.base.conversion import convert
from tests.formats.golden import golden


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Dialogue]:
    return {each.id: each for each in formats.load(golden("tau", tmp_path)).dialogues()}


def test_a_trial_has_its_calls_outcome_and_task(found: dict[str, Dialogue]) -> None:
    trial = found["lamps-0-0"]
    policy, ask, query, result, *_ = trial.events
    assert isinstance(policy, Instruction)
    assert isinstance(ask, Utterance)
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert (query.api, query.constraints[0].slot) == ("find_lamp", "room")
    assert result.items == ({"id": 3},)
    assert trial.scenario is not None
    assert (trial.outcome, trial.scenario.user_task) == ("reached", "0")
    assert trial.scenario.goal["instruction"] == "You want light."


def test_calls_and_results_in_text_are_no_utterances(found: dict[str, Dialogue]) -> None:
    _, ask, query, result, reply, thanks = found["lamps-1-0"].events
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert (query.api, result.query, result.items) == ("find_lamp", query.id, ({"id": 3},))
    assert isinstance(reply, Utterance)
    assert (reply.agent, reply.text) == (SYSTEM, "It is off.")
    assert (ask.agent, thanks.agent) == (USER, USER)


def test_few_shot_lines_have_calls_without_names(found: dict[str, Dialogue]) -> None:
    _, query, result, *rest = found["few_shot-1"].events
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert (query.api, result.query) == ("", query.id)
    assert result.items == ({"text": "Error: no lamp\nof that name"},)
    assert [event.agent for event in rest] == [SYSTEM, USER]


def test_a_trial_that_failed_has_no_events(found: dict[str, Dialogue]) -> None:
    assert found["lamps-2-0"].events == ()
    assert found["lamps-2-0"].outcome == "missed"


@pytest.mark.corpus
def test_every_published_message_is_read(corpora: Path) -> None:
    for name in ("telecom_none", "impatience_telecom"):
        file = corpora / "others" / "tau-trait" / f"{name}.json"
        raw = json.loads(file.read_bytes())
        for dialogue, trial in zip(formats.load(file).dialogues(), raw, strict=True):
            roles = Counter(message["role"] for message in trial["traj"])
            kinds = Counter(type(event) for event in dialogue.events)
            assert kinds[Result] == roles["tool"]
            agents = Counter(e.agent for e in dialogue.events if isinstance(e, Utterance))
            assert agents[USER] == roles["user"]
            assert kinds[Query] == sum(len(m.get("tool_calls") or ()) for m in trial["traj"])


def test_few_shot_lines_at_new_places_are_compared_by_place(tmp_path: Path) -> None:
    lines = [{"messages_display": f"user: {word}"} for word in ("a", "b", "c", "d")]
    file = tmp_path / "few.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    chosen = list(formats.load(file, "tau"))[1:]
    (tmp_path / "out").mkdir()
    loss = convert(lambda: iter(chosen), {}, formats.get("tau"), tmp_path / "out")
    assert "utterance" not in loss
    assert loss["dialogue.id"] == 3
