"""Tasks whose flow opens with a turn of the system: played, served, and checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Utterance
from dialoom.dialogue.views import label
from dialoom.play.agents.base import AGENTS
from dialoom.play.results.summary import played, summarise
from dialoom.play.running.goal_check import check_goals
from dialoom.play.running.live import LiveDialogue, LiveGoals
from dialoom.play.running.plan import plan_of
from dialoom.schema import pack
from dialoom.schema.task import TaskSchema
from tests.cli.runner import Run

TASK = """
task: kettle_shop
domain: shops
language: en
description: a shop that sells kettles

slots:
  colour:
    type: category
    description: colour of the kettle
    values: {red: [], green: [], blue: []}
  size:
    type: category
    description: size of the kettle
    values: {small: [little], large: [big]}
  whistle:
    type: boolean
    description: whether the kettle whistles
    need: optional

tables:
  sales:
    rows: 0
    columns:
      colour: {slot: colour}
      size: {slot: size}
      whistle: {slot: whistle}

apis:
  sell:
    effect: insert
    table: sales
    inputs:
      colour: {slot: colour, required: true}
      size: {slot: size, required: true}
      whistle: {slot: whistle}
    answers:
      done: {}

flow:
  welcome:
    system: ["Welcome to the kettle shop.", "This is the kettle shop."]
    then: [offer]
  offer:
    system: ["What may I get you?", "What are you looking for?"]
    then: [wish]
  wish:
    user: ["I want to buy a kettle.", "A kettle, please.", "Do you sell kettles?"]
    then: [ask_colour]
  ask_colour:
    system: ["Which colour should it have?", "In what colour?"]
    asks: [colour]
    then: [give_colour]
  give_colour:
    user: ["In {colour}.", "{colour}, please.", "I would like it {colour}."]
    then: [ask_size]
  ask_size:
    system: ["Which size do you need?", "How large should it be?"]
    asks: [size]
    then: [give_size]
  give_size:
    user: ["A {size} one.", "{size}, please.", "I need it {size}."]
    then: [ask_whistle]
  ask_whistle:
    system: ["Shall it whistle, yes or no?", "With a whistle, yes or no?"]
    asks: [whistle]
    then: [give_whistle, any_whistle]
  give_whistle:
    user: ["{whistle}.", "I would say {whistle}.", "{whistle} to that."]
    then: [sell]
  any_whistle:
    user: ["I have no preference.", "That does not matter.", "No wish there."]
    gives_none: true
    then: [sell]
  sell:
    call: sell
    then: [sold]
  sold:
    result: done
    then: [goodbye]
  goodbye:
    system: ["Here is your kettle. Goodbye!", "It is yours now, goodbye."]
"""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.yaml"
    file.write_text(TASK, encoding="utf-8")
    return file


def dialogues_of(
    *tasks: TaskSchema, agent: str = "flow", user: str = "simulated", goals: int = 4
) -> list[Dialogue]:
    plan = plan_of(tasks, agent, user, goals, 1, 5)
    source = plan.source()
    return [source(index) for index in range(plan.dialogues)]


def success(dialogues: list[Dialogue]) -> tuple[float, float, int]:
    figures = summarise([one for each in dialogues if (one := played(each))])["all"]
    return figures["success"], figures["adherence"], figures["user_faults"]


@pytest.mark.parametrize("agent", ["oracle", "flow"])
@pytest.mark.parametrize("user", ["simulated", "simulated:unhappy,brief"])
def test_a_user_greets_and_hears_the_opening(shop: Path, agent: str, user: str) -> None:
    dialogues = dialogues_of(pack.resolve(shop), agent=agent, user=user)
    assert success(dialogues) == (100, 100, 0)
    for dialogue in dialogues:
        turns = [event for event in dialogue.events if isinstance(event, Utterance)]
        assert [event.agent for event in turns[:3]] == [USER, SYSTEM, SYSTEM]
        assert [label(event) for event in turns[:3]] == [None, "welcome", "offer"]


def test_any_reply_to_the_greeting_is_taken_for_the_opening(shop: Path) -> None:
    (dialogue,) = dialogues_of(pack.resolve(shop), agent="silent", goals=1)
    labels = [label(event) for event in dialogue.events if isinstance(event, Utterance)]
    assert labels[:2] == [None, "wish"]


def test_a_wish_at_once_leaves_the_opening_out(shop: Path) -> None:
    goals = LiveGoals({"kettle_shop": pack.resolve(shop)}, 5)
    live = LiveDialogue(goals.goal("kettle_shop", 0), AGENTS.made("flow"))
    (_, answer) = live.say("I want to buy a kettle.")
    assert isinstance(answer, Utterance)
    assert label(answer) == "ask_colour"


@pytest.mark.parametrize("greeting", ["Hello, hope you are well", "Hi there!", "I need some help"])
def test_words_of_no_task_are_answered_with_the_opening(shop: Path, greeting: str) -> None:
    goals = LiveGoals({"kettle_shop": pack.resolve(shop)}, 5)
    live = LiveDialogue(goals.goal("kettle_shop", 0), AGENTS.made("flow"))
    (_, *replies) = live.say(greeting)
    labels = [label(event) for event in replies if isinstance(event, Utterance)]
    assert labels == ["welcome", "offer"]


def test_a_value_at_once_is_not_asked_for_again(shop: Path) -> None:
    goals = LiveGoals({"kettle_shop": pack.resolve(shop)}, 5)
    live = LiveDialogue(goals.goal("kettle_shop", 0), AGENTS.made("flow"))
    (_, answer) = live.say("Hello! I want to buy a kettle in green.")
    assert isinstance(answer, Utterance)
    assert label(answer) == "ask_size"


def test_an_example_of_the_task_has_no_value_in_it(shop: Path) -> None:
    goals = LiveGoals({"kettle_shop": pack.resolve(shop)}, 5)
    live = LiveDialogue(goals.goal("kettle_shop", 0), AGENTS.made("flow"))
    for text in ("A kettle, please.", "In red.", "small, please."):
        live.say(text)
    (query,) = (each for each in live.say("I have no preference.") if isinstance(each, Query))
    assert [each.slot for each in query.constraints] == ["colour", "size"]


def test_the_second_of_several_tasks_is_not_greeted_again(shop: Path) -> None:
    dialogues = dialogues_of(pack.load("weather"), pack.resolve(shop), user="simulated:multi")
    assert success(dialogues)[0] == 100
    for dialogue in dialogues:
        unlabelled = [
            event
            for event in dialogue.events
            if isinstance(event, Utterance) and event.agent == USER and label(event) is None
        ]
        assert unlabelled == [event for event in dialogue.events[:1] if event in unlabelled]


def test_goals_have_one_end(shop: Path) -> None:
    assert list(check_goals(pack.resolve(shop), 7, 5)) == []


def test_the_doctor_finds_nothing_wrong(run: Run, shop: Path) -> None:
    assert run("schema", "doctor", shop, "-n", "40").code == 0


@pytest.mark.parametrize("command", ["play", "doctor", "serve"])
def test_a_task_without_a_flow_is_refused_alike(run: Run, tmp_path: Path, command: str) -> None:
    file = tmp_path / "talk.yaml"
    file.write_text("task: talk\ndomain: talk\nlanguage: en\nslots: {}\nflow: {}\n")
    commands = {
        "play": ("play", "--tasks", file, "--out", tmp_path / "run"),
        "doctor": ("schema", "doctor", file),
        "serve": ("serve", "--tasks", file, "--db", tmp_path / "chats.sqlite"),
    }
    assert run(*commands[command]).refused(str(file))
    assert sorted(tmp_path.iterdir()) == [file]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("folder", "task", "least"),
    [
        ("sgd", "Restaurants_1", 90),
        ("sgd", "Hotels_1", 90),
        ("sgd", "Banks_1", 90),
        ("sgd", "RideSharing_2", 90),
        ("sgd", "Travel_1", 90),
        ("sgd", "Music_2", 90),
        ("sgd", "Services_1", 90),
        ("taskmaster1", "movie_ticket", 90),
        ("taskmaster1", "pizza_ordering", 90),
    ],
)
def test_imported_tasks_are_played(
    run: Run, corpora: Path, tmp_path: Path, folder: str, task: str, least: int
) -> None:
    file = tmp_path / "task.yaml"
    source = corpora / folder
    assert run("schema", "import", source, "--task", task, "--out", file).code == 0
    imported = pack.resolve(file)
    assert success(dialogues_of(imported, goals=10))[0] >= least
    assert success(dialogues_of(imported, agent="oracle", goals=10)) == (100, 100, 0)
