"""Runs whose agent or user has a server or program that fails: no result, and no score."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.http.failure import NoAnswerError
from dialoom.play.agents.base import AGENTS
from dialoom.play.judging.verdict import NO_RESULT
from dialoom.play.results.failure import differences
from dialoom.play.results.paired import compare
from dialoom.play.results.report import page
from dialoom.play.results.run import PlayRun, read_run
from dialoom.play.results.summary import table
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.running.plan import make_run, plan_of
from dialoom.play.tau2 import results
from dialoom.play.users.goals import recorded_goals
from dialoom.schema import pack
from tests.cli.runner import Run
from tests.play.running.served import Answer, Serve, serve

__all__ = ["serve"]  # fixtures

BUSY = {"error": {"message": "out of memory on node <7>"}}


def bad_first(status: int, body: Any) -> Callable[[int, dict[str, Any]], Answer]:
    """Fail in the first two dialogues, and say something in the others."""
    names: list[str] = []

    def answer(number: int, message: dict[str, Any]) -> Answer:
        if message["dialogue"] not in names:
            names.append(message["dialogue"])
        fails = names.index(message["dialogue"]) < 2
        return (status, body) if fails else (200, {"say": "Good day."})

    return answer


def played(agent: str, folder: Path, trials: int = 2, user: str = "simulated") -> PlayRun:
    return make_run(plan_of((pack.load("weather"),), agent, user, 2, trials, 7), folder)


@pytest.fixture
def half(serve: Serve, tmp_path: Path) -> PlayRun:
    """A run of two goals with three trials each; the first two trials have no result."""
    server = serve(bad_first(400, BUSY))
    return played(f"http:{server.url}", tmp_path / "half", trials=3)


def test_a_failure_is_recorded_and_read_again(half: PlayRun, tmp_path: Path) -> None:
    first = half.dialogues[0]
    what = "400 Bad Request: out of memory on node <7>"
    failure = {"side": "agent", "turn": 1, "what": what, "status": 400}
    assert first.played.verdict["failure"] == failure
    assert [each.dialogue.outcome for each in half.dialogues] == [NO_RESULT] * 2 + ["missed"] * 4
    native = formats.get("native")
    dialogues = [each.dialogue for each in half.dialogues]
    (tmp_path / "again").mkdir()
    native.write(dialogues, {"weather": pack.load("weather")}, tmp_path / "again")
    assert list(formats.load(tmp_path / "again").dialogues()) == dialogues


def test_shares_are_those_of_dialogues_with_a_result(half: PlayRun) -> None:
    whole = half.summary["all"]
    assert (whole["trials"], whole["no_result"]) == (6, 2)
    assert list(whole["failures"].values()) == [2]
    assert (whole["reached"], whole["reported"], whole["user_faults"]) == (100, 0, 0)
    assert whole["ended"]["failed"] == 2
    assert whole["pass_hat"].keys() == {"1", "2", "3"}
    overview = table(half.summary, "bot", "simulated")
    assert overview.rows[-2][overview.header.index("no result")] == 2
    assert any("out of memory" in note for note in overview.notes)


def test_a_run_without_any_result_has_no_score(serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda number, message: (200, b"<html>busy"))
    run = played(f"http:{server.url}", tmp_path / "run")
    whole = run.summary["all"]
    assert (whole["trials"], whole["no_result"]) == (4, 4)
    assert (whole["success"], whole["reached"], whole["pass_hat"]) == (None, None, {})
    overview = table(run.summary, "bot", "simulated")
    assert overview.rows[-2][1:5] == [None] * 4
    assert "busy" in page([run])


def test_the_page_lists_failures_as_a_class_of_their_own(half: PlayRun) -> None:
    assert [name for name, _ in half.missed()] == [NO_RESULT] * 2 + ["unreported"] * 4
    (line,) = differences(half.dialogues[0].played)
    assert "out of memory on node <7>" in line
    html = page([half])
    assert "out of memory on node &lt;7&gt;" in html


def test_pairs_need_a_result_on_both_sides(half: PlayRun, tmp_path: Path) -> None:
    flow = played("flow", tmp_path / "flow", trials=3)
    comparison = compare(half, flow)
    assert (sum(comparison.outcomes.values()), comparison.left_out) == (4, 2)
    assert comparison.difference == 100
    assert compare(flow, flow).left_out == 0
    assert "left out" in page([half, flow])


def test_no_result_is_no_reward_and_no_goal(half: PlayRun, tmp_path: Path) -> None:
    tasks = {"weather": pack.load("weather")}
    dialogues = [each.dialogue for each in half.dialogues]
    assert len(list(recorded_goals(dialogues, tasks, 7))) == 4
    rewards = [each["reward_info"] for each in results(half, tasks)[0]["simulations"]]
    assert rewards.count(None) == 2
    out = tmp_path / "chat"
    out.mkdir()
    formats.get("chat").write(dialogues, tasks, out)
    (file,) = out.glob("*.jsonl")
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert ["reward" in each for each in lines] == [False] * 2 + [True] * 4


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_ends_the_run_at_once(
    run: Run, serve: Serve, tmp_path: Path, status: int
) -> None:
    server = serve(lambda number, message: (status, {"error": "no such key"}))
    options = ("--tasks", "weather", "-n", 5, "--out", tmp_path / "run")
    done = run("play", "--agent", f"http:{server.url}/turn", *map(str, options))
    assert done.refused(str(status), "no such key", f"{server.url}/turn")
    assert server.asked == 1
    assert not list(tmp_path.iterdir())


def test_a_users_server_ends_the_run_too(run: Run, serve: Serve, tmp_path: Path) -> None:
    server = serve(lambda number, message: (404, {"error": {"message": "no such model"}}))
    options = ("--tasks", "weather", "-n", 5, "--out", tmp_path / "run")
    done = run("play", "--user", f"openai:small@{server.url}/v1", *map(str, options))
    assert done.refused("404", "no such model", "--user openai")


@pytest.mark.parametrize("side", ["agent", "user"])
def test_the_exit_code_is_one(run: Run, serve: Serve, tmp_path: Path, side: str) -> None:
    server = serve(lambda number, message: (400, BUSY))
    out, file = tmp_path / "run", tmp_path / "run.json"
    options = ("--tasks", "weather", "-n", 2, "--out", out, "--json", file)
    done = run("play", f"--{side}", f"openai:small@{server.url}/v1", *map(str, options))
    assert (done.code, done.err) == (1, "")
    assert "out of memory" in done.out
    whole = json.loads(file.read_bytes())["all"]
    assert (whole["no_result"], whole["success"], whole["user_faults"]) == (2, None, 0)
    assert list(whole["failures"]) == [f"{side}: 400 Bad Request: out of memory on node <7>"]
    assert read_run(out).summary["all"]["no_result"] == 2


def test_a_program_that_ends_leaves_no_result(run: Run, tmp_path: Path) -> None:
    bot, out = tmp_path / "bot.py", tmp_path / "run"
    bot.write_text("import sys\nsys.stdin.readline()\nsys.exit(7)\n")
    options = ("--tasks", "weather", "-n", "2", "--out", out)
    assert run("play", "--agent", f"command:{sys.executable} {bot}", *options).code == 1
    verdict = read_run(out).dialogues[0].played.verdict
    assert verdict["failure"] == {"side": "agent", "turn": 1, "what": "ended with exit code 7"}


CRASHING = """
import json, sys
for number, line in enumerate(sys.stdin):
    if number == 2:
        sys.exit(9)
    print(json.dumps({"say": "And where will you be?"}), flush=True)
"""


def test_a_program_that_ends_after_good_turns_leaves_no_result(run: Run, tmp_path: Path) -> None:
    bot, out = tmp_path / "bot.py", tmp_path / "run"
    bot.write_text(CRASHING)
    options = ("--tasks", "weather", "-n", "1", "--out", out)
    assert run("play", "--agent", f"command:{sys.executable} {bot}", *options).code == 1
    record = read_run(out)
    failure = {"side": "agent", "turn": 3, "what": "ended with exit code 9"}
    assert record.dialogues[0].played.verdict["failure"] == failure
    assert record.summary["all"]["counts"] == {}


def test_dialogues_without_a_result_may_have_a_threshold(
    run: Run, serve: Serve, tmp_path: Path
) -> None:
    for most, code in ((2, 0), (1, 1)):
        server = serve(bad_first(400, BUSY))
        options = ("--tasks", "weather", "-n", 3, "--out", tmp_path / f"run{most}")
        limit = ("--at-most", f"no_result={most}")
        done = run("play", "--agent", f"http:{server.url}", *map(str, (*options, *limit)))
        assert done.code == code


def test_a_person_is_told_that_the_agent_failed(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.stdin.readline()\nprint('{')\n")
    goals = LiveGoals({"weather": pack.load("weather")}, 5)
    live = LiveDialogue(goals.goal("weather", 0), AGENTS.made(f"command:{sys.executable} {bot}"))
    with pytest.raises(NoAnswerError):
        live.say("Will it rain?")
