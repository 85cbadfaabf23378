"""`dialoom play`: a run, resumed and with any workers, and what is refused."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path

import pytest

from dialoom import formats
from dialoom.play.results.run import read_run
from tests.cli.runner import PER_SHARD, Run, killed, make_shards_small, tree


def test_a_run_and_its_figures(run: Run, tmp_path: Path) -> None:
    out, file = tmp_path / "run", tmp_path / "run.json"
    done = run(
        *("play", "--agent", "flow", "--user", "simulated:scripted"),
        *("--tasks", "hotel_book,weather"),
        *("-n", 3, "--trials", 2, "--seed", 7, "--out", out, "--json", file),
    )
    assert (done.code, done.err) == (0, "")
    assert "12 dialogues written" in done.out
    figures = json.loads(file.read_bytes())
    assert figures["run"]["agent"] == "flow"
    hotel, weather = figures["tasks"]
    assert (hotel["task"], hotel["trials"], weather["task"]) == ("hotel_book", 6, "weather")
    names = {"reached", "reported", "unasked", "adherence", "pass_hat", "user_faults"}
    assert names <= hotel.keys()
    assert hotel["pass_hat"].keys() == {"1", "2"}
    assert len(list(formats.load(out, None).dialogues())) == 12
    assert run("lint", out).code == 0


BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"say": "Good day, what can I do for you?"}), flush=True)
"""


def test_a_bot_of_ones_own(run: Run, tmp_path: Path) -> None:
    bot, file = tmp_path / "bot.py", tmp_path / "run.json"
    bot.write_text(BOT)
    agent = f"command:{sys.executable} {bot}"
    settings = ("--tasks", "weather", "-n", 2, "--out", tmp_path / "run", "--json", file)
    assert run("play", "--agent", agent, *settings).code == 0
    (row,) = json.loads(file.read_bytes())["tasks"]
    assert (row["reached"], row["reported"], row["user_faults"]) == (100, 0, 0)


def test_a_budget_that_is_spent_ends_a_run_which_goes_on_with_more(
    run: Run, tmp_path: Path
) -> None:
    bot, out, file = tmp_path / "bot.py", tmp_path / "run", tmp_path / "run.json"
    bot.write_text(BOT)
    agent = f"command:{sys.executable} {bot}"
    settings = ("play", "--agent", agent, "--tasks", "weather", "-n", 2, "--out", out)
    done = run(*settings, "--max-calls", 3)
    assert done.code == 2
    assert "all 3 requests are made" in done.err
    assert not out.exists()
    assert "all 3 requests are made" in run(*settings, "--max-calls", 3).err  # none was left
    assert run(*settings, "--json", file).code == 0
    assert not list(out.glob(".*"))
    figures = json.loads(file.read_bytes())
    spent = figures["all"]["spent"]
    assert spent["calls"] == figures["tasks"][0]["spent"]["calls"] + 3  # of the first try
    assert spent["latency"] > 0
    assert spent["cost"] == 0


def test_dialogues_before_the_end_of_a_budget_are_kept(run: Run, tmp_path: Path) -> None:
    bot, out, file = tmp_path / "bot.py", tmp_path / "run", tmp_path / "run.json"
    bot.write_text(BOT)
    agent = f"command:{sys.executable} {bot}"
    settings = ("play", "--agent", agent, "--tasks", "weather", "-n", 6)
    assert run(*settings, "--out", tmp_path / "whole", "--json", file).code == 0
    whole = json.loads(file.read_bytes())["all"]["spent"]["calls"]
    done = run(*settings, "--out", out, "--max-calls", whole - 1)
    assert done.code == 2
    path = done.err.split("dialoom show ")[1].strip()
    assert run("show", path, "--json", file).code == 0
    assert len(file.read_bytes().splitlines()) == 5
    assert run(*settings, "--out", out, "--json", file).code == 0
    total = json.loads(file.read_bytes())["all"]["spent"]["calls"]
    assert total > whole  # the last dialogue was paid for twice
    assert not list(out.glob("unfinished*"))
    assert read_run(out).summary["all"]["spent"]["calls"] == total
    assert run("play", "judge", out, "--at-most", f"calls={total - 1}").code == 1


def test_thresholds_and_test_cases(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "play.xml"
    settings = ("play", "--agent", "silent", "--tasks", "weather", "-n", 3, "--junit", file)
    done = run(*settings, "--out", tmp_path / "a", "--at-least", "success=50", "--annotate")
    assert done.code == 1
    assert done.out.count("::error title=weather-") == 3
    assert "success 0.0 is below 50" in done.out
    assert file.read_bytes().count(b"<failure ") == 3
    assert run(*settings, "--out", tmp_path / "b", "--at-least", "success=0,cost=0").code == 0


def test_test_cases_on_standard_output(run: Run, tmp_path: Path) -> None:
    settings = ("play", "--tasks", "weather", "-n", 1, "--out", tmp_path / "a", "--junit", "-")
    done = run(*settings)
    assert done.code == 0
    assert done.out.startswith("<?xml") and done.out.rstrip().endswith("</testsuites>")
    assert run(*settings, "--json", "-").refused("--json", "--junit")


def test_a_run_is_judged_again(run: Run, tmp_path: Path) -> None:
    old, new, file = tmp_path / "old", tmp_path / "new", tmp_path / "again.json"
    assert run("play", "--tasks", "weather", "-n", 3, "--seed", 7, "--out", old).code == 0
    done = run("play", "judge", old, "--out", new, "--json", file, "--at-least", "success=50")
    assert (done.code, done.err) == (0, "")
    assert json.loads(file.read_bytes())["changed"] == []
    assert tree(old) == tree(new)
    assert run("play", "judge", new, "--at-least", "turns=1").code == 1


def test_a_run_is_written_as_results_of_tau2(run: Run, tmp_path: Path) -> None:
    out, file, report = tmp_path / "run", tmp_path / "tau2.json", tmp_path / "report.json"
    settings = ("--tasks", "bank_balance", "-n", 2, "--seed", 7, "--user", "simulated:scripted")
    assert run("play", *settings, "--out", out).code == 0
    assert run("tau2", out, "--out", file, "--json", report).code == 0
    assert len(json.loads(file.read_bytes())["simulations"]) == 2
    assert json.loads(report.read_bytes())["loss"].keys() == {
        "annotated utterances",
        "further questions of users",
    }
    again = ("--goals", file, "--out", tmp_path / "again", "--json", report)
    assert run("play", *settings, *again).code == 0
    assert json.loads(report.read_bytes())["all"]["trials"] == 2


def test_workers_make_no_difference(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    for workers in (1, 2):
        settings = ("--tasks", "trivia,weather", "-n", 20, "--workers", workers)
        own = ("--at-once", workers, "--out", tmp_path / str(workers))
        assert run("play", *settings, *own).code == 0
    assert tree(tmp_path / "1") == tree(tmp_path / "2")


def test_killed_and_started_again(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_shards_small(monkeypatch)
    settings = (
        "play",
        "--tasks",
        "weather",
        "-n",
        PER_SHARD + 10,
        "--seed",
        2,
        "--out",
        tmp_path / "out",
    )
    assert killed(1, *settings).returncode == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert run(*settings, "--agent", "silent").refused("other settings")
    assert run(*settings).code == 0
    assert run(*settings[:-1], tmp_path / "whole").code == 0
    assert tree(tmp_path / "out") == tree(tmp_path / "whole")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (("--agent", "butler"), ("unknown agent 'butler'", "flow")),
        (("--agent", "flow:fast"), ("takes no settings",)),
        (("--agent", "command:nosuchcommand"), ("nosuchcommand is no command",)),
        (("--agent", "http:localhost"), ("should be an http address",)),
        (("--agent", "openai:small"), ("name model and address",)),
        (("--user", "simulated:hapy"), ("unknown kind of simulated user", "happy")),
        (("--trials", "0"), ("--trials 0", "from 1")),
        (("--tasks", "wether"), ("unknown task", "weather")),
    ],
)
def test_bad_input(run: Run, tmp_path: Path, settings: tuple[str, ...], words: tuple[str]) -> None:
    assert run("play", *settings, "--out", tmp_path / "out").refused(*words)
    assert not any(tmp_path.iterdir())
