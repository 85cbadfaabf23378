"""The page on runs: what it shows, what it compares, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.dialogue import Dialogue
from dialoom.errors import FormatError, MissingDataError, UsageError
from dialoom.play.judging.conduct import CONDUCT
from dialoom.play.results.paired import compare
from dialoom.play.results.report import interval, named, page
from dialoom.play.results.run import PlayedDialogue, PlayRun, read_run
from dialoom.play.results.summary import Played
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack
from tests.cli.runner import Run
from tests.make import refuses


def played_by(folder: Path, agent: str, seed: int = 7) -> PlayRun:
    tasks = (pack.load("hotel_book"), pack.load("weather"))
    plan = plan_of(tasks, agent, "simulated:unhappy", 3, 2, seed)
    return make_run(plan, folder)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[PlayRun]:
    folder = tmp_path_factory.mktemp("runs")
    return [played_by(folder / agent, agent) for agent in ("flow", "silent")]


def scripted(name: str, passes: dict[tuple[str, int, int], bool], **settings: object) -> PlayRun:
    dialogues = [
        PlayedDialogue(
            Dialogue(id=f"{task}-{goal}-{trial}", events=()),
            Played(task, goal, {"reached": passed, "trial": trial, "goal": goal}, {"effects": {}}),
        )
        for (task, goal, trial), passed in passes.items()
    ]
    options = {"agent": name, "user": "simulated", "tasks": {"a": "1"}, "seed": 1, **settings}
    return PlayRun(Path(name), options, dialogues)


TRIALS = [("a" if goal < 20 else "b", goal, trial) for goal in range(40) for trial in range(2)]


def test_the_page_has_a_table_of_what_agents_did_wrong(runs: list[PlayRun]) -> None:
    html = page(runs)
    assert CONDUCT["broken_off"] in html
    assert CONDUCT["forbidden"] not in html


def test_the_page_says_what_its_intervals_are_over(runs: list[PlayRun]) -> None:
    html = page(runs)  # of two tasks, which are too few
    assert "95 % intervals over goals." in html
    assert "intervals over tasks" not in html


def test_agents_that_are_alike_differ_by_luck() -> None:
    one = scripted("one", {trial: trial[1] % 2 == 0 for trial in TRIALS})
    other = scripted("other", {trial: trial[1] % 2 == 1 for trial in TRIALS})
    comparison = compare(one, other)
    assert comparison.outcomes == {(True, False): 40, (False, True): 40}
    assert comparison.difference == 0
    assert comparison.interval[0] < 0 < comparison.interval[1]
    assert comparison.p > 0.5
    same = compare(one, one)
    assert (same.p, same.interval) == (1.0, (0.0, 0.0))


def test_an_agent_that_is_better_is_told_so() -> None:
    one = scripted("one", {trial: trial[1] % 4 == 0 for trial in TRIALS})
    other = scripted("other", {trial: trial[1] % 4 != 1 for trial in TRIALS})
    comparison = compare(one, other)
    assert comparison.difference == 50
    assert 30 < comparison.interval[0] < 50 < comparison.interval[1]
    assert comparison.p < 0.001
    assert comparison.tasks == {"a": 50, "b": 50}
    assert compare(other, one).difference == -50


def test_trials_of_a_goal_do_not_make_an_interval_narrow() -> None:
    one = scripted("one", {("a", goal, t): goal % 2 == 0 for goal in range(20) for t in range(50)})
    (low, high), _ = interval(one, "success")
    assert high - low > 35


def test_the_page_and_the_summary_have_the_same_interval(runs: list[PlayRun]) -> None:
    whole = runs[0].summary["all"]
    bounds, over = interval(scripted("one", dict.fromkeys(TRIALS, True)), "success")
    assert bounds[0] < 100
    assert interval(runs[0], "success") == (whole["pass_hat_interval"]["1"], over)


@pytest.mark.parametrize("setting", ["seed", "goals", "trials", "user", "tasks"])
def test_runs_of_other_goals_are_not_compared(setting: str) -> None:
    one, other = scripted("one", {}), scripted("other", {}, **{setting: "else"})
    with refuses(UsageError, "mismatch", "other", "one", setting):
        compare(one, other)


def test_what_the_page_has(runs: list[PlayRun]) -> None:
    html = page(runs, examples=1)
    titles = ["Scores", "pass^k", "Paired by goal and seed", "Tasks"]
    titles += ["Failures of flow", "Failures of silent", "How it was made"]
    places = [html.index(f"<h2>{title}</h2>") for title in titles]
    assert places == sorted(places)
    assert 'aria-label="pass^k by k"' in html
    assert "only flow" in html
    assert html.count('<div class="beside">') == len(
        {(run.path, failure) for run in runs for failure, _ in run.missed()}
    )
    assert "<dt>Database should have</dt><dd>bookings, added: " in html
    assert "<dd>nothing changed</dd>" in html
    assert page(runs, examples=1) == html


def test_a_page_on_one_run(runs: list[PlayRun]) -> None:
    html = page(runs[:1], examples=0)
    assert "Paired by" not in html
    assert '<div class="beside">' not in html
    assert "<title>flow with simulated:unhappy users</title>" in html


def test_runs_of_one_agent_are_told_apart() -> None:
    runs = [PlayRun(Path(name), {"agent": "flow"}, []) for name in ("a", "b")]
    assert named(runs) == ["flow (a)", "flow (b)"]


def test_the_command(run: Run, runs: list[PlayRun], tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    done = run("report", *(each.path for each in runs), "--out", out, "--errors", "2")
    assert (done.code, done.out) == (0, f"report on 2 runs written to {out}\n")
    assert out.read_text() == page(runs, examples=2)
    first, second = (each.path for each in runs)
    assert run("report", first, second, first).refused("3 folders of play")
    assert run("report", first, "--corpus", first).refused("are about runs of bench")
    assert run("report", tmp_path).refused("no run here")


def test_what_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError):
        read_run(tmp_path)
    (tmp_path / "manifest.json").write_text('{"native": 1, "dialogues": 0, "shards": {}}')
    with refuses(FormatError, "no-file", "--out"):
        read_run(tmp_path)
