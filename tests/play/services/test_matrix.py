"""Users and systems of services, by rules and learnt, each with each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dialoom import formats
from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_training
from dialoom.bench.core.protocol import examples
from dialoom.bench.core.saved import plan_training, record, training
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.cli.app import app
from dialoom.dialogue import (
    GOLD,
    USER,
    Act,
    Argument,
    Constraint,
    Event,
    Layer,
    Part,
    Query,
    Result,
    Utterance,
)
from dialoom.errors import UsageError
from dialoom.learn.saved import save
from dialoom.models import MODELS
from dialoom.play.services.goals import annotated_plan, goals, reached
from dialoom.schema.values.forms import surface_form

MODELS_OF = {"user": "act-policy", "policy": "act-policy", "calls": "call-policy"}


def tell(city: str) -> Utterance:
    act = Act("INFORM", (Argument("city", (city,)),))
    return Utterance(agent=USER, text=city, layers=(Layer(GOLD, (Part("Cafes_1", acts=(act,)),)),))


def find(city: str) -> Query:
    where = (Constraint("city", "equal", (city,)),)
    return Query(id="1", api="Find", service="Cafes_1", constraints=where)


def test_a_goal_is_reached_by_a_call_as_wanted_that_finds_something() -> None:
    intents = {"Cafes_1": ("Find",)}
    hit, nothing = Result(query="1", items=({"name": "Blue Door"},)), Result(query="1")
    events: list[Event] = [tell("York"), find("York"), hit]
    assert reached(intents, events)
    assert not reached(intents, [tell("York"), find("York"), nothing])
    assert not reached(intents, [tell("York"), find("Bath"), hit])
    assert not reached({"Cafes_1": ("Find", "Book")}, events)
    assert reached(intents, [tell("Bath"), tell("York"), find("York"), hit])


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return models that learnt from simulated dialogues, in files."""
    root = tmp_path_factory.mktemp("corpora")
    simulate(Simulated("sgd", 30, 1, "dining,coaches"), root / "sgd")
    files = {}
    for name, model in MODELS_OF.items():
        protocol = PROTOCOLS.get(f"sgd-{name}")
        plan = plan_training(protocol, open_training(protocol, root), protocol.settings())
        learner = MODELS.get(model)()
        learner.fit(examples(training(plan)), plan.train_schemas)
        files[name] = root / f"{name}.model"
        save(learner, files[name], *record(plan, training(plan)))
    return files


def test_each_user_reaches_goals_with_each_system(models: dict[str, Path], tmp_path: Path) -> None:
    options = ["--user", models["user"], "--system", models["policy"], "--calls", models["calls"]]
    args = [
        "cross-play",
        *map(str, options),
        "-n",
        "4",
        "--seed",
        "3",
        "--tasks",
        "dining,coaches",
    ]
    runs = []
    for name in "ab":
        out = ["--out", str(tmp_path / name), "--json", str(tmp_path / f"{name}.json")]
        done = CliRunner().invoke(app, [*args, *out])
        assert done.exit_code == 0, done.output
        runs.append((tmp_path / f"{name}.json").read_bytes())
    assert runs[0] == runs[1]
    pairs = {(row["user"], row["system"]): row for row in json.loads(runs[0])["pairs"]}
    assert len(pairs) == 4
    assert pairs["rules", "rules"]["reached"] > 90
    assert min(row["reached"] for row in pairs.values()) > 30
    corpus = formats.load(tmp_path / "a" / "learnt-user-learnt-system", "sgd")
    assert len(list(corpus.dialogues())) == 4


def test_what_users_of_annotated_dialogues_wanted_is_reached(models: dict[str, Path]) -> None:
    options = ["--user", models["user"], "--system", models["policy"], "--calls", models["calls"]]
    args = ["cross-play", *map(str, options), "--goals", str(models["user"].parent / "sgd")]
    done = CliRunner().invoke(app, [*args, "-n", "3", "--json", "-"])
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["run"]["preset"] == "annotated"
    pairs = {(row["user"], row["system"]): row for row in report["pairs"]}
    assert pairs["rules", "rules"]["reached"] == 100
    assert {row["dialogues"] for row in pairs.values()} == {3}
    refused = CliRunner().invoke(app, [*args, "--tasks", "dining"])
    assert isinstance(refused.exception, UsageError)


def test_users_want_in_the_end_what_the_goal_has_last(tmp_path: Path) -> None:
    simulate(Simulated("sgd", 6, 1, "dining"), tmp_path / "sgd")
    plan = annotated_plan(tmp_path / "sgd", 1, 0)
    recorder = plan.recorder(plan.world(), 0)
    session = recorder.turn_to_next()
    goal, *_ = goals(recorder)
    assert goal.service == session.provider.name
    assert [call.name for call in session.calls] == list(goal.intents)
    for name, values in goal.values.items():
        assert session.wish(name) == values[0]
        session.set_value(session.provider.slots[name], surface_form(name, "other", ("other",)))
        assert session.wish(name) == values[-1]
