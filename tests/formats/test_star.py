"""STAR's files: golden ones there and back, what becomes of each event, edits, names, loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dialoom.dialogue import (
    Completion,
    Dialogue,
    Event,
    Origin,
    Query,
    Result,
    Selection,
    Utterance,
    decode,
    encode,
)
from dialoom.dialogue.views import selected_items
from dialoom.errors import FormatError, MissingDataError
from dialoom.formats.star import FORMAT, writing
from tests.formats.star_json import DATA, read, spell, there_and_back
from tests.make import refuses

STAR = DATA / "star"
REGULAR = sorted((STAR / "dialogues").glob("*.json"))
OTHERS = sorted(DATA.glob("*.json"))


@pytest.mark.parametrize("file", REGULAR, ids=lambda file: file.name)
def test_regular_files_come_back_byte_for_byte(file: Path) -> None:
    assert there_and_back(file.read_bytes()) == file.read_bytes()


@pytest.mark.parametrize("file", OTHERS, ids=lambda file: file.name)
def test_other_layouts_come_back_value_for_value(file: Path) -> None:
    content = there_and_back(file.read_bytes())
    assert spell(json.loads(content)) == spell(json.loads(file.read_bytes()))


@pytest.mark.parametrize("file", [*REGULAR, *OTHERS], ids=lambda file: file.name)
def test_an_event_keeps_its_index(file: Path) -> None:
    raw = json.loads(file.read_bytes())["Events"]
    events = read(file.read_bytes()).events
    assert [getattr(event, "text", None) for event in events] == [
        None if event["Action"] == "complete" else event.get("Text") for event in raw
    ]


def test_every_kind_of_event_is_read() -> None:
    dialogue = read((STAR / "dialogues" / "1.json").read_bytes())
    kinds = {type(event).__name__ for event in dialogue.events}
    assert kinds == {"Instruction", "Utterance", "Options", "Query", "Result", "Completion"}
    query, result = dialogue.events[5:7]
    assert isinstance(query, Query)
    assert [(c.slot, c.operator, c.value) for c in query.constraints] == [
        ("Seats", "at_least", 4),
        ("Motor", "equal", False),
        ("RequestType", "equal", "Check"),
    ]
    assert isinstance(result, Result)
    assert (result.query, result.total) == (query.id, 3)
    assert result.items[0]["Name"] == "Grey Heron"


def test_items_follow_from_results_and_selections() -> None:
    dialogue = read((STAR / "dialogues" / "2.json").read_bytes())
    pairs = list(selected_items(dialogue.events))
    for event, items in zip(
        json.loads((STAR / "dialogues" / "2.json").read_bytes())["Events"], pairs, strict=True
    ):
        if event["Agent"] == "Wizard":
            assert items.primary == event.get("PrimaryItem")
            assert items.secondary == event.get("SecondaryItem")


@pytest.mark.parametrize("file", [*REGULAR, *OTHERS], ids=lambda file: file.name)
def test_changing_one_utterance_changes_exactly_that(file: Path) -> None:
    dialogue = decode(encode(read(file.read_bytes())))
    before = json.loads(FORMAT.render_file([dialogue]))
    for index, event in enumerate(dialogue.events):
        if not isinstance(event, Utterance):
            continue
        events = list(dialogue.events)
        events[index] = msgspec.structs.replace(event, text="Something else…")
        changed = msgspec.structs.replace(dialogue, events=tuple(events))
        after = json.loads(FORMAT.render_file([changed]))
        assert after["Events"][index].pop("Text") == "Something else…"
        expected = json.loads(spell(before))
        expected["Events"][index].pop("Text")
        assert spell(after) == spell(expected)


def test_a_changed_constraint_is_written_anew() -> None:
    dialogue = read((STAR / "dialogues" / "2.json").read_bytes())
    query = dialogue.events[2]
    assert isinstance(query, Query)
    assert query.constraints[4].raw == "'fast'"
    slow = msgspec.structs.replace(query.constraints[4], values=("slow",))
    events = list(dialogue.events)
    events[2] = msgspec.structs.replace(query, constraints=(*query.constraints[:4], slow))
    changed = msgspec.structs.replace(dialogue, events=tuple(events))
    constraints = json.loads(FORMAT.render_file([changed]))["Events"][2]["Constraints"]
    assert constraints[3:] == [{"Dock": "0314"}, {"Speed": '"slow"'}]


def test_what_the_model_does_not_name_lands_in_extra_at_its_level() -> None:
    dialogue = read((DATA / "irregular.json").read_bytes())
    assert dialogue.extra["Comment"] == {"by": "nobody"}
    assert dialogue.scenario is not None
    assert dialogue.scenario.extra == {"Weather": "fair"}
    assert [capability.extra for capability in dialogue.scenario.capabilities] == [
        {"SchemaImage": None, "Level": 3},
        {"SchemaImage": {"value": None}},
        {"SchemaImage": "other.png"},
    ]
    assert dialogue.events[0].extra["Mood"] == "curious"
    assert dialogue.events[2].extra == {"Rank": {"of": [1, 2.0, None]}}
    assert dialogue.answers[0].extra == {"Comment": "yes, mostly"}
    assert dialogue.answers[1].answer == "rather"


@pytest.mark.parametrize("key", ["Rest", "rest", "\u2063extra"])
@pytest.mark.parametrize("held", [{"Text": "no"}, {}, None])
def test_no_key_of_a_file_is_taken_for_what_the_records_note(key: str, held: Any) -> None:
    value = json.loads((STAR / "dialogues" / "1.json").read_bytes())
    for level in (value, value["Scenario"], value["Events"][0], value["UserQuestionnaire"][0]):
        level[key] = held
    dialogue = read(json.dumps(value).encode())
    assert dialogue.extra[key] == dialogue.events[0].extra[key] == held
    assert json.loads(FORMAT.render_file([dialogue])) == value


def test_version_6_is_read_as_version_7() -> None:
    dialogue = read((DATA / "version6.json").read_bytes())
    assert dialogue.id == "12"
    selection, query, result = (dialogue.events[index] for index in (1, 5, 6))
    assert isinstance(selection, Selection)
    assert selection.task == "boat_hire"
    assert isinstance(query, Query)
    assert [c.slot for c in query.constraints] == ["Seats", "Motor"]
    assert isinstance(result, Result)
    assert result.items[0]["Name"] == "Otter II"
    assert [writing.event_name(event) for event in dialogue.events[3:5]] == [
        "Wizard request_suggestions",
        "Wizard pick_suggestion",
    ]


# --- refused -------------------------------------------------------------------------------------


def _broken(change: dict[str, Any], event: dict[str, Any] | None = None) -> bytes:
    file = json.loads(REGULAR[0].read_bytes())
    file["Events"][2].update(event or {})
    file.update(change)
    return json.dumps(file).encode()


DEEP = b"[" * 100_000 + b"]" * 100_000


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", ("empty",)),
        (b"  \n", ("empty",)),
        (b"[1, 2]", ("wrong-type",)),
        (b'{"a": 1}', ("other-format", "Events")),
        (b'{"Events": [], "Scenario": ', ("not-json",)),
        (b'{"Events": NaN}', ("not-json",)),
        (b'{"Events": "\xff"}', ("not-json",)),
        (b'{"Events": "\\ud800"}', ("not-json",)),
        (DEEP, ("too-deep",)),
        (_broken({}, {"PrimaryItem": {"a": 0}}).replace(b'"a": 0', b'"a": ' + DEEP), ("too-deep",)),
        (_broken({}, {"Mood": 0}).replace(b'"Mood": 0', b'"Mood": ' + DEEP), ("too-deep",)),
        (_broken({"Events": {}}), ("wrong-type", "Events")),
        (_broken({"Events": ["utter"]}), ("wrong-type", "0")),
        (_broken({"Scenario": []}), ("wrong-type", "Scenario")),
        (_broken({"BatchID": None}), ("wrong-type", "BatchID")),
        (_broken({"DialogueID": "1"}), ("wrong-type", "DialogueID")),
        (_broken({"UserQuestionnaire": None}), ("wrong-type", "UserQuestionnaire")),
        (_broken({}, {"Action": "dance"}), ("wrong-type", "dance")),
        (_broken({}, {"Action": None}), ("wrong-type", "Action")),
        (_broken({}, {"Agent": "User"}), ("wrong-type", "Agent")),
        (_broken({}, {"Text": 4}), ("wrong-type", "Text")),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)  # fmt: skip
def test_refused_with_the_place(data: bytes, fault: tuple[str, ...]) -> None:
    with refuses(FormatError, *fault) as caught:
        read(data)
    assert caught.value.path == "1.json"


def test_a_deep_item_on_the_fast_path_is_refused() -> None:
    inner = DEEP[100_000 - 150 : 100_000 + 150]
    data = _broken({}, {"PrimaryItem": {"a": 0}}).replace(b'"a": 0', b'"a": ' + inner)
    with refuses(FormatError, "too-deep", "100"):
        read(data)


@pytest.mark.parametrize("number", [0, -1, 2**63, 2**64, -(10**30), 10**300])
def test_integers_of_any_size(number: int) -> None:
    data = _broken({"DialogueID": number}, {"UnixTime": number, "PrimaryItem": {"n": number}})
    assert spell(json.loads(there_and_back(data))) == spell(json.loads(data))


def test_the_last_of_two_equal_keys_counts() -> None:
    data = REGULAR[0].read_bytes().replace(b'"BatchID":', b'"BatchID": "x", "BatchID":', 1)
    assert there_and_back(data) == REGULAR[0].read_bytes()


def test_control_characters_and_del_are_escaped_as_the_source_does() -> None:
    text = "".join(map(chr, range(0x20))) + '\x7f\x80é…\U0001f6a3/\\"</script>'
    file = json.loads(REGULAR[0].read_bytes())
    file["Events"][1]["Text"] = text
    data = json.dumps(file, indent=2, sort_keys=True).encode()
    assert there_and_back(data) == data


# --- folders and names ---------------------------------------------------------------------------


def test_files_are_in_numerical_order() -> None:
    assert [file.name for file in FORMAT.files(STAR)] == ["1.json", "2.json", "10.json"]


def test_files_lie_in_dialogues_or_in_the_folder_itself(tmp_path: Path) -> None:
    loose = tmp_path / "5.json"
    loose.write_bytes(REGULAR[0].read_bytes())
    (tmp_path / "._5.json").write_bytes(b"left by a file manager")
    assert FORMAT.files(tmp_path) == [loose]
    below = tmp_path / "dialogues"
    below.mkdir()
    with refuses(MissingDataError, "no-files", "STAR"):
        FORMAT.files(tmp_path)
    (below / "²７.json").write_bytes(REGULAR[0].read_bytes())
    assert FORMAT.files(tmp_path) == [below / "²７.json"]


def test_schemas_are_found_from_the_folder_its_dialogues_and_one_file() -> None:
    for path in (STAR, STAR / "dialogues", REGULAR[0]):
        assert list(FORMAT.schemas(path)) == ["boat_hire"]
    assert FORMAT.schemas(DATA) == {}


def _named(identifier: str, file: str | None = None, index: int | None = None) -> Dialogue:
    origin = None if file is None else Origin(file, index)
    return Dialogue(id=identifier, events=(), origin=origin)


@pytest.mark.parametrize(
    ("dialogues", "names"),
    [
        ([_named("1", "dialogues/1.json"), _named("2", "dialogues/b.json")], ["1", "b"]),
        ([_named("7"), _named("x"), _named("-3"), _named("007")], ["7", "2", "-3", "4"]),
        ([_named("7"), _named("7"), _named("7")], ["7", "2", "3"]),
        ([_named("7", "dialogues/a.json"), _named("8", "dialogues/a.json")], ["a", "2"]),
        ([_named("7", "../../a.json"), _named("8", "/etc/a.json")], ["7", "8"]),
        ([_named("7", "dialogues/../a.json"), _named("8", "a\0.json")], ["7", "8"]),
        ([_named("7", "tasks/weather/weather.json"), _named("8", ".json")], ["7", "8"]),
        ([_named("7", "train/1.json", 3), _named("8", "a.txt")], ["7", "8"]),
        ([_named("9" * 5000), _named("9" * 100)], ["1", "2"]),
        ([_named("7"), _named("8", "8.json")], ["7", "8"]),
    ],
)
def test_names_of_written_files(
    dialogues: list[Dialogue], names: list[str], tmp_path: Path
) -> None:
    FORMAT.write(dialogues, {}, tmp_path)
    files = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*.json"))
    assert files == sorted(f"dialogues/{name}.json" for name in names)


def test_a_folder_without_dialogues_is_written_as_one(tmp_path: Path) -> None:
    FORMAT.write(
        [_named("7", "7.json"), _named("8"), _named("9", "dialogues/9.json")], {}, tmp_path
    )
    assert [file.name for file in FORMAT.files(tmp_path)] == ["7.json", "8.json", "9.json"]


def test_extra_never_replaces_what_the_model_names() -> None:
    event = Utterance(agent="user", text="Mine", extra={"Text": "Theirs", "Action": 5, "Mood": 1})
    extra = {"Events": 3, "FORMAT-VERSION": "x", "DialogueID": None}
    record = json.loads(writing.to_bytes(Dialogue(id="4", events=(event,), extra=extra), 1))
    assert record["DialogueID"] == 4
    assert record["FORMAT-VERSION"] == 7
    assert record["Events"] == [{"Action": "utter", "Agent": "User", "Mood": 1, "Text": "Mine"}]


@pytest.mark.parametrize(
    ("services", "events", "multi_task", "outcome"),
    [
        ((), (), None, None),
        (("ferry",), (Completion(),), False, "Complete"),
        (("ferry", "taxi"), (Utterance(agent="user", text="Both."),), True, None),
    ],
)
def test_facts_that_a_dialogue_lacks_are_not_made_up(
    services: tuple[str, ...], events: tuple[Event, ...], multi_task: bool | None, outcome: str
) -> None:
    back = read(writing.to_bytes(Dialogue(id="4", services=services, events=events), 1))
    assert back.scenario is not None
    assert (back.scenario.happy, back.scenario.multi_task) == (None, multi_task)
    assert back.outcome == outcome
