"""What lint finds, and does not, in other people's annotation: copies, allusions, tools, splits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dialoom import formats
from dialoom.quality.lint import lint

SERVICE = {
    "service_name": "Stay_1",
    "description": "",
    "slots": [
        {"name": name, "description": "", "is_categorical": False, "possible_values": []}
        for name in ("stay-name", "stay-area", "stay-parking")
    ],
    "intents": [],
}


def frame(values: dict[str, list[str]], slots: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    state = {"active_intent": "NONE", "requested_slots": [], "slot_values": values}
    return {"actions": [], "service": "Stay_1", "slots": slots, "state": state} | more


def codes(folder: Path, text: str, *frames: dict[str, Any]) -> list[tuple[str, str]]:
    turn = {"speaker": "USER", "utterance": text, "frames": list(frames)}
    dialogue = {"dialogue_id": "1", "services": ["Stay_1"], "turns": [turn]}
    (folder / "dialogues_001.json").write_text(json.dumps([dialogue]))
    (folder / "schema.json").write_text(json.dumps([SERVICE]))
    return [(each.code, each.message) for each in lint(formats.load(folder))]


def span(slot: str, start: int, end: int, **more: Any) -> dict[str, Any]:
    return {"slot": slot, "start": start, "exclusive_end": end} | more


def test_a_value_copied_from_another_slot_is_no_misshapen_span(tmp_path: Path) -> None:
    copied = {"slot": "stay-name", "copy_from": "stay-area", "value": ["blue boar"]}
    assert not codes(tmp_path, "The same.", frame({}, [copied]))


@pytest.mark.parametrize(
    ("slot", "value", "text"),
    [
        ("stay-area", "dontcare", "Anywhere."),
        ("stay-parking", "yes", "One with free parking."),
        ("stay-area", "centre", "In the center."),
        ("stay-name", "swimmingpool", "A swimming pool."),
        ("stay-area", "4", "On floor four."),
        ("stay-area", "09:30", "After 9:30."),
        ("stay-area", "15:30", "At 3:30."),
        ("stay-area", "无烟房 SPA", "要有SPA和无烟房的。"),
    ],
)
def test_values_that_are_said_in_other_words(
    slot: str, value: str, text: str, tmp_path: Path
) -> None:
    assert not codes(tmp_path, text, frame({slot: [value]}, []))


@pytest.mark.parametrize(
    ("slot", "value", "text"),
    [
        ("stay-parking", "yes", "Something cheap."),
        ("stay-area", "north", "In the south."),
        ("stay-name", "boar", "The boat."),
    ],
)
def test_values_that_nobody_gave(slot: str, value: str, text: str, tmp_path: Path) -> None:
    assert [code for code, _ in codes(tmp_path, text, frame({slot: [value]}, []))] == ["E603"]


def test_another_normal_form_is_named(tmp_path: Path) -> None:
    ((code, what),) = codes(
        tmp_path, "To Mu\u0308nchen.", frame({"stay-name": ["M\u00fcnchen"]}, [])
    )
    assert code == "E603"
    assert "the text is NFD, the state NFC" in what


def test_a_span_next_to_its_copied_value(tmp_path: Path) -> None:
    wrong = span("stay-name", 8, 16, value="Blue Boar")
    findings = codes(tmp_path, "Find me the Blue Boar", frame({}, [wrong]))
    assert [code for code, _ in findings] == ["E602"]
    right = span("stay-name", 12, 21, value="Blue Boar")
    assert not codes(tmp_path, "Find me the Blue Boar", frame({}, [right]))


def test_a_state_that_contradicts_a_span(tmp_path: Path) -> None:
    text = "In the north, not the south."
    north = span("stay-area", 7, 12)
    assert not codes(tmp_path, text, frame({"stay-area": ["north"]}, [north]))
    findings = codes(tmp_path, text, frame({"stay-area": ["south"]}, [north]))
    assert [code for code, _ in findings] == ["E609"]


@pytest.mark.parametrize(
    ("text", "values"),
    [("The same area.", ["north"]), ("Four of us.", ["4"]), ("At B - And - B.", ["b-and-b"])],
)
def test_a_span_that_says_the_state_in_other_words(
    text: str, values: list[str], tmp_path: Path
) -> None:
    opener = {"speaker": "USER", "utterance": f"Once {values[0]}.", "frames": []}
    whole = span("stay-area", 0, len(text) - 1)
    turn = {"speaker": "USER", "utterance": text, "frames": [frame({"stay-area": values}, [whole])]}
    dialogues = [{"dialogue_id": "1", "services": ["Stay_1"], "turns": [opener, turn]}]
    (tmp_path / "dialogues_001.json").write_text(json.dumps(dialogues))
    (tmp_path / "schema.json").write_text(json.dumps([SERVICE]))
    assert {each.code for each in lint(formats.load(tmp_path))} <= {"E504"}


def test_spans_of_chinese_text_cut_no_words(tmp_path: Path) -> None:
    area = span("stay-area", 2, 4)
    assert not codes(tmp_path, "我在北京住4天。", frame({}, [area, span("stay-name", 5, 6)]))


def test_schemas_that_are_read_off_states_refute_no_act(tmp_path: Path) -> None:
    acts = {"Stay-Inform": [["Phone", "12"]], "general-bye": [["none", "none"]]}
    question = {"text": "Is it 12?", "metadata": {}, "dialog_act": acts}
    answer = {"text": "No.", "metadata": {"stay": {"semi": {"area": "none"}}}}
    file = tmp_path / "data.json"
    file.write_text(json.dumps({"S1": {"goal": {}, "log": [question, answer]}}))
    assert not list(lint(formats.load(file)))


def test_a_span_within_another(tmp_path: Path) -> None:
    both = [span("stay-name", 4, 13), span("stay-name", 9, 13)]
    assert [code for code, _ in codes(tmp_path, "The Blue Boar.", frame({}, both))] == ["W612"]
    both[1] = span("stay-area", 9, 13)
    assert [code for code, _ in codes(tmp_path, "The Blue Boar.", frame({}, both))] == ["W612"]
    both[0] = span("stay-name", 4, 8)
    assert not codes(tmp_path, "The Blue Boar.", frame({}, both))


def test_a_value_without_a_span(tmp_path: Path) -> None:
    act = {"act": "INFORM", "canonical_values": ["north"], "slot": "stay-area", "values": ["north"]}
    findings = codes(tmp_path, "In the north.", frame({}, [], actions=[act]))
    assert [code for code, _ in findings] == ["I603"]


def test_idle_services_need_not_be_listed(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text("[]")
    idle = frame({}, [], service="Other_1")
    idle["state"]["active_intent"] = "NONE"
    services = [SERVICE, SERVICE | {"service_name": "Other_1"}]
    assert not codes(tmp_path, "Hi.", frame({}, []))
    (tmp_path / "schema.json").write_text(json.dumps(services))
    turn = {"speaker": "USER", "utterance": "Hi.", "frames": [frame({}, []), idle]}
    dialogues = [{"dialogue_id": "1", "services": ["Stay_1"], "turns": [turn]}]
    (tmp_path / "dialogues_001.json").write_text(json.dumps(dialogues))
    assert not list(lint(formats.load(tmp_path)))


def test_the_same_dialogue_in_two_parts(tmp_path: Path) -> None:
    turns = [
        {"speaker": speaker, "utterance": text, "frames": []}
        for speaker, text in (("USER", "A room."), ("SYSTEM", "For when?"))
    ]
    for part, more in (("train", "One."), ("dev", "Two.")):
        (tmp_path / part).mkdir()
        own = [turns[0] | {"utterance": more}, turns[1]]
        dialogues = [
            {"dialogue_id": "1", "services": [], "turns": turns},
            {"dialogue_id": "2", "services": [], "turns": own},
        ]
        (tmp_path / part / "dialogues_001.json").write_text(json.dumps(dialogues))
    (finding,) = lint(formats.load(tmp_path))
    assert (finding.code, finding.dialogue) == ("E506", "1")
    assert "dev and train" in finding.message


PARAMETERS = {
    "type": "object",
    "properties": {
        "seats": {"type": "integer"},
        "area": {"type": "string", "enum": ["north", "south"]},
        "legs": {"type": "array", "items": {"type": "object", "properties": {"no": {}}}},
    },
    "required": ["seats"],
}
TOOLS = [{"type": "function", "function": {"name": "book", "parameters": PARAMETERS}}]


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("book", '{"seats": 2, "legs": [{"no": "A1"}]}', None),
        ("book", '{"seats": 2, "area": "north"}', None),
        ("bok", '{"seats": 2}', "E805"),
        ("book", '{"area": "north"}', "W801"),
        ("book", '{"seats": 2, "smoking": true}', "E806"),
        ("book", '{"seats": "2"}', "E815"),
        ("book", '{"seats": 2, "area": "west"}', "E815"),
        ("book", '{"seats": 2, "legs": [7]}', "E815"),
        ("book", '{"seats": 2, "legs": [{"number": 1}]}', "E815"),
        ("book", '{"seats": 2, "are', "E812"),
    ],
)
def test_calls_are_checked_against_the_tools(
    name: str, arguments: str, code: str | None, tmp_path: Path
) -> None:
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
    messages = [
        {"role": "user", "content": "A table."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": '{"ok": true}'},
    ]
    file = tmp_path / "a.jsonl"
    for tools in (TOOLS, json.dumps(TOOLS)):
        file.write_text(json.dumps({"messages": messages, "tools": tools}) + "\n")
        assert [each.code for each in lint(formats.load(file))] == ([code] if code else [])


@pytest.mark.parametrize(
    ("accept", "values", "lacking"),
    [
        ("SELECT", {"name": ["Heron"]}, ["area"]),
        ("AFFIRM", {"name": ["Heron"]}, ["area"]),
        ("SELECT", {"name": ["Heron"], "area": ["south"]}, []),
        ("SELECT", {}, []),  # the state has nothing of the offer: accepting may add nothing
        ("REQUEST_ALTS", {"name": ["Heron"]}, []),
    ],
)
def test_accepted_values_that_the_state_lacks(
    tmp_path: Path, accept: str, values: dict[str, list[str]], lacking: list[str]
) -> None:
    names = ("name", "area", "phone")  # the phone is no input: a state has no place for it
    intent = {"name": "Stay", "description": "", "is_transactional": True}
    inputs: dict[str, Any] = {"required_slots": ["name"], "optional_slots": {"area": "dontcare"}}
    slot = {"description": "", "is_categorical": False, "possible_values": []}
    service = SERVICE | {
        "slots": [{"name": name} | slot for name in names],
        "intents": [intent | inputs | {"result_slots": []}],
    }
    offer = [{"act": "OFFER", "slot": each, "values": [], "canonical_values": []} for each in names]
    act = {"act": accept, "slot": "", "values": [], "canonical_values": []}
    offered = {"service": "Stay_1", "slots": [], "actions": offer}
    turns = [
        {"speaker": "SYSTEM", "utterance": "The Heron, in the south.", "frames": [offered]},
        {"speaker": "USER", "utterance": "Fine.", "frames": [frame(values, [], actions=[act])]},
    ]
    dialogue = {"dialogue_id": "1", "services": ["Stay_1"], "turns": turns}
    (tmp_path / "dialogues_001.json").write_text(json.dumps([dialogue]))
    (tmp_path / "schema.json").write_text(json.dumps([service]))
    texts = [each.message for each in lint(formats.load(tmp_path)) if each.code == "I605"]
    assert [slot for slot in names if any(f"accepts {slot}," in each for each in texts)] == lacking


@pytest.mark.parametrize(("requestor", "codes"), [("user", []), ("assistant", ["E811"])])
def test_users_may_call_tools_of_their_own(
    requestor: str, codes: list[str], tmp_path: Path
) -> None:
    call = {"id": "1", "name": "dim", "arguments": {}, "requestor": requestor}
    messages = [
        {"role": "user", "content": None, "tool_calls": [call]},
        {"role": "tool", "id": "1", "content": "dark", "requestor": requestor},
        {"role": "user", "content": "It is dark."},
    ]
    run = {"id": "a", "task_id": "1", "termination_reason": "user_stop", "messages": messages}
    (tmp_path / "a.json").write_text(json.dumps(run))
    corpus = formats.load(tmp_path)
    assert [each.code for each in lint(corpus)] == codes
    formats.get("native").write(corpus.dialogues(), {}, tmp_path / "copy")
    assert [each.code for each in lint(formats.load(tmp_path / "copy"))] == codes
