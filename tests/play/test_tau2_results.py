"""Results of tau-bench and tau2-bench as dialogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import Query, Result, Utterance
from dialoom.errors import FormatError
from dialoom.play.tau2_results import TauResults
from tests.cli.runner import Run, in_process

run = pytest.fixture(in_process)

CALL = {"id": "c1", "name": "cancel", "arguments": {"items": ["lamp"]}, "requestor": "assistant"}
MESSAGES: list[dict[str, Any]] = [
    {"role": "assistant", "content": "Hello."},
    {"role": "user", "content": "No lamp.", "tool_calls": [{"id": "u", "name": "look"}]},
    {"role": "tool", "id": "u", "content": "dark", "requestor": "user"},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "id": "c1", "content": '{"status": "sent"}', "error": False},
    {"role": "assistant", "content": "Done."},
]
SIMULATION = {"task_id": "3", "trial": 1, "messages": MESSAGES, "reward_info": {"reward": 1.0}}
RESULTS = {
    "info": {"environment_info": {"domain_name": "shop", "policy": "Be kind."}},
    "tasks": [],
    "simulations": [SIMULATION, {"task_id": "4", "ticks": [{"tick_id": 0}]}],
}

WIRE = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}
TRAJECTORY = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "Hello."},
    {"role": "assistant", "content": None, "tool_calls": [WIRE]},
    {"role": "tool", "tool_call_id": "c1", "content": "Error: nobody"},
]


def read(folder: Path, value: Any) -> TauResults:
    file = folder / "results.json"
    file.write_text(json.dumps(value))
    return TauResults(file)


def test_simulations_are_dialogues(tmp_path: Path) -> None:
    held = read(tmp_path, RESULTS)
    (dialogue,) = held.dialogues
    assert (dialogue.id, dialogue.outcome) == ("3-2", "reached")
    assert dialogue.scenario is not None and dialogue.scenario.system_task == "Be kind."
    said = [e.text for e in dialogue.events if isinstance(e, Utterance)]
    assert said == ["Hello.", "No lamp.", "Done."]
    (query,) = (e for e in dialogue.events if isinstance(e, Query))
    (result,) = (e for e in dialogue.events if isinstance(e, Result))
    assert (query.api, query.constraints[0].raw) == ("cancel", '["lamp"]')
    assert result.items == ({"status": "sent"},)
    assert dict(held.lost) == {"calls of users": 1, "simulations with speech without words": 1}


def test_trajectories_of_tau_bench_are_dialogues(tmp_path: Path) -> None:
    (dialogue,) = read(tmp_path, [{"task_id": 0, "reward": 0.0, "traj": TRAJECTORY}]).dialogues
    assert (dialogue.id, dialogue.outcome) == ("0-1", "missed")
    assert dialogue.scenario is not None and dialogue.scenario.system_task == "Be kind."
    result = dialogue.events[-1]
    assert isinstance(result, Result) and result.items == ({"value": "Error: nobody"},)


def test_the_command_writes_a_corpus(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(SIMULATION))
    done = run("tau2", file, "--out", tmp_path / "corpus")
    assert done.code == 0 and "1 simulations written" in done.out
    assert [each.id for each in formats.load(tmp_path / "corpus")] == ["3-2"]
    file.write_text(json.dumps({**RESULTS, "simulations": []}))
    assert run("tau2", file, "--out", tmp_path / "none").code == 2
    with pytest.raises(FormatError, match="no results"):
        read(tmp_path, [{"id": 3}])
