"""The pytest plug-in, in a pytest of its own: a bot that passes, one that fails, and none."""

from __future__ import annotations

import shutil
import sys
import tomllib
from pathlib import Path

import pytest

from dialoom.play import pytest_plugin
from dialoom.play.results.run import read_run

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
PLUGIN = pytest_plugin.__name__


@pytest.fixture(autouse=True)
def _sources(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))


def test_pytest_finds_it_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    # of the module's own name, so that -p finds it whether or not dialoom is installed anew
    assert project["entry-points"]["pytest11"] == {PLUGIN: PLUGIN}


def test_the_examples_bot_serves_twenty_users(pytester: pytest.Pytester) -> None:
    for file in (ROOT / "examples" / "bot").glob("*.py"):
        shutil.copy(file, pytester.path)
    done = pytester.runpytest_subprocess("-p", PLUGIN)
    done.assert_outcomes(passed=1)


BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"say": "Good day, what can I do for you?"}), flush=True)
"""

BELOW = """
def test_below(dialoom_run):
    dialoom_run({agent!r}, tasks="weather", goals=3, seed=7, at_least=90)

def test_own_figures(dialoom_run):
    run = dialoom_run(
        {agent!r}, tasks="weather", goals=3, seed=7, at_most={{"no_result": 0}},
        timeout=5.0, rate=99.0, max_calls=50, agent_settings="seed=5",
    )
    assert run.figures["reached"] == 100
    assert (run.folder / "manifest.json").is_file()

def test_told(dialoom_run):
    dialoom_run("flow", tasks="hotel_book", goals=2, trials=2, figure="reported", at_least=100)
    dialoom_run("flow", tasks="weather", goals=4, at_once=4, at_least=100)

def test_options(dialoom_run, tmp_path):
    junit, words = tmp_path / "play.xml", tmp_path / "words.txt"
    words.write_text("idiot")
    run = dialoom_run(
        "flow", tasks="weather", goals=2, forbid=str(words), junit=junit,
        at_least={{"success": 100, "forbidden": 100}}, at_most={{"asked_twice": 0}},
    )
    assert "<testcase" in junit.read_text()
    assert run.figures["asked_twice"] == 0

def test_no_figure(dialoom_run):
    dialoom_run("flow", tasks="weather", goals=1, figure="luck")

def test_no_option(dialoom_run):
    dialoom_run("flow", tasks="weather", goals=1, at_mots={{"no_result": 5}})

def test_more_is_better(dialoom_run):
    dialoom_run("flow", tasks="weather", goals=1, at_most={{"success": 5}})
"""


def test_what_a_bot_below_the_threshold_did(pytester: pytest.Pytester) -> None:
    bot = pytester.makefile(".py", bot=BOT)
    pytester.makepyfile(BELOW.format(agent=f"command:{sys.executable} {bot}"))
    done = pytester.runpytest_inprocess("-p", PLUGIN, f"--basetemp={pytester.path / 'kept'}")
    done.assert_outcomes(passed=3, failed=4)
    done.stdout.fnmatch_lines(
        [
            "success 0.0 is below 90: 3 of 3 dialogues missed their goal",
            "  3 unreported",
            "the first of them, weather-1-1: unreported",
            "*system  Good day, what can I do for you?",
            "  not said: Weather = *",
            "the run lies in *",
            "unknown figure 'luck': known: *",
            "unknown option 'at_mots': did you mean at_most* known: *",
            "--at-most success: more of it is better; *",
        ]
    )
    (run,) = {read_run(folder) for folder in (pytester.path / "kept").glob("dialoom0/run")}
    assert run.settings["goals"] == 3


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("http:http://127.0.0.1:9/", "*http://127.0.0.1:9/: nobody answers*"),
        ("butler", "unknown agent 'butler'*"),
        ("command:nosuchcommand", "*nosuchcommand is no command"),
    ],
)
def test_a_bot_that_is_not_there(pytester: pytest.Pytester, agent: str, words: str) -> None:
    pytester.makepyfile(f'def test_it(dialoom_run): dialoom_run({agent!r}, tasks="weather")')
    done = pytester.runpytest_inprocess("-p", PLUGIN)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([words])
    done.stdout.no_fnmatch_line("*Traceback*")


FAILING = """
def test_failing(dialoom_run):
    dialoom_run({agent!r}, tasks="weather", goals=2)
"""


def test_a_bot_that_ends_fails_the_test_whatever_the_threshold(pytester: pytest.Pytester) -> None:
    bot = pytester.makefile(".py", bot="import sys; sys.stdin.readline(); sys.exit(7)")
    pytester.makepyfile(FAILING.format(agent=f"command:{sys.executable} {bot}"))
    done = pytester.runpytest_inprocess("-p", PLUGIN, "--junit-xml=found.xml")
    done.assert_outcomes(failed=1)
    assert "ended with exit code 7" in done.stdout.str()
    assert "ended with exit code 7" in (pytester.path / "found.xml").read_text()
