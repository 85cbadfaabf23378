"""Runs and results in the studio: scores, failures, dialogues, and the lines of tasks."""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.collect.log.serving import announce
from dialoom.play.results.paired import compare
from dialoom.play.results.run import read_run
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack
from dialoom.studio.folder import StudioFolder
from dialoom.studio.runs.played import places
from dialoom.studio.runs.recognising import recognise
from dialoom.studio.tasks import recognise as recognise_task
from tests.bench.report_sample import SLIP, write_run

Get = Callable[..., Any]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make runs of two agents with the same users."""
    folder = tmp_path_factory.mktemp("played")
    for agent in ("flow", "reciter"):
        make_run(plan_of((pack.load("weather"),), agent, "simulated", 2, 2, 7), folder / agent)
    other = plan_of((pack.load("weather"),), "silent", "simulated", 2, 1, 8)
    make_run(other, folder / "other")
    return folder


@pytest.fixture
def get(client: TestClient, folder: Path, played: Path) -> Get:
    for run in played.iterdir():
        (folder / run.name).mkdir()
        for file in run.rglob("*"):
            target = folder / run.name / file.relative_to(run)
            target.parent.mkdir(exist_ok=True, parents=True)
            if file.is_file():
                target.write_bytes(file.read_bytes())
    write_run(folder, "scores")

    def asked(address: str, status: int = 200, **values: Any) -> Any:
        answer = client.get(f"/api/runs/{address}", params=values)
        assert answer.status_code == status, answer.text
        return answer.json()

    return asked


def test_runs_results_and_studies_are_recognised(get: Get, folder: Path) -> None:
    assert recognise(folder / "flow") == ("run", "flow")
    assert recognise(folder / "scores.json") == ("result", "star-zero-shot-domain")
    assert recognise(folder / "scores.jsonl") is None
    assert recognise(folder / "weather.yaml") is None
    assert recognise(folder / "nowhere") is None
    with sqlite3.connect(folder / "study.sqlite") as database:
        for table in ("meta", "record", "lease"):
            database.execute(f"CREATE TABLE {table} (x)")
    assert recognise(folder / "study.sqlite") == ("study", "")


def test_a_run_has_its_scores_and_failures(get: Get, folder: Path) -> None:
    report, run = get("run", path="reciter"), read_run(folder / "reciter")
    assert report["success"] == [run.success]
    assert {row["id"]: row["failure"] for row in report["dialogues"]} == {
        each.dialogue.id: failure for failure, each in run.missed()
    } | {each.dialogue.id: None for each in run.dialogues if each.played.passed}
    assert {"Scores", "pass^k", "Success by task, in per cent"} <= {
        table["title"] for table in report["tables"]
    }


def test_two_runs_are_paired(get: Get, folder: Path) -> None:
    report = get("run", path="flow", other="reciter")
    expected = compare(read_run(folder / "flow"), read_run(folder / "reciter"))
    pairs = next(table for table in report["tables"] if table["title"] == "Pairs")
    assert [row[1] for row in pairs["rows"]] == [
        str(expected.outcomes.get(pair, 0))
        for pair in ((True, True), (True, False), (False, True), (False, False))
    ]
    assert pairs["numeric"][:2] == [False, True]
    others = {row["id"]: row["other"] for row in report["dialogues"]}
    assert None not in others.values()


def test_runs_of_other_goals_are_not_paired(get: Get) -> None:
    report = get("run", path="flow", other="other")
    assert "seed" in report["unpaired"] or "trials" in report["unpaired"]
    assert len(report["names"]) == 1


def test_a_failed_dialogue_leads_to_the_lines_of_its_task(get: Get, folder: Path) -> None:
    run = get("run", path="reciter")
    failed = next(row for row in run["dialogues"] if row["failure"])
    view = get("dialogue", path="reciter", id=failed["id"])
    assert view["failure"] == failed["failure"]
    assert view["differences"]
    facts = dict(view["facts"])
    assert facts["Goal"]
    assert facts["Database should have"]
    (task,) = view["tasks"]
    assert task["path"] == "weather.yaml"
    lines = (folder / "weather.yaml").read_text().splitlines()
    for name, line in task["lines"].items():
        assert lines[line - 1].strip().startswith(f"{name}:")
    assert task["lines"].keys() & set(view["names"].values())


def test_the_flow_comes_before_slots_of_the_same_name(folder: Path) -> None:
    (folder / "t.yaml").write_text("task: t\nslots:\n  day:\n    type: date\nflow:\n  day:\n")
    (place,) = places(StudioFolder(folder, {"tasks": recognise_task}), ["t"], ["day", "none"])
    assert (place.path, place.lines) == ("t.yaml", {"day": 6})


def test_a_result_has_its_scores_confusions_and_wrong_answers(get: Get, folder: Path) -> None:
    report = get("result", path="scores.json")
    lines = [json.loads(line) for line in (folder / "scores.jsonl").read_text().splitlines()]
    wrong = [line for line in lines if line["gold"] != line["predicted"]]
    assert report["asked"] == len(lines)
    assert sum(each["n"] for each in report["confusions"]) == len(wrong)
    answers = get("wrong", path="scores.json")
    assert answers["total"] == len(wrong)
    top = report["confusions"][0]
    assert top["predicted"] == SLIP
    subset = get("wrong", path="scores.json", gold=top["gold"], predicted=SLIP)
    assert subset["total"] == top["n"]
    assert {row["gold"] for row in subset["rows"]} == {top["gold"]}
    assert get("wrong", path="scores.json", holdout="nothing")["total"] == 0


def test_a_result_without_predictions_has_scores(get: Get, folder: Path) -> None:
    (folder / "scores.jsonl").unlink()
    report = get("result", path="scores.json")
    assert not report["predictions"]
    assert report["tables"]


@pytest.mark.parametrize(
    ("address", "values", "status"),
    [
        ("run", {"path": "../flow"}, 422),
        ("run", {"path": "weather.yaml"}, 404),
        ("run", {"path": "scores.json"}, 404),
        ("result", {"path": "flow"}, 404),
        ("dialogue", {"path": "flow", "id": "nobody"}, 404),
        ("run", {"path": "flow", "other": "/etc"}, 422),
    ],
)
def test_other_wishes_are_refused(
    get: Get, address: str, values: dict[str, str], status: int
) -> None:
    assert get(address, status, **values)["what"]


def test_all_routes_need_the_token(stranger: TestClient) -> None:
    for address in ("run", "dialogue", "result", "wrong"):
        assert stranger.get(f"/api/runs/{address}?path=flow").status_code == 401


def test_a_study_that_is_served_leads_to_its_admin(folder: Path, client: TestClient) -> None:
    file = folder / "study.sqlite"
    with closing(sqlite3.connect(file)) as database:
        for table in ("meta", "record", "lease"):
            database.execute(f"CREATE TABLE {table} (a)")
    place = "/api/runs/study?path=study.sqlite"
    assert client.get(place).json() == {"admin": None}
    with (folder / "study.sqlite.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        announce(file, "http://127.0.0.1:8000/admin#secret")
        admin = client.get(place).json()["admin"]
    assert admin == "http://127.0.0.1:8000/admin#secret"
