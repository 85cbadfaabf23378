"""Runs that the studio makes: the same as those of `dialoom play`, whole or not at all."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from dialoom.play.results.run import read_run
from dialoom.play.running.plan import make_run, plan_of
from dialoom.schema import pack
from dialoom.studio.app import create_app
from dialoom.studio.runs.making import RunMaker, RunState
from tests.studio.conftest import BASE, TOKEN

WANTED = {"path": "runs/flow", "tasks": ["weather.yaml"], "goals": 2, "trials": 2, "seed": 7}

LONG = {**WANTED, "goals": 100_000}

PATIENCE = 60.0

Make = Callable[..., Any]


@pytest.fixture
def make(client: TestClient) -> Make:
    def asked(status: int = 200, **settings: Any) -> Any:
        answer = client.post("/api/runs/make", json={**WANTED, **settings})
        assert answer.status_code == status, answer.text
        return answer.json()

    return asked


@pytest.fixture
def maker(client: TestClient) -> RunMaker:
    return maker_of(client)


def maker_of(client: TestClient) -> RunMaker:
    maker: RunMaker = client.app.state.run_maker  # type: ignore[attr-defined]
    return maker


def awaited(maker: RunMaker, *, until: Callable[[RunState], bool]) -> RunState:
    """Return the state of a run once it is as wanted."""
    end = time.monotonic() + PATIENCE
    while not until(maker.state):
        assert time.monotonic() < end, maker.state
        time.sleep(0.02)
    return maker.state


def ended(state: RunState) -> bool:
    return state.phase != "playing"


def test_a_run_is_that_of_the_command(
    make: Make, maker: RunMaker, folder: Path, tmp_path: Path
) -> None:
    assert make()["dialogues"] == 4
    state = awaited(maker, until=ended)
    assert (state.phase, state.played) == ("done", 4)
    plan = plan_of((pack.load("weather"),), "flow", "simulated", 2, 2, 7)
    assert read_run(folder / "runs" / "flow").dialogues == make_run(plan, tmp_path / "r").dialogues


def test_a_run_that_is_stopped_leaves_nothing(
    make: Make, maker: RunMaker, client: TestClient, folder: Path
) -> None:
    make(**LONG)
    assert make(422, path="other")["code"] == "busy"
    awaited(maker, until=lambda state: state.played > 0)
    assert client.post("/api/runs/stop", json={}).json()["phase"] == "stopped"
    assert list((folder / "runs").iterdir()) == []


def test_a_run_ends_with_the_server(folder: Path) -> None:
    with TestClient(create_app(folder, TOKEN), BASE) as client:
        maker = maker_of(client)
        client.headers["Authorization"] = f"Bearer {TOKEN}"
        assert client.post("/api/runs/make", json=LONG).status_code == 200
        awaited(maker, until=lambda state: state.played > 0)
    assert maker.state.phase == "stopped"
    assert list((folder / "runs").iterdir()) == []


def test_a_run_that_fails_says_why_and_leaves_nothing(
    make: Make, maker: RunMaker, folder: Path
) -> None:
    (folder / "runs").write_text("a file")
    make()
    state = awaited(maker, until=ended)
    assert state.phase == "failed"
    assert "runs" in state.what
    assert sorted(each.name for each in folder.iterdir()) == ["runs", "weather.yaml"]


@pytest.mark.parametrize(
    ("status", "wanted"),
    [
        (422, {"path": "../out"}),
        (422, {"path": ""}),
        (422, {"path": ".hidden/run"}),
        (422, {"path": "weather.yaml"}),
        (422, {"tasks": []}),
        (422, {"tasks": ["nowhere.yaml"]}),
        (422, {"tasks": ["../secret.yaml"]}),
        (422, {"tasks": ["weather.yaml", "weather.yaml"]}),
        (422, {"agent": "nobody"}),
        (422, {"agent": "command:touch made"}),
        (422, {"agent": "follower:model"}),
        (422, {"user": "replay:elsewhere"}),
        (422, {"user": "simulated:nothing"}),
        (400, {"goals": 0}),
        (400, {"seed": -1}),
    ],
)
def test_other_wishes_are_refused_before_they_begin(
    make: Make, folder: Path, status: int, wanted: dict[str, Any]
) -> None:
    before = sorted(folder.parent.rglob("*"))
    assert make(status, **wanted)["what"]
    assert sorted(folder.parent.rglob("*")) == before


def test_all_choices_can_be_made_without_an_address(client: TestClient) -> None:
    choices = client.get("/api/runs/choices").json()
    names = {side: {each["name"]: each for each in choices[side]} for side in ("agents", "users")}
    assert {"flow", "follower", "reciter"} <= names["agents"].keys()
    assert not {"command", "replay"} & {*names["agents"], *names["users"]}
    assert names["agents"]["http"]["address"]
    assert choices["users"][0]["name"] == "simulated"
    for each in choices["users"]:
        if not each["address"] and each["name"] != "simulated:multi":
            plan_of((pack.load("weather"),), "flow", each["name"], 1, 1, 0)


def test_routes_need_the_token(stranger: TestClient, folder: Path) -> None:
    for route in ("make", "stop"):
        assert stranger.post(f"/api/runs/{route}", json=WANTED).status_code == 401
    for route in ("choices", "progress"):
        assert stranger.get(f"/api/runs/{route}").status_code == 401
    assert not (folder / "runs").exists()
