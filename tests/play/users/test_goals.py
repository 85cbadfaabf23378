"""Goals written by hand, and those of runs: what they come to, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.errors import DialoomError, MissingDataError, SchemaError, UsageError
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.plan import PlayPlan, make_run, plan_of
from dialoom.play.users.goals import read_goals
from dialoom.schema import pack
from tests.make import refuses

TASK = pack.load("bank_balance")
TASKS = {TASK.id: TASK}
HEAD = "task: bank_balance\ngoals:\n"


def played_all(plan: PlayPlan) -> list[Dialogue]:
    source = plan.source()
    return [source(index) for index in range(plan.dialogues)]


def success(dialogues: list[Dialogue]) -> float:
    verdicts = [each for d in dialogues if (each := played(d))]
    share: float = summarise(verdicts)["all"]["success"]
    return share


def values() -> dict[str, object]:
    (dialogue,) = played_all(plan_of((TASK,), "oracle", "simulated", 1, 1, 5))
    assert dialogue.scenario
    wishes: dict[str, object] = dialogue.scenario.goal["values"]
    return wishes


def written(folder: Path, *lines: str) -> Path:
    file = folder / "bank.yaml"
    pairs = ", ".join(f'{slot}: "{value}"' for slot, value in values().items())
    body = ["  - id: mine", f"    values: {{{pairs}}}", *(f"    {line}" for line in lines)]
    file.write_text(HEAD + "\n".join(body) + "\n")
    return file


def test_a_goal_of_ones_own_is_played(tmp_path: Path) -> None:
    written(tmp_path, "says: You wonder how rich you are.")
    goals = tuple(read_goals(tmp_path, TASKS))
    plan = plan_of((TASK,), "flow", "simulated", 9, 2, 5, goals)
    dialogues = played_all(plan)
    assert [d.id for d in dialogues] == ["bank_balance-mine-1", "bank_balance-mine-2"]
    assert success(dialogues) == 100
    scenario = dialogues[0].scenario
    assert scenario and scenario.user_task == "You wonder how rich you are."
    assert scenario.goal["values"] == values()
    assert plan.settings["given"]


def test_what_a_goal_lists_is_what_is_right(tmp_path: Path) -> None:
    file = written(tmp_path, "ends: [{}]", "reported: [xyzzy]")
    (dialogue,) = played_all(
        plan_of((TASK,), "flow", "simulated", 9, 1, 5, read_goals(file, TASKS))
    )
    verdict = dialogue.extra["play"]
    assert verdict["reached"]
    assert [entry["value"] for entry in verdict["unreported"]] == ["xyzzy"]


def test_an_end_that_the_oracle_does_not_come_to_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, "ends: [{account_balances: {added: [{FullName: Ada Quill}]}}]")
    plan = plan_of((TASK,), "flow", "simulated", 9, 1, 5, read_goals(file, TASKS))
    with refuses(SchemaError, "bad-goal", "mine"):
        played_all(plan)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[]", ("bad-task", "line 1", "mapping")),
        ("task: bank_balanse\ngoals: []", ("bad-task", "bank_balanse", "bank_balance")),
        ("task: bank_balance\ngoals: 3", ("bad-task", "goals", "list")),
        (f"{HEAD}  - id: 7\n    values: {{}}", ("bad-task", "line 3", "id", "text")),
        (f"{HEAD}  - id: a\n    values: {{nosuch: 1}}", ("bad-task", "line 4", "nosuch")),
        (f"{HEAD}  - id: a\n    values: {{birth_date: teal}}", ("bad-task", "teal", "birth_date")),
        (f"{HEAD}  - id: a\n    values: {{}}\n    aim: 3", ("bad-task", "aim")),
        (
            f"{HEAD}  - id: a\n    values: {{}}\n    ends: [{{nosuch: {{}}}}]",
            ("bad-task", "table", "nosuch"),
        ),
        (
            f"{HEAD}  - id: a\n    values: {{}}\n    ends: [{{account_balances: {{new: []}}}}]",
            ("bad-task", "added", "removed", "changed"),
        ),
    ],
)
def test_what_is_no_goal(tmp_path: Path, text: str, what: tuple[str, ...]) -> None:
    file = tmp_path / "goals.yaml"
    file.write_text(text)
    with refuses(DialoomError, *what) as raised:
        list(read_goals(file, TASKS))
    assert "goals.yaml, line" in str(raised.value)


def test_a_folder_without_goals(tmp_path: Path) -> None:
    with refuses(MissingDataError, "no-files", "*.yaml"):
        list(read_goals(tmp_path, TASKS))


def test_a_run_is_replayed(tmp_path: Path) -> None:
    tasks = (TASK, pack.load("hotel_book"))
    run = make_run(plan_of(tasks, "flow", "simulated", 2, 2, 5), tmp_path / "run")
    plan = plan_of(tasks, "flow", f"replay:{run.path}", 9, 1, 5)
    again = played_all(plan)
    assert len(again) == 8
    assert success(again) == 100
    for one, other in zip(run.dialogues, again, strict=True):
        assert said(one.dialogue) == said(other)
    (dialogue,) = played_all(plan_of((TASK,), "silent", f"replay:{run.path}", 9, 1, 5))[:1]
    assert dialogue.extra["play"]["unreported"]


def said(dialogue: Dialogue) -> list[str]:
    texts = [event for event in dialogue.events if isinstance(event, Utterance)]
    return [event.text for event in texts if event.agent == USER]


def test_a_run_of_another_database_is_not_replayed(tmp_path: Path) -> None:
    run = make_run(plan_of((TASK,), "flow", "simulated", 1, 1, 5), tmp_path / "run")
    with refuses(UsageError, "mismatch", "--seed", "5"):
        plan_of((TASK,), "flow", f"replay:{run.path}", 1, 1, 6)
    with refuses(UsageError, "mismatch", "--tasks"):
        plan_of((pack.load("weather"),), "flow", f"replay:{run.path}", 1, 1, 5)
    with refuses(UsageError, "not-given", "replay:RUN"):
        plan_of((TASK,), "flow", "replay", 1, 1, 5)
