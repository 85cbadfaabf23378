"""Readers of published JSON: what becomes an event, an act, a span, a state or a result."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.dialogue import (
    SYSTEM,
    USER,
    Act,
    Argument,
    Dialogue,
    Query,
    Result,
    Span,
    State,
    Utterance,
)
from dialoom.errors import FormatError, UsageError
from dialoom.formats.base.conversion import convert
from dialoom.formats.dialogstudio import KNOWLEDGE, STATES
from dialoom.formats.turns import OTHERS
from dialoom.schema.services import contract
from tests.formats.golden import READ_ONLY
from tests.formats.star_json import DATA
from tests.make import refuses


def dialogues(name: str) -> list[Dialogue]:
    corpus = formats.load(DATA / name)
    assert corpus.format == name
    return list(corpus.dialogues())


def spoken(dialogue: Dialogue) -> list[Utterance]:
    return [event for event in dialogue.events if isinstance(event, Utterance)]


def lines(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(each.agent, each.text) for each in spoken(dialogue)]


def acts(utterance: Utterance) -> list[Act]:
    return [act for layer in utterance.layers for part in layer.parts for act in part.acts or ()]


def spans(utterance: Utterance) -> list[tuple[str, tuple[str, ...]]]:
    marks: list[Span] = [
        s for layer in utterance.layers for p in layer.parts for s in p.spans or ()
    ]
    return [(utterance.text[each.start : each.end], each.labels) for each in marks]


def states(utterance: Utterance) -> dict[str | None, State]:
    parts = [part for layer in utterance.layers for part in layer.parts]
    return {part.service: part.state for part in parts if part.state is not None}


def calls(dialogue: Dialogue) -> list[Query | Result]:
    return [event for event in dialogue.events if isinstance(event, Query | Result)]


def values(act: Act) -> dict[str, tuple[Any, ...]]:
    return {each.slot: each.values for each in act.arguments}


@pytest.mark.parametrize("name", READ_ONLY)
def test_a_format_that_is_only_read_says_so_before_it_writes(name: str, tmp_path: Path) -> None:
    corpus = formats.load(DATA / name)
    with refuses(UsageError, "one-way"):
        convert(corpus.dialogues, {}, formats.get(name), tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", READ_ONLY)
def test_ours_keeps_all_of_what_was_read(name: str, tmp_path: Path) -> None:
    corpus = formats.load(DATA / name)
    assert not convert(corpus.dialogues, {}, formats.get("native"), tmp_path)


NO_JSON = ("bfcl", "rasa", "messages", "scripts", "table")
"""Formats of texts, and those whose messages may have none."""


@pytest.mark.parametrize("name", [name for name in READ_ONLY if name not in NO_JSON])
def test_a_turn_without_text_is_an_error_with_its_place(name: str, tmp_path: Path) -> None:
    (file, *_) = [file for file in formats.load(DATA / name).files if file.suffix == ".json"]
    text = file.read_text().splitlines()[0] if name == "airdialogue" else file.read_text()
    value = json.loads(text)
    target = tmp_path / file.name
    target.write_text(json.dumps(_without_texts(value)))
    with pytest.raises(FormatError) as error:
        list(formats.get(name).read_file(target, tmp_path))
    assert str(target) in str(error.value)


TEXTS = {"text", "content", "utterance", "transcript", "Text", "user utterance", "user_utterance"}


def _without_texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_texts(inner) for key, inner in value.items() if key not in TEXTS}
    if isinstance(value, list):
        return [_without_texts(inner) for inner in value if not isinstance(inner, str)] or [7]
    return value


def test_multiwoz() -> None:
    one, two = dialogues("multiwoz")
    assert (one.id, one.services, len(two.events)) == ("SNG01.json", ("ferry",), 2)
    asks, which, two_seats, booked = spoken(one)
    assert [each.agent for each in spoken(one)] == [USER, SYSTEM, USER, SYSTEM]
    (inform,) = acts(asks)
    assert (inform.name, values(inform)) == ("Inform", {"port": ("Ostby",)})
    assert inform.arguments[0].canonical == ("ostby",)
    assert spans(asks) == [("Ostby", ("port",))]
    assert states(asks)["ferry"].values == {"port": ("ostby",)}
    assert states(asks)["ferry"].extra == {"day": "not mentioned"}
    assert states(asks)["taxi"] == State(extra={"to": "none"})
    assert states(two_seats)["ferry"].values["book people"] == ("2",)
    assert two_seats.extra["span_info"] == [["Ferry-Inform", "People", "2", 8, 9]]
    assert not states(which)
    assert values(acts(which)[0]) == {"book people": ()}
    (result,) = calls(one)
    assert isinstance(result, Result)
    assert (result.api, result.items) == ("ferry", ({"name": "gull", "reference": "K7"},))
    assert booked.extra["dialog_act"] == "No Annotation"


@pytest.mark.parametrize("more", ["", '"C": {"goal": {}, "log": []}, '])
def test_an_id_that_is_there_twice_is_refused(more: str, tmp_path: Path) -> None:
    one = '"A": {"goal": {}, "log": [{"text": "Hi", "metadata": {}}]}'
    (tmp_path / "data.json").write_text(f"{{{one}, {more}{one}}}")
    with refuses(FormatError, "twice", "data.json", "'A'"):
        list(formats.load(tmp_path / "data.json", "multiwoz"))


def test_a_log_that_the_system_begins_is_refused(tmp_path: Path) -> None:
    log = [{"text": "Hi.", "metadata": {"taxi": {"semi": {}}}}, {"text": "Yes?", "metadata": {}}]
    (tmp_path / "data.json").write_text(json.dumps({"A": {"goal": {}, "log": log}}))
    with refuses(FormatError, "out-of-order", "dialogue A", "event 0"):
        list(formats.load(tmp_path / "data.json", "multiwoz"))


def test_m2m() -> None:
    (dialogue,) = dialogues("m2m")
    first, question, last = spoken(dialogue)
    assert [first.agent, question.agent, last.agent] == [USER, SYSTEM, USER]
    assert [act.name for act in acts(question)] == ["REQUEST", "OFFER"]
    assert spans(question) == [("friday", ("day",))]
    assert spans(last) == [("new ostby", ("port",))]
    assert last.extra["slots"] == [{"exclusive_end": 9, "slot": "day", "start": 8}]
    assert states(first)[None] == State("FIND_FERRY")
    assert states(last)[None].values == {"port": ("new ostby",)}


def test_crosswoz() -> None:
    (dialogue,) = dialogues("crosswoz")
    assert (dialogue.id, dialogue.services) == ("12", ("酒店",))
    greeting, *_ = spoken(dialogue)
    assert [act.name for act in acts(greeting)] == ["greet", "Inform", "Request"]
    assert states(greeting)["酒店"].values == {"评分": ("5分",)}
    query, result = calls(dialogue)
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert [each.slot for each in query.constraints] == ["评分"]
    assert (result.query, result.items) == (query.id, ({"名称": "云海酒店"},))


def test_kvret() -> None:
    one, two = dialogues("kvret")
    assert (one.id, one.services) == ("1f-2", ("navigate",))
    (table,) = calls(one)
    assert isinstance(table, Result)
    assert [item["poi"] for item in table.items] == ["Samovar"]
    state = states(spoken(one)[0])["navigate"]
    assert (state.values, state.requested) == ({"poi_type": ("tea",)}, ("poi",))
    assert lines(two) == [(USER, "Remind me of the ferry."), (SYSTEM, "I will.")]
    assert not calls(two)


def test_camrest() -> None:
    (dialogue,) = dialogues("camrest")
    question, answered, *_ = spoken(dialogue)
    inform, request = acts(question)
    assert values(inform) == {"area": ("north",)}
    assert values(request) == {"phone": ()}
    assert [(act.name, values(act)) for act in acts(answered)] == [("request", {"food": ()})]
    assert dialogue.scenario is not None
    assert dialogue.scenario.user_task == "Task 1: find a place."


def test_woz() -> None:
    (dialogue,) = dialogues("woz")
    first, reply, question, last = spoken(dialogue)
    assert [each.agent for each in (first, reply, question, last)] == [USER, SYSTEM, USER, SYSTEM]
    assert states(first)[None].values == {"price range": ("cheap",), "area": ("north",)}
    assert [(act.name, values(act)) for act in acts(reply)] == [
        ("request", {"day": ()}),
        ("confirm", {"name": ("ada's",)}),
    ]
    assert states(question)[None].requested == ("phone",)


def test_dstc2() -> None:
    labelled, recognition = dialogues("dstc2")
    assert lines(labelled)[1] == (USER, "cheap food")
    assert states(spoken(labelled)[1])[None].values == {"pricerange": ("cheap",)}
    assert lines(recognition)[1] == (USER, "cheap fool")
    assert spoken(recognition)[1].extra["recognised"] is True


def test_dstc2_keeps_the_turns_of_silent_users_and_further_labels(tmp_path: Path) -> None:
    labelled, _ = dialogues("dstc2")
    silent = spoken(labelled)[2].extra["silent user"]
    assert (silent["transcription"], silent["requested-slots"]) == ("", ["phone"])
    for name in ("log.json", "label.json"):
        value = json.loads((DATA / "dstc2" / "Mar13_S0A0" / "voip-1" / name).read_text())
        value["turns"] = value["turns"][: 1 if name == "log.json" else 2]
        (tmp_path / name).write_text(json.dumps(value))
    (dialogue,) = formats.load(tmp_path).dialogues()
    assert [turn["turn-index"] for turn in dialogue.extra["labels"]["turns"]] == [1]


def test_labels_of_another_call_are_refused(tmp_path: Path) -> None:
    folder = DATA / "dstc2" / "Mar13_S0A0"
    (tmp_path / "log.json").write_bytes((folder / "voip-2" / "log.json").read_bytes())
    (tmp_path / "label.json").write_bytes((folder / "voip-1" / "label.json").read_bytes())
    with refuses(FormatError, "mismatch"):
        list(formats.load(tmp_path).dialogues())


def test_bitod() -> None:
    (dialogue,) = dialogues("bitod")
    question, offered = spoken(dialogue)
    state = states(question)["ferry_search"]
    assert (state.intent, state.values) == ("ferry_search", {"port": ("Ostby",), "seats": (2,)})
    assert state.extra["relations"] == {"seats": "at_least"}
    query, result = calls(dialogue)
    assert isinstance(query, Query)
    assert isinstance(result, Result)
    assert [(each.slot, each.operator) for each in query.constraints] == [
        ("port", "equal"),
        ("seats", "at_least"),
        ("day", "one_of"),
        ("note", None),
    ]
    assert query.constraints[2].values == ("Monday", "Friday")
    assert (result.query, result.total) == (query.id, 2)
    assert offered.extra["PrimaryItem"] == {"name": "Gull", "seats": 40}


def test_airdialogue(tmp_path: Path) -> None:
    one, two = dialogues("airdialogue")
    assert lines(one) == [(USER, "Hello: I want to fly."), (SYSTEM, "Where to?")]
    assert [event.time for event in one.events] == [10_000, 12_000]
    assert (one.outcome, two.outcome) == ("book", "no_flight")
    assert two.extra["timestamps"] == [10]
    texts = (DATA / "airdialogue" / "train_data.json").read_text().splitlines()
    (tmp_path / "examples.json").write_text(json.dumps(texts))
    copied = formats.load(tmp_path / "examples.json")
    assert [lines(each) for each in copied.dialogues()] == [lines(one), lines(two)]


def test_dialogstudio() -> None:
    one, two = dialogues("dialogstudio")
    assert one.services == ("Ferries_1",)
    assert [type(event) for event in one.events] == [Utterance, Query, Result, Utterance]
    assert states(spoken(one)[0])["Ferries_1"].values == {"port": ("Ostby",)}
    assert lines(two) == [
        (SYSTEM, "Hello."),
        (USER, "Cheap, please."),
        (SYSTEM, "Ada's."),
        (USER, "Or so."),
    ]
    slots = states(spoken(two)[1])["place"].values
    assert slots == {"price range": ("cheap",), "area": ("north",)}
    assert not states(spoken(two)[3])
    assert spoken(two)[3].extra["dst"] == "odd"


def test_a_comma_in_a_value_makes_no_domain_in_dialogstudio(tmp_path: Path) -> None:
    state = "shop street 4 Mill Lane, Ostby Old Town"
    log = [{"user utterance": "The one in Mill Lane.", "system response": "", STATES: state}]
    (tmp_path / "grouped.json").write_text(
        json.dumps({"A--1": {"log": log, KNOWLEDGE: {"slots and values": {"shop": {}}}}})
    )
    (tmp_path / "flat.json").write_text(json.dumps({"A--2": {"log": log}}))
    for dialogue in formats.load(tmp_path).dialogues():
        (utterance,) = spoken(dialogue)
        assert (dialogue.services, states(utterance), utterance.extra[STATES]) == ((), {}, state)


def test_the_fields_of_a_silent_side_stay_in_dialogstudio(tmp_path: Path) -> None:
    sides = {"original user side information": {"asr": 3}, "original system side information": {}}
    silent = {"user utterance": "", "system response": "", "turn id": 2}
    first = {"user utterance": "", "system response": "Hello.", "turn id": 1, "dst": "a b c"}
    (tmp_path / "train.json").write_text(json.dumps({"A--1": {"log": [first | sides, silent]}}))
    (dialogue,) = formats.load(tmp_path / "train.json")
    (utterance,) = spoken(dialogue)
    assert utterance.extra == {
        "turn id": 1,
        "dst": "a b c",
        "original user side information": {"asr": 3},
    }
    assert dialogue.extra[OTHERS] == [[1, {"turn id": 2}]]


def test_excluded_values_are_not_wanted_and_bitods_states_are_read_in_dialogstudio(
    tmp_path: Path,
) -> None:
    most, none = ({"relation": name, "value": [2]} for name in ("at_most", "not"))
    acts = [{"act": "inform", "slot": "deck"} | none]
    side: dict[str, Any] = {"Agent": "User", "active_intent": "ferry", "Actions": acts}
    side["state"] = {"ferry": {"seats": most, "deck": none}}
    log: dict[str, Any] = {"user utterance": "Two seats, not on deck 2.", "system response": ""}
    log |= {"original user side information": side, "dst accumulated": "ferry deck 2"}
    (tmp_path / "train.json").write_text(json.dumps({"A--train--1": {"log": [log]}}))
    (dialogue,) = formats.load(tmp_path / "train.json")
    (utterance,) = spoken(dialogue)
    (state,) = states(utterance).values()
    assert (dialogue.services, state.values) == (("ferry",), {"seats": (2,)})
    assert state.extra == {"relations": {"seats": "at_most"}, "deck": none}
    (act,) = utterance.layers[0].parts[0].acts or ()
    assert act.arguments == (Argument("deck", (), extra={"relation": "not", "values": [2]}),)


# --- real files ----------------------------------------------------------------------------------

TURNS = {
    "convlab-unified": lambda d: len(d["turns"]),
    "crosswoz": lambda d: len(d["messages"]),
    "m2m": lambda d: sum(("system_utterance" in t) + ("user_utterance" in t) for t in d["turns"]),
    "multiwoz21": lambda d: len(d["log"]),
    "multiwoz22": lambda d: len(d["turns"]),
    "taskmaster-later": lambda d: len(d["utterances"]),
}
"""The number of utterances of a dialogue, counted from its JSON alone."""


def _raw(file: Path) -> list[Any]:
    if file.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            names = [
                name for name in archive.namelist() if not name.endswith(("DB.json", "gy.json"))
            ]
            value = json.loads(archive.read(names[0]))
    else:
        value = json.loads(file.read_text())
    return list(value.values()) if isinstance(value, dict) else value


@pytest.mark.corpus
@pytest.mark.parametrize("kind", TURNS)
def test_real_files_have_as_many_dialogues_and_utterances(kind: str, corpora: Path) -> None:
    read = Counter[str]()
    for file in sorted((corpora / "others" / kind).rglob("*")):
        if file.suffix not in (".json", ".zip") or "ontology" in file.parts:
            continue
        if file.name == "schema.json":
            continue
        raw = _raw(file)
        dialogues = list(formats.load(file).dialogues())
        assert len(dialogues) == len(raw)
        assert sum(len(spoken(each)) for each in dialogues) == sum(map(TURNS[kind], raw))
        read[kind] += 1
    assert read[kind]


def test_services_of_multiwoz_are_the_slots_of_its_states(tmp_path: Path) -> None:
    data = (DATA / "multiwoz" / "data.json").read_text(encoding="utf-8")
    (tmp_path / "data.json").write_text(data, encoding="utf-8")
    ontology = {"ferry-semi-day": ["monday", "sunday", "dontcare"], "ferry-book-people": ["1"]}
    (tmp_path / "ontology.json").write_text(json.dumps(ontology), encoding="utf-8")
    schemas = formats.load(tmp_path).schemas
    ferry = contract(schemas["ferry"])
    assert [slot.name for slot in ferry.slots] == ["port", "day", "book people"]
    assert {s.name: s.possible_values for s in ferry.slots if s.categorical} == {
        "day": ("monday", "sunday"),
        "book people": ("1",),
    }
    assert "taxi" in schemas
    assert formats.schemas(tmp_path / "data.json").keys() == schemas.keys()
