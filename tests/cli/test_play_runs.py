"""`dialoom play compare`: figures of users, and the difference of two agents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import Run

TASKS = ("--tasks", "hotel_book,weather", "-n", 4, "--seed", 7)


def compared(run: Run, tmp_path: Path, *runs: Path) -> Any:
    file = tmp_path / "found.json"
    done = run("play", "compare", *runs, "--json", file)
    assert (done.code, done.err) == (0, "")
    return json.loads(file.read_bytes())


def test_kinds_of_users_stand_side_by_side(run: Run, tmp_path: Path) -> None:
    plain, terse, models = tmp_path / "plain", tmp_path / "terse", tmp_path / "simulated"
    assert run("play", *TASKS, "--out", plain).code == 0
    assert run("play", *TASKS, "--traits", "terse", "--out", terse).code == 0
    simulate = ("simulate", "--tasks", "hotel_book", "-n", 10, "--seed", 1, "--out", models)
    assert run(*simulate).code == 0
    report = compared(run, tmp_path, plain, terse, models)
    one, other, third = report["users"].values()
    assert (one["dialogues"], other["dialogues"], third["dialogues"]) == (8, 8, 10)
    assert one["words"] > other["words"]
    assert (one["success"], third["success"]) == (100, None)
    assert report["success"] == {}  # other users: agents are not compared


def test_agents_of_the_same_users_differ_by_an_interval(run: Run, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    assert run("play", *TASKS, "--out", one).code == 0
    assert run("play", *TASKS, "--agent", "silent", "--out", other).code == 0
    (contrast,) = compared(run, tmp_path, one, other)["success"].values()
    assert (contrast["difference"], contrast["goals"]) == (-100, 8)
    low, high = contrast["interval"]
    assert low == -100
    assert -100 < high < -50  # eight goals leave some doubt
    assert contrast["needed"] > 8


def test_the_goals_that_a_precision_needs(run: Run, tmp_path: Path) -> None:
    done = run("play", *TASKS, "--precision", 5, "--out", tmp_path / "run")
    assert done.code == 0
    assert "5 points to either side need some 73 independent goals" in done.out


@pytest.mark.parametrize("traits", ["patient", "terse,talkative", "none.json"])
def test_traits_that_are_none(run: Run, tmp_path: Path, traits: str) -> None:
    done = run("play", *TASKS, "--traits", traits, "--out", tmp_path / "run")
    assert done.code == 2
    assert done.err.count("\n") == 1


def test_a_recorded_user_has_no_traits(run: Run, tmp_path: Path) -> None:
    assert run("play", *TASKS, "--out", tmp_path / "one").code == 0
    settings = ("--user", f"replay:{tmp_path / 'one'}", "--traits", "terse")
    assert run("play", *TASKS, *settings, "--out", tmp_path / "two").code == 2
