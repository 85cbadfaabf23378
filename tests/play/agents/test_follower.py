"""The schema follower as an agent: what it is trained on, and a task it never saw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.dialogue.views import label
from dialoom.errors import MissingDataError
from dialoom.flow.program import compile_task
from dialoom.learn.model import Model
from dialoom.learn.saved import TrainingRecord, save
from dialoom.models.baselines import Majority, Nearest
from dialoom.models.follower import Follower
from dialoom.play.agents.follower import (
    FOLDS,
    FollowerAgents,
    LearntAgent,
    examples,
    simulated,
    trained,
    unannotated,
)
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema


def test_a_saved_follower_serves_a_task_it_never_saw(tmp_path: Path) -> None:
    tasks = {name: pack.load(name) for name in ("weather", "ride_status", "hotel_book")}
    model = trained(Follower(members=1, net=0.0), tasks, simulated(list(tasks.values()), 12, 1))
    file = tmp_path / "follower.model"
    save(model, file, TrainingRecord())
    plan = plan_of((pack.load("plane_book"),), f"follower:{file}", "simulated", 3, 1, 2)
    play = plan.source()
    dialogues = [play(index) for index in range(plan.dialogues)]
    assert {d.extra["play"].get("ended", "completed") for d in dialogues} == {"completed"}
    assert sum(d.extra["play"]["reached"] for d in dialogues) >= 2
    turns = [e for d in dialogues for e in d.events if isinstance(e, Utterance) and e.agent != USER]
    assert all(label(event) in plan.tasks[0].flow.nodes for event in turns)


def test_a_run_is_played_and_recorded_with_the_model_that_the_file_has_now(tmp_path: Path) -> None:
    task, file = pack.load("weather"), tmp_path / "own.model"
    (lesson,) = simulated([task], 1, 1)

    def agent_of_run() -> tuple[str, Model]:
        plan = plan_of((task,), f"follower:{file}", "simulated", 1, 1, 2)
        return plan.settings["agent"], FollowerAgents(str(file))._model(FOLDS)

    names = set[str]()
    for kind, many in (Majority, 1), (Nearest, 1), (Nearest, 2):
        model = kind()
        model.fit(list(examples(lesson, task.id))[:many], {task.id: task})
        save(model, file, TrainingRecord())
        name, used = agent_of_run()
        assert name.startswith(f"follower:{file} ({model.name}, sha256 ")
        assert type(used) is kind
        names.add(name)
    assert len(names) == 3
    file.unlink()
    with pytest.raises(MissingDataError):
        agent_of_run()


def test_a_changed_corpus_changes_the_record(tmp_path: Path) -> None:
    tasks = {"weather": pack.load("weather")}
    lessons = list(simulated([*tasks.values()], 2, 1))
    origins = set[str]()
    for many in 1, 2:
        folder = tmp_path / str(many)
        formats.get("native").write(lessons[:many], tasks, folder)
        origins.add(FollowerAgents(str(folder)).origin)
    assert len(origins) == 2


def test_nothing_is_trained_on_the_task_that_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    groups: list[set[str]] = []

    def note(
        model: Follower, schemas: Mapping[str, TaskSchema], dialogues: Iterable[Dialogue]
    ) -> Follower:
        groups.append(set(schemas))
        return model

    monkeypatch.setattr("dialoom.play.agents.follower.trained", note)
    monkeypatch.setattr("dialoom.play.agents.follower._TRAINED", {})
    names = pack.names()
    FollowerAgents().ready(names)
    assert len(groups) == FOLDS
    for task in names:
        assert sum(task not in schemas for schemas in groups) == 1


def test_what_it_learnt_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tasks = {"weather": pack.load("weather")}

    def taught() -> Follower:
        dialogues = simulated(list(tasks.values()), 4, 1)
        return trained(Follower(members=1, net=0.0), tasks, dialogues)

    first = taught()
    monkeypatch.setattr(Follower, "fit", None)
    questions = [
        each.question for each in examples(next(simulated([*tasks.values()], 1, 2)), "weather")
    ]
    assert first.predict(questions, tasks) == taught().predict(questions, tasks)


def test_what_only_the_user_knows_is_not_learnt_from() -> None:
    (dialogue,) = simulated([pack.load("weather")], 1, 1)
    for event in unannotated(dialogue).events:
        if isinstance(event, Utterance):
            assert bool(event.layers) == (event.agent != USER)


def test_after_a_result_only_what_its_conditions_permit_is_in_reach() -> None:
    task = pack.load("ride_status")
    program = compile_task(task)
    agent = LearntAgent(program, b"seed", Follower(), {task.id: task})
    step = program.steps["query"]
    agent.step = step
    agent.state.shown = {"RideStatus": "on its way", "RideWait": "two minutes"}
    agent.state.outcome = "found"
    agent.move(step)
    reached = agent._reached()
    assert "ride_provide_booking_status" in reached
    assert "ride_inform_arrived" not in reached
