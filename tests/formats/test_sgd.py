"""SGD's files and services: there and back, what becomes of what, where files stand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from dialoom import formats
from dialoom.corpus import Corpus
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Argument,
    Constraint,
    Dialogue,
    Layer,
    Part,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.errors import FormatError, MissingDataError, SchemaError
from dialoom.formats.sgd import FORMAT, read, writing
from dialoom.schema import pack
from dialoom.schema.services import contract
from dialoom.schema.task import TaskSchema
from tests.formats.laid_out import FILE
from tests.formats.star_json import DATA
from tests.make import refuses

SGD = DATA / "sgd"
FILES = [
    "dev/dialogues_001.json",
    "dev/dialogues_002.json",
    "dev/schema.json",
    "train/dialogues_001.json",
    "train/schema.json",
]


def write(corpus: Corpus, target: Path) -> list[str]:
    """Write a corpus and return the names of its files."""
    target.mkdir()
    FORMAT.write(corpus.dialogues(), corpus.schemas, target)
    return sorted(p.relative_to(target).as_posix() for p in target.rglob("*.json"))


def only(dialogue: Dialogue) -> Any:
    """Return what is written of one dialogue."""
    (value,) = json.loads(writing.to_bytes([dialogue]))
    return value


def back(dialogue: Dialogue) -> Dialogue:
    (again,) = read(writing.to_bytes([dialogue]), FILE, "file")
    return replace(again, origin=dialogue.origin)


# --- files ---------------------------------------------------------------------------------------


def test_a_root_comes_back_byte_for_byte(tmp_path: Path) -> None:
    corpus = formats.load(SGD)
    assert corpus.format == "sgd"
    assert write(corpus, tmp_path / "out") == FILES
    for name in FILES:
        assert (tmp_path / "out" / name).read_bytes() == (SGD / name).read_bytes()


def test_a_split_and_a_file_come_back(tmp_path: Path) -> None:
    split = formats.load(SGD / "dev")
    assert write(split, tmp_path / "split") == [Path(name).name for name in FILES[:3]]
    file = formats.load(SGD / "dev" / "dialogues_002.json")
    assert set(file.schemas) == {"Taxis_2", "Ferries_1"}
    assert write(file, tmp_path / "file") == ["dialogues_002.json", "schema.json"]


def test_sgd_x_holds_no_dialogues(tmp_path: Path) -> None:
    variant = tmp_path / "sgd_x" / "data" / "v1" / "dev"
    variant.mkdir(parents=True)
    for name in ("schema.json", "dialogues_001.json"):
        (variant / name).write_bytes((SGD / "dev" / name).read_bytes())
    with pytest.raises(MissingDataError):
        FORMAT.files(tmp_path)
    assert FORMAT.schemas(tmp_path) == {}
    assert set(FORMAT.schemas(variant)) == {"Taxis_2", "Ferries_1"}


def test_dialogues_from_elsewhere_get_files_of_their_own(tmp_path: Path) -> None:
    many = [Dialogue(id=str(number), events=()) for number in range(130)]
    FORMAT.write(many, {}, tmp_path)
    sizes = {file.name: len(json.loads(file.read_bytes())) for file in tmp_path.iterdir()}
    assert sizes == {"dialogues_001.json": 128, "dialogues_002.json": 2}


# --- services ------------------------------------------------------------------------------------


def test_a_service_of_several_splits_is_one_task() -> None:
    ferries = FORMAT.schemas(SGD)["Ferries_1"]
    assert [(origin.file, origin.index) for origin in ferries.origins] == [
        ("train/schema.json", 0),
        ("dev/schema.json", 1),
    ]
    find = contract(ferries).intent("FindFerry")
    assert find is not None
    assert (find.required, find.transactional) == (("port",), False)
    assert list(find.optional) == ["leaving", "time"]
    assert ferries.extra["optional_slots"]["dev/schema.json"] == {"FindFerry": ["time", "leaving"]}


def test_a_service_that_differs_between_splits_is_two() -> None:
    tasks = FORMAT.schemas(SGD)
    assert set(tasks) == {"Ferries_1", "Plays_1", "Taxis_2", "Taxis_2@dev"}
    assert tasks["Taxis_2@dev"].name == "Taxis_2"


def test_a_slot_that_is_another_by_now_is_written_so(tmp_path: Path) -> None:
    ferries = replace(FORMAT.schemas(SGD)["Ferries_1"], origins=())
    name, slot = next(iter(ferries.slots.items()))
    slots = ferries.slots | {name: replace(slot, description="Something else")}
    FORMAT.write([], {"Ferries_1": replace(ferries, slots=slots)}, tmp_path)
    [entry] = json.loads((tmp_path / "schema.json").read_bytes())
    texts = {each["name"]: each["description"] for each in entry["slots"]}
    assert texts.pop(name) == "Something else"
    assert texts.keys() == ferries.slots.keys() - {name}


def test_tasks_that_are_no_services_are_written_as_their_contract(tmp_path: Path) -> None:
    weather = pack.load("weather")
    ferries = replace(FORMAT.schemas(SGD)["Ferries_1"], origins=())
    tasks = {"bare": TaskSchema(id="bare"), weather.id: weather, "Ferries_1": ferries}
    FORMAT.write([], tasks, tmp_path)
    entries = json.loads((tmp_path / "schema.json").read_bytes())
    assert [entry["service_name"] for entry in entries] == ["weather", "Ferries_1"]
    assert entries[0]["intents"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({}, ("bad-task", "services")),
        ([1], ("bad-task", "service 0")),
        ([{"slots": []}], ("bad-task", "0", "service_name")),
        ([{"service_name": "A", "slots": [{}]}], ("bad-task", "service 0", "'name'")),
        ([{"service_name": "A", "intents": [3]}], ("bad-task", "intents")),
    ],
)
def test_what_is_no_schema(value: object, message: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text(json.dumps(value))
    with refuses(SchemaError, *message):
        FORMAT.schemas(tmp_path)


def test_odd_schemas_come_back(tmp_path: Path) -> None:
    intent = {"name": "Go", "required_slots": "port", "optional_slots": None, "cost": 3}
    slot = {"name": "port", "is_categorical": 1, "possible_values": [["x"]], "description": None}
    services = [
        {"service_name": "A", "slots": [slot], "intents": [intent], "domain": "sea"},
        {"service_name": "B"},
    ]
    (tmp_path / "schema.json").write_text(json.dumps(services))
    FORMAT.write([], FORMAT.schemas(tmp_path), tmp_path)
    assert json.loads((tmp_path / "schema.json").read_bytes()) == services


# --- dialogues -----------------------------------------------------------------------------------


def odd() -> Dialogue:
    (dialogue,) = read((SGD / "dev" / "dialogues_002.json").read_bytes(), FILE, "file")
    return dialogue


def test_calls_of_users_and_results_without_a_call_are_kept() -> None:
    query, wish, orphan, empty, nothing, *_ = odd().events
    assert isinstance(query, Query)
    assert (query.agent, query.service) == (USER, "Ferries_1")
    assert query.constraints == (
        Constraint("days", "one_of", ("Monday", "Friday")),
        Constraint("seats", "equal", (2,)),
    )
    assert isinstance(wish, Utterance)
    assert orphan == Result(items=({"port": "Ostby", "seats": 40},))
    assert isinstance(empty, Query)
    assert (empty.api, empty.agent) == ("OrderTaxi", SYSTEM)
    assert nothing == Result(query=empty.id)


def test_what_no_field_names_is_kept_where_it_was() -> None:
    dialogue = odd()
    utterances = [event for event in dialogue.events if isinstance(event, Utterance)]
    assert dialogue.extra == {"note": {"checked": True, "by": None}}
    part = utterances[0].layers[0].parts[0]
    assert part.acts == (
        Act("INFORM_INTENT", (Argument("intent", ("BookFerry",)),), {"canonical_values": None}),
    )
    ((place, copied),) = part.extra["layout"]["slots"]
    assert (part.spans, place, copied["copy_from"]) == ((), 0, "town")
    assert utterances[1].layers[0].parts[0].state == State("BookFerry", ("port",))
    assert utterances[2].extra == {"frames": None}
    assert utterances[3] == Utterance(agent=SYSTEM, text="Bye.", extra={"seconds": 12})


def test_what_was_noted_gives_way_to_what_is_there_now() -> None:
    dialogue = odd()
    (act,) = dialogue.events[1].layers[0].parts[0].acts  # type: ignore[union-attr, misc]
    booking = replace(act, arguments=(Argument("intent", ("BookFerry",), ("book",)),))
    spoken = Utterance(agent=USER, text="Hi", layers=(Layer("gold", (Part("A", (booking,)),)),))
    (frame,) = only(Dialogue(id="1", events=(spoken,)))["turns"][0]["frames"]
    assert frame["actions"][0]["canonical_values"] == ["book"]


def test_speakers_and_agents_pair_off() -> None:
    names = ["USER", "SYSTEM", "user", "system", "KB", ""]
    turns = [{"frames": [], "speaker": name, "utterance": ""} for name in names]
    data = json.dumps([{"dialogue_id": "1", "services": [], "turns": turns}]).encode()
    (dialogue,) = read(data, FILE, "file")
    agents = ["user", "system", "USER", "SYSTEM", "KB", ""]
    assert [event.agent for event in dialogue.events] == agents
    assert [turn["speaker"] for turn in only(dialogue)["turns"]] == names


def test_a_call_goes_to_the_next_utterance_of_the_system() -> None:
    dialogue = Dialogue(
        id="1",
        services=("Cafes_1",),
        events=(
            Query(id="a", api="Find", constraints=(Constraint("price", "at_most", (3,)),)),
            Result(query="a", items=({"name": "Ada's"},)),
            Utterance(agent=USER, text="Well?"),
            Utterance(agent=SYSTEM, text="Ada's.", layers=(Layer("worker", (Part(),)),)),
            Query(id="b", api="Book"),
        ),
    )
    first, second = only(dialogue)["turns"]
    assert first["frames"] == []
    (frame,) = second["frames"]
    assert frame == {
        "actions": [],
        "service": "Cafes_1",
        "service_call": {"method": "Find", "parameters": {}},
        "service_results": [{"name": "Ada's"}],
        "slots": [],
    }


def test_a_call_whose_service_has_no_part_gets_a_frame() -> None:
    part = Part("Cafes_1", (Act("OFFER"),))
    events = (
        Query(id="1", api="Ride", service="Taxis_2"),
        Utterance(agent=SYSTEM, text="", layers=(Layer("gold", (part,)),)),
    )
    frames = only(Dialogue(id="1", events=events))["turns"][0]["frames"]
    assert [frame["service"] for frame in frames] == ["Cafes_1", "Taxis_2"]
    assert "service_call" not in frames[0]


def test_acts_and_spans_of_other_formats_are_taken_apart() -> None:
    act = Act("inform", (Argument("city", ("Rome",)), Argument("day", ("today",), ("1 May",))))
    span = Span(0, 4, ("city", "place"), value="Roma")
    layer = Layer("someone", (Part(None, (act,), (span,)),))
    dialogue = Dialogue(id="1", events=(Utterance(agent=USER, text="Rome", layers=(layer,)),))
    (frame,) = only(dialogue)["turns"][0]["frames"]
    assert [each["slot"] for each in frame["actions"]] == ["city", "day"]
    assert [each["canonical_values"] for each in frame["actions"]] == [["Rome"], ["1 May"]]
    assert [(each["slot"], each["value"]) for each in frame["slots"]] == [
        ("city", "Roma"),
        ("place", "Roma"),
    ]
    (part,) = back(dialogue).events[0].layers[0].parts  # type: ignore[union-attr]
    assert part.acts == (
        Act("inform", (Argument("city", ("Rome",)),)),
        Act("inform", (Argument("day", ("today",), ("1 May",)),)),
    )


def test_calls_of_one_service_twice_in_a_turn_keep_their_frames() -> None:
    frames = [
        {"actions": [], "service": "A", "slots": []},
        {
            "actions": [],
            "service": "A",
            "slots": [],
            "service_call": {"method": "x", "parameters": {}},
        },
        {"actions": [], "service": "A", "slots": [], "service_results": []},
        {"actions": [], "service": "B", "slots": [], "service_results": [{"a": "b"}]},
    ]
    turns = [{"frames": frames, "speaker": "SYSTEM", "utterance": "…"}]
    file = [{"dialogue_id": "1", "services": ["A"], "turns": turns}]
    (dialogue,) = read(json.dumps(file).encode(), FILE, "file")
    assert only(dialogue) == file[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", ("empty",)),
        (b"{}", ("wrong-type", "SGD")),
        (b"[1]", ("wrong-type", "dialogue 0")),
        (b'[{"turns": []}]', ("wrong-type", "dialogue_id")),
        (b'[{"dialogue_id": "7", "turns": 1}]', ("wrong-type", "7", "turns")),
        (b'[{"dialogue_id": "7", "turns": [3]}]', ("wrong-type", "dialogue 7", "event 0")),
        (
            b'[{"dialogue_id": "7", "turns": [{"speaker": "USER"}]}]',
            ("wrong-type", "7", "0", "utterance"),
        ),
        (b'[{"dialogue_id": "7"', ("not-json",)),
        (b"[" * 200 + b"]" * 200, ("too-deep",)),
    ],
)
def test_what_is_no_sgd_file(data: bytes, message: tuple[str, ...]) -> None:
    with refuses(FormatError, *message):
        list(read(data, FILE, "file"))


def test_a_fault_late_in_a_regular_file_is_reported() -> None:
    dialogue: dict[str, Any] = {"dialogue_id": "1", "services": [], "turns": []}
    file = [dialogue | {"dialogue_id": str(n)} for n in range(2000)]
    file[1999] = {"dialogue_id": "1999", "turns": 5}
    data = json.dumps(file, indent=2, sort_keys=True).encode() + b"\n"
    with refuses(FormatError, "wrong-type", "1999", "turns"):
        list(read(data, FILE, "file"))
    file[1999] = {"dialogue_id": 1999, "turns": [], "note": 1}
    data = json.dumps(file, indent=2, sort_keys=True).encode() + b"\n"
    dialogues = list(read(data, FILE, "file"))
    assert [dialogue.id for dialogue in dialogues] == [str(n) for n in range(2000)]
    assert [dialogue.origin.index for dialogue in dialogues if dialogue.origin] == list(range(2000))
    assert writing.to_bytes(dialogues) == data


# --- the real corpus -----------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_schemas_of_both_splits_come_back(corpora: Path, tmp_path: Path) -> None:
    tasks = FORMAT.schemas(corpora / "sgd")
    assert len(tasks) == 34
    FORMAT.write_schemas(tasks, tmp_path)
    for part in ("train", "dev"):
        content = (tmp_path / part / "schema.json").read_bytes()
        assert content == (corpora / "sgd" / part / "schema.json").read_bytes()
