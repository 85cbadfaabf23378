"""Rasa's stories and tests: what becomes an event, and which files are no dialogues."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import SYSTEM, USER, Dialogue, Query, Result, Utterance
from dialoom.errors import FormatError, UsageError
from tests.formats.golden import golden
from tests.make import refuses


@pytest.fixture
def found(tmp_path: Path) -> dict[str, Dialogue]:
    return {each.id: each for each in formats.load(golden("rasa", tmp_path)).dialogues()}


def events(dialogue: Dialogue) -> list[Any]:
    return list(dialogue.events)


def part(event: Any) -> Any:
    return event.layers[0].parts[0]


def test_stories_and_tests_of_a_project_are_read(found: dict[str, Dialogue]) -> None:
    assert set(found) == {"light", "light in words", "light by intents", "lamp of a room", "plain"}


def test_marks_of_entities_become_spans_and_arguments(found: dict[str, Dialogue]) -> None:
    user, query, result, done = events(found["light in words"])
    assert isinstance(user, Utterance)
    assert user.text == "Light in the hall and kitchen"
    assert [user.text[s.start : s.end] for s in part(user).spans] == ["hall", "kitchen"]
    (act,) = part(user).acts
    assert (act.name, [a.values for a in act.arguments]) == ("ask_light", [("hall",), ("k",)])
    assert isinstance(query, Query)
    assert query.api == "switch"
    assert result == Result(query=query.id, items=({"room": "hall"},))
    assert done.text == "The lamp in the hall is on."


def test_a_story_of_intents_has_acts_and_keeps_its_other_steps(found: dict[str, Dialogue]) -> None:
    dialogue = found["light by intents"]
    first, greeting, ask, answer = events(dialogue)
    assert [each.agent for each in events(dialogue)] == [USER, SYSTEM, USER, SYSTEM]
    assert (part(first).acts[0].name, first.text) == ("greet", "")
    assert greeting.text == "Hello there!"
    assert part(ask).state.values == {"room": ("hall",)}
    assert [a.slot for a in part(ask).acts[0].arguments] == ["room", "floor"]
    assert answer.text == "Here it is."
    residue = dialogue.extra["rasa"]
    assert residue["metadata"] == {"by": "us"}
    assert [number for number, _ in residue["steps"]] == [0, 1, 4, 5]


def test_assertions_of_a_test_are_events_in_order(found: dict[str, Dialogue]) -> None:
    dialogue = found["lamp of a room"]
    light, ask, no, query, done = events(dialogue)
    assert dialogue.services == ("lamp_on",)
    assert part(light).state.intent == "lamp_on"
    assert ask.text == "Which room?"
    assert (no.text, part(no).state.values) == ("no", {"room": ("hall",)})
    assert query.api == "switch"
    assert done.text == "The lamp in the hall is on."


def test_yes_is_a_text(found: dict[str, Dialogue]) -> None:
    assert events(found["plain"])[0].text == "yes"


def test_stories_in_markdown(found: dict[str, Dialogue]) -> None:
    hello, greeting, ask, query, result = events(found["light"])
    assert (hello.agent, part(hello).acts[0].arguments[0].values) == (USER, ("Ada",))
    assert (greeting.text, ask.text) == ("Hello there!", "light in the hall")
    assert (query.api, result.items) == ("switch", ({"room": "hall"},))


TESTS = """
fixtures:
- member: [{level: gold}, {known: true}]
stub_custom_actions: {look: {events: []}}
test_cases:
- test_case: first
  fixtures: [member]
  steps:
  - user: a lamp
    assertions:
    - flow_started: {operator: all, flow_ids: [lamp, room]}
    - action_executed: utter_on
    - bot_uttered: {utter_name: utter_on, text_matches: It is on.}
    - generative_response_is_relevant: {utter_name: utter_on}
    - generative_response_is_relevant: {threshold: 0.9}
  - user: another
    assertions:
    - flow_started: {operator: any, flow_ids: [attic, hall]}
    - bot_uttered: {utter_name: utter_on}
- test_case: second
  steps:
  - user: a lamp
"""


def test_a_test_has_the_keys_of_its_file_and_asserts_an_utterance_once(tmp_path: Path) -> None:
    (tmp_path / "e2e.yml").write_text(TESTS)
    first, second = formats.load(tmp_path / "e2e.yml")
    ask, lit, *rest = events(first)
    assert (first.services, part(ask).state.intent) == (("lamp", "room"), "lamp")
    assert part(ask).state.values == {"level": ("gold",), "known": (True,)}
    assert (lit.text, part(lit).acts[0].name) == ("It is on.", "utter_on")
    assert [(each.agent, each.text) for each in rest] == [(USER, "another"), (SYSTEM, "")]
    assert first.extra["rasa"]["file"] == {
        "fixtures": [{"member": [{"level": "gold"}, {"known": True}]}],
        "stub_custom_actions": {"look": {"events": []}},
    }
    assert not second.extra


def story(folder: Path, steps: str, name: str = "a.yml") -> list[Any]:
    head = "## a\n" if name.endswith(".md") else "stories:\n- story: a\n  steps:\n"
    (folder / name).write_text(head + steps)
    (dialogue,) = formats.load(folder / name)
    return events(dialogue)


def test_a_slot_may_be_called_name(tmp_path: Path) -> None:
    steps = "  - intent: x\n  - slot_was_set:\n    - name: ada\n    - {name: age, value: 3}\n"
    (user,) = story(tmp_path, steps)
    assert part(user).state.values == {"name": ("ada",), "age": (3,)}
    user, _ = story(tmp_path, '* x\n  - slot{"name": "Ada"}\n  - utter_x\n', "a.md")
    assert part(user).state.values == {"name": ("Ada",)}


def test_a_slot_that_is_reset_fills_no_response(tmp_path: Path) -> None:
    (tmp_path / "domain.yaml").write_text('responses:\n  utter_c: [{text: "Send {amount}?"}]\n')
    steps = [f"  - slot_was_set: [amount: {v}]\n  - action: utter_c\n" for v in ("50", "null")]
    user, *replies = story(tmp_path, "".join(["  - intent: x\n", *steps]))
    assert [each.text for each in replies] == ["Send 50?", "Send {amount}?"]
    assert part(user).state.values == {"amount": (None,)}


def test_a_slot_that_was_set_without_its_value_has_none(tmp_path: Path) -> None:
    steps = "  - intent: x\n  - slot_was_set: [recipient]\n"
    steps += "  - user: y\n    assertions:\n    - slot_was_set: [{name: amount}]\n"
    first, second = story(tmp_path, steps)
    assert part(first).state is None
    assert not second.layers
    (dialogue,) = formats.load(tmp_path)
    assert [number for number, _ in dialogue.extra["rasa"]["steps"]] == [1, 2]


def test_entities_that_are_no_arguments_are_kept(tmp_path: Path) -> None:
    for entities in ("[city, 3]", "city"):
        story(tmp_path, f"  - intent: x\n    entities: {entities}\n")
        (dialogue,) = formats.load(tmp_path)
        assert len(dialogue.extra["rasa"]["steps"]) == 1


@pytest.mark.parametrize("step", ["bot:", "action: [x]", "user: {x: y}"])
def test_what_is_no_text_is_refused(step: str, tmp_path: Path) -> None:
    with refuses(FormatError, "wrong-type", "dialogue a", "step 2", "expected a text"):
        story(tmp_path, f"  - intent: x\n  - {step}\n")


def test_the_other_files_of_a_project_are_not_reported(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
) -> None:
    story(tmp_path, "  - intent: x\n")
    for name in ("nlu", "rules", "flows", "responses"):
        (tmp_path / f"{name}.yml").write_text(f"{name}: []\n")
    (tmp_path / "endpoints.yml").write_text("action_endpoint: {url: x}\n")
    assert formats.load(tmp_path).format == "rasa"
    assert not recwarn.list


def test_scalars_are_those_of_yaml_1_2(tmp_path: Path) -> None:
    values = "12:30, 010, 0o10, 0x1F, 1e3, 1_000, on, trueish, 2020-01-01"
    (user,) = story(tmp_path, f"  - intent: x\n  - slot_was_set:\n    - t: [{values}]\n")
    texts = ("1_000", "on", "trueish", "2020-01-01")
    assert part(user).state.values["t"] == ("12:30", 10, 8, 31, 1000.0, *texts)


def test_roles_and_groups_of_entities_are_kept(tmp_path: Path) -> None:
    mark = '[Bonn]{"entity": "city", "role": "from", "group": 1}'
    (user,) = story(tmp_path, f"  - user: '{mark}'\n    intent: x\n")
    extra = {"rasa": {"role": "from", "group": 1}}
    assert part(user).spans[0].extra == part(user).acts[0].arguments[0].extra == extra
    (user,) = story(tmp_path, "  - intent: x\n    entities:\n    - {city: Bonn, role: from}\n")
    (city,) = part(user).acts[0].arguments
    assert (city.slot, city.extra) == ("city", {"rasa": {"role": "from"}})


def test_a_list_of_marks_is_a_span_each(tmp_path: Path) -> None:
    marks = '[Bonn][{"entity": "city", "role": "to"}, {"entity": "stop", "value": "b"}]'
    (user,) = story(tmp_path, f"  - user: 'to {marks}'\n    intent: x\n")
    assert user.text == "to Bonn"
    assert [(s.start, s.end, s.labels, s.value) for s in part(user).spans] == [
        (3, 7, ("city",), None),
        (3, 7, ("stop",), "b"),
    ]
    assert [a.values for a in part(user).acts[0].arguments] == [("Bonn",), ("b",)]


@pytest.mark.parametrize(
    "mark", ['[{"role": "from"}]', "{bad json}", '{"role": "from"}', '{"entity": 1}']
)
def test_a_mark_without_an_entity_is_refused(mark: str, tmp_path: Path) -> None:
    with refuses(FormatError, "wrong-type", "dialogue a", "step 1", f"[Ada]{mark}"):
        story(tmp_path, f"  - user: '[Ada]{mark}'\n    intent: x\n")


def test_a_key_is_there_once(tmp_path: Path) -> None:
    with refuses(FormatError, "bad-yaml", "'stories'", "line 5"):
        story(tmp_path, "  - intent: x\nstories:\n")
    (user,) = story(tmp_path, "  - {intent: x, <<: {intent: y}}\n")  # a merged key is overridden
    assert part(user).acts[0].name == "x"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("flows.yml", "flows:\n  a:\n    steps: []\n"),
        ("rules.yml", 'version: "3.1"\nrules:\n- rule: a\n  steps: []\n'),
        ("nlu.yml", "nlu:\n- intent: a\n"),
        ("notes.md", "## News\n* a thing of note\n  - another one\n"),
    ],
)
def test_other_files_of_a_project_are_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(FormatError):
        formats.load(tmp_path / name)


@pytest.mark.parametrize(
    "text",
    [
        "stories:\n- story: a\n",
        "stories:\n- story: a\n  steps: [\n",
        "stories:\n  - story: a\ntest_cases: x\n",
    ],
)
def test_a_damaged_file_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.yml").write_text(text)
    with pytest.raises(FormatError):
        list(formats.load(tmp_path / "a.yml").dialogues())


def test_stories_are_not_written(tmp_path: Path, found: dict[str, Dialogue]) -> None:
    with pytest.raises(UsageError):
        formats.get("rasa").write(found.values(), {}, tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["rasa-stories", "rasa-calm"])
def test_every_published_story_and_test_is_read(folder: str, corpora: Path) -> None:
    root = corpora / "others" / folder
    lines = [line for file in root.rglob("*.yml") for line in file.read_text().splitlines()]
    names = [line for line in lines if line.strip().startswith(("- story:", "- test_case:"))]
    read = list(formats.load(root, "rasa").dialogues())
    assert len(read) == len(names) > 0
    assert all({e.agent for e in each.events} >= {USER, SYSTEM} for each in read)
