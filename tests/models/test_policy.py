"""Policies over acts: what is read of a dialogue, goals of users, what is learnt of both sides."""

from __future__ import annotations

import pytest

from dialoom.bench import PROTOCOLS
from dialoom.bench.core.data import open_data
from dialoom.bench.core.making import NamedModel
from dialoom.bench.core.protocol import Plan, examples
from dialoom.bench.core.results import summarise
from dialoom.bench.core.run import run
from dialoom.bench.suite.experiments import Simulated
from dialoom.bench.suite.running import simulate
from dialoom.dialogue import (
    GOLD,
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Event,
    Layer,
    NextActs,
    Part,
    Query,
    Question,
    Result,
    ServiceAct,
    ServiceGoal,
    State,
    Utterance,
)
from dialoom.dialogue.annotation import Value
from dialoom.errors import UsageError
from dialoom.models.policy.acts import ActPolicy
from dialoom.models.policy.learner import pattern_of
from dialoom.models.policy.service_log import DialogueLog, goals_of
from dialoom.schema.service import Service, ServiceIntent, ServiceSlot
from dialoom.schema.services import from_service
from tests.make import refuses

CAFES = from_service(
    "Cafes_1",
    Service(
        slots=tuple(ServiceSlot(name=name) for name in ("city", "name", "seats", "phone")),
        intents=(
            ServiceIntent(name="Find", required=("city",), results=("name", "city", "phone")),
            ServiceIntent(
                name="Book",
                transactional=True,
                required=("name",),
                optional={"seats": "2"},
                results=("name", "seats"),
            ),
        ),
    ),
)


def act(name: str, slot: str = "", *values: str) -> Act:
    return Act(name, (Argument(slot, values),) if slot else ())


def said(agent: str, *acts: Act, state: State | None = None) -> Utterance:
    part = Part("Cafes_1", acts=acts, state=state)
    return Utterance(agent=agent, text="…", layers=(Layer(GOLD, (part,)),))


def call(number: str, api: str, **given: str) -> Query:
    constraints = tuple(Constraint(slot, "equal", (value,)) for slot, value in given.items())
    return Query(id=number, api=api, service="Cafes_1", constraints=constraints)


DOOR = {"name": "Blue Door", "city": "York", "phone": "1"}

EVENTS: tuple[Event, ...] = (
    said(USER, act("INFORM_INTENT", "intent", "Find"), state=State("Find")),
    said(SYSTEM, act("REQUEST", "city")),
    said(USER, act("INFORM", "city", "York"), state=State("Find", (), {"city": ("York",)})),
    call("1", "Find", city="York"),
    Result(query="1", items=(DOOR, {**DOOR, "name": "Old Oak"})),
    said(SYSTEM, act("OFFER", "name", "Blue Door"), act("INFORM_COUNT", "count", "2")),
    said(USER, act("REQUEST", "phone")),
    said(SYSTEM, act("INFORM", "phone", "1")),
    said(USER, act("SELECT"), act("INFORM_INTENT", "intent", "Book"), state=State("Book")),
    said(SYSTEM, act("CONFIRM", "name", "Blue Door"), act("CONFIRM", "seats", "2")),
    said(USER, act("NEGATE"), act("INFORM", "seats", "4")),
    said(SYSTEM, act("CONFIRM", "name", "Blue Door"), act("CONFIRM", "seats", "4")),
    said(USER, act("AFFIRM")),
)


def log_of(length: int) -> DialogueLog:
    log = DialogueLog({"Cafes_1": CAFES})
    for event in EVENTS[:length]:
        log.observe(event)
    return log


def test_what_is_missing_and_known_follows_from_acts() -> None:
    request = log_of(2).current
    assert (request.intent, request.missing, request.asked) == ("Find", ["city"], ("city",))
    assert log_of(3).current.parameters() == {"city": "York"}
    finding = log_of(5).current
    assert finding.fresh
    assert finding.next_item == DOOR
    offered = log_of(6).current
    assert (offered.offered, offered.item) == ({"name": "Blue Door"}, DOOR)
    assert offered.next_item["name"] == "Old Oak"


def test_what_was_confirmed_and_corrected_is_booked() -> None:
    assert log_of(10).current.parameters() == {"name": "Blue Door", "seats": "2"}
    assert log_of(13).current.parameters() == {"name": "Blue Door", "seats": "4"}
    assert log_of(13).current.done == {"Find"}


def test_a_goal_is_what_the_user_came_to_want() -> None:
    dialogue = Dialogue(id="d", events=EVENTS)
    values: dict[str, tuple[Value, ...]] = {"city": ("York",), "seats": ("4",)}
    assert goals_of(dialogue) == (ServiceGoal("Cafes_1", ("Find", "Book"), values, ("phone",)),)


def test_a_pattern_tells_the_current_service_from_the_next_one() -> None:
    acts = [ServiceAct(act("SELECT"), "A"), ServiceAct(act("INFORM", "x"), "B")]
    assert pattern_of(acts, ("A", "B")) == (("SELECT",), ("INFORM",))
    assert pattern_of(acts, ("A", "")) == (("SELECT", "INFORM"), ())
    assert pattern_of(acts[1:], ("A", "B")) == ((), ("INFORM",))


@pytest.fixture(scope="module")
def user_plan(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """Return the plan of `sgd-user` on simulated dialogues."""
    root, protocol = tmp_path_factory.mktemp("corpora"), PROTOCOLS.get("sgd-user")
    for part, number, seed in (("train", 60, 1), ("dev", 15, 2)):
        simulate(Simulated("sgd", number, seed, "dining,coaches"), root / "sgd" / part)
    return protocol.plan(open_data(protocol, root, [root], "dev"), protocol.settings())


def test_a_user_is_learnt_from_dialogues_with_goals(user_plan: Plan) -> None:
    make = NamedModel("act-policy", {})
    scores = summarise(user_plan, run(user_plan, make), make(), samples=2).scores
    assert scores["act_slot_f1"].value > 76  # 79.3


def test_a_user_sees_no_calls_and_no_results(user_plan: Plan) -> None:
    for target in user_plan.holdouts[0].test:
        assert all(isinstance(event, Utterance) for event in target.seen)
        assert target.asked.agent == USER


def test_a_model_of_users_says_that_it_knows_nothing_of_systems(user_plan: Plan) -> None:
    train = examples(user_plan.holdouts[0].train[:200])
    model = ActPolicy()
    model.fit(train, user_plan.train_schemas)
    question = train[0].question
    probe = Question(question.dialogue, question.event, NextActs(SYSTEM))
    with refuses(UsageError, "wrong-kind", "user", "system"):
        model.predict([probe], user_plan.schemas)
