"""People who talk with an agent have the goals of simulated users, and one table compares them."""

from __future__ import annotations

from pathlib import Path

import pytest

import dialoom
from dialoom.collect.export import export
from dialoom.collect.settings import Settings, Stage
from dialoom.dialogue import USER, Dialogue, Utterance
from dialoom.play.results.users import compare_users
from tests.serve.page import Page
from tests.serve.served import Served, served

GOALS, SEED = 3, 5
TALK = Stage(name="talk", kind="bot", tasks=("weather",), agents=("flow",), pay=50)


def talk(study: Served, worker: str, run: list[Dialogue]) -> None:
    """Let a person say what the simulated user with the same goal said, and rate the agent."""
    page: Page = study.page(None, worker=worker)
    page.do("consent")
    page.until_step("room")
    unit = study.hub.study.units[page.state["room"]["number"]]
    spoken = run[unit.item.content["goal"]]
    for event in spoken.events:
        if isinstance(event, Utterance) and event.agent == USER:
            many = len(page.said())
            page.do("say", text=f"{event.text} please")
            while len(page.said()) < many + 2:  # theirs and the answer
                page.receive()
            page.until_turn()
    page.do("accomplish")
    page.until_state(lambda state: state["room"]["problems"][0]["code"] == "unrated")
    for part, value in (("rating", 4), ("reached", True)):
        page.do("save", part=part, rev=0, value=value)
    page.do("submit")
    page.until_step("done")
    page.shut()


def test_people_and_simulated_users_are_compared_on_the_same_goals(tmp_path: Path) -> None:
    run = dialoom.play("flow", tasks="weather", n=GOALS, seed=SEED, out=tmp_path / "run")
    lines = [each.dialogue for each in run.dialogues]
    settings = Settings(stages=(TALK,), scenarios=GOALS, seed=SEED)
    with served(tmp_path / "study.sqlite", settings) as study:
        for number in range(GOALS):
            talk(study, f"p-{number}", lines)
        export(study.opened.store, "native", tmp_path / "people")
    comparison = compare_users({n: dialoom.load(tmp_path / n) for n in ("people", "run")})
    people, simulated = comparison.values()
    assert (people["dialogues"], people["goals"], simulated["shared_goals"]) == (3, 3, 3)
    assert (people["reached"], people["rating"]) == (100, 4)
    assert people["intervals"]["reached"][1] == 100 > people["intervals"]["reached"][0] > 0
    differences = simulated["differences"]
    assert (differences["turns"]["value"], differences["turns"]["paired"]) == (0, True)
    assert differences["words"]["value"] == pytest.approx(-1)  # people say "please"
    assert differences["rating"] is None
    assert differences["reached"]["interval"][0] < 0 < differences["reached"]["interval"][1]
