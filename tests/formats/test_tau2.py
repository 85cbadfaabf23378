"""Runs of tau2-bench: calls of both sides, ticks of speech, and the run around simulations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Constraint, Dialogue, Query, Result, Scenario, Utterance
from dialoom.errors import FormatError
from dialoom.formats.base.conversion import convert
from dialoom.formats.tau2 import FORMAT
from dialoom.quality.roundtrip import roundtrip
from tests.formats.golden import golden
from tests.make import refuses


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Dialogue]:
    return {each.id: each for each in formats.load(golden("tau2", tmp_path)).dialogues()}


def test_users_and_agents_call_tools(found: dict[str, Dialogue]) -> None:
    dialogue = found["s-1"]
    queries = [event for event in dialogue.events if isinstance(event, Query)]
    assert [(each.agent, each.api) for each in queries] == [
        (SYSTEM, "get_lamp"),
        (USER, "press_switch"),
    ]
    results = [event for event in dialogue.events if isinstance(event, Result)]
    assert [each.query for each in results] == ["c1", "u1"]


def test_a_simulation_has_its_task_domain_outcome_and_times(found: dict[str, Dialogue]) -> None:
    dialogue = found["s-1"]
    assert dialogue.scenario is not None
    assert dialogue.scenario.goal["instructions"] == {"reason_for_call": "No light."}
    assert dialogue.scenario.system_task == "# Policy"
    assert (dialogue.services, dialogue.outcome) == (("lamps",), "reached")
    assert dialogue.events[0].time == 1_767_323_045_500


def test_ticks_of_one_side_are_an_utterance(found: dict[str, Dialogue]) -> None:
    turns = [event for event in found["s-3"].events if isinstance(event, Utterance)]
    assert [(each.agent, each.text) for each in turns] == [(SYSTEM, "Hello."), (USER, "No light.")]
    assert isinstance(found["s-3"].events[-1], Result)


def test_ticks_without_text_are_refused(tmp_path: Path) -> None:
    tick = {"tick_id": 0, "agent_chunk": {"role": "assistant", "contains_speech": True}}
    value = {"id": "a", "task_id": "1", "termination_reason": "user_stop", "ticks": [tick]}
    (tmp_path / "a.json").write_text(json.dumps(value))
    with refuses(FormatError, "no-key", "audio"):
        list(formats.load(tmp_path / "a.json").dialogues())


def test_results_without_simulations_are_refused(tmp_path: Path) -> None:
    value = {"info": {"environment_info": {"domain_name": "lamps"}}, "tasks": []}
    (tmp_path / "results.json").write_text(json.dumps(value))
    with refuses(FormatError, "unknown-format", "simulations"):
        formats.load(tmp_path / "results.json")


def test_a_run_comes_back(tmp_path: Path) -> None:
    corpus = golden("tau2", tmp_path)
    (tmp_path / "out").mkdir()
    assert not convert(formats.load(corpus).dialogues, {}, formats.get("tau2"), tmp_path / "out")
    for name in ("results.json", "simulations/s-3.json"):
        before, after = (json.loads((f / name).read_bytes()) for f in (corpus, tmp_path / "out"))
        assert before == after


def test_each_simulation_of_a_run_has_the_domain(tmp_path: Path) -> None:
    messages = [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi."}]
    end = {"termination_reason": "max_steps", "messages": messages}
    value = {
        "info": {"environment_info": {"domain_name": "lamps", "policy": "# Policy"}},
        "tasks": [],
        "simulations": [{"id": name, "task_id": "1", **end} for name in ("a", "b")],
    }
    file = tmp_path / "results.json"
    file.write_text(json.dumps(value))
    corpus = formats.load(file)
    assert [(each.services, each.outcome) for each in corpus] == [(("lamps",), "max_steps")] * 2
    assert [verdict for _, verdict in roundtrip(corpus, FORMAT)] != ["differs"]


ENVIRONMENT = {"domain_name": "lamps", "policy": "# Policy"}
TASKS: list[dict[str, Any]] = [{"id": name, "user_scenario": {"room": name}} for name in "abc"]
MESSAGES = [{"role": "assistant", "content": "Hello."}, {"role": "user", "content": "Hi."}]


def simulation(name: str) -> dict[str, Any]:
    end = {"termination_reason": "max_steps", "messages": MESSAGES}
    return {"id": f"s-{name}", "task_id": name, **end}


def test_any_simulations_of_a_run_are_a_run_again(tmp_path: Path) -> None:
    run: dict[str, Any] = {"info": {"environment_info": ENVIRONMENT}, "tasks": TASKS}
    simulations = [simulation(name) for name in "abbc"]
    value = run | {"simulations": simulations}
    (tmp_path / "results.json").write_text(json.dumps(value))
    dialogues = list(formats.load(tmp_path / "results.json").dialogues())
    assert [each.scenario and each.scenario.goal for each in dialogues] == [
        {"room": name} for name in "abbc"
    ]
    (record,) = [json.loads(FORMAT.render_file(dialogues[1:]))]
    assert record == run | {"tasks": TASKS[1:], "simulations": simulations[1:]}
    assert json.loads(FORMAT.render_file(dialogues)) == value


def test_simulations_in_files_of_their_own_have_the_run_of_the_folder(tmp_path: Path) -> None:
    run: dict[str, Any] = {"info": {"environment_info": ENVIRONMENT}, "tasks": TASKS}
    (tmp_path / "results.json").write_text(json.dumps(run))
    (tmp_path / "simulations").mkdir()
    file = tmp_path / "simulations" / "s-b.json"
    file.write_text(json.dumps(simulation("b")))
    (dialogue,) = formats.load(tmp_path).dialogues()
    assert dialogue.services == ("lamps",)
    assert dialogue.scenario == Scenario(system_task="# Policy", user_task="b", goal={"room": "b"})
    assert json.loads(FORMAT.render_file([dialogue])) == simulation("b")


def test_calls_have_times(found: dict[str, Dialogue]) -> None:
    query = next(event for event in found["s-1"].events if isinstance(event, Query))
    assert query.time == 1_767_323_047_000


@pytest.mark.parametrize("name", [["a"], 0, None])
def test_names_of_tasks_that_are_no_texts_are_read(name: Any, tmp_path: Path) -> None:
    run = {"info": {"environment_info": ENVIRONMENT}, "tasks": [{"id": name, "user_scenario": 1}]}
    value = run | {"simulations": [simulation("a") | {"task_id": name}]}
    (tmp_path / "results.json").write_text(json.dumps(value))
    (dialogue,) = formats.load(tmp_path / "results.json").dialogues()
    assert (dialogue.scenario and dialogue.scenario.goal) == (1 if name is not None else None)


@pytest.mark.parametrize("arguments", ['{"room": "attic"}', {"room": "attic"}, "attic", ""])
def test_arguments_come_back_as_texts_or_objects(arguments: Any, tmp_path: Path) -> None:
    call = {"id": "1", "name": "find", "arguments": arguments}
    value = simulation("a")
    value["messages"] = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    (tmp_path / "a.json").write_text(json.dumps(value))
    (dialogue,) = formats.load(tmp_path / "a.json", "tau2").dialogues()
    assert json.loads(FORMAT.render_file([dialogue])) == value


def test_dialogues_of_other_formats_have_objects_of_arguments_and_no_task(tmp_path: Path) -> None:
    query = Query(id="1", api="find", constraints=(Constraint("room", "equal", ("attic",)),))
    dialogue = Dialogue(id="a", events=(query, Result(query="1")))
    assert not convert(lambda: iter((dialogue,)), {}, FORMAT, tmp_path)
    (value,) = json.loads((tmp_path / "tau2_001.json").read_bytes())
    assert value["messages"][0]["tool_calls"][0]["arguments"] == {"room": "attic"}
    (back,) = formats.load(tmp_path).dialogues()
    assert back.scenario is None
