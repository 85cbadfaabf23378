"""Python functions as agents and users: what they get, what they return, what goes wrong."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import dialoom
from dialoom.dialogue import USER, Result, Utterance
from dialoom.errors import OutputError, UsageError
from dialoom.http.metering import BudgetError, WireLimits
from dialoom.play import functions
from dialoom.play.results.run import read_run
from dialoom.render.progress import ProgressBar


def test_the_last_message_is_the_argument() -> None:
    messages: list[str] = []

    def agent(message: str) -> str:
        messages.append(message)
        return "Good day."

    run = dialoom.play(agent, tasks="weather", n=1, seed=7)
    events = run.dialogues[0].dialogue.events
    assert messages == [e.text for e in events if isinstance(e, Utterance) and e.agent == USER]
    assert run.settings["agent"] == "function:agent"
    assert run.success == 0


def test_history_and_tools_make_calls() -> None:
    turns: list[Any] = []

    async def agent(history: list[dict[str, Any]], tools: list[Any]) -> Any:
        await asyncio.sleep(0)
        if history[-1]["role"] == "tool":
            turns.append((history[0]["role"], tools, history[-1]["content"]))
            return {"content": "That is all."}
        call = {"name": tools[0]["function"]["name"], "arguments": {}}
        return {"tool_calls": [{"function": call}]}

    dialoom.play(agent, tasks="trip_directions", n=1, seed=7)
    role, tools, content = turns[0]
    assert (role, tools[0]["type"]) == ("system", "function")
    assert "error" in content  # no argument was given


def test_the_object_of_a_models_client_is_read() -> None:
    class Message:
        content = "I am an object."
        tool_calls = None

    def agent(message: str) -> Message:
        return Message()

    run = dialoom.play(agent, tasks="weather", n=1)
    spoken = [e.text for e in run.dialogues[0].dialogue.events if isinstance(e, Utterance)]
    assert "I am an object." in spoken


def test_the_table_names_silence_and_not_a_lack_of_answers() -> None:
    run = dialoom.play(lambda message: "...", tasks="weather", n=1)
    assert run.table.notes[-1] == "Every dialogue ended because the agent fell silent."


def test_an_exception_is_no_result_with_its_message() -> None:
    def agent(message: str) -> str:
        raise KeyError("my own mistake")

    run = dialoom.play(agent, tasks="weather", n=2)
    whole = run.summary["all"]
    assert (whole["no_result"], whole["success"], run.success) == (2, None, None)
    assert whole["failures"] == {"agent: KeyError: 'my own mistake'": 2}


@pytest.mark.parametrize(
    "answer",
    [
        *(5, {"content": 5}, b"text", "\ud800 hi"),
        *({}, {"say": "Hi"}, {"choices": [{"message": {"content": "Hi"}}]}),
        *({"content": None, "function_call": {"name": "weather"}}, object(), ValueError("x")),
    ],
)
def test_an_answer_of_another_kind_is_no_result(answer: Any) -> None:
    run = dialoom.play(lambda message: answer, tasks="weather", n=1)
    assert run.summary["all"]["no_result"] == 1


@pytest.mark.parametrize("value", [{"a": 1}, [["x"]], [{"a": 1}, "Velmora"]])
def test_an_argument_that_is_no_plain_value_is_refused(value: Any) -> None:
    def agent(history: list[dict[str, Any]], tools: list[Any]) -> Any:
        if history[-1]["role"] == "tool":
            return history[-1]["content"]
        call = {"name": "weather", "arguments": {"City": value, "Day": "Sunday"}}
        return {"tool_calls": [{"function": call}]}

    run = dialoom.play(agent, tasks="weather", n=1)
    results = [e for e in run.dialogues[0].dialogue.events if isinstance(e, Result)]
    assert run.summary["all"]["no_result"] == 0
    assert {e.extra["error"] for e in results} == {"weather: City: should be a plain value"}


def test_a_class_is_made_anew_for_each_dialogue() -> None:
    class Counting:
        def __init__(self) -> None:
            self.turns = 0

        def __call__(self, message: str) -> str:
            self.turns += 1
            return f"Turn {self.turns}."

    run = dialoom.play(Counting, tasks="weather", n=2)
    for each in run.dialogues:
        spoken = [e.text for e in each.dialogue.events if isinstance(e, Utterance)]
        assert spoken[1] == "Turn 1."


def test_a_function_plays_the_user_and_leaves() -> None:
    def user(history: list[dict[str, Any]]) -> str | None:
        return "Hello." if len(history) == 2 else None

    run = dialoom.play("flow", user=user, tasks="weather", n=1)
    assert run.settings["user"] == "function:user"
    verdict = run.dialogues[0].played.verdict
    assert verdict.get("ended", "completed") == "completed"
    assert (verdict["turns"], list(verdict["faults"])) == (1, ["leaves"])


class Needy:
    def __init__(self, url: str) -> None:
        self.url = url


@pytest.mark.parametrize(
    "function", [lambda: "", lambda one, other: "", lambda *, message: "", int, Needy]
)
def test_a_function_with_other_parameters_is_refused(function: Any) -> None:
    with pytest.raises(UsageError):
        dialoom.play(function, tasks="weather", n=1)


def test_without_tasks_there_is_nothing_to_play() -> None:
    with pytest.raises(UsageError, match="no task to play"):
        dialoom.play("flow", tasks=[], n=1)


def test_the_budget_of_a_run_ends_it() -> None:
    with pytest.raises(BudgetError):
        dialoom.play(lambda message: "Yes?", tasks="weather", n=1, limits=WireLimits(calls=2))


def test_a_run_without_a_folder_goes_with_its_object() -> None:
    run = dialoom.play("flow", tasks=dialoom.load_task("weather"), n=1)
    folder = run.path.parent
    assert folder.is_dir()
    del run
    assert not folder.exists()


def test_a_run_with_a_folder_stays(tmp_path: Path) -> None:
    run = dialoom.play("flow", tasks="weather", n=2, out=tmp_path / "run")
    assert read_run(tmp_path / "run").summary == run.summary
    with pytest.raises(OutputError):
        dialoom.play("flow", tasks="weather", n=2, out=tmp_path / "run")


def test_progress_counts_the_dialogues(monkeypatch: pytest.MonkeyPatch) -> None:
    counts: list[int] = []

    class Counted(ProgressBar):
        def advance(self, count: int = 1) -> None:
            counts.append(count)

    monkeypatch.setattr(functions, "progress_bar", lambda what, total: nullcontext(Counted()))
    dialoom.play("oracle", tasks="weather", n=3, trials=2, seed=7)
    assert sum(counts) == 6


def test_a_notebook_shows_the_table() -> None:
    run = dialoom.play("flow", tasks="weather", n=1)
    assert run._repr_html_().startswith("<table>")
    assert [row[0] for row in run.table.rows] == ["weather", "all", "silent"]
    assert "flow" in repr(run)
